/** The part of nlopt-js 0.1.1 that the back end uses; the package ships no types. */
export interface Nlopt {
  readonly ready: Promise<void>;
  readonly Optimize: new (algorithm: unknown, n: number) => Optimize;
  readonly Algorithm: { readonly LD_SLSQP: unknown };
  /** Memory as it was when the library was loaded: empty once WebAssembly has grown it, and everything fails then. */
  readonly HEAPF64: Float64Array;
}

/** The callbacks get views into WebAssembly memory that live only as long as the call; derivatives are null if unneeded. */
export interface Optimize {
  setMinObjective(f: ScalarFunction, relativeStepTolerance: number): void;
  addEqualityMConstraint(c: VectorFunction, tolerances: number[]): void;
  addInequalityMConstraint(c: VectorFunction, tolerances: number[]): void;
  setLowerBounds(bounds: number[]): void;
  setUpperBounds(bounds: number[]): void;
  setMaxeval(evaluations: number): void;
  setMaxtime(seconds: number): void;
  /** Throws a string when the library meets an error, roundoff included. */
  optimize(start: number[]): { readonly success: boolean; readonly x: number[]; readonly value: number };
}

export type ScalarFunction = (x: Float64Array, gradient: Float64Array | null) => number;

/** Values and row-major Jacobian of constraints c(x) = 0 or c(x) ≤ 0. */
export type VectorFunction = (x: Float64Array, jacobian: Float64Array | null, values: Float64Array) => void;
