import type { PixelFormat } from "../camera/frames/frame-stream.js";

/** How the cameras of a run work. */
export interface CameraSettings {
  /** Whether images are rendered and searched only where balls are expected, most of the time. */
  readonly windows: boolean;
  /** Size of images against the camera's own; null: what can be kept up in real time, the camera's own in lock-step. */
  readonly scale: number | null;
  /** Whether images are in colour; left out: they are gray. */
  readonly colour?: boolean;
  /** Programs that send the cameras' frames; left out: the cameras are simulated. */
  readonly pipes?: CameraPipes;
}

/** Command lines of programs that write frames to their standard output, and how. */
export interface CameraPipes {
  readonly left: string;
  readonly right: string;
  /** GStreamer's data protocol, or bare frames of a pixel format. */
  readonly framing: "gdp" | PixelFormat;
}

export const cameraDefaults: CameraSettings = { windows: true, scale: null };
