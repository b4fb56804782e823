/** How a robot came to rest; of the joint that was fastest. */
export interface BrakeFigures {
  /** From when it was asked to stop until all joints stood [s], and how far one of them went meanwhile [rad or m]. */
  readonly time: number;
  readonly distance: number;
  /** Speed when it was asked [rad/s or m/s]. */
  readonly speed: number;
  readonly isAtRest: boolean;
}

/** Slower is rest [rad/s or m/s]. */
const REST = 0.005;
/** For so long [s]. */
const REST_FOR = 0.1;

/** Figures of a brake asked for at `asked` [s]; `positions` and `speeds` have one row a state at `times`. Null: no state before it. */
export function brakeFigures(
  asked: number,
  times: readonly number[],
  positions: readonly (readonly number[])[],
  speeds: readonly (readonly number[])[],
): BrakeFigures | null {
  const before = times.findLastIndex((time) => time <= asked);
  if (before < 0) return null;
  const fastest = (k: number) => Math.max(...speeds[k]!.map(Math.abs));
  const rest = firstRest(before, times, fastest);
  const end = rest < 0 ? times.length - 1 : rest;
  const start = positions[before]!;
  const distance = Math.max(...start.map((q, i) => Math.abs(positions[end]![i]! - q)));
  return { time: times[end]! - asked, distance, speed: fastest(before), isAtRest: rest >= 0 };
}

/** The first state from which on all joints stand for a while: a robot may go on later. −1: there is none. */
function firstRest(from: number, times: readonly number[], fastest: (k: number) => number): number {
  let begin = -1;
  for (let k = from; k < times.length; k++) {
    if (fastest(k) > REST) begin = -1;
    else if (begin < 0) begin = k;
    if (begin >= 0 && times[k]! - times[begin]! >= REST_FOR) return begin;
  }
  return -1;
}
