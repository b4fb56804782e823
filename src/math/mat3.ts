/** 3 × 3 matrices, row-major. `out` is trailing and may be an input. */
export type Mat3 = Float64Array & {
  readonly length: 9;
  0: number;
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
  6: number;
  7: number;
  8: number;
};
