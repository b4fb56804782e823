import { Random } from "../../src/math/random.js";

/** A task of N joints: from a state to a position, under limits. */
export interface ProfileCase {
  readonly kind: ProfileKind;
  readonly start: Boundary & { readonly acceleration: Float64Array };
  readonly goal: Boundary;
  readonly limits: {
    readonly maxVelocity: Float64Array;
    readonly maxAcceleration: Float64Array;
    readonly maxJerk: Float64Array;
  };
}

interface Boundary {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
}

/** From rest to rest; from motion to rest; from motion to a goal that is passed with a velocity. */
export type ProfileKind = "rest" | "moving" | "passing";

const CASES: readonly (readonly [ProfileKind, number])[] = [
  ["rest", 400],
  ["moving", 400],
  ["passing", 200],
];
const MOST_JOINTS = 7;

/** The 1,000 cases of which the durations of another library are stored; the same in every run. */
export function profileCases(): ProfileCase[] {
  const random = new Random("profiles of 1,000 cases");
  return CASES.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, k) => randomCase(kind, 1 + (k % MOST_JOINTS), random)),
  );
}

/** Limits of an arm's joints up to a factor of 3; starts whose acceleration carries no velocity over its limit. */
function randomCase(kind: ProfileKind, joints: number, random: Random): ProfileCase {
  const between = (low: number, high: number) =>
    Float64Array.from({ length: joints }, () => random.uniformIn(low, high));
  const signed = (limits: Float64Array) => limits.map((limit) => limit * random.uniformIn(-1, 1));
  const maxVelocity = between(1, 3);
  const maxAcceleration = between(5, 15);
  const maxJerk = between(50, 5000);
  const velocity = kind === "rest" ? new Float64Array(joints) : signed(maxVelocity);
  const acceleration = kind === "rest" ? new Float64Array(joints) : signed(maxAcceleration);
  for (let i = 0; i < joints; i++) {
    const most = 0.99 * Math.sqrt(2 * maxJerk[i]! * (maxVelocity[i]! - Math.abs(velocity[i]!)));
    if (Math.abs(acceleration[i]!) > most) acceleration[i] = Math.sign(acceleration[i]!) * most;
  }
  return {
    kind,
    start: { position: between(-2.5, 2.5), velocity, acceleration },
    goal: {
      position: between(-2.5, 2.5),
      velocity: kind === "passing" ? signed(maxVelocity) : new Float64Array(joints),
    },
    limits: { maxVelocity, maxAcceleration, maxJerk },
  };
}

/**
 * A case as a line for another program: number of joints, then per joint start position, velocity and acceleration, goal
 * position and velocity, limits of velocity, acceleration and jerk.
 */
export function caseLine({ start, goal, limits }: ProfileCase): string {
  const columns = [start.position, start.velocity, start.acceleration, goal.position, goal.velocity];
  const all = [...columns, limits.maxVelocity, limits.maxAcceleration, limits.maxJerk];
  const joints = Array.from(start.position, (_, i) => all.map((values) => values[i]!).join(" "));
  return [start.position.length, ...joints].join(" ");
}
