import { FlightStatus, gravity } from "../flight/ball.js";
import { FlightPrediction } from "../flight/prediction.js";
import * as mat3 from "../math/mat3.js";
import * as vec3 from "../math/vec3.js";
import type { PredictionMessage } from "../messages/page.js";
import type { BallPrediction } from "../messages/prediction.js";

/** Points are so far apart [s]. */
const STEP = 0.04;
/** The path ends after so long [s], or at the floor. */
const LONGEST = 1.6;
/** Without a covariance the ball is known exactly. */
const EXACT = new Float64Array(49);

/** The rest of a predicted flight as a few points with their uncertainty: to be drawn. */
export class PredictionPath {
  readonly #flight = new FlightPrediction();
  readonly #gravity = gravity();
  readonly #position = vec3.create();
  readonly #covariance = mat3.create();

  /** Empty if the state is none of a ball. */
  points({ state, covariance }: BallPrediction): PredictionMessage["path"] {
    const { time } = state;
    if (this.#flight.reset(state, covariance ?? EXACT, this.#gravity, time, time + LONGEST) !== FlightStatus.ok)
      return [];
    const points: [number, number, number, number, number][] = [];
    for (let t = time; t <= time + LONGEST; t += STEP) {
      const [x, y, z] = this.#flight.position(t, this.#position);
      points.push([t, x, y, z, this.#sigma(t)]);
      if (z < 0) break;
    }
    return points;
  }

  /** A bound of the sigma in the worst direction that is exact for one dominant direction: √trace. */
  #sigma(t: number): number {
    const [xx, , , , yy, , , , zz] = this.#flight.positionCovariance(t, this.#covariance);
    return Math.sqrt(Math.max(0, xx + yy + zz));
  }
}
