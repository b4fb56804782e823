import { createRequire } from "node:module";

/** The part of nlopt-js 0.1.1 that the back end uses; the package ships no types. */
interface Nlopt {
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

type ScalarFunction = (x: Float64Array, gradient: Float64Array | null) => number;

/** Values and row-major Jacobian of constraints c(x) = 0 or c(x) ≤ 0. */
type VectorFunction = (x: Float64Array, jacobian: Float64Array | null, values: Float64Array) => void;

/**
 * nlopt-js 0.1.1 as one shared, counted resource. Its wrapper leaks every vector it is given or gives back; when the leak
 * makes WebAssembly's memory grow, the library is dead for the rest of the process (62,014 solves of 8 unknowns, two
 * vectors each, measured). So each vector is counted, and `isExhausted` says so well before.
 */
export class NloptLibrary {
  readonly nlopt: Nlopt;
  #leaked = 0;

  constructor(nlopt: Nlopt) {
    this.nlopt = nlopt;
  }

  /** Takes note of `count` vectors of n numbers, each a header and room grown by doubling. */
  countVectors(count: number, n: number): void {
    this.#leaked += count * (32 + 8 * 2 ** Math.ceil(Math.log2(Math.max(n, 1))));
  }

  get isExhausted(): boolean {
    return this.#leaked >= leakBudget || this.nlopt.HEAPF64.length === 0;
  }
}

/** Bytes that may leak: 62,014 solves leaked 11.9 MB by the count above; this is three quarters of it. */
const leakBudget = 8.9e6;

let loading: Promise<NloptLibrary> | null = null;

/** Loads the library on first use (0.9 MB), and takes its process-wide exception listeners off again. */
export function loadNlopt(): Promise<NloptLibrary> {
  loading ??= load();
  return loading;
}

const events = ["uncaughtException", "unhandledRejection"] as const;

async function load(): Promise<NloptLibrary> {
  const before = events.map((event) => process.rawListeners(event));
  // By `require`, not `import`: synchronous, so that nobody else's listener can be added meanwhile.
  const nlopt = createRequire(import.meta.url)("nlopt-js") as Nlopt;
  for (const [k, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (!before[k]!.includes(listener)) process.off(event as "uncaughtException", listener as () => void);
    }
  }
  await nlopt.ready;
  return new NloptLibrary(nlopt);
}
