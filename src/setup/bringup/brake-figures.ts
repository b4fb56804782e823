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
  let last = times.length;
  while (last > before && fastest(last - 1) <= REST) last--;
  const end = Math.min(last, times.length - 1);
  const start = positions[before]!;
  const distance = Math.max(...start.map((q, i) => Math.abs(positions[end]![i]! - q)));
  return { time: times[end]! - asked, distance, speed: fastest(before), isAtRest: last < times.length };
}
