import { PathCheck } from "../../src/collision/path-check.js";
import type * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { DampedInverseKinematics, DampedStatus } from "../../src/robot/inverse-kinematics/damped-inverse-kinematics.js";
import { KinematicChain } from "../../src/robot/kinematics/chain.js";
import { stateAt } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { parseObstacles, robotAmong } from "../../src/robot/loading/obstacles.js";
import type { JointGroup, Robot } from "../../src/robot/robot.js";
import type { ObstacleDescription } from "../../src/robot/sidecar/obstacle-schema.js";

/**
 * Scenes in the manner of MotionBenchMaker (Chamzas et al., 2022): a table, a shelf, a cage or an open box stands before the
 * arm, disturbed at random; the tool has to get from one place in or about it to another. Own generator, fixed seeds.
 */
export interface MotionScene {
  readonly kind: SceneKind;
  readonly robotName: string;
  /** Without the obstacles. */
  readonly robot: Robot;
  readonly groups: readonly string[];
  readonly dofs: readonly number[];
  readonly obstacles: readonly ObstacleDescription[];
  readonly posture: Float64Array;
  /** Of `dofs`, in their order. */
  readonly start: Float64Array;
  readonly goal: Float64Array;
}

export const sceneKinds = ["table", "shelf", "cage", "box"] as const;
export type SceneKind = (typeof sceneKinds)[number];

/** Robots, the arms that move together, and how much wider openings are: hands like baskets are wider than grippers. */
export const sceneArms = [
  { robot: "panda", groups: ["arm"], room: 1 },
  { robot: "lwr-arm", groups: ["arm"], room: 1.35 },
  { robot: "agile-justin", groups: ["leftArm", "rightArm"], room: 1.35 },
] as const;

type Vector = readonly [number, number, number];

/** Where tools go: a place before the arm, and the direction in which they point there. */
interface Place {
  readonly at: Vector;
  readonly towards: Vector;
}

interface Furniture {
  readonly obstacles: ObstacleDescription[];
  readonly places: readonly Place[];
}

/** Least distance of bodies at start and goal [m]. */
const CLEARANCE = 0.008;
const WALL = 0.02;

/** Makes one scene; scenes of the same robot and kind differ by their number. */
export function makeScene(arm: (typeof sceneArms)[number], kind: SceneKind, number: number, seed: number): MotionScene {
  const robot = loadedRobot(arm.robot);
  const random = new Random(`motion scene ${seed} ${arm.robot} ${kind} ${number}`);
  const groups = arm.groups.map((name) => robot.model.groups.find((group) => group.name === name)!);
  const dofs = groups.flatMap((group) => [...group.dofs]);
  const posture = robot.postures.get("ready")!.slice();
  for (let tries = 0; tries < 400; tries++) {
    const furniture = placeFurniture(kind, robot, groups, posture, random, arm.room);
    const among = robotAmong(robot, parseObstacles(furniture.obstacles));
    const check = new PathCheck(among, dofs, { margin: CLEARANCE });
    check.setPosture(posture);
    if (!check.isRestFree()) continue;
    const goal = reachPlaces(robot, groups, posture, furniture.places, check, random);
    if (goal === null) continue;
    const ready = Float64Array.from(dofs, (dof) => posture[dof]!);
    const start = number % 2 === 0 ? ready : reachPlaces(robot, groups, posture, furniture.places, check, random);
    if (start === null || !check.isFree(start)) continue;
    if (Math.max(...start.map((q, i) => Math.abs(q - goal[i]!))) < 0.5) continue;
    return {
      kind,
      robotName: arm.robot,
      robot,
      groups: arm.groups,
      dofs,
      obstacles: furniture.obstacles,
      posture,
      start,
      goal,
    };
  }
  throw new Error(`no ${kind} for ${arm.robot}`);
}

const robots = new Map<string, Robot>();
function loadedRobot(name: string): Robot {
  const robot = robots.get(name) ?? loadRobot(name);
  robots.set(name, robot);
  return robot;
}

/** Furniture in the world, before the first of the arms, at a distance that suits its length. */
function placeFurniture(
  kind: SceneKind,
  robot: Robot,
  groups: readonly JointGroup[],
  posture: Float64Array,
  random: Random,
  room: number,
): Furniture {
  const state = stateAt(robot.model, posture);
  const shoulders = groups.map(({ baseLink }) => pose.getTranslation(state.worldFromLink[baseLink]!, vec3.create()));
  const centre = shoulders.reduce((sum, at) => vec3.add(sum, at, sum), vec3.create());
  vec3.scale(centre, 1 / shoulders.length, centre);
  const isDual = groups.length > 1;
  const x = centre[0] + (isDual ? 0.62 : 0.55) + random.uniformIn(-0.05, 0.08);
  const y = centre[1] + random.uniformIn(-0.12, 0.12);
  const z = Math.max(0.25, centre[2] - (isDual ? 0.25 : -0.1)) + random.uniformIn(-0.08, 0.1);
  const yaw = random.uniformIn(-0.25, 0.25);
  const build = new FurnitureBuilder([x, y, z], yaw);
  makers[kind](build, random, isDual ? 1.3 * room : room, room);
  return build;
}

/** Boxes in the frame of a piece of furniture: x away from the robot, z up. */
class FurnitureBuilder implements Furniture {
  readonly obstacles: ObstacleDescription[] = [];
  readonly places: Place[] = [];
  readonly #origin: Vector;
  readonly #yaw: number;

  constructor(origin: Vector, yaw: number) {
    this.#origin = origin;
    this.#yaw = yaw;
  }

  box(name: string, centre: Vector, size: Vector): void {
    const xyz = this.#toWorld(centre) as [number, number, number];
    this.obstacles.push({ name, type: "box", origin: { xyz, rpy: [0, 0, this.#yaw] }, size: [...size] });
  }

  place(at: Vector, towards: Vector): void {
    this.places.push({ at: this.#toWorld(at), towards: this.#turn(towards) });
  }

  #turn([x, y, z]: Vector): Vector {
    const [c, s] = [Math.cos(this.#yaw), Math.sin(this.#yaw)];
    return [c * x - s * y, s * x + c * y, z];
  }

  #toWorld(at: Vector): Vector {
    const [x, y, z] = this.#turn(at);
    return [this.#origin[0] + x, this.#origin[1] + y, this.#origin[2] + z];
  }
}

const DOWN: Vector = [0.2, 0, -1];
const AHEAD: Vector = [1, 0, -0.1];

const makers: Readonly<
  Record<SceneKind, (build: FurnitureBuilder, random: Random, scale: number, room: number) => void>
> = {
  table(build, random, scale) {
    const width = scale * random.uniformIn(0.7, 1);
    build.box("top", [0.1, 0, -0.15], [0.6, width, 0.04]);
    for (const side of [-1, 1]) {
      build.box(`leg ${side}`, [-0.15, side * (width / 2 - 0.03), -0.35], [0.05, 0.05, 0.36]);
    }
    for (let k = 0; k < 5; k++) {
      const height = random.uniformIn(0.12, 0.32);
      const y = width * (k / 4 - 0.5) * 0.85;
      build.box(`object ${k}`, [random.uniformIn(-0.08, 0.25), y, -0.13 + height / 2], [0.06, 0.06, height]);
      build.place([random.uniformIn(-0.05, 0.18), y + width * 0.106, 0.02], DOWN);
    }
  },
  shelf(build, random, scale, room) {
    const width = scale * random.uniformIn(0.75, 0.95);
    const depth = random.uniformIn(0.26, 0.34);
    const pitch = room * random.uniformIn(0.3, 0.36);
    for (let board = 0; board < 4; board++)
      build.box(`board ${board}`, [0.1 + depth / 2, 0, pitch * (board - 1.5)], [depth, width, WALL]);
    for (const side of [-1, 0, 1]) {
      build.box(`wall ${side}`, [0.1 + depth / 2, (side * width) / 2, 0], [depth, WALL, 3 * pitch]);
    }
    build.box("back", [0.1 + depth, 0, 0], [WALL, width, 3 * pitch]);
    for (const row of [-1, 0, 1]) {
      for (const side of [-1, 1])
        build.place([0.1 + depth * random.uniformIn(0.15, 0.45), side * width * 0.25, row * pitch], AHEAD);
    }
  },
  cage(build, random, scale, room) {
    const width = scale * random.uniformIn(0.62, 0.75);
    const height = room * random.uniformIn(0.5, 0.62);
    const bar = 0.025;
    for (let k = 0; k <= 4; k++) {
      const y = width * (k / 4 - 0.5);
      if (k === 0 || k === 4 || k === 2) build.box(`front ${k}`, [0.05, y, 0], [bar, bar, height]);
      build.box(`back ${k}`, [0.45, y, 0], [bar, bar, height]);
      build.box(`top ${k}`, [0.25, y, height / 2], [0.4, bar, bar]);
    }
    for (const side of [-1, 1]) {
      for (let k = 1; k <= 2; k++)
        build.box(`side ${side} ${k}`, [0.05 + 0.13 * k, (side * width) / 2, 0], [bar, bar, height]);
      build.place([0.22, side * width * random.uniformIn(0.18, 0.26), random.uniformIn(-0.1, 0.1)], AHEAD);
      build.place([random.uniformIn(-0.12, -0.02), side * width * 0.6, random.uniformIn(-0.1, 0.2)], AHEAD);
    }
    build.box("floor", [0.25, 0, -height / 2], [0.45, width, WALL]);
  },
  box(build, random, scale, room) {
    const width = scale * random.uniformIn(0.4, 0.5);
    const length = room * random.uniformIn(0.36, 0.44);
    const height = random.uniformIn(0.22, 0.3);
    build.box("bottom", [0.05, 0, -0.3], [length, width, WALL]);
    for (const side of [-1, 1]) {
      build.box(`long ${side}`, [0.05, (side * width) / 2, -0.3 + height / 2], [length, WALL, height]);
      build.box(`short ${side}`, [0.05 + (side * length) / 2, 0, -0.3 + height / 2], [WALL, width, height]);
      build.place([0.05 + side * 0.05, side * width * 0.2, -0.3 + height * random.uniformIn(0.5, 0.8)], DOWN);
      build.place([0, side * width * 1.15, -0.3 + height * random.uniformIn(0.4, 0.9)], DOWN);
    }
  },
};

/** Free configurations with the tool of every arm in a place, each in another; null: none was found. */
function reachPlaces(
  robot: Robot,
  groups: readonly JointGroup[],
  posture: Float64Array,
  places: readonly Place[],
  check: PathCheck,
  random: Random,
): Float64Array | null {
  const chains = groups.map((group) => {
    const chain = new KinematicChain(robot.model, group.baseLink, group.tipLink, group.dofs, posture);
    const worldFromBase = stateAt(robot.model, posture).worldFromLink[group.baseLink]!;
    return {
      chain,
      worldFromBase,
      inverse: new DampedInverseKinematics(chain, { turnAboutZ: "free", maxIterations: 60 }),
    };
  });
  for (let tries = 0; tries < 60; tries++) {
    const joints: number[] = [];
    for (const { chain, worldFromBase, inverse } of chains) {
      const place = places[random.integer(places.length)]!;
      const target = pose.composeInverse(worldFromBase, toolPose(place, random), pose.create());
      const q = chain.lower.map((low, i) =>
        random.uniformIn(Math.max(low, -Math.PI), Math.min(chain.upper[i]!, Math.PI)),
      );
      if (inverse.solve(target, q, q) !== DampedStatus.converged) break;
      joints.push(...q);
    }
    if (joints.length < check.dofs.length) continue;
    const found = Float64Array.from(joints);
    if (check.isFree(found)) return found;
  }
  return null;
}

/** A pose whose z axis has the place's direction, a little disturbed. */
function toolPose({ at, towards }: Place, random: Random): pose.Pose {
  const z = vec3.create(...(towards.map((value) => value + random.uniformIn(-0.15, 0.15)) as [number, number, number]));
  vec3.normalize(z, z);
  const x = vec3.cross(vec3.create(0, 1, 0), z, vec3.create());
  vec3.normalize(x, x);
  const y = vec3.cross(z, x, vec3.create());
  const rotation = Float64Array.of(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]) as mat3.Mat3;
  const position = vec3.create(
    ...(at.map((value) => value + random.uniformIn(-0.03, 0.03)) as [number, number, number]),
  );
  return pose.fromMat3Translation(rotation, position, pose.create());
}
