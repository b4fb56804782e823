import type { Circles } from "../../messages/circles.js";
import type { CircleSet } from "./circle-set.js";

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
