/**
 * The Runge–Kutta method of order 5 of Dormand and Prince ("A family of embedded Runge–Kutta formulae", J. Comput. Appl.
 * Math. 6, 1980). Its seventh stage is the first of the next step. For a flight with steps of 25 ms its error is some
 * 1e-12 m a second, so that fixed steps do.
 */

/** Stage i starts from h·Σ_j a_ij·k_j. The names carry the indices, 1-based, as in the paper. */
export const a21 = 1 / 5;
export const a31 = 3 / 40;
export const a32 = 9 / 40;
export const a41 = 44 / 45;
export const a42 = -56 / 15;
export const a43 = 32 / 9;
export const a51 = 19372 / 6561;
export const a52 = -25360 / 2187;
export const a53 = 64448 / 6561;
export const a54 = -212 / 729;
export const a61 = 9017 / 3168;
export const a62 = -355 / 33;
export const a63 = 46732 / 5247;
export const a64 = 49 / 176;
export const a65 = -5103 / 18656;

/** The step ends at h·Σ_i b_i·k_i; b₂ is zero. */
export const b1 = 35 / 384;
export const b3 = 500 / 1113;
export const b4 = 125 / 192;
export const b5 = -2187 / 6784;
export const b6 = 11 / 84;

/** The same as tables, for loops: row i of `stages` leads to stage i + 1 (0-based), the last one to the end. */
export const stages: readonly Float64Array[] = [
  Float64Array.of(a21),
  Float64Array.of(a31, a32),
  Float64Array.of(a41, a42, a43),
  Float64Array.of(a51, a52, a53, a54),
  Float64Array.of(a61, a62, a63, a64, a65),
  Float64Array.of(b1, 0, b3, b4, b5, b6),
];
