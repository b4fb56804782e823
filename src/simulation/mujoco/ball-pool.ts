import { type Ball, type BallState, liftPerSpin, STANDARD_GRAVITY } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import type { WorldMemory } from "./world-memory.js";
import { ballName, PARKING } from "./world-mjcf.js";

/** Change of velocity in one step, beyond gravity, drag and lift, that means a ball has touched something [m/s]. */
const TOUCH = 0.02;

/**
 * The balls of a world, made with it because memory must not grow later. One that is not in play is parked far above
 * and weighs nothing.
 *
 * MuJoCo steps v ← v + a·dt, then x ← x + v·dt. Read as a leapfrog, with its velocity half a step behind the position,
 * this is of second order and a free flight is good to micrometres; read as it stands it would be off by g·t·dt/2, half
 * a centimetre a second. So velocities are shifted by half a step on the way in and out, with what gravity, drag and lift do
 * in that time, and drag and lift are those of the velocity at the step's beginning.
 */
export class BallPool {
  readonly count: number;
  readonly #memory: WorldMemory;
  readonly #ball: Ball;
  readonly #dt: number;
  readonly #bodies: Int32Array;
  readonly #positions: Int32Array;
  readonly #velocities: Int32Array;
  readonly #inPlay: Uint8Array;
  readonly #touched: Uint8Array;
  /** Where each ball was when it first touched something. */
  readonly #touchPlaces: Float64Array;
  /** Velocity each ball will have after the step if it touches nothing. */
  readonly #expected: Float64Array;
  /** w of the lift of each ball until it first touches something [1/s]. */
  readonly #lifts: Float64Array;
  readonly #velocity = vec3.create();
  readonly #acceleration = vec3.create();

  constructor(memory: WorldMemory, ball: Ball, count: number, timestep: number) {
    this.count = count;
    this.#memory = memory;
    this.#ball = ball;
    this.#dt = timestep;
    const names = Array.from({ length: count }, (_, i) => ballName(i));
    this.#bodies = Int32Array.from(names, (name) => memory.body(name));
    this.#positions = Int32Array.from(names, (name) => memory.positionOf(name));
    this.#velocities = Int32Array.from(names, (name) => memory.velocityOf(name));
    this.#inPlay = new Uint8Array(count);
    this.#touched = new Uint8Array(count);
    this.#touchPlaces = new Float64Array(3 * count);
    this.#expected = new Float64Array(3 * count);
    this.#lifts = new Float64Array(3 * count);
    for (let i = 0; i < count; i++) this.park(i);
  }

  isInPlay(i: number): boolean {
    return this.#inPlay[i] === 1;
  }

  /** Whether the ball has touched anything since it was thrown. */
  hasTouched(i: number): boolean {
    return this.#touched[i] === 1;
  }

  /** Where the ball was when it did [m]. */
  touchPosition(i: number, out: vec3.Vec3): vec3.Vec3 {
    const p = this.#touchPlaces;
    return vec3.set(p[3 * i]!, p[3 * i + 1]!, p[3 * i + 2]!, out);
  }

  /** A ball that is not in play; −1 if all are. */
  free(): number {
    return this.#inPlay.indexOf(0);
  }

  /** Puts a ball into play, with `spin` [rad/s] in the world's axes; by default the one that its lift takes. */
  throw(i: number, { position, velocity, lift = NO_LIFT }: BallState, spin?: vec3.Vec3): void {
    this.#place(i, position);
    const v = this.#memory.qvel;
    const at = this.#velocities[i]!;
    this.#lifts.set(lift, 3 * i);
    const perLift = 1 / liftPerSpin(this.#ball);
    const a = this.#flightAcceleration(i, velocity);
    for (let k = 0; k < 3; k++) {
      v[at + k] = velocity[k]! - 0.5 * this.#dt * a[k]!;
      v[at + 3 + k] = spin === undefined ? perLift * lift[k]! : spin[k]!;
    }
    this.#inPlay[i] = 1;
    this.#touched[i] = 0;
  }

  park(i: number): void {
    this.#place(i, vec3.set(PARKING.x + i * PARKING.spacing, PARKING.y, PARKING.z, this.#velocity));
    const at = this.#velocities[i]!;
    this.#memory.qvel.fill(0, at, at + 6);
    this.#lifts.fill(0, 3 * i, 3 * i + 3);
    this.#inPlay[i] = 0;
    this.#touched[i] = 0;
  }

  #place(i: number, position: vec3.Vec3): void {
    const at = this.#positions[i]!;
    const q = this.#memory.qpos;
    for (let k = 0; k < 3; k++) q[at + k] = position[k]!;
    q[at + 3] = 1;
    q.fill(0, at + 4, at + 7);
  }

  /** Before each step: the forces of the air, and the weight of parked balls taken off. */
  applyForces(): void {
    const { xfrcApplied } = this.#memory;
    for (let i = 0; i < this.count; i++) {
      const at = 6 * this.#bodies[i]!;
      if (this.#inPlay[i] === 0) {
        xfrcApplied.fill(0, at, at + 2);
        xfrcApplied[at + 2] = this.#ball.mass * STANDARD_GRAVITY;
        continue;
      }
      const v = this.#velocityAt(i);
      const a = this.#flightAcceleration(i, v);
      const qvel = this.#velocities[i]!;
      for (let k = 0; k < 3; k++) {
        xfrcApplied[at + k] = this.#ball.mass * (a[k]! - (k === 2 ? -STANDARD_GRAVITY : 0));
        this.#expected[3 * i + k] = this.#memory.qvel[qvel + k]! + this.#dt * a[k]!;
      }
    }
  }

  /** After each step: which balls were touched. */
  notice(): void {
    for (let i = 0; i < this.count; i++) {
      if (this.#inPlay[i] === 0 || this.#touched[i] === 1) continue;
      const at = this.#velocities[i]!;
      let square = 0;
      for (let k = 0; k < 3; k++) square += (this.#memory.qvel[at + k]! - this.#expected[3 * i + k]!) ** 2;
      if (square <= TOUCH * TOUCH) continue;
      this.#touched[i] = 1;
      this.#lifts.fill(0, 3 * i, 3 * i + 3);
      this.#touchPlaces.set(this.position(i, this.#velocity), 3 * i);
    }
  }

  position(i: number, out: vec3.Vec3): vec3.Vec3 {
    const at = this.#positions[i]!;
    const q = this.#memory.qpos;
    return vec3.set(q[at]!, q[at + 1]!, q[at + 2]!, out);
  }

  velocity(i: number, out: vec3.Vec3): vec3.Vec3 {
    return vec3.copy(this.#velocityAt(i), out);
  }

  /** Velocity at the time of the position: half a step on from MuJoCo's. */
  #velocityAt(i: number): vec3.Vec3 {
    const at = this.#velocities[i]!;
    const q = this.#memory.qvel;
    const v = vec3.set(q[at]!, q[at + 1]!, q[at + 2]!, this.#velocity);
    return vec3.addScaled(v, this.#flightAcceleration(i, v), 0.5 * this.#dt, v);
  }

  /** Gravity, drag, −k·|v|·v, and lift, w × v. */
  #flightAcceleration(i: number, velocity: vec3.Vec3): vec3.Vec3 {
    const a = vec3.scale(velocity, -this.#ball.drag * vec3.norm(velocity), this.#acceleration);
    const [wx, wy, wz] = [this.#lifts[3 * i]!, this.#lifts[3 * i + 1]!, this.#lifts[3 * i + 2]!];
    const [x, y, z] = velocity;
    a[0] += wy * z - wz * y;
    a[1] += wz * x - wx * z;
    a[2] += wx * y - wy * x - STANDARD_GRAVITY;
    return a;
  }
}

const NO_LIFT = vec3.create();
