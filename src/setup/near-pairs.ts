import { type LinkHulls, makeHulls, makeHullsDefaults } from "../collision/making/make-hulls.js";
import { proveMinimumDistance } from "../collision/minimum-distance-proof.js";
import { type PairFinding, restingPosture } from "../collision/pair-search.js";
import { PostureClearance } from "../collision/posture-clearance.js";
import type { Random } from "../math/random.js";
import { dofsBetween } from "../robot/kinematics/kinematics.js";
import type { CollisionHull, Robot } from "../robot/robot.js";

/** Two bodies of `robot.hulls`. */
export type BodyPair = Pick<PairFinding, "a" | "b">;

/** Distance below which a pair is near [m], and share of random postures in which one is that is always in the way. */
const NEAR = 0.03;
const OFTEN = 0.3;
const POSTURES = 100;
/** Distance that links which cannot come apart never exceed [m]. */
const HARDLY_APART = 0.01;
/** Joints between two links up to which a proof is tried. */
const MOST_JOINTS = 3;
/** Distance that is proven [m], and boxes of joint positions tried for two bodies. */
const MARGIN = 0.0005;
const BUDGET = 20_000;
/** Bodies that follow their meshes closely: too many for a check at 1 kHz, but not for one proof. */
const fine = { ...makeHullsDefaults, maxPoints: 32, trials: 1000, maxPieces: 10, minimumGain: 0.02 };

interface NearOptions {
  readonly limitTolerance: number;
  readonly random: Random;
  /** The dofs that ever move. */
  readonly moving: ReadonlySet<number>;
}

/** Pairs that a check would only stumble over. */
export interface NearPairs<P extends BodyPair> {
  /** Near in many postures, and proven by finer bodies of the same meshes never to touch. */
  readonly proven: readonly P[];
  /** Hardly apart in every posture, as if one joint joined them: what keeps them from touching is the joints' limits. */
  readonly inseparable: readonly P[];
}

/**
 * Of the pairs those that are near in many postures for no good reason: a base and the link after next, or two links of a
 * wrist. Their few-pointed bodies would touch where the robot does not, or it would never be far from braking.
 */
export function findNearPairs<P extends BodyPair>(
  robot: Robot,
  pairs: readonly P[],
  options: NearOptions,
): NearPairs<P> {
  const few = pairs.filter(({ a, b }) => {
    const isOfLinks = isOfItsLink(robot, a) && isOfItsLink(robot, b);
    return isOfLinks && movingBetween(robot, { a, b }, options).length <= MOST_JOINTS;
  });
  const often = nearIn(OFTEN * POSTURES, NEAR, robot, few, options);
  const fineBodies = new FineBodies(robot);
  const proven = often.filter((pair) => isProven(robot, pair, fineBodies, options));
  const rest = often.filter((pair) => !proven.includes(pair));
  return { proven, inseparable: nearIn(POSTURES, HARDLY_APART, robot, rest, options) };
}

/** Whether a body is made of its link's own shapes; that of a hand's fingers is about those of other links. */
function isOfItsLink({ hulls, model }: Robot, body: number): boolean {
  const { name, link } = hulls[body]!;
  const own = model.linkNames[link]!;
  return name === own || name.startsWith(`${own}-`);
}

function movingBetween({ model, hulls }: Robot, { a, b }: BodyPair, { moving }: NearOptions): number[] {
  return dofsBetween(model, hulls[a]!.link, hulls[b]!.link).filter((dof) => moving.has(dof));
}

function isProven(robot: Robot, pair: BodyPair, fineBodies: FineBodies, options: NearOptions): boolean {
  if (robot.files === undefined) return false;
  const [own, other] = [pair.a, pair.b].map((body) => fineBodies.of(robot.hulls[body]!.link));
  const posture = restingPosture(robot.model);
  const dofs = movingBetween(robot, pair, options);
  const { limitTolerance } = options;
  const scope = { dofs, posture, limitTolerance, budget: BUDGET, halved: "relative-motion" } as const;
  return own!.every((one) =>
    other!.every((two) => proveMinimumDistance({ ...robot, hulls: [one, two] }, 0, 1, MARGIN, scope)),
  );
}

/** The pairs nearer than `distance` [m] in at least so many random postures of `POSTURES`. */
function nearIn<P extends BodyPair>(
  least: number,
  distance: number,
  robot: Robot,
  pairs: readonly P[],
  { random, moving }: NearOptions,
): P[] {
  const { model } = robot;
  const resting = restingPosture(model);
  const clearance = new PostureClearance({ ...robot, pairs: pairs.map(({ a, b }) => [a, b]) });
  const count = new Map<string, number>();
  for (let k = 0; k < POSTURES; k++) {
    const q = resting.slice();
    for (const dof of moving) {
      q[dof] = random.uniformIn(Math.max(model.lower[dof]!, -Math.PI), Math.min(model.upper[dof]!, Math.PI));
    }
    for (const { bodies } of clearance.distances(q, distance)) {
      const key = bodies.join("\n");
      count.set(key, (count.get(key) ?? 0) + 1);
    }
  }
  const nameOf = ({ a, b }: P) => `${robot.hulls[a]!.name}\n${robot.hulls[b]!.name}`;
  return pairs.filter((pair) => (count.get(nameOf(pair)) ?? 0) >= least);
}

/** Finer bodies of links, made once each; the bodies of the robot where a link has no mesh. */
class FineBodies {
  readonly #robot: Robot;
  readonly #made = new Map<number, readonly CollisionHull[]>();

  constructor(robot: Robot) {
    this.#robot = robot;
  }

  of(link: number): readonly CollisionHull[] {
    const known = this.#made.get(link);
    if (known !== undefined) return known;
    const made = this.#make(link);
    this.#made.set(link, made);
    return made;
  }

  #make(link: number): readonly CollisionHull[] {
    const { hulls, model, shapes } = this.#robot;
    const only = shapes.map((shape, i) => (i === link ? shape : { collisions: [], visuals: [] }));
    const made = makeHulls({ ...this.#robot, shapes: only }, fine)[0];
    if (made === undefined || made.surface.length === 0) return hulls.filter((hull) => hull.link === link);
    return made.bodies.map((body) => asHull(body, link, model.linkNames[link]!));
  }
}

function asHull(body: LinkHulls["bodies"][number], link: number, name: string): CollisionHull {
  return { name: `${name} ${body.name}`, link, points: body.points, radius: body.radius };
}
