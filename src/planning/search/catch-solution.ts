import { JointRamps } from "../../motion/joint-ramps.js";
import { Verdict } from "./verify.js";

/** The best catch of one search, preallocated by the caller and overwritten by each search. */
export class CatchSolution {
  /** Whether `x` and `ramps` are a catch that passed the verifier. */
  found = false;
  /** Whether it is a local optimum within the solver's tolerances; not known of what was found elsewhere, with bounds added. */
  optimal = false;
  /** (q, t): joint positions at the catch, and when the ball is there. */
  readonly x: Float64Array;
  readonly ramps: JointRamps;
  /** The mode's objective as the thesis defines it. */
  objective = Number.NaN;
  /** Value that was minimised, for comparing solutions of one task. */
  cost = Number.POSITIVE_INFINITY;
  /** Least distance of the hand to a keep-out shape [m]. */
  clearance = Number.NaN;
  /** When the hand is at the catch, at rest [s]. */
  arrival = Number.NaN;
  /** What the verifier said of the last candidate that was not good enough. */
  refusal: Verdict = Verdict.ok;
  /** Least cost of a candidate that keeps all constraints but did not pass the verifier. */
  refusedCost = Number.POSITIVE_INFINITY;
  /** That candidate, and the body of the arm that came too near on its way (a place in the clearances; −1: none known). */
  readonly refused: Float64Array;
  refusedBody = NO_BODY;
  /** Whether the search has looked elsewhere already. */
  lookedElsewhere = false;
  /** Whether a deadline or budget ended the search before all starts were polished. */
  cutShort = false;
  starts = 0;
  iterations = 0;
  evaluations = 0;
  /** For the next, similar task. */
  warmStart: Float64Array;
  /** The start that violates the constraints least, polished: what a report of an unreachable ball looks at. */
  readonly leastViolated: Float64Array;
  leastViolation = Number.POSITIVE_INFINITY;

  constructor(dofs: number, warmStart: Float64Array) {
    this.x = new Float64Array(dofs + 1);
    this.ramps = new JointRamps(dofs);
    this.warmStart = warmStart;
    this.leastViolated = new Float64Array(dofs + 1);
    this.refused = new Float64Array(dofs + 1);
  }

  reset(): void {
    this.found = false;
    this.optimal = false;
    this.objective = Number.NaN;
    this.cost = Number.POSITIVE_INFINITY;
    this.clearance = Number.NaN;
    this.arrival = Number.NaN;
    this.refusal = Verdict.ok;
    this.refusedCost = Number.POSITIVE_INFINITY;
    this.refusedBody = NO_BODY;
    this.lookedElsewhere = false;
    this.cutShort = false;
    this.starts = 0;
    this.iterations = 0;
    this.evaluations = 0;
    this.leastViolation = Number.POSITIVE_INFINITY;
  }

  /**
   * Whether other starts may lead to something better: there were none, or the verifier refused a catch that would be
   * better than the best by more than counts, and the same motion from other starts would be refused again.
   */
  get deservesMore(): boolean {
    if (this.cutShort || this.lookedElsewhere) return false;
    if (!this.found) return this.starts === 0 || this.refusedCost < Number.POSITIVE_INFINITY;
    return this.refusedCost < this.cost - WORTHWHILE * Math.abs(this.cost);
  }
}

/** No body of the arm. */
export const NO_BODY = -1;

/** Share of its cost by which a catch must be better to be worth more starts. */
const WORTHWHILE = 2e-3;
