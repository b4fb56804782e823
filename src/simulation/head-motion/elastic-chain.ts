import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";

/** One motion along the chain: a constant placement, then a turn about or a shift along an axis. */
export interface ChainElement {
  /** pose.Pose of the element's frame, its coordinate at zero, in the frame before it. */
  readonly placement: pose.Pose;
  readonly motion: "rotation" | "translation";
  /** Unit vector in the element's frame. */
  readonly axis: vec3.Vec3;
}

/** How a rigid body moves, seen from the world and in world axes. */
export interface RigidMotion {
  readonly worldFromBody: pose.Pose;
  /** Velocity of the body's origin [m/s], then angular [rad/s]. [6] */
  readonly twist: Float64Array;
  /** Acceleration of the body's origin [m/s²], then angular [rad/s²]. [6] */
  readonly acceleration: Float64Array;
}

export function createRigidMotion(): RigidMotion {
  return { worldFromBody: pose.create(), twist: new Float64Array(6), acceleration: new Float64Array(6) };
}

/**
 * A serial chain from the world whose every coordinate moves on its own: joints with their deflection, the wheels' slip
 * and the vibration modes alike. Gives pose, velocity and acceleration after any of its elements. Allocates nothing.
 */
export class ElasticChain {
  readonly elements: readonly ChainElement[];
  readonly #axis = vec3.create();
  readonly #arm = vec3.create();
  readonly #local = pose.create();
  readonly #swing = vec3.create();

  constructor(elements: readonly ChainElement[]) {
    this.elements = elements;
  }

  /**
   * The motion of the frame after the first `count` elements and the constant `tail`, from the coordinates' values,
   * rates and accelerations.
   */
  evaluate(
    count: number,
    tail: pose.Pose,
    value: Float64Array,
    rate: Float64Array,
    acceleration: Float64Array,
    out: RigidMotion,
  ): RigidMotion {
    pose.identity(out.worldFromBody);
    out.twist.fill(0);
    out.acceleration.fill(0);
    for (let i = 0; i < count; i++) {
      const element = this.elements[i]!;
      this.#shift(element.placement, out);
      vec3.copy(element.axis, this.#axis);
      pose.identity(this.#local);
      if (element.motion === "rotation") {
        mat3.fromAxisAngle(this.#axis, value[i]!, this.#local);
        pose.rotateVector(out.worldFromBody, this.#axis, this.#axis);
        // A joint that turns: ω += s·z, α += s̈·z + ω × s·z.
        this.#addAlongAxis(3, rate[i]!, acceleration[i]!, 1, out);
        pose.compose(out.worldFromBody, this.#local, out.worldFromBody);
      } else {
        for (let k = 0; k < 3; k++) this.#local[9 + k] = value[i]! * this.#axis[k]!;
        pose.rotateVector(out.worldFromBody, this.#axis, this.#axis);
        this.#shift(this.#local, out);
        // A joint that slides: v += s·z, a += s̈·z + 2ω × s·z.
        this.#addAlongAxis(0, rate[i]!, acceleration[i]!, 2, out);
      }
    }
    this.#shift(tail, out);
    return out;
  }

  /** On to a frame fixed to the present one: v += ω × r, a += α × r + ω × (ω × r). */
  #shift(placement: pose.Pose, out: RigidMotion): void {
    const { twist: v, acceleration: a } = out;
    const r = this.#arm;
    const u = this.#swing;
    pose.getTranslation(placement, r);
    pose.rotateVector(out.worldFromBody, r, r);
    pose.compose(out.worldFromBody, placement, out.worldFromBody);
    u[0] = v[4]! * r[2] - v[5]! * r[1];
    u[1] = v[5]! * r[0] - v[3]! * r[2];
    u[2] = v[3]! * r[1] - v[4]! * r[0];
    a[0] = a[0]! + a[4]! * r[2] - a[5]! * r[1] + v[4]! * u[2] - v[5]! * u[1];
    a[1] = a[1]! + a[5]! * r[0] - a[3]! * r[2] + v[5]! * u[0] - v[3]! * u[2];
    a[2] = a[2]! + a[3]! * r[1] - a[4]! * r[0] + v[3]! * u[1] - v[4]! * u[0];
    for (let k = 0; k < 3; k++) v[k] = v[k]! + u[k]!;
  }

  #addAlongAxis(at: 0 | 3, speed: number, acceleration: number, coriolis: number, out: RigidMotion): void {
    const { twist: v, acceleration: a } = out;
    const z = this.#axis;
    const s = coriolis * speed;
    const x = v[4]! * z[2] - v[5]! * z[1];
    const y = v[5]! * z[0] - v[3]! * z[2];
    const w = v[3]! * z[1] - v[4]! * z[0];
    a[at] = a[at]! + acceleration * z[0] + s * x;
    a[at + 1] = a[at + 1]! + acceleration * z[1] + s * y;
    a[at + 2] = a[at + 2]! + acceleration * z[2] + s * w;
    for (let k = 0; k < 3; k++) v[at + k] = v[at + k]! + speed * z[k]!;
  }
}
