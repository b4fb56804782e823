import type { RobotMotion } from "../control/robot-motion.js";
import { JointRamps } from "../motion/joint-ramps.js";
import type { Robot } from "../robot/robot.js";
import { BODY } from "./arm-surroundings.js";
import { type CatchTimes, seconds } from "./catch-times.js";
import type { SendMotion } from "./director.js";
import type { BodySnapshot } from "./snapshot.js";
import { NORMAL_RETURN, planReturn } from "./way-back.js";

/** Sends torso and platform where they help, and back to where they wait. */
export class BodyMover {
  readonly #robot: Robot;
  readonly #motion: RobotMotion;
  readonly #send: SendMotion;
  readonly #waiting: Float64Array;
  readonly #times: CatchTimes;
  readonly #returnShare: number;
  readonly #dofs: readonly number[];
  /** Memory for what is left of the body's motions in the end. */
  readonly #rest: JointRamps;
  /** Whether control has not answered for a motion yet. */
  #isSent = false;
  #motions = 0;

  /** `waiting` is the posture in which the robot waits for balls. */
  constructor(
    robot: Robot,
    motion: RobotMotion,
    send: SendMotion,
    waiting: Float64Array,
    times: CatchTimes,
    returnShare = NORMAL_RETURN,
  ) {
    this.#returnShare = returnShare;
    this.#robot = robot;
    this.#motion = motion;
    this.#send = send;
    this.#waiting = waiting;
    this.#times = times;
    this.#dofs = motion.parts.find(({ name }) => name === BODY)?.dofs ?? [];
    this.#rest = new JointRamps(this.#dofs.length);
  }

  get state(): BodySnapshot["state"] {
    if (this.#isSent) return "sent";
    return this.#isBack() ? "waiting" : "away";
  }

  move(ramps: JointRamps, tStart: number, nowNs: number): void {
    this.#isSent = true;
    const id = this.#motions++;
    this.#send(BODY, { id, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY }, nowNs);
  }

  /** Control has answered, or the robot was stopped. */
  settle(): void {
    this.#isSent = false;
  }

  /** Back to where the body waits, if it is not there and nothing is under way. */
  bringBack(nowNs: number): void {
    if (this.state !== "away") return;
    const { maxVelocity, maxAcceleration } = this.#robot.model;
    const pick = (values: Float64Array): Float64Array => Float64Array.from(this.#dofs, (dof) => values[dof]!);
    const tStart = seconds(nowNs + this.#times.transportNs);
    const q0 = new Float64Array(this.#dofs.length);
    const w0 = new Float64Array(this.#dofs.length);
    this.#motion.of(BODY).commandedAt(tStart, q0, w0);
    const limits = { maxVelocity: pick(maxVelocity), maxAcceleration: pick(maxAcceleration) };
    this.move(planReturn(limits, q0, w0, pick(this.#waiting), this.#returnShare), tStart, nowNs);
  }

  /** Whether the body is, or will be by what it does, where it waits. */
  #isBack(): boolean {
    if (this.#dofs.length === 0) return true;
    this.#motion.of(BODY).remainderAt(Number.POSITIVE_INFINITY, this.#rest);
    const { end } = this.#rest;
    for (let i = 0; i < end.length; i++) if (end[i] !== this.#waiting[this.#dofs[i]!]) return false;
    return true;
  }
}
