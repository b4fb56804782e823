import type { CatchMode } from "../problem/objectives.js";

/** After how many starts a global search has seen enough. */
export interface SearchPatience {
  /** Starts, from the best on, none of which came to a point that keeps all constraints: the ball counts as out of reach. */
  readonly fruitless: number;
  /** Starts that led to the best catch known: it counts as the best there is. */
  readonly confirmations: Readonly<Record<CatchMode, number>>;
  /** Share of its cost by which a catch must be better than the best known to be worth the verifier's time. */
  readonly leastGain: number;
  /** Whether starts of another kind follow where the verifier refused the best of the usual ones, or there were none. */
  readonly looksElsewhere: boolean;
}

const never = Number.POSITIVE_INFINITY;

/** Every start is polished, whatever comes of it. */
export const everyStart: SearchPatience = {
  fruitless: never,
  confirmations: { soft: never, latest: never, cool: never, sure: never },
  leastGain: 0,
  looksElsewhere: true,
};

/**
 * For arms with an analytic inverse kinematics, whose starts are ranked by how much the joints lack to be there in time. Of
 * 1,699 searches with a catch (four replays of 20 throws, the reference of the planning suite, 100 throws at each of three
 * arms in three modes) none was lost by giving up after three fruitless starts: of the first 806, the best start led to a catch
 * in 802 and the second in 4. Three starts that agreed on the softest catch were right in all 652; in mode `sure` three were
 * wrong in 1 of 435, by 1.2 %, and six never. In the other modes agreement proves little: `latest` ends at one of many
 * limits (8 of 452 wrong, by up to 7 %), and `cool` is flat where an arm is nearly there already (7 of 160).
 */
export const briefSearch: SearchPatience = {
  fruitless: 3,
  confirmations: { soft: 3, sure: 6, latest: never, cool: never },
  // Starts that agree do so to some 1e-6, and every other one would be better by that.
  leastGain: 1e-5,
  looksElsewhere: false,
};

/** Costs that differ by less than this share are those of one catch, or of two that are as good. */
const SAME_COST = 1e-3;
/** The same for costs near zero. */
const SAME_SMALL_COST = 1e-9;

/** The tally of one search: begun with it, and told of each start. Made once, used for search after search. */
export class SearchTally {
  #patience = everyStart;
  #mode: CatchMode = "soft";
  #fruitless = 0;
  #hasFeasible = false;
  #best = Number.POSITIVE_INFINITY;
  #confirmations = 0;

  begin(patience: SearchPatience, mode: CatchMode): void {
    this.#patience = patience;
    this.#mode = mode;
    this.#fruitless = 0;
    this.#hasFeasible = false;
    this.#best = Number.POSITIVE_INFINITY;
    this.#confirmations = 0;
  }

  /** A start that ended where some constraint is violated. */
  noteInfeasible(): void {
    this.#fruitless++;
  }

  /** A start that keeps the constraints, at this cost; `best` is that of the best verified catch by now, Infinity if none is. */
  noteFeasible(cost: number, best: number): void {
    this.#hasFeasible = true;
    if (!(best < Number.POSITIVE_INFINITY)) return;
    const same = SAME_COST * Math.abs(best) + SAME_SMALL_COST;
    if (best < this.#best - same) this.#confirmations = 0;
    this.#best = best;
    if (Math.abs(cost - best) <= same) this.#confirmations++;
  }

  /** Whether a catch of this cost would be better than the best verified one, by more than counts. */
  isBetter(cost: number, best: number): boolean {
    const { leastGain } = this.#patience;
    return leastGain > 0 && best < Number.POSITIVE_INFINITY ? cost < best - leastGain * Math.abs(best) : cost < best;
  }

  /** Whether the starts that are left need not be polished. */
  get isOver(): boolean {
    const { fruitless, confirmations } = this.#patience;
    if (!this.#hasFeasible) return this.#fruitless >= fruitless;
    return this.#confirmations >= confirmations[this.#mode];
  }
}
