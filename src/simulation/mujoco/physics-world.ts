import type { Ball, BallState } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { freeFlight, isInHand } from "../world/ball-world.js";
import {
  type CatchWorld,
  type FlyingBall,
  flyingState,
  type HoldOutcome,
  type RobotCommand,
  type WatchedGrasp,
} from "../world/catch-world.js";
import type { Throw } from "../world/throws.js";
import { HandCage, HoldWatch } from "./hold-watch.js";
import { RobotWorld, type RobotWorldOptions } from "./robot-world.js";

/** Rounding of the clock, which counts in steps [s]. */
const CLOCK_TOLERANCE = 1e-9;

/** A ball of the run and what is known of it. */
interface ThrownBall {
  readonly flying: FlyingBall;
  /** Its number in the robot world; −1 before its release. */
  slot: number;
  watch: HoldWatch | null;
}

/**
 * The world of a run with forces: the robot follows by its servos, fingers close about balls, and physics says whether a
 * ball is held. A ball that nothing has touched flies its `path`, from which MuJoCo's flight differs by micrometres;
 * once touched it is no longer in the air. To be closed when done.
 *
 * @example
 * const world = await PhysicsWorld.create(loadRobot("agile-justin"));
 * const run = new CatchRun({ robot: world.robot, world });
 */
export class PhysicsWorld implements CatchWorld {
  readonly robot: Robot;
  readonly ball: Ball;
  /** The robot and the balls themselves. */
  readonly physics: RobotWorld;
  readonly #cages: readonly HandCage[];
  readonly #balls = new Map<number, ThrownBall>();
  readonly #poses: readonly pose.Pose[];
  /** Step at which each of `#poses` was read. */
  readonly #readAt: Float64Array;
  readonly #state: BallState = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };

  static async create(robot: Robot, options: RobotWorldOptions = {}): Promise<PhysicsWorld> {
    return new PhysicsWorld(await RobotWorld.create(robot, options));
  }

  private constructor(physics: RobotWorld) {
    this.robot = physics.robot;
    this.ball = physics.ball;
    this.physics = physics;
    this.#cages = this.robot.hands.map((hand) => new HandCage(physics, hand));
    this.#poses = this.robot.model.linkNames.map(() => pose.create());
    this.#readAt = new Float64Array(this.#poses.length).fill(-1);
  }

  get q(): Float64Array {
    return this.physics.q;
  }

  get qd(): Float64Array {
    return this.physics.qd;
  }

  release(thrown: Throw): FlyingBall {
    if (this.#balls.size >= this.physics.balls) {
      throw new FlycatcherError("FLY_WORLD_REQUEST", "there is no ball left to throw", {
        expected: `at most ${this.physics.balls} balls at a time`,
        found: String(this.#balls.size + 1),
      });
    }
    const flying = freeFlight(thrown, this.ball);
    this.#balls.set(flying.id, { flying, slot: -1, watch: null });
    return flying;
  }

  take(id: number): void {
    const ball = this.#balls.get(id);
    if (ball === undefined) return;
    if (ball.slot >= 0) this.physics.removeBall(ball.slot);
    this.#balls.delete(id);
  }

  flying(time: number): FlyingBall[] {
    const balls = Array.from(this.#balls.values());
    return balls.filter((ball) => this.#isFlying(ball, time)).map(({ flying }) => flying);
  }

  inHand(time: number): FlyingBall[] {
    const balls = Array.from(this.#balls.values(), ({ flying }) => flying);
    return balls.filter((ball) => isInHand(ball, time));
  }

  #isFlying({ flying, slot }: ThrownBall, time: number): boolean {
    if (time < flying.released || time > flying.lands) return false;
    return slot < 0 || !this.physics.hasTouched(slot);
  }

  /** Where a ball really is, in the air, in a hand or on the floor, to `out`; false if it has not been let go. */
  ballPlace(id: number, out: vec3.Vec3): boolean {
    const slot = this.#balls.get(id)?.slot ?? -1;
    if (slot >= 0) this.physics.ballPosition(slot, out);
    return slot >= 0;
  }

  /** Numbers of the balls there are, those that are still to be let go among them. */
  get ballIds(): readonly number[] {
    return [...this.#balls.keys()];
  }

  /** Balls whose time has come are let go at the beginning of the step, where their path then has them. */
  step(command: RobotCommand): void {
    const now = this.physics.time;
    for (const ball of this.#balls.values()) {
      if (ball.slot >= 0 || now + CLOCK_TOLERANCE < ball.flying.released) continue;
      ball.slot = this.physics.freeBall();
      const time = Math.max(now, ball.flying.path.begin);
      const state = flyingState(ball.flying, this.ball, time, this.#state);
      const { lift } = ball.flying;
      this.physics.throwBall(ball.slot, lift === undefined ? state : { ...state, lift });
    }
    this.physics.step(command);
    for (const { watch } of this.#balls.values()) watch?.step();
  }

  worldFromLink(link: number): Readonly<pose.Pose> {
    const now = this.physics.time;
    const worldFromLink = this.#poses[link]!;
    if (this.#readAt[link] !== now) this.physics.worldFromLink(link, worldFromLink);
    this.#readAt[link] = now;
    return worldFromLink;
  }

  linkVelocity(link: number, out: vec3.Vec3): vec3.Vec3 {
    return this.physics.linkVelocity(link, out);
  }

  watch(id: number, grasp: WatchedGrasp): void {
    const ball = this.#balls.get(id);
    const cage = this.#cages[grasp.hand];
    if (ball === undefined || ball.slot < 0 || cage === undefined) return;
    ball.watch = new HoldWatch(this.physics, cage, ball.slot, grasp);
  }

  holdOutcome(id: number): HoldOutcome | null {
    return this.#balls.get(id)?.watch?.outcome ?? null;
  }

  /** Gives MuJoCo's memory back. */
  close(): void {
    this.physics.close();
  }
}

/** Whether balls stay in the robot's hands: they need fingers, or a mouth that is said to be deep enough. */
export function canHold(robot: Robot): boolean {
  return robot.hands.length > 0 && robot.hands.every(({ dofs, mouth }) => dofs.length > 0 || mouth !== null);
}
