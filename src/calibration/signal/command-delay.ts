/** A joint that was commanded and measured; times [s] ascend, on one clock. */
export interface FollowedJoint {
  readonly commandTimes: Float64Array;
  /** [rad or m] */
  readonly commands: Float64Array;
  readonly times: Float64Array;
  readonly positions: Float64Array;
}

export interface CommandDelayFit {
  /** From a command to the joint that follows it [s]. */
  readonly delay: number;
  /** Its standard deviation, if what remains is white noise [s]. */
  readonly deviation: number;
  /** Root mean square of what remains [rad or m]. */
  readonly residual: number;
  /** Measurements that count. */
  readonly samples: number;
}

/** Between two delays of the first search [s]; how near the second comes. */
const GRID = 0.001;
const PRECISION = 1e-5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Fewer say nothing. */
const LEAST_SAMPLES = 50;

/**
 * The one delay by which joints follow their commands: least squares of measured(t) − commanded(t − delay), each joint with an offset
 * of its own. The minimum over all delays up to `longest` [s] is searched on a grid and refined by golden sections. Null where nothing
 * moved, or where the best delay is the longest that was tried.
 *
 * @example
 * const fit = identifyCommandDelay([{ commandTimes, commands, times, positions }]);
 * if (fit !== null) overlay.commandDelays = { arm: fit.delay };
 */
export function identifyCommandDelay(joints: readonly FollowedJoint[], longest = 0.2): CommandDelayFit | null {
  const windows = joints.map((joint) => windowOf(joint, longest));
  const cost = (delay: number) => joints.reduce((sum, joint, k) => sum + costOf(joint, windows[k]!, delay), 0);
  const samples = windows.reduce((sum, { first, end }) => sum + Math.max(0, end - first), 0);
  if (samples < LEAST_SAMPLES) return null;
  const steps = Math.round(longest / GRID);
  const costs = Float64Array.from({ length: steps + 1 }, (_, k) => cost(k * GRID));
  const best = costs.indexOf(Math.min(...costs));
  const energy = joints.reduce((sum, joint, k) => sum + slopeEnergy(joint, windows[k]!, best * GRID), 0);
  if (best === steps || !(energy > 0)) return null;
  const delay = refine(cost, Math.max(0, (best - 1) * GRID), (best + 1) * GRID);
  const variance = cost(delay) / Math.max(1, samples - joints.length - 1);
  return { delay, deviation: Math.sqrt(variance / energy), residual: Math.sqrt(variance), samples };
}

interface Window {
  readonly first: number;
  readonly end: number;
}

/** Measurements for which a command is known whatever the delay. */
function windowOf({ commandTimes, times }: FollowedJoint, longest: number): Window {
  const begin = (commandTimes[0] ?? Number.POSITIVE_INFINITY) + longest;
  const until = commandTimes.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first = times.findIndex((time) => time >= begin);
  const after = times.findIndex((time) => time > until);
  return { first: first < 0 ? times.length : first, end: after < 0 ? times.length : after };
}

/** Squares of what remains, without the mean. */
function costOf(joint: FollowedJoint, { first, end }: Window, delay: number): number {
  let sum = 0;
  let squares = 0;
  walk(joint, first, end, delay, (commanded, _, k) => {
    const difference = joint.positions[k]! - commanded;
    sum += difference;
    squares += difference * difference;
  });
  return end > first ? Math.max(0, squares - (sum * sum) / (end - first)) : 0;
}

/** Squares of the commanded speed, without the mean: how much a delay shows. */
function slopeEnergy(joint: FollowedJoint, { first, end }: Window, delay: number): number {
  let sum = 0;
  let squares = 0;
  walk(joint, first, end, delay, (_, slope) => {
    sum += slope;
    squares += slope * slope;
  });
  return end > first ? squares - (sum * sum) / (end - first) : 0;
}

/** Commands and their slope `delay` before each measurement, between two commands on the line from one to the other. */
function walk(
  { commandTimes, commands, times }: FollowedJoint,
  first: number,
  end: number,
  delay: number,
  visit: (commanded: number, slope: number, k: number) => void,
): void {
  let at = 0;
  for (let k = first; k < end; k++) {
    const time = times[k]! - delay;
    while (at + 2 < commandTimes.length && commandTimes[at + 1]! <= time) at++;
    const step = commandTimes[at + 1]! - commandTimes[at]!;
    const slope = step > 0 ? (commands[at + 1]! - commands[at]!) / step : 0;
    visit(commands[at]! + slope * (time - commandTimes[at]!), slope, k);
  }
}

/** The minimum of a function with one, between two places. */
function refine(cost: (delay: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  let [c, d] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
  let [costC, costD] = [cost(c), cost(d)];
  while (b - a > PRECISION) {
    if (costC < costD) {
      [b, d, costD] = [d, c, costC];
      c = b - GOLDEN * (b - a);
      costC = cost(c);
    } else {
      [a, c, costC] = [c, d, costD];
      d = a + GOLDEN * (b - a);
      costD = cost(d);
    }
  }
  return (a + b) / 2;
}
