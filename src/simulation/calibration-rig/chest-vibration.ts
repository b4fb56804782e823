import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import type { RobotState } from "../../robot/state.js";

interface Mode {
  readonly link: number;
  readonly motion: "rotation" | "translation";
  readonly axis: vec3.Vec3;
  /** [rad/s] */
  readonly frequency: number;
  /** Of the ringing [1/s]. */
  readonly decay: number;
  /** [rad or m] */
  readonly peak: number;
}

/** Fans and drives keep every mode moving, at this part of the peak a fast arm gives it. */
const RESTLESSNESS = 0.02;

/**
 * The elastic modes of the robot's sidecar, still ringing from the arm's last stop. Head and arms shake together, so the
 * cameras see nothing of it; the IMU does.
 */
export class ChestVibration {
  readonly #modes: readonly Mode[];
  readonly #axis = vec3.create();
  readonly #lever = vec3.create();

  constructor({ model, sidecar }: Robot, amount: number) {
    this.#modes = (sidecar.simulation?.elasticity?.modes ?? []).map((mode) => ({
      link: model.linkNames.indexOf(mode.link),
      motion: mode.motion,
      axis: vec3.normalize(vec3.create(...mode.axis), vec3.create()),
      frequency: 2 * Math.PI * mode.frequencyHz,
      decay: 2 * Math.PI * mode.frequencyHz * mode.dampingRatio,
      peak: amount * mode.peak,
    }));
  }

  /** Adds what the modes do to the angular rate and the acceleration of a link's origin, in world axes. */
  add(state: RobotState, link: number, sinceStop: number, rate: vec3.Vec3, acceleration: vec3.Vec3): void {
    for (const { link: shaken, motion, axis, frequency, decay, peak } of this.#modes) {
      const amplitude = peak * (Math.exp(-decay * sinceStop) + RESTLESSNESS);
      const speed = amplitude * frequency * Math.cos(frequency * sinceStop);
      const surge = -amplitude * frequency * frequency * Math.sin(frequency * sinceStop);
      rotate(state.linkPoses, 12 * shaken, axis, this.#axis);
      if (motion === "translation") {
        vec3.addScaled(acceleration, this.#axis, surge, acceleration);
        continue;
      }
      for (let i = 0; i < 3; i++)
        this.#lever[i] = state.linkPoses[12 * link + 9 + i]! - state.linkPoses[12 * shaken + 9 + i]!;
      vec3.addScaled(rate, this.#axis, speed, rate);
      vec3.addScaled(acceleration, vec3.cross(this.#axis, this.#lever, this.#lever), surge, acceleration);
    }
  }
}

function rotate(poses: Float64Array, at: number, v: vec3.Vec3, out: vec3.Vec3): void {
  for (let row = 0; row < 3; row++) {
    const k = at + 3 * row;
    out[row] = poses[k]! * v[0] + poses[k + 1]! * v[1] + poses[k + 2]! * v[2];
  }
}
