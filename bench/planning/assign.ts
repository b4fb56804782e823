import type { CatchOption } from "./catch-options.js";

/**
 * Whether the arms can do their motions at once without touching each other or the robot; null for an arm that catches
 * nothing. One entry an arm.
 */
export type ArmsAreClear = (options: readonly (CatchOption | null)[]) => boolean;

/** What each arm does. */
export interface Assignment {
  /** Ball of each arm; −1 for none. */
  readonly balls: readonly number[];
  /** How each arm catches its ball; null for none. */
  readonly options: readonly (CatchOption | null)[];
  /** Balls that will be caught. */
  readonly caught: number;
}

/** `options[arm][ball]`: the catches that an arm could make of a ball, best first; empty where it cannot reach it. */
export type CatchOptions = readonly (readonly (readonly CatchOption[])[])[];

/** No arm, no ball. */
export const NONE = -1;

/**
 * Which arm takes which ball.
 *
 * 1. As many balls as can be caught. For each way to give the balls to the arms, the combination of options with the
 *    least cost, each measured from the best for its arm and ball, whose motions are clear of each other.
 * 2. Of several such ways the surest: the highest probability that all of it succeeds, where all probabilities are known;
 *    else the one whose hastiest catch has the most time to spare.
 * 3. In a tie the lower ball goes to the first arm.
 *
 * The same input gives the same answer; at most `mostChecks` combinations of each way are looked at.
 */
export function assignBalls(options: CatchOptions, areClear: ArmsAreClear, mostChecks = 24): Assignment {
  const arms = options.length;
  const balls = Math.max(0, ...options.map((perBall) => perBall.length));
  const ways = waysToAssign(arms, balls);
  for (let caught = Math.min(arms, balls); caught > 0; caught--) {
    const found = ways
      .filter((way) => way.filter((ball) => ball !== NONE).length === caught)
      .map((way) => clearCombination(way, options, areClear, mostChecks))
      .filter((assignment) => assignment !== null);
    if (found.length > 0) return surest(found);
  }
  return { balls: options.map(() => NONE), options: options.map(() => null), caught: 0 };
}

/** Every way to give each arm one ball or none, no ball twice; lower balls to the first arm first, none last. */
function waysToAssign(arms: number, balls: number): number[][] {
  let ways: number[][] = [[]];
  for (let arm = 0; arm < arms; arm++) {
    const choices = [...Array(balls).keys(), NONE];
    ways = ways.flatMap((way) =>
      choices.filter((ball) => ball === NONE || !way.includes(ball)).map((ball) => [...way, ball]),
    );
  }
  return ways;
}

/** The cheapest combination of options for one way that is clear; null if there is none. */
function clearCombination(
  way: readonly number[],
  options: CatchOptions,
  areClear: ArmsAreClear,
  mostChecks: number,
): Assignment | null {
  const lists = way.map((ball, arm) => (ball === NONE ? [null] : (options[arm]![ball] ?? [])));
  for (const chosen of combinationsByRegret(lists).slice(0, mostChecks)) {
    if (areClear(chosen)) return { balls: way, options: chosen, caught: chosen.filter((one) => one !== null).length };
  }
  return null;
}

/**
 * One entry of each list in every combination, those first that lose least against the best of each list. A sum of costs
 * would weigh the balls against each other, whose costs may be of different size.
 */
function combinationsByRegret(lists: readonly (readonly (CatchOption | null)[])[]): (CatchOption | null)[][] {
  let combinations: { chosen: (CatchOption | null)[]; regret: number }[] = [{ chosen: [], regret: 0 }];
  for (const list of lists) {
    const best = list[0]?.cost ?? 0;
    combinations = combinations.flatMap(({ chosen, regret }) =>
      list.map((option) => ({ chosen: [...chosen, option], regret: regret + (option?.cost ?? best) - best })),
    );
  }
  return combinations.sort((a, b) => a.regret - b.regret).map(({ chosen }) => chosen);
}

function surest(assignments: readonly Assignment[]): Assignment {
  const chosen = assignments.map(({ options }) => options.filter((option) => option !== null));
  const isKnown = chosen.flat().every(({ probability }) => probability !== null);
  const sureness = chosen.map((options) =>
    isKnown
      ? options.reduce((product, { probability }) => product * probability!, 1)
      : Math.min(...options.map(({ slack }) => slack)),
  );
  // `indexOf` the greatest: the first of equals.
  return assignments[sureness.indexOf(Math.max(...sureness))]!;
}
