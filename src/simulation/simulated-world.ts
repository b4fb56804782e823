import { type Ball, defaultBall } from "../flight/ball.js";
import type { Pose } from "../math/pose.js";
import * as vec3 from "../math/vec3.js";
import type { TrueWorld } from "../messages/world.js";
import { standingHead } from "../robot/kinematics/standing-head.js";
import type { Robot } from "../robot/robot.js";
import { type Challenges, fullChallenges, withStiffness } from "./head-motion/challenges.js";
import { createRigidMotion, type RigidMotion } from "./head-motion/elastic-chain.js";
import { TrueHead } from "./head-motion/true-head.js";
import { ElasticChest } from "./mujoco/elastic-chest.js";
import { PhysicsWorld } from "./mujoco/physics-world.js";
import { BallWorld } from "./world/ball-world.js";
import { type CatchWorld, type RobotCommand, type VisibleBall, visibleBalls } from "./world/catch-world.js";

/** How the world of a run is simulated: with servos, fingers and contacts, or without any force. */
export type WorldKind = "kinematic" | "physics";

/** What simulated sensors look at. */
export interface TrueScene {
  /** The head at `time` [s], to `out`; false if that is not known. */
  headAt(time: number, out: RigidMotion): boolean;
  /** The balls at `time` that are in a hand or in the air, which nothing has touched yet. */
  ballsAt(time: number): readonly VisibleBall[];
}

/** A visible ball as it is in a message of the true world. */
export function streamedBall({ id, position, velocity, hand }: VisibleBall): TrueWorld["balls"][number] {
  return { id, isFlying: hand?.isHolding !== true, position, velocity, hand: hand ?? null };
}

interface SimulatedWorldOptions {
  /** The robot as it is. */
  readonly truth: Robot;
  readonly kind: WorldKind;
  /** What balls are, the usual ones by default, and how many there can be at a time. */
  readonly ball?: Ball;
  readonly balls?: number;
  readonly challenges?: Challenges;
  readonly seed: number | string;
  /** Whether anything senses how the head moves: where nothing does and no force bends it, it is not simulated. Default: so. */
  readonly senses?: "head" | "none";
  /** Where the robot stands at first; its waiting posture by default. */
  readonly posture?: Float64Array;
}

/**
 * The true world with the true head in it. With forces the head bends, shakes and slips as the robot moves; without, it is
 * where the joints are commanded to be, whatever the challenges say.
 */
export class SimulatedWorld implements TrueScene {
  readonly world: CatchWorld;
  /** Null where the robot has none to simulate. */
  readonly head: TrueHead | null;
  /** Of cameras that stand in the world. */
  readonly #standing: Pose | null;
  readonly #isStiff: boolean;

  static async create(options: SimulatedWorldOptions): Promise<SimulatedWorld> {
    const { truth, kind, ball = defaultBall, balls = 1, challenges = fullChallenges, seed } = options;
    const hasHead = truth.frames.chest !== undefined && truth.imu !== undefined && standingHead(truth) === null;
    const posture = options.posture ?? truth.postures.get("ready") ?? new Float64Array(truth.model.dofCount);
    if (kind === "physics") {
      const head = hasHead ? new TrueHead(truth, { challenges, seed }) : null;
      const perturbations = head === null ? [] : [new ElasticChest(head)];
      return new SimulatedWorld(await PhysicsWorld.create(truth, { ball, balls, perturbations }), head, false);
    }
    const world = new BallWorld(truth, posture, ball);
    if (options.senses === "none") return SimulatedWorld.without(world);
    return SimulatedWorld.around(world, { ...options, challenges, posture });
  }

  /** About a world without forces that is there already. */
  static around(
    world: CatchWorld,
    { truth, challenges = fullChallenges, seed, posture }: Omit<SimulatedWorldOptions, "kind">,
  ): SimulatedWorld {
    const { head: link, chest } = truth.frames;
    const isMoving = link !== undefined && chest !== undefined && standingHead(truth) === null;
    const hasHead = isMoving && truth.imu !== undefined;
    const head = hasHead ? new TrueHead(truth, { challenges: withStiffness(challenges), seed }) : null;
    head?.start(0, posture ?? world.q);
    return new SimulatedWorld(world, head, true);
  }

  /** A world in which no head is simulated: what it sensed was recorded, or nothing is sensed. */
  static without(world: CatchWorld): SimulatedWorld {
    return new SimulatedWorld(world, null, true);
  }

  private constructor(world: CatchWorld, head: TrueHead | null, isStiff: boolean) {
    this.world = world;
    this.head = head;
    this.#standing = head === null ? standingHead(world.robot) : null;
    this.#isStiff = isStiff;
  }

  /** One tick, the joints being commanded to be at `q` at its end. */
  step(command: RobotCommand, qdd: Float64Array): void {
    this.world.step(command);
    if (this.#isStiff) this.head?.step(command.q, command.qd, qdd);
  }

  headAt(time: number, out: RigidMotion): boolean {
    if (this.#standing === null) return this.head?.headAt(time, out) ?? false;
    out.worldFromBody.set(this.#standing);
    out.twist.fill(0);
    out.acceleration.fill(0);
    return true;
  }

  ballsAt(time: number): readonly VisibleBall[] {
    return visibleBalls(this.world, time);
  }

  /** All of it at `time` [s], which it has been stepped to, as a message: for pictures. */
  snapshot(time: number): TrueWorld {
    const { world } = this;
    const link = world.robot.frames.head;
    const motion = createRigidMotion();
    if (link !== undefined) motion.worldFromBody.set(world.worldFromLink(link));
    return { time, head: motion, imu: createRigidMotion(), balls: this.#places(time), joints: world.q.slice() };
  }

  /** Where the balls are: without forces only those in hands and in the air are anywhere. */
  #places(time: number): TrueWorld["balls"] {
    const { world } = this;
    const visible = this.ballsAt(time).map(streamedBall);
    if (!(world instanceof PhysicsWorld)) return visible;
    return world.ballIds.flatMap((id) => {
      const seen = visible.find((ball) => ball.id === id);
      const position = vec3.create();
      if (!world.ballPlace(id, position)) return seen === undefined ? [] : [seen];
      return [{ id, isFlying: seen !== undefined, position, velocity: vec3.create(), hand: seen?.hand ?? null }];
    });
  }

  close(): void {
    this.world.close();
  }
}
