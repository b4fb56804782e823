import * as pose from "../../math/pose.js";
import { KinematicChain } from "../../robot/kinematics/chain.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** A structure that rings stops doing so in about this time: 3 % of damping at 12 Hz [s]. */
const RINGING_TIME = 0.45;

/** Share of its greatest speed from which a joint counts as moving fast. */
const FAST = 0.3;

/**
 * Where the joints say that the head is, and how much of what moves the structure is going on: 0 at rest, 1 in fast
 * motion, fading as vibrations do. The neck does not count: it is stiff, and light. Allocates nothing.
 */
export class HeadKinematics {
  readonly worldFromHead: pose.Pose = pose.create();
  /** 0 to 1. */
  activity = 0;
  /** Positions of the joints between the world and the head, as read last: all that `place` needs. */
  readonly joints: Float64Array;
  readonly #chain: KinematicChain;
  readonly #dofs: Int32Array;
  readonly #fast: Float64Array;
  #time = Number.NEGATIVE_INFINITY;

  constructor(robot: Robot) {
    const { model, frames } = robot;
    if (frames.head === undefined) {
      throw new FlycatcherError("FLY_SENSOR_MISSING", "no head to find", {
        expected: "a frame `head`",
        found: robot.name,
      });
    }
    const path: number[] = [];
    for (let link = frames.head; link > 0; link = model.parentLink[link]!) {
      for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) path.push(model.termDof[k]!);
    }
    const dofs = [...new Set(path)].sort((a, b) => a - b);
    this.#chain = new KinematicChain(model, frames.world, frames.head, dofs);
    this.joints = new Float64Array(dofs.length);
    this.#dofs = Int32Array.from(model.groups.flatMap((group) => (group.kind === "neck" ? [] : group.dofs)));
    this.#fast = Float64Array.from(this.#dofs, (dof) => FAST * model.maxVelocity[dof]!);
  }

  /** From joint positions `q` and speeds `qd` in model order, read at `time` [s]; times rise. */
  update(time: number, q: Float64Array, qd: Float64Array): void {
    this.read(time, q, qd);
    this.place(this.joints, this.worldFromHead);
  }

  /** The same but for the pose, which most readings are not asked for: `joints` and `activity` alone. */
  read(time: number, q: Float64Array, qd: Float64Array): void {
    const { dofs } = this.#chain;
    for (let k = 0; k < dofs.length; k++) this.joints[k] = q[dofs[k]!]!;
    let moving = 0;
    for (let k = 0; k < this.#dofs.length; k++) {
      const share = Math.abs(qd[this.#dofs[k]!]!) / this.#fast[k]!;
      if (share > moving) moving = share;
    }
    const fade = Math.exp(-Math.max(0, time - this.#time) / RINGING_TIME);
    this.activity = Math.min(1, Math.max(moving, fade * this.activity));
    this.#time = time;
  }

  /** Where the head is with these `joints`. */
  place(joints: Float64Array, worldFromHead: pose.Pose): void {
    this.#chain.update(joints);
    pose.copy(this.#chain.baseFromTip, worldFromHead);
  }
}
