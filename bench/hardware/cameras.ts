import type { BenchPart } from "../harness.js";
import { cameraStreams } from "./camera-streams.js";
import { videoErrors } from "./video-error.js";

/** The cameras' half of the suite `hardware`. */
export const cameraParts: readonly BenchPart[] = [
  { name: "camera streams", measure: cameraStreams },
  { name: "videos", measure: videoErrors },
];
