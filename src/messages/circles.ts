import { array, choice, described, f64, struct, time, u16, u32 } from "../channels/field.js";
import { type PacketView, packet } from "../channels/packet.js";
import { Camera } from "./camera.js";
import { maxCircles } from "./parts.js";

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
