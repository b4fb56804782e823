import { type FlightPath, FlightStatus, gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import { FlightPrediction } from "../flight/prediction.js";
import * as mat3 from "../math/mat3.js";
import * as vec3 from "../math/vec3.js";
import type { PredictionReport, Triple } from "./report-types.js";
import type { KnownPrediction } from "./throw-tracks.js";

/** Flights are laid out this long at most [s]. */
const LONGEST = 3;

/** Where predictions say a ball will be at one time, against where it was. */
export class PredictionErrors {
  readonly #prediction = new FlightPrediction({ duration: LONGEST });
  readonly #flight = new Flight({ duration: LONGEST });
  readonly #covariance = mat3.create();
  readonly #gravity: vec3.Vec3;

  /** `down` is the acceleration of a falling ball there [m/s²]. */
  constructor(down: vec3.Vec3 = gravity()) {
    this.#gravity = down;
  }

  /** Of one prediction at `time` [s], against the smoothed flight and the true one, as far as they are known. */
  judge(known: KnownPrediction, time: number, smoothed: FlightPath | null, truth: FlightPath | null): PredictionReport {
    const { state, covariance, lastSeen, track, confirmed } = known.prediction;
    const [begin, end] = [Math.min(state.time, time), Math.max(state.time, time)];
    const position = vec3.create(Number.NaN, Number.NaN, Number.NaN);
    let sigma: number | null = null;
    if (covariance === null) {
      if (this.#flight.reset(state, this.#gravity, begin, end) === FlightStatus.ok)
        this.#flight.position(time, position);
    } else if (this.#prediction.reset(state, covariance, this.#gravity, begin, end) === FlightStatus.ok) {
      this.#prediction.position(time, position);
      const spread = this.#prediction.positionCovariance(time, this.#covariance);
      sigma = Math.sqrt(spread[0] + spread[4] + spread[8]);
    }
    return {
      seen: lastSeen,
      known: known.knownNs / 1e9,
      track,
      confirmed,
      position: triple(position),
      error: distanceAt(smoothed, time, position),
      trueError: distanceAt(truth, time, position),
      sigma,
    };
  }
}

function distanceAt(path: FlightPath | null, time: number, position: vec3.Vec3): number | null {
  if (path === null || !vec3.isFinite(position)) return null;
  return vec3.distance(path.position(time, vec3.create()), position);
}

export function triple(values: ArrayLike<number>): Triple {
  return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
}
