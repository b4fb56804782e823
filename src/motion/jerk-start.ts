/** Phases of a brake at most. */
export const BRAKE_PHASES = 3;

/**
 * The start of a profile within its limits. A start beyond them (limits that were scaled down, noise, or a velocity that the
 * acceleration will carry over its limit) first brakes, in the shortest time: the acceleration returns to its limit, then
 * the jerk opposes the velocity until it is, and stays, within its own.
 */
export class JerkStart {
  /** State, at first that given, after `brake` that from which the profile goes on. */
  v = Number.NaN;
  a = Number.NaN;
  /** Limits. */
  V = Number.NaN;
  A = Number.NaN;
  J = Number.NaN;
  /** Way and time of the brake. */
  distance = Number.NaN;
  time = Number.NaN;
  /** Its phases: duration and jerk. */
  readonly durations = new Float64Array(BRAKE_PHASES);
  readonly jerks = new Float64Array(BRAKE_PHASES);
  count = 0;

  brake(): void {
    this.count = 0;
    this.distance = 0;
    this.time = 0;
    const { V, A, J } = this;
    if (Math.abs(this.a) > A) {
      const s = Math.sign(this.a);
      this.#add((s * this.a - A) / J, -s * J);
      this.a = s * A;
    }
    // Speed at which the acceleration has gone, or from which it came.
    const turn = this.v + (this.a * Math.abs(this.a)) / (2 * J);
    const isFast = (this.v > V && turn > -V) || (this.a > 0 && turn > V);
    const isFastBackwards = (this.v < -V && turn < V) || (this.a < 0 && turn < -V);
    const s = isFast ? 1 : isFastBackwards ? -1 : 0;
    if (s !== 0) this.#brakeVelocity(s);
  }

  /** Brakes a velocity that is, or will be, beyond s·V. */
  #brakeVelocity(s: number): void {
    const { V, A, J } = this;
    const peak = s * this.v + (this.a * this.a) / (2 * J);
    // Not so hard that the release would end beyond the limit of the other direction.
    const hardest = Math.min(Math.sqrt(2 * J * Math.max(0, peak - V)), Math.sqrt(J * (peak + V)), A);
    const drop = (s * this.a + hardest) / J;
    if (drop > 0) {
      this.#add(drop, -s * J);
      this.a = -s * hardest;
    }
    const a = Math.abs(this.a);
    if (a < A) return;
    const until = Math.max(V, (a * a) / (2 * J) - V);
    const hold = (s * this.v - until) / a;
    if (hold > 0) this.#add(hold, 0);
  }

  #add(duration: number, jerk: number): void {
    const t = duration;
    this.distance += t * (this.v + t * (this.a / 2 + (t * jerk) / 6));
    this.v += t * (this.a + (t * jerk) / 2);
    this.a += t * jerk;
    this.time += t;
    this.durations[this.count] = t;
    this.jerks[this.count++] = jerk;
  }
}
