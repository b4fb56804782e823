import { FlycatcherError } from "../runtime/errors.js";
import type { CameraSettings } from "../simulation/camera-settings.js";
import type { PerceptionKind } from "./graph.js";

/** Frames that other programs send must be those of both cameras, and be looked at. */
export function checkPipes(perception: PerceptionKind, { pipes }: CameraSettings): void {
  if (pipes === undefined || (pipes.left !== "" && pipes.right !== "" && perception === "images")) return;
  throw new FlycatcherError("FLY_CAMERA", "frames of a program cannot be used in this run", {
    path: "cameras",
    expected: "programs of both cameras, and the perception `images`",
    found: perception === "images" ? `one for the ${pipes.left === "" ? "right" : "left"} camera alone` : perception,
  });
}
