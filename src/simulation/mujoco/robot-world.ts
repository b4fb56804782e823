import type { DoubleBuffer, MainModule } from "@mujoco/mujoco";
import { type Ball, type BallState, defaultBall } from "../../flight/ball.js";
import type { Pose } from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RobotCommand } from "../world/catch-world.js";
import { BallPool } from "./ball-pool.js";
import { JointCoordinates } from "./joint-coordinates.js";
import { LinkDisplacement } from "./link-displacement.js";
import { mujocoModule } from "./mujoco-module.js";
import type { Perturbation } from "./perturbation.js";
import { bodyName, type ContactSettings, contactOf } from "./robot-mjcf.js";
import { type ServoGains, servoGains } from "./servo-gains.js";
import { SetPointLimiter } from "./set-point-limiter.js";
import { WorldMemory } from "./world-memory.js";
import { worldMjcf } from "./world-mjcf.js";

/**
 * A robot and balls in MuJoCo: what a robot driver would see of the real ones, and the truth about them.
 *
 * The robot is the model's, link by link, with the sidecar's servos. It is told set-points at every step, which it
 * limits to its joints' speeds and accelerations and follows by position servos with limited efforts. Balls fly with
 * drag and touch the robot, the floor and one another. All that is read is of the same instant, the end of the last
 * step. The same calls give the same bits. MuJoCo's memory is not collected: `close` when done.
 *
 * @example
 * const world = await RobotWorld.create(loadRobot("agile-justin"), { balls: 2 });
 * const command = world.holdCommand();
 * world.throwBall(0, { time: 0, position, velocity, drag: 0 });
 * for (let k = 0; k < 1000; k++) world.step(command);
 * world.ballPosition(0, vec3.create());
 * world.close();
 */
export class RobotWorld {
  readonly robot: Robot;
  readonly ball: Ball;
  readonly gains: ServoGains;
  /** Length of a step [s]. */
  readonly timestep: number;
  /** Balls there are memory for; they have the numbers 0 … balls − 1. */
  readonly balls: number;
  /** Set-points as the robot has limited them. */
  readonly setPoints: SetPointLimiter;
  /** State of each dof [rad or m], [rad/s or m/s], and the force of its motor in the last step [N·m or N]. */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly torque: Float64Array;
  readonly #memory: WorldMemory;
  readonly #joints: JointCoordinates;
  readonly #pool: BallPool;
  readonly #bodies: Int32Array;
  readonly #displacements: readonly LinkDisplacement[];
  readonly #bias: Float64Array;
  readonly #target: Float64Array;
  readonly #targetSpeed: Float64Array;
  /** Angular and linear velocity of a link. */
  readonly #motion: DoubleBuffer;
  #steps = 0;
  #closed = false;

  /** Loads MuJoCo, if nobody has yet, and builds the world. */
  static async create(robot: Robot, options: RobotWorldOptions = {}): Promise<RobotWorld> {
    return new RobotWorld(await mujocoModule(), robot, options);
  }

  private constructor(module: MainModule, robot: Robot, options: RobotWorldOptions) {
    const { ball = defaultBall, balls = 2, perturbations = [], timestep = 1e-3 } = options;
    const { model } = robot;
    const posture = options.posture ?? robot.postures.get("ready") ?? new Float64Array(model.dofCount);
    const gains = servoGains(robot, posture);
    const contact = options.contact ?? contactOf(robot);
    const displaced = perturbations.map(({ link }) => link);
    const mjcf = worldMjcf({ robot, gains, ball, ballCount: balls, contact, displaced, timestep });
    const memory = new WorldMemory(module, mjcf);
    this.robot = robot;
    this.ball = ball;
    this.gains = gains;
    this.timestep = timestep;
    this.balls = balls;
    this.#memory = memory;
    this.#joints = new JointCoordinates(memory, model);
    this.#pool = new BallPool(memory, ball, balls, timestep);
    this.#bodies = Int32Array.from(model.linkNames, (name) => memory.body(bodyName(name)));
    this.#displacements = perturbations.map(
      (perturbation) => new LinkDisplacement(memory, perturbation, model.linkNames[perturbation.link]!),
    );
    this.setPoints = new SetPointLimiter(model, timestep);
    this.q = new Float64Array(model.dofCount);
    this.qd = new Float64Array(model.dofCount);
    this.torque = new Float64Array(model.dofCount);
    this.#bias = new Float64Array(model.dofCount);
    this.#target = new Float64Array(model.dofCount);
    this.#targetSpeed = new Float64Array(model.dofCount);
    this.#motion = new memory.module.DoubleBuffer(6);
    this.place(posture);
  }

  /** Time since the world was made [s]. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /** A command that keeps the robot where its set-points are, hands as they are now. For the caller to write to. */
  holdCommand(): RobotCommand {
    const closing = Float64Array.from(this.robot.hands, () => 0);
    return { q: Float64Array.from(this.setPoints.position), qd: new Float64Array(this.q.length), closing };
  }

  /** Puts the robot into a posture, at rest, whatever it did before. Balls stay. */
  place(posture: Float64Array): void {
    this.#memory.refresh();
    this.#joints.place(posture);
    this.setPoints.reset(posture);
    for (const displacement of this.#displacements) displacement.start(posture);
    this.torque.fill(0);
    this.#observe();
  }

  /** One step: the robot follows `command`, the balls fly. */
  step(command: RobotCommand): void {
    const { module, model, data } = this.#memory;
    this.#memory.refresh();
    this.#drive(command);
    this.#pool.applyForces();
    module.mj_step2(model, data);
    for (let k = 0; k < this.#displacements.length; k++) this.#displacements[k]!.step(this.setPoints, this.timestep);
    this.#pool.notice();
    this.#steps++;
    this.#observe();
  }

  /**
   * Forces of the servos. MuJoCo's motors add −stiffness·q − damping·q̇ to what they are told. The velocity asked for is
   * that of the step to come, the position that of its beginning: so a robot that is where it should be stays there.
   */
  #drive(command: RobotCommand): void {
    const { stiffness, damping, inertia } = this.gains;
    const { jointOffset, dofJoint } = this.robot.model;
    const { position, velocity, acceleration } = this.setPoints;
    const { ctrl } = this.#memory;
    for (let i = 0; i < ctrl.length; i++) ctrl[i] = stiffness[i]! * (position[i]! + jointOffset[dofJoint[i]!]!);
    this.#aim(command);
    this.setPoints.step(this.#target, this.#targetSpeed);
    for (let i = 0; i < ctrl.length; i++) {
      ctrl[i] = ctrl[i]! + damping[i]! * velocity[i]! + inertia[i]! * acceleration[i]! + this.#bias[i]!;
    }
  }

  /** The command with the fingers where their hand's closing has them. */
  #aim({ q, qd, closing }: RobotCommand): void {
    this.#target.set(q);
    this.#targetSpeed.set(qd);
    const { hands } = this.robot;
    for (let h = 0; h < hands.length; h++) {
      if (Number.isNaN(closing[h]!)) continue;
      const { dofs, open, closed } = hands[h]!;
      for (let k = 0; k < dofs.length; k++) {
        this.#target[dofs[k]!] = open[k]! + closing[h]! * (closed[k]! - open[k]!);
        this.#targetSpeed[dofs[k]!] = 0;
      }
    }
  }

  /** Poses, contacts and forces of the state as it is now, and what is read of it. */
  #observe(): void {
    const { module, model, data } = this.#memory;
    module.mj_step1(model, data);
    this.#joints.readPositions(this.q);
    this.#joints.readVelocities(this.qd);
    this.#joints.toDofs(this.#memory.qfrcBias, this.#bias);
    if (this.#steps > 0) this.torque.set(this.#memory.actuatorForce);
    this.#refuseNonsense();
  }

  #refuseNonsense(): void {
    const { qpos } = this.#memory;
    let sum = 0;
    for (let i = 0; i < qpos.length; i++) sum += qpos[i]! - qpos[i]!;
    if (sum === 0) return;
    throw new FlycatcherError("FLY_WORLD_DIVERGED", `the simulated world diverged at ${this.time.toFixed(3)} s`);
  }

  /** Where `link` really is, to `out`. */
  worldFromLink(link: number, out: Pose): Pose {
    this.#memory.refresh();
    const { xpos, xmat } = this.#memory;
    const body = this.#bodies[link]!;
    for (let k = 0; k < 9; k++) out[k] = xmat[9 * body + k]!;
    for (let k = 0; k < 3; k++) out[9 + k] = xpos[3 * body + k]!;
    return out;
  }

  /** How fast the origin of `link` moves [m/s]. */
  linkVelocity(link: number, out: vec3.Vec3): vec3.Vec3 {
    const { module, model, data } = this.#memory;
    const kind = module.mjtObj.mjOBJ_XBODY.value;
    module.mj_objectVelocity(model, data, kind, this.#bodies[link]!, this.#motion, 0);
    const [, , , x, y, z] = this.#motion.GetView();
    return vec3.set(x!, y!, z!, out);
  }

  /** Distance from `from` along the unit vector `direction` to what stands there first [m]; −1: nothing. */
  distanceAlong(from: vec3.Vec3, direction: vec3.Vec3): number {
    const { module, model, data } = this.#memory;
    const geometry = new module.IntBuffer(1);
    const distance = module.mj_ray(model, data, [...from], [...direction], [], true, -1, geometry, null);
    geometry.delete();
    return distance;
  }

  /** Puts ball `i` into play, whatever it did before; its spin is in the world's axes [rad/s], by default the one that its lift takes. */
  throwBall(i: number, state: BallState, spin?: vec3.Vec3): void {
    this.#refuseUnknownBall(i);
    this.#memory.refresh();
    this.#pool.throw(i, state, spin);
    this.#observe();
  }

  /** Takes ball `i` out of play. */
  removeBall(i: number): void {
    this.#refuseUnknownBall(i);
    this.#memory.refresh();
    this.#pool.park(i);
    this.#observe();
  }

  isInPlay(i: number): boolean {
    return this.#pool.isInPlay(i);
  }

  /** Whether ball `i` has touched anything since it was thrown. */
  hasTouched(i: number): boolean {
    return this.#pool.hasTouched(i);
  }

  /** Where ball `i` was when it first touched anything [m]. */
  touchPosition(i: number, out: vec3.Vec3): vec3.Vec3 {
    return this.#pool.touchPosition(i, out);
  }

  /** A ball that is not in play; −1 if all are. */
  freeBall(): number {
    return this.#pool.free();
  }

  /** Centre of ball `i` [m]. */
  ballPosition(i: number, out: vec3.Vec3): vec3.Vec3 {
    this.#memory.refresh();
    return this.#pool.position(i, out);
  }

  /** Velocity of ball `i` [m/s]. */
  ballVelocity(i: number, out: vec3.Vec3): vec3.Vec3 {
    this.#memory.refresh();
    return this.#pool.velocity(i, out);
  }

  #refuseUnknownBall(i: number): void {
    if (Number.isInteger(i) && i >= 0 && i < this.balls) return;
    throw new FlycatcherError("FLY_WORLD_REQUEST", "there is no such ball", {
      expected: `a whole number from 0 to ${this.balls - 1}`,
      found: String(i),
    });
  }

  /** Gives MuJoCo's memory back. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#motion.delete();
    this.#memory.delete();
  }
}

export interface RobotWorldOptions {
  /** Position of every dof at the beginning [rad or m]; default: the posture `ready`, else zero. */
  readonly posture?: Float64Array;
  readonly ball?: Ball;
  /** How many balls there can be at a time; they are made at once. */
  readonly balls?: number;
  /** How balls touch things; default: as the robot's sidecar says. */
  readonly contact?: ContactSettings;
  /** What moves links that their joints do not move. */
  readonly perturbations?: readonly Perturbation[];
  /** [s] */
  readonly timestep?: number;
}
