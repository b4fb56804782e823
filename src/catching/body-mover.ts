import { JointRamps } from "../motion/joint-ramps.js";
import { BODY } from "./arm-surroundings.js";
import { seconds } from "./catch-times.js";
import type { DirectorOptions } from "./director.js";
import type { BodySnapshot } from "./snapshot.js";
import { NORMAL_RETURN, planReturn } from "./way-back.js";

/** Sends torso and platform where they help, and back to where they wait. */
export class BodyMover {
  readonly #options: DirectorOptions;
  readonly #dofs: readonly number[];
  /** Memory for what is left of the body's motions in the end. */
  readonly #rest: JointRamps;
  /** Whether control has not answered for a motion yet. */
  #isSent = false;
  #motions = 0;

  constructor(options: DirectorOptions) {
    this.#options = options;
    this.#dofs = options.motion.parts.find(({ name }) => name === BODY)?.dofs ?? [];
    this.#rest = new JointRamps(this.#dofs.length);
  }

  get state(): BodySnapshot["state"] {
    if (this.#isSent) return "sent";
    return this.#isBack() ? "waiting" : "away";
  }

  move(ramps: JointRamps, tStart: number, nowNs: number): void {
    this.#isSent = true;
    const id = this.#motions++;
    this.#options.send(BODY, { id, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY }, nowNs);
  }

  /** Control has answered, or the robot was stopped. */
  settle(): void {
    this.#isSent = false;
  }

  /** Back to where the body waits, if it is not there and nothing is under way. */
  bringBack(nowNs: number): void {
    if (this.state !== "away") return;
    const { robot, motion, waiting, times, returnShare = NORMAL_RETURN } = this.#options;
    const { maxVelocity, maxAcceleration } = robot.model;
    const pick = (values: Float64Array): Float64Array => Float64Array.from(this.#dofs, (dof) => values[dof]!);
    const tStart = seconds(nowNs + times.transportNs);
    const q0 = new Float64Array(this.#dofs.length);
    const w0 = new Float64Array(this.#dofs.length);
    motion.of(BODY).commandedAt(tStart, q0, w0);
    const limits = { maxVelocity: pick(maxVelocity), maxAcceleration: pick(maxAcceleration) };
    this.move(planReturn(limits, q0, w0, pick(waiting), returnShare), tStart, nowNs);
  }

  /** Whether the body is, or will be by what it does, where it waits. */
  #isBack(): boolean {
    if (this.#dofs.length === 0) return true;
    const { motion, waiting } = this.#options;
    motion.of(BODY).remainderAt(Number.POSITIVE_INFINITY, this.#rest);
    const { end } = this.#rest;
    for (let i = 0; i < end.length; i++) if (end[i] !== waiting[this.#dofs[i]!]) return false;
    return true;
  }
}
