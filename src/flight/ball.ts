import * as vec3 from "../math/vec3.js";

/** What of a ball matters to its flight. */
export interface Ball {
  /** [m] */
  readonly diameter: number;
  /** [kg] */
  readonly mass: number;
  /** k of the drag −k·|v|·v [1/m] */
  readonly drag: number;
  /** What is not known of the drag [1/m] and of the lift in each axis [1/s], one standard deviation; left out: 0. */
  readonly dragSigma?: number;
  readonly liftSigma?: number;
  /** What colour it has in white light, as `#rrggbb`; left out: light gray. Flight does not depend on it, images do. */
  readonly colour?: string;
}

/** The ball of the thesis' demonstration: a soft ball of 8.5 cm and 50 g. */
export const defaultBall: Ball = { diameter: 0.085, mass: 0.05, drag: 0.032 };

/** Density of air at 20 °C and 1013 hPa [kg/m³]. */
const AIR_DENSITY = 1.204;

/** Drag coefficient of a smooth sphere at Reynolds numbers of 10³ to 2·10⁵: a thrown ball's are about 4·10⁴. */
const SPHERE_DRAG_COEFFICIENT = 0.47;

/**
 * k = ½·ρ·C_d·A/m [1/m] of a ball of `diameter` [m] and `mass` [kg].
 * @example dragOf(0.085, 0.05) // 0.0321
 */
export function dragOf(
  diameter: number,
  mass: number,
  coefficient = SPHERE_DRAG_COEFFICIENT,
  density = AIR_DENSITY,
): number {
  const area = (Math.PI / 4) * diameter * diameter;
  return (0.5 * density * coefficient * area) / mass;
}

/**
 * w of the lift w × v [1/s] for each rad/s of spin, after Kutta and Joukowski for a sphere: the force is ½·ρ·A·r·(ω × v).
 * @example liftPerSpin(0.04, 0.0027) // 0.0056: a table tennis ball with 100 rad/s has 0.56 1/s
 */
export function liftPerSpin({ diameter, mass }: Pick<Ball, "diameter" | "mass">, density = AIR_DENSITY): number {
  return (density * Math.PI * diameter ** 3) / (16 * mass);
}

/** Acceleration of a falling body in a frame whose z axis points up [m/s²]. Turn it for any other frame. */
export function gravity(out: vec3.Vec3 = vec3.create()): vec3.Vec3 {
  return vec3.set(0, 0, -STANDARD_GRAVITY, out);
}

/** [m/s²] */
export const STANDARD_GRAVITY = 9.81;

/** Where a ball is, how it moves and how the air slows it, at one moment. */
export interface BallState {
  /** [s] */
  time: number;
  /** [m] */
  readonly position: vec3.Vec3;
  /** [m/s] */
  readonly velocity: vec3.Vec3;
  /** k of the drag −k·|v|·v [1/m] */
  drag: number;
  /** w of the lift w × v that spin makes [1/s]; without it the ball has none. */
  readonly lift?: vec3.Vec3;
}

/** The state in memory of its own, at another `time` if one is given. */
export function copyBallState({ time: own, position, velocity, drag, lift }: BallState, time = own): BallState {
  const copy = {
    time,
    position: vec3.copy(position, vec3.create()),
    velocity: vec3.copy(velocity, vec3.create()),
    drag,
  };
  return lift === undefined ? copy : { ...copy, lift: vec3.copy(lift, vec3.create()) };
}

/**
 * A flight as a function of time, twice continuously differentiable, and all that planning needs of one. `velocity` and
 * `acceleration` are the exact derivatives of `position`, not a second approximation beside it. Outside [begin, end]
 * it goes on smoothly, but no longer as a ball would.
 */
export interface FlightPath {
  /** [s] */
  readonly begin: number;
  /** [s] */
  readonly end: number;
  /** [m] */
  position(t: number, out: vec3.Vec3): vec3.Vec3;
  /** [m/s] */
  velocity(t: number, out: vec3.Vec3): vec3.Vec3;
  /** [m/s²] */
  acceleration(t: number, out: vec3.Vec3): vec3.Vec3;
  /** All three at once. */
  evaluate(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void;
}

/** Outcome of computing a flight. */
export const FlightStatus = {
  ok: 0,
  /** The interval needs more steps than there is memory for. */
  tooLong: 1,
  /** A number is NaN or infinite, or the interval is empty. */
  invalid: 2,
  /** The ball would be so fast that the air stops it within a few steps: backwards in time, speed grows without bound. */
  diverged: 3,
} as const;
export type FlightStatus = (typeof FlightStatus)[keyof typeof FlightStatus];

/** Flights one after the other, as of a ball that bounces: twice differentiable but where one ends and the next begins. */
export class PiecewiseFlight implements FlightPath {
  readonly #pieces: readonly FlightPath[];
  readonly #joints: readonly number[];

  /** `joints` are the times at which each piece but the last ends [s]. */
  constructor(pieces: readonly FlightPath[], joints: readonly number[]) {
    this.#pieces = pieces;
    this.#joints = joints;
  }

  get begin(): number {
    return this.#pieces[0]!.begin;
  }

  get end(): number {
    return this.#pieces.at(-1)!.end;
  }

  #at(t: number): FlightPath {
    let k = 0;
    while (k < this.#joints.length && t >= this.#joints[k]!) k++;
    return this.#pieces[k]!;
  }

  position(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.#at(t).position(t, out);
  }

  velocity(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.#at(t).velocity(t, out);
  }

  acceleration(t: number, out: vec3.Vec3): vec3.Vec3 {
    return this.#at(t).acceleration(t, out);
  }

  evaluate(t: number, position: vec3.Vec3, velocity: vec3.Vec3, acceleration: vec3.Vec3): void {
    this.#at(t).evaluate(t, position, velocity, acceleration);
  }
}
