/** How simulated cameras work. */
export interface CameraSettings {
  /** Whether images are rendered and searched only where balls are expected, most of the time. */
  readonly windows: boolean;
  /** Size of images against the camera's own; null: what can be kept up in real time, the camera's own in lock-step. */
  readonly scale: number | null;
  /** Whether images are in colour; left out: they are gray. */
  readonly colour?: boolean;
}

export const cameraDefaults: CameraSettings = { windows: true, scale: null };
