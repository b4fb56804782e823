import type { Pose } from "../../../src/math/pose.js";
import type { MotionAnswer } from "../../../src/planning/motions/motion-answer.js";
import { JointKind, type Robot } from "../../../src/robot/robot.js";
import { ballGap, hullShape, type PlacedShape } from "../../collision/reference/convex-shape.js";
import { distanceInterval } from "../../collision/reference/min-norm-point.js";

/** What a motion is held against. */
export interface Judged {
  readonly robot: Robot;
  /** Positions of all dofs at the start, and velocities and accelerations of those that move. */
  readonly posture: Float64Array;
  readonly velocity?: readonly number[];
  readonly acceleration?: readonly number[];
  readonly maxVelocity: readonly number[];
  readonly maxAcceleration: readonly number[];
  readonly maxJerk: readonly number[];
  /** Joint positions that it must end at, or a place of a link in the world. */
  readonly end?: readonly number[];
  readonly place?: { readonly link: number; readonly at: readonly number[]; readonly rotation?: readonly number[] };
}

/** Times between which bodies are looked at [s], and how deep they may seem to overlap [m]. */
const STEP = 0.01;
const DEPTH = 1e-6;

/**
 * What is wrong with the motion of an answer, in words; nothing is shared with the planner but the robot's data: polynomials
 * are evaluated and differentiated here, links are placed by 4 × 4 products, and distances are Wolfe's.
 */
export function faultsOf(answer: MotionAnswer, judged: Judged, step = STEP): string[] {
  const { motion } = answer;
  if (motion === undefined) return ["no motion"];
  const faults = new Set<string>();
  const { robot, posture } = judged;
  const dofs = motion.joints.map((name) => robot.model.dofNames.indexOf(name));
  const count = Math.max(40, Math.ceil(motion.duration / step));
  for (const [i, dof] of dofs.entries()) {
    const at = (t: number, order: number) => valueAt(motion.pieces[i]!, t, order);
    judgeJoint(judged, i, dof, at, motion.duration, faults);
    judgeSteps(motion.pieces[i]!, motion.duration, faults);
  }
  const bodies = robot.hulls.map((hull) => hullShape(hull.points, hull.radius));
  for (let k = 0; k <= count; k++) {
    const t = (motion.duration * k) / count;
    const q = posture.slice();
    for (const [i, dof] of dofs.entries()) q[dof] = valueAt(motion.pieces[i]!, t, 0);
    const links = placeLinks(robot, q);
    const placed = robot.hulls.map(
      (hull, b): PlacedShape => ({ shape: bodies[b]!, worldFromShape: poseOf(links[hull.link]!) }),
    );
    for (const { body, course } of robot.movers ?? []) {
      placed[body] = { shape: bodies[body]!, worldFromShape: course.poseAt(t, new Float64Array(12) as Pose) };
    }
    for (const [a, b] of robot.pairs) {
      if (ballGap(placed[a]!, placed[b]!) > 0) continue;
      if (distanceInterval(placed[a]!, placed[b]!, { sufficient: 0 }).upper < -DEPTH) {
        faults.add(`${robot.hulls[a]!.name} in ${robot.hulls[b]!.name} at ${t.toFixed(3)}`);
      }
    }
    if (k === count) judgePlace(judged, links, faults);
  }
  return [...faults];
}

type Pieces = NonNullable<MotionAnswer["motion"]>["pieces"][number];

/** A piecewise polynomial or its derivatives. */
export function valueAt(pieces: Pieces, t: number, order: number): number {
  let k = 0;
  while (k + 1 < pieces.length && pieces[k + 1]!.start <= t) k++;
  const { start, c } = pieces[k]!;
  let sum = 0;
  for (let power = order; power < c.length; power++) {
    let factor = 1;
    for (let m = 0; m < order; m++) factor *= power - m;
    sum += factor * c[power]! * (t - start) ** (power - order);
  }
  return sum;
}

function judgeJoint(
  judged: Judged,
  i: number,
  dof: number,
  at: (t: number, order: number) => number,
  duration: number,
  faults: Set<string>,
): void {
  const { robot, posture, velocity, acceleration, maxVelocity, maxAcceleration, maxJerk, end } = judged;
  const [v0, a0] = [velocity?.[i] ?? 0, acceleration?.[i] ?? 0];
  const expect = (what: string, difference: number, tolerance: number) => {
    if (!(Math.abs(difference) <= tolerance)) faults.add(`${what} of joint ${i}: off by ${difference}`);
  };
  expect("start", at(0, 0) - posture[dof]!, 1e-6);
  expect("start velocity", at(0, 1) - v0, 1e-6);
  if (duration > 0) expect("start acceleration", at(0, 2) - a0, 1e-4);
  expect("end velocity", at(duration, 1), 1e-6);
  if (end !== undefined) expect("end", at(duration, 0) - end[i]!, 1e-6);
  const [lower, upper] = [robot.model.lower[dof]!, robot.model.upper[dof]!];
  const v = Math.max(maxVelocity[i]!, Math.abs(v0) + (a0 * a0) / (2 * maxJerk[i]!)) + 1e-6;
  const a = Math.max(maxAcceleration[i]!, Math.abs(a0)) + 1e-5;
  for (let k = 0; k <= 400; k++) {
    const t = (duration * k) / 400;
    if (!(at(t, 0) >= lower - 1e-6 && at(t, 0) <= upper + 1e-6)) faults.add(`joint ${i} leaves its limits`);
    if (!(Math.abs(at(t, 1)) <= v)) faults.add(`joint ${i} is too fast: ${at(t, 1)}`);
    if (!(Math.abs(at(t, 2)) <= a)) faults.add(`joint ${i} accelerates too much: ${at(t, 2)}`);
    if (!(Math.abs(at(t, 3)) <= maxJerk[i]! * (1 + 1e-5) + 1e-6)) faults.add(`joint ${i} jerks too much: ${at(t, 3)}`);
  }
}

/** Position, velocity and acceleration go on without a step from piece to piece. */
function judgeSteps(pieces: Pieces, duration: number, faults: Set<string>): void {
  for (let k = 0; k + 1 < pieces.length; k++) {
    for (let order = 0; order <= 2; order++) {
      const t = pieces[k + 1]!.start;
      const step = valueAt([pieces[k]!], t, order) - valueAt([pieces[k + 1]!], t, order);
      if (!(Math.abs(step) <= (order === 2 ? 1e-3 : 1e-6))) faults.add(`a step of order ${order}: ${step}`);
    }
  }
  const last = Math.abs(valueAt(pieces, duration, 2));
  if (!(last <= 1e-3)) faults.add(`it ends with an acceleration of ${last}`);
}

function judgePlace({ place }: Judged, links: readonly Matrix[], faults: Set<string>): void {
  if (place === undefined) return;
  const at = links[place.link]!;
  for (let i = 0; i < 3; i++)
    if (!(Math.abs(at[i]![3]! - place.at[i]!) <= 1e-5)) faults.add("the frame is not at its place");
  if (place.rotation === undefined) return;
  for (let i = 0; i < 9; i++) {
    if (!(Math.abs(at[Math.floor(i / 3)]![i % 3]! - place.rotation[i]!) <= 1e-5))
      faults.add("the frame is not turned as wanted");
  }
}

type Matrix = readonly (readonly number[])[];

/** Poses of all links by products of 4 × 4 matrices. */
export function placeLinks({ model }: Robot, q: Float64Array): Matrix[] {
  const links: Matrix[] = [
    [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
  ];
  for (let link = 1; link < model.linkCount; link++) {
    const p = model.parentFromJoint[link]!;
    const joint = [
      [p[0], p[1], p[2], p[9]],
      [p[3], p[4], p[5], p[10]],
      [p[6], p[7], p[8], p[11]],
      [0, 0, 0, 1],
    ];
    let position = model.jointOffset[link]!;
    for (let term = model.termStart[link]!; term < model.termStart[link + 1]!; term++) {
      position += model.termFactor[term]! * q[model.termDof[term]!]!;
    }
    const axis = [...model.jointAxis.subarray(3 * link, 3 * link + 3)];
    links.push(
      product(product(links[model.parentLink[link]!]!, joint), jointMotion(model.jointKind[link]!, axis, position)),
    );
  }
  return links;
}

function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => [0, 1, 2, 3].map((column) => row.reduce((sum, value, k) => sum + value * b[k]![column]!, 0)));
}

/** Rodrigues' formula, or a shift. */
function jointMotion(kind: number, [x, y, z]: number[], position: number): Matrix {
  if (kind === JointKind.prismatic) {
    return [
      [1, 0, 0, x! * position],
      [0, 1, 0, y! * position],
      [0, 0, 1, z! * position],
      [0, 0, 0, 1],
    ];
  }
  const angle = kind === JointKind.revolute ? position : 0;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const K = [
    [0, -z!, y!],
    [z!, 0, -x!],
    [-y!, x!, 0],
  ];
  const rotation = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => {
      const square = [0, 1, 2].reduce((sum, k) => sum + K[i]![k]! * K[k]![j]!, 0);
      return (i === j ? 1 : 0) + s * K[i]![j]! + (1 - c) * square;
    }),
  );
  return [...rotation.map((row) => [...row, 0]), [0, 0, 0, 1]];
}

function poseOf(m: Matrix): Pose {
  return Float64Array.of(
    ...[0, 1, 2].flatMap((i) => [m[i]![0]!, m[i]![1]!, m[i]![2]!]),
    ...[0, 1, 2].map((i) => m[i]![3]!),
  ) as Pose;
}
