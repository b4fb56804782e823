import type { Random } from "../../src/math/random.js";
import type { PiecewiseMotion } from "../../src/motion/piecewise-motion.js";
import { MotionState } from "../../src/motion/piecewise-motion.js";

/** One joint's task: start, goal, limits. */
export interface ProfileTask {
  readonly start: { position: Float64Array; velocity: Float64Array; acceleration: Float64Array };
  readonly goal: { position: Float64Array; velocity: Float64Array };
  readonly limits: { maxVelocity: Float64Array; maxAcceleration: Float64Array; maxJerk: Float64Array };
}

/** From rest; within the limits; beyond them; to a goal that moves. */
export const taskKinds = ["rest", "moving", "beyond", "passing"] as const;
export type TaskKind = (typeof taskKinds)[number];

function logUniform(random: Random, low: number, high: number): number {
  return low * (high / low) ** random.uniform();
}

/** Limits over two decades, the awkward starts and goals far more often than chance would have them. */
export function randomTask(kind: TaskKind, random: Random): ProfileTask {
  const of = (value: number) => Float64Array.of(value);
  const V = logUniform(random, 0.1, 10);
  const A = logUniform(random, 0.5, 100);
  // A start beyond its limits brakes for A/J and longer: kept short, so that ways stay of the size of a robot.
  const J = kind === "beyond" ? A * logUniform(random, 5, 100) : logUniform(random, 2, 10_000);
  const excess = kind === "beyond" ? 1.5 : 1;
  const v = kind === "rest" || random.uniform() < 0.1 ? 0 : random.uniformIn(-1, 1) * V * excess;
  let a = kind === "rest" || random.uniform() < 0.2 ? 0 : random.uniformIn(-1, 1) * A * excess;
  const most = Math.sqrt(2 * J * Math.max(0, V - Math.abs(v)));
  if (kind !== "beyond" && Math.abs(a) > most) a = Math.sign(a) * most * (random.uniform() < 0.1 ? 1 : 0.9);
  const from = random.uniformIn(-3, 3);
  const w = kind === "passing" ? random.uniformIn(-1, 1) * V : 0;
  const stop = from + (v * Math.abs(v)) / (2 * A);
  const choice = random.uniform();
  const target =
    choice < 0.05 ? from : choice < 0.1 ? stop : choice < 0.3 ? from + 0.01 * random.normal() : random.uniformIn(-4, 4);
  return {
    start: { position: of(from), velocity: of(v), acceleration: of(a) },
    goal: { position: of(target), velocity: of(w) },
    limits: { maxVelocity: of(V), maxAcceleration: of(A), maxJerk: of(J) },
  };
}

const state = new MotionState(1);

/** What is wrong with a motion of one joint as an answer to `task`, or undefined. Nothing of it is taken from the algorithm. */
export function findFault(
  task: ProfileTask,
  kind: TaskKind,
  motion: PiecewiseMotion,
  random: Random,
): string | undefined {
  const { start, goal, limits } = task;
  const [V, A, J] = [limits.maxVelocity[0]!, limits.maxAcceleration[0]!, limits.maxJerk[0]!];
  const T = motion.duration;
  const way = 1 + Math.abs(start.position[0]!) + V * T + (kind === "beyond" ? (A * A * A) / (J * J) : 0);
  const near = (x: number, y: number, scale: number) => Math.abs(x - y) <= 1e-9 * scale;
  let [p, v, a] = [start.position[0]!, start.velocity[0]!, start.acceleration[0]!];
  const topSpeed = kind === "beyond" ? Infinity : V;
  const topAcceleration = Math.max(A, Math.abs(a));
  // Pieces are integrated one after the other from their jerks alone, and compared with what they say of themselves.
  for (let k = 0; k < motion.counts[0]!; k++) {
    const begin = motion.pieces[k * 7]!;
    const length = motion.pieceEnd(0, k) - begin;
    if (!(length >= -1e-12)) return `piece ${k} ends before it begins`;
    motion.evaluate(begin, state);
    if (begin < T && !near(state.position[0]!, p, way)) return `position steps at ${begin}`;
    if (begin < T && !near(state.velocity[0]!, v, V + (A * A) / J)) return `velocity steps at ${begin}`;
    const [c2, c3] = [motion.pieces[k * 7 + 3]!, motion.pieces[k * 7 + 4]!];
    if (!near(2 * c2, a, A)) return `acceleration steps at ${begin} by ${2 * c2 - a}`;
    if (!(Math.abs(6 * c3) <= J * (1 + 1e-9))) return `jerk at ${begin}`;
    for (const share of [random.uniform(), 0.5, 1]) {
      const t = share * length;
      const speed = v + t * (2 * c2 + 3 * c3 * t);
      if (!(Math.abs(speed) <= topSpeed * (1 + 1e-9) + 1e-12)) return `velocity ${speed} at ${begin + t}`;
      if (!(Math.abs(2 * c2 + 6 * c3 * t) <= topAcceleration * (1 + 1e-9))) return `acceleration at ${begin + t}`;
    }
    p += length * (v + length * (c2 + length * c3));
    v += length * (2 * c2 + 3 * length * c3);
    a = 2 * c2 + 6 * c3 * length;
  }
  if (!near(p, goal.position[0]!, way) || motion.endPosition[0] !== goal.position[0]) return `ends at ${p}`;
  if (!near(v, goal.velocity[0]!, V + (A * A) / J) || motion.endVelocity[0] !== goal.velocity[0])
    return `ends with ${v}`;
  if (!near(a, 0, A)) return `ends with acceleration ${a}`;
  return undefined;
}
