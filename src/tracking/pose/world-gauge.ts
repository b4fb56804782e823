import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import { ERROR_SIZE, Part } from "./error-state.js";
import type { InertialState } from "./inertial-state.js";

/**
 * Where the world is and which way it faces is ours to say: neither IMU nor joints know, and a ball seen and a hand
 * moved in the same world meet wherever that world lies. Which way is up is not: gravity says. So, while the robot rests,
 * two things may be done to the estimate that leave every measurement as it was.
 *
 * `fixWorld` declares the present place and heading of the head exact, and books what was uncertain about them with the
 * offset of the kinematics. From then on the covariance is that of the way since, which is what matters in a catch;
 * else the filter would shift its whole world in mid-flight for the sake of a better guess at a number of no use.
 *
 * `drawWorld` moves the world a little to where the kinematics has it: so it stays there in the long run.
 */
export class WorldGauge {
  /** Unit vector against gravity, in the world. */
  readonly #up: vec3.Vec3;
  readonly #upInImu = vec3.create();
  readonly #turn = vec3.create();
  readonly #rotation = mat3.create();

  constructor(gravity: vec3.Vec3) {
    this.#up = vec3.normalize(vec3.negate(gravity, vec3.create()), vec3.create());
  }

  fixWorld(state: InertialState): void {
    mat3.transformTransposed(state.worldFromImu, this.#up, this.#upInImu);
    this.#removeCommon(state.covariance, ERROR_SIZE, 1);
    this.#removeCommon(state.covariance, 1, ERROR_SIZE);
  }

  /** @param share of the offset that is taken away, 0 to 1 */
  drawWorld(state: InertialState, share: number): void {
    const T = state.worldFromImu;
    const up = this.#up;
    const { offsetPosition, offsetOrientation } = state;
    const heading = share * vec3.dot(up, offsetOrientation);
    vec3.scale(up, -heading, this.#turn);
    mat3.multiply(lie.so3Exp(this.#turn, this.#rotation), T, T);
    vec3.addScaled(offsetOrientation, up, -heading, offsetOrientation);
    for (let i = 0; i < 3; i++) {
      const shift = share * offsetPosition[i]!;
      T[9 + i] = T[9 + i]! - shift;
      offsetPosition[i] = offsetPosition[i]! - shift;
    }
  }

  /** The rows or the columns of G·P·Gᵀ, strides as in `transportCovariance`. */
  #removeCommon(P: Float64Array, along: number, across: number): void {
    const u = this.#upInImu;
    const up = this.#up;
    for (let line = 0; line < ERROR_SIZE; line++) {
      const o = line * across;
      const turn = o + Part.orientation * along;
      const heading = u[0] * P[turn]! + u[1] * P[turn + along]! + u[2] * P[turn + 2 * along]!;
      for (let i = 0; i < 3; i++) {
        const place = o + i * along;
        const offsetPlace = place + Part.offsetPosition * along;
        const offsetTurn = place + Part.offsetOrientation * along;
        P[offsetPlace] = P[offsetPlace]! - P[place]!;
        P[place] = 0;
        P[offsetTurn] = P[offsetTurn]! - up[i]! * heading;
        P[turn + i * along] = P[turn + i * along]! - u[i]! * heading;
      }
    }
  }
}
