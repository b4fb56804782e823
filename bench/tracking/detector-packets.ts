import { maxCircles } from "../../src/messages/parts.js";
import type { CircleSet } from "../../src/tracking/circles/circle-set.js";
import { array, bytes, choice, described, f64, struct, time, u16, u32 } from "../../src/transport/channels/field.js";
import { type PacketView, packet } from "../../src/transport/channels/packet.js";

/** Which camera of the stereo pair. */
export const Camera = { left: 0, right: 1 } as const;
export type Camera = (typeof Camera)[keyof typeof Camera];

/**
 * One image of one camera, 8-bit gray, rows from top to bottom without padding. The size is part of the type: a channel
 * is made for the images of one camera setting. The return type is the same for all sizes.
 */
export function imagePacket(width: number, height: number) {
  return packet("Image", 1, {
    tExposure: described(time, "middle of the exposure [ns]"),
    tArrival: described(time, "when the driver had it [ns]"),
    camera: choice(Camera),
    frame: described(u32, "number of the frame; a gap is a lost one"),
    width: described(u16, "[px]"),
    height: described(u16, "[px]"),
    pixels: described(bytes(width * height), "width × height gray values"),
  });
}
export type Image = PacketView<ReturnType<typeof imagePacket>>;

/** The circles a detector found in one image, best first. */
export const Circles = packet("Circles", 1, {
  tExposure: described(time, "middle of the image's exposure [ns]"),
  tArrival: described(time, "when the driver had the image [ns]"),
  camera: choice(Camera),
  frame: described(u32, "number of the image's frame"),
  count: described(u16, "circles in use"),
  circles: array(
    struct({
      u: described(f64, "centre, to the right [px]"),
      v: described(f64, "centre, downwards [px]"),
      r: described(f64, "radius [px]"),
      covariance: described(array(f64, 3, 3), "of (u, v, r) [px²]"),
      score: described(f64, "purity of the gradient along the outline, 0 to 1"),
    }),
    maxCircles,
  ),
});
export type Circles = PacketView<typeof Circles>;

/** Writes the circles of a set to a packet; those beyond its room, the worst, are left out. */
export function writeCircles(set: CircleSet, out: Circles): void {
  const count = Math.min(set.count, out.circles.length);
  out.count = count;
  for (let n = 0; n < count; n++) {
    const circle = out.circles[n]!;
    circle.u = set.u[n]!;
    circle.v = set.v[n]!;
    circle.r = set.r[n]!;
    circle.score = set.score[n]!;
    for (let i = 0; i < 9; i++) circle.covariance[i] = set.covariance[n * 9 + i]!;
  }
}

/** Reads the circles of a packet; a count beyond the room of either is cut. */
export function readCircles(packet: Readonly<Circles>, out: CircleSet): void {
  out.count = Math.min(packet.count, packet.circles.length, out.capacity);
  for (let n = 0; n < out.count; n++) {
    const circle = packet.circles[n]!;
    out.u[n] = circle.u;
    out.v[n] = circle.v;
    out.r[n] = circle.r;
    out.score[n] = circle.score;
    for (let i = 0; i < 9; i++) out.covariance[n * 9 + i] = circle.covariance[i]!;
  }
}
