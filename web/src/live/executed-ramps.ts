import type { PlanMessage } from "../../../src/messages/page.js";
import { evaluateVelocities, type RampArrays } from "../../../src/motion/ramp.js";

/** Velocities over time as shares of each joint's limit. */
export interface VelocityCourse {
  /** From the first plan's start [s]. */
  readonly times: number[];
  /** Per joint, per time. */
  readonly shares: number[][];
}

const SAMPLES = 240;

/** The velocities that plans lead to, each in force from its start until that of the next. `plans` in order of start. */
export function executedVelocities(plans: readonly PlanMessage[], limits: readonly number[]): VelocityCourse {
  const first = plans[0];
  if (first === undefined) return { times: [], shares: limits.map(() => []) };
  const count = first.joints.length;
  const end = Math.max(...plans.map(({ tStart, ramps }) => tStart + Math.max(0, ...ramps.T)));
  const arrays = plans.map(rampArrays);
  const speeds = new Float64Array(count);
  const times: number[] = [];
  const shares: number[][] = Array.from({ length: count }, () => []);
  for (let k = 0; k <= SAMPLES; k++) {
    const time = first.tStart + ((end - first.tStart) * k) / SAMPLES;
    const inForce = plans.findLastIndex(({ tStart }) => tStart <= time);
    evaluateVelocities(arrays[inForce]!, count, time - plans[inForce]!.tStart, speeds);
    times.push(time - first.tStart);
    for (let i = 0; i < count; i++) shares[i]!.push(speeds[i]! / (limits[i] ?? Number.POSITIVE_INFINITY));
  }
  return { times, shares };
}

/** Greatest difference of speeds that counts as going on [rad/s or m/s]. */
const SAME_SPEED = 0.01;

/** The newest plans that go on where the one before is: a motion that was given up in between begins another course. */
export function unbrokenPlans(plans: readonly PlanMessage[]): PlanMessage[] {
  const first = plans.findLastIndex((plan, k) => k > 0 && !goesOn(plans[k - 1]!, plan));
  return plans.slice(Math.max(0, first));
}

function goesOn(before: PlanMessage, after: PlanMessage): boolean {
  const speeds = new Float64Array(before.joints.length);
  evaluateVelocities(rampArrays(before), speeds.length, after.tStart - before.tStart, speeds);
  return after.ramps.w0.every((speed, k) => Math.abs(speed - speeds[k]!) <= SAME_SPEED);
}

export function rampArrays({ ramps }: Pick<PlanMessage, "ramps">): RampArrays {
  const array = (values: readonly number[]): Float64Array => Float64Array.from(values);
  return {
    q0: array(ramps.q0),
    w0: array(ramps.w0),
    ab: array(ramps.ab),
    tb: array(ramps.tb),
    a: array(ramps.a),
    t1: array(ramps.t1),
    t2: array(ramps.t2),
    T: array(ramps.T),
    end: array(ramps.end),
  };
}
