import type { Vec3 } from "../math/vec3.js";
import type { BallState, FlightStatus } from "./ball.js";
import { Channels, Derivative, type FlightOptions, VariationalFlight } from "./variational-flight.js";

/** Unknowns of a flight: position, velocity at its reference time, drag. */
export const STATE_SIZE = 7;

/** What a sensitivity is to know of. */
export interface SensitivityOptions extends FlightOptions {
  /** Whether the lift is unknown, too, so that `liftJacobian` may be asked for. */
  readonly hasLift?: boolean;
}

/**
 * How a flight depends on the state it starts from: the derivatives of position and velocity at t by position and
 * velocity at the reference time, by the drag k and, if asked for, by the lift.
 */
export class FlightSensitivity {
  readonly #flight: VariationalFlight;
  readonly #now: Float64Array;

  constructor(options: SensitivityOptions = {}) {
    const channels = options.hasLift === true ? Channels.lift : Channels.state;
    this.#flight = new VariationalFlight(channels, options);
    this.#now = new Float64Array(channels);
  }

  /** As `Flight.reset`. */
  reset(state: BallState, gravity: Vec3, begin: number, end: number): FlightStatus {
    return this.#flight.reset(state, gravity, begin, end);
  }

  /** Position at `t` [m]. */
  position(t: number, out: Vec3): Vec3 {
    this.#flight.path.values(t, this.#now);
    for (let n = 0; n < 3; n++) out[n as 0 | 1 | 2] = this.#now[n]!;
    return out;
  }

  /** ∂(position at t) / ∂(state at the reference time), 3 × 7 row-major: columns position, velocity, drag. */
  positionJacobian(t: number, out: Float64Array): Float64Array {
    this.#flight.path.values(t, this.#now);
    this.#writeRows(out, 0, 1);
    return out;
  }

  /** State transition matrix ∂(state at t) / ∂(state at the reference time), 7 × 7 row-major. */
  transition(t: number, out: Float64Array): Float64Array {
    this.#flight.path.values(t, this.#now);
    this.#writeRows(out, 0, 1);
    this.#flight.path.slopes(t, this.#now);
    this.#writeRows(out, 3 * STATE_SIZE, 0);
    out.fill(0, 6 * STATE_SIZE, 7 * STATE_SIZE);
    out[STATE_SIZE * STATE_SIZE - 1] = 1;
    return out;
  }

  /** ∂(position and velocity at t) / ∂(lift), 6 × 3 row-major. */
  liftJacobian(t: number, out: Float64Array): Float64Array {
    const { path } = this.#flight;
    for (let part = 0; part < 2; part++) {
      if (part === 0) path.values(t, this.#now);
      else path.slopes(t, this.#now);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) out[9 * part + 3 * r + c] = this.#now[Derivative.lift + 3 * c + r]!;
      }
    }
    return out;
  }

  /** Three rows of a Jacobian from the channels in `now`; `unit` is the derivative by the first position. */
  #writeRows(out: Float64Array, offset: number, unit: 0 | 1): void {
    for (let r = 0; r < 3; r++) {
      const row = offset + r * STATE_SIZE;
      for (let c = 0; c < 3; c++) {
        out[row + c] = r === c ? unit : 0;
        out[row + 3 + c] = this.#now[Derivative.velocity + 3 * c + r]!;
      }
      out[row + 6] = this.#now[Derivative.drag + r]!;
    }
  }
}
