import * as vec3 from "../math/vec3.js";
import type { TrueWorld } from "../messages/world.js";
import { createRigidMotion, type RigidMotion } from "./head-motion/elastic-chain.js";
import type { ImuCarrier } from "./head-motion/imu-simulator.js";
import type { TrueScene } from "./simulated-world.js";
import type { VisibleBall } from "./world/catch-world.js";
import type { ThrowingHand } from "./world/hand-motion.js";

/** Steps kept: those of the last quarter of a second. */
const KEPT = 256;
/** The IMU's motion in a message is that of so long before its time [s]: of the middle of the step. */
export const IMU_DELAY = 0.0005;

interface StreamedBall {
  id: number;
  readonly position: vec3.Vec3;
  readonly velocity: vec3.Vec3;
  hand: ThrowingHand | null;
}

interface Step {
  time: number;
  readonly head: RigidMotion;
  readonly imu: RigidMotion;
  balls: StreamedBall[];
}

/** The true world as it comes over the wire, a message a step: answers for any time of the last quarter of a second. */
export class StreamedScene implements TrueScene, ImuCarrier {
  readonly #steps: readonly Step[] = Array.from({ length: KEPT }, () => ({
    time: Number.NaN,
    head: createRigidMotion(),
    imu: createRigidMotion(),
    balls: [],
  }));
  #count = 0;

  /** Up to when the IMU's motion is known [s]; NaN before the first step. */
  get time(): number {
    return this.#newest - IMU_DELAY;
  }

  get #newest(): number {
    return this.#count === 0 ? Number.NaN : this.#at(this.#count - 1).time;
  }

  #at(index: number): Step {
    return this.#steps[index % KEPT]!;
  }

  /** What is in `world` is copied. */
  add({ time, head, imu, balls }: TrueWorld): void {
    const step = this.#at(this.#count++);
    step.time = time;
    copyMotion(head, step.head);
    copyMotion(imu, step.imu);
    const visible = balls.filter(({ isFlying, hand }) => isFlying || hand?.isHolding === true);
    while (step.balls.length < visible.length) {
      step.balls.push({ id: -1, position: vec3.create(), velocity: vec3.create(), hand: null });
    }
    step.balls.length = visible.length;
    for (const [k, { id, position, velocity, hand }] of visible.entries()) {
      const ball = step.balls[k]!;
      ball.id = id;
      vec3.copy(position, ball.position);
      vec3.copy(velocity, ball.velocity);
      ball.hand = hand === null ? null : copyHand(hand);
    }
  }

  /** Number of the last step at or before `time`, if the one after it has come, too; −1 if not. */
  #before(time: number): number {
    if (!(time <= this.#newest)) return -1;
    const oldest = Math.max(0, this.#count - KEPT);
    for (let k = this.#count - 2; k >= oldest; k--) if (this.#at(k).time <= time) return k;
    return -1;
  }

  headAt(time: number, out: RigidMotion): boolean {
    return this.#motionAt(time, "head", out);
  }

  imuAt(time: number, out: RigidMotion): boolean {
    return this.#motionAt(time + IMU_DELAY, "imu", out);
  }

  #motionAt(time: number, part: "head" | "imu", out: RigidMotion): boolean {
    const k = this.#before(time);
    if (k < 0) return false;
    const [a, b] = [this.#at(k), this.#at(k + 1)];
    blend(a[part], b[part], (time - a.time) / (b.time - a.time), out);
    return true;
  }

  /** A step is a millisecond: in it a ball moves straight on, and the hand that holds it with it. */
  ballsAt(time: number): readonly VisibleBall[] {
    const k = this.#before(time);
    if (k < 0) return [];
    const step = this.#at(k);
    const after = time - step.time;
    return step.balls.map(({ id, position, velocity, hand }) => ({
      id,
      position: vec3.addScaled(position, velocity, after, vec3.create()),
      velocity: vec3.copy(velocity, vec3.create()),
      ...(hand !== null && { hand: hand.isHolding ? moved(hand, velocity, after) : hand }),
    }));
  }

  /** Whether the world at `time` is known. */
  isKnown(time: number): boolean {
    return this.#before(time) >= 0;
  }
}

function copyHand({ palm, body, ...hand }: ThrowingHand): ThrowingHand {
  return { ...hand, palm: vec3.copy(palm, vec3.create()), body: vec3.copy(body, vec3.create()) };
}

function moved(hand: ThrowingHand, velocity: vec3.Vec3, after: number): ThrowingHand {
  return { ...hand, palm: vec3.addScaled(hand.palm, velocity, after, vec3.create()) };
}

function copyMotion(from: TrueWorld["head"], to: RigidMotion): void {
  to.worldFromBody.set(from.worldFromBody);
  to.twist.set(from.twist);
  to.acceleration.set(from.acceleration);
}

/** Linear: steps are a millisecond apart, the shaking has periods of fifty; so near rotations may be blended by their entries. */
function blend(a: RigidMotion, b: RigidMotion, share: number, out: RigidMotion): void {
  for (let i = 0; i < 12; i++) {
    out.worldFromBody[i] = a.worldFromBody[i]! + share * (b.worldFromBody[i]! - a.worldFromBody[i]!);
  }
  for (let i = 0; i < 6; i++) {
    out.twist[i] = a.twist[i]! + share * (b.twist[i]! - a.twist[i]!);
    out.acceleration[i] = a.acceleration[i]! + share * (b.acceleration[i]! - a.acceleration[i]!);
  }
}
