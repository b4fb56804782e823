import { expect, it } from "vitest";
import * as lie from "../../../src/math/lie.js";
import * as mat3 from "../../../src/math/mat3.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { advance, InertialState } from "../../../src/tracking/pose/inertial-state.js";
import { unitVector } from "../../support/random-draws.js";

const GRAVITY = vec3.create(0, 0, -9.81);

/** A motion in closed form: rotation exp(a·sin(ω·t)·axis), position b·sin(ν·t), with the derivatives an IMU feels. */
class KnownMotion {
  readonly #axis = vec3.create();
  readonly #way = vec3.create();
  readonly #swing: number;
  readonly #turnRate: number;
  readonly #shakeRate: number;

  constructor(random: Random) {
    unitVector(random, this.#axis);
    unitVector(random, this.#way);
    this.#swing = random.uniformIn(0.05, 0.12);
    this.#turnRate = random.uniformIn(2, 6);
    this.#shakeRate = random.uniformIn(2, 8);
  }

  pose(t: number, out: pose.Pose): pose.Pose {
    const w = vec3.scale(this.#axis, this.#swing * Math.sin(this.#turnRate * t), vec3.create());
    const place = vec3.scale(this.#way, 0.02 * Math.sin(this.#shakeRate * t), vec3.create());
    return pose.fromMat3Translation(lie.so3Exp(w, mat3.create()), place, out);
  }

  velocity(t: number): vec3.Vec3 {
    return vec3.scale(this.#way, 0.02 * this.#shakeRate * Math.cos(this.#shakeRate * t), vec3.create());
  }

  angular(t: number): vec3.Vec3 {
    return vec3.scale(this.#axis, this.#swing * this.#turnRate * Math.cos(this.#turnRate * t), vec3.create());
  }

  force(t: number): vec3.Vec3 {
    const a = vec3.scale(this.#way, -0.02 * this.#shakeRate ** 2 * Math.sin(this.#shakeRate * t), vec3.create());
    return pose.rotateVectorInverse(this.pose(t, pose.create()), vec3.subtract(a, GRAVITY, a), a);
  }
}

it("follows a known motion to a micrometre and a microradian over 100 ms of perfect samples", () => {
  const random = new Random("strapdown");
  for (let run = 0; run < 50; run++) {
    const motion = new KnownMotion(random);
    const state = new InertialState();
    motion.pose(0, state.worldFromImu);
    vec3.copy(motion.velocity(0), state.velocity);
    const steps = 51;
    const step = 0.1 / steps;
    const [angular, force] = [new Float64Array(6), new Float64Array(6)];
    for (let k = 0; k < steps; k++) {
      angular.set(motion.angular(k * step), 0);
      angular.set(motion.angular((k + 1) * step), 3);
      force.set(motion.force(k * step), 0);
      force.set(motion.force((k + 1) * step), 3);
      advance(state, angular, force, 0, 3, { step }, GRAVITY);
    }
    const error = pose.composeInverse(motion.pose(0.1, pose.create()), state.worldFromImu, pose.create());
    const twist = lie.se3Log(error, new Float64Array(6));
    expect(Math.hypot(...twist.subarray(0, 3))).toBeLessThan(1e-6);
    expect(Math.hypot(...twist.subarray(3))).toBeLessThan(1e-6);
    expect(vec3.distance(state.velocity, motion.velocity(0.1))).toBeLessThan(2e-5);
  }
});

it("converges with the square of the step, rotation about a turning axis included", () => {
  const rate = (t: number): vec3.Vec3 => vec3.create(3 * Math.cos(40 * t), 3 * Math.sin(40 * t), 1);
  const turn = (steps: number): pose.Pose => {
    const state = new InertialState();
    const step = 0.1 / steps;
    const [angular, force] = [new Float64Array(6), new Float64Array(6)];
    for (let k = 0; k < steps; k++) {
      angular.set(rate(k * step), 0);
      angular.set(rate((k + 1) * step), 3);
      advance(state, angular, force, 0, 3, { step }, vec3.create());
    }
    return state.worldFromImu;
  };
  const exact = turn(20_000);
  const miss = (steps: number): number =>
    Math.hypot(...lie.se3Log(pose.composeInverse(exact, turn(steps), pose.create()), new Float64Array(6)).subarray(3));
  expect(miss(50) / miss(100)).toBeGreaterThan(3.5);
  expect(miss(51)).toBeLessThan(3e-4);
});
