/**
 * Rigid transforms as twelve numbers: a row-major rotation matrix (0–8), then the translation (9–11).
 * A pose is named target-from-source (`chestFromHand` takes hand coordinates to chest coordinates).
 */
export type Pose = Float64Array & {
  readonly length: 12;
  0: number;
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
  6: number;
  7: number;
  8: number;
  9: number;
  10: number;
  11: number;
};
