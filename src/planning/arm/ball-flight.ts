import { type BallState, FlightStatus } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { FlightPrediction } from "../../flight/prediction.js";
import type { Vec3 } from "../../math/vec3.js";
import { type SuccessInput, SuccessModel } from "../success/success-model.js";

/**
 * What the probability of success depends on beside the flight, in whose frame the perception is. The covariance is of
 * position and velocity, 6 × 6, or with the drag beside them, 7 × 7.
 */
export type SuccessConditions = Omit<SuccessInput, "prediction">;

/**
 * The flight of a ball in one frame that stands still, and how surely it is caught. Most questions do not need the
 * probability, so its model is made only when it is read.
 */
export class BallFlight {
  readonly path: Flight;
  readonly #duration: number;
  #prediction: FlightPrediction | null = null;
  #createSuccess: (() => SuccessModel | null) | null = null;
  #success: SuccessModel | null = null;

  /** `duration` is the longest flight there is memory for [s]. */
  constructor(duration: number) {
    this.path = new Flight({ duration });
    this.#duration = duration;
  }

  /** Without `conditions` the probability of success is not known. */
  reset(
    ball: BallState,
    gravity: Vec3,
    begin: number,
    end: number,
    conditions: SuccessConditions | null,
  ): FlightStatus {
    this.#success = null;
    this.#createSuccess = null;
    const status = this.path.reset(ball, gravity, begin, end);
    if (status !== FlightStatus.ok || conditions === null) return status;
    const { covariance } = conditions;
    if (!covariance.every(Number.isFinite)) return FlightStatus.invalid;
    this.#createSuccess = () => {
      this.#prediction ??= new FlightPrediction({ duration: this.#duration });
      const prediction = this.#prediction;
      if (prediction.reset(ball, covariance, gravity, begin, end) !== FlightStatus.ok) return null;
      return new SuccessModel({ ...conditions, prediction, covariance: leadingBlock(covariance) });
    };
    return FlightStatus.ok;
  }

  get success(): SuccessModel | null {
    if (this.#createSuccess !== null) this.#success = this.#createSuccess();
    this.#createSuccess = null;
    return this.#success;
  }
}

/** Position and velocity of a covariance that may have the drag beside them. */
function leadingBlock(covariance: Float64Array): Float64Array {
  if (covariance.length === 36) return covariance;
  const block = new Float64Array(36);
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) block[6 * r + c] = covariance[7 * r + c]!;
  return block;
}
