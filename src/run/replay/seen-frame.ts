import * as pose from "../../math/pose.js";
import type { TrackerScan } from "../../nodes/tracker.js";
import type { CameraView } from "../../tracking/filter/scan.js";

/** A frame as it was understood: kept for the smoothed trajectory. */
export type SeenFrame = TrackerScan;

/** The tracker uses its memory of the cameras again. */
export function copyOfScan({ exposureNs, left, right, points }: TrackerScan): SeenFrame {
  const copy = (image: TrackerScan["left"]) => (image === null ? null : { ...image, view: duplicate(image.view) });
  return { exposureNs, left: copy(left), right: copy(right), points };
}

function duplicate({ camera, time, worldFromCamera, covariance }: CameraView): CameraView {
  return { camera, time, worldFromCamera: pose.copy(worldFromCamera, pose.create()), covariance: covariance.slice() };
}
