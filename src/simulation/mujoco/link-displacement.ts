import * as pose from "../../math/pose.js";
import type { Perturbation, RobotSetPoints } from "./perturbation.js";
import { displacementJoints } from "./robot-mjcf.js";
import type { WorldMemory } from "./world-memory.js";

/**
 * Carries out a perturbation: six joints of MuJoCo between the link's own joint and the link are put, step by step,
 * where it has them. That is kinematics: the robot's own joints do not feel the shaking, but whatever the hands touch
 * does, since they move with the right velocity.
 */
export class LinkDisplacement {
  readonly #perturbation: Perturbation;
  readonly #memory: WorldMemory;
  readonly #positions: Int32Array;
  readonly #velocities: Int32Array;
  readonly #nominalFromLink = pose.create();
  /** Of the six joints: along x, y, z [m], about x, y, z [rad]. */
  readonly #target = new Float64Array(6);
  readonly #before = new Float64Array(6);

  constructor(memory: WorldMemory, perturbation: Perturbation, linkName: string) {
    this.#perturbation = perturbation;
    this.#memory = memory;
    const joints = displacementJoints(linkName);
    this.#positions = Int32Array.from(joints, (name) => memory.positionOf(name));
    this.#velocities = Int32Array.from(joints, (name) => memory.velocityOf(name));
  }

  /** Puts the link where it is when the robot rests in `posture`. */
  start(posture: Float64Array): void {
    this.#perturbation.start(posture, this.#nominalFromLink);
    this.#aim();
    for (let k = 0; k < 6; k++) {
      this.#memory.qpos[this.#positions[k]!] = this.#target[k]!;
      this.#memory.qvel[this.#velocities[k]!] = 0;
    }
  }

  /** After a step of `dt` [s]: puts the link where it is by now, with the velocity that brought it there. */
  step(setPoints: RobotSetPoints, dt: number): void {
    const { qpos, qvel } = this.#memory;
    for (let k = 0; k < 6; k++) this.#before[k] = this.#target[k]!;
    this.#perturbation.step(setPoints, this.#nominalFromLink);
    this.#aim();
    for (let k = 0; k < 6; k++) {
      qpos[this.#positions[k]!] = this.#target[k]!;
      qvel[this.#velocities[k]!] = (this.#target[k]! - this.#before[k]!) / dt;
    }
  }

  /** The joints turn in the order x, y, z: rotation = Rx·Ry·Rz. */
  #aim(): void {
    const p = this.#nominalFromLink;
    for (let k = 0; k < 3; k++) this.#target[k] = p[9 + k]!;
    this.#target[3] = Math.atan2(-p[5], p[8]);
    this.#target[4] = Math.asin(Math.max(-1, Math.min(1, p[2])));
    this.#target[5] = Math.atan2(-p[1], p[0]);
  }
}
