/** The commands of a brake: every dof slows down as fast as it can, and stays where it comes to rest. */
export class BrakingRamp {
  /** Position and velocity commanded last. [count] */
  readonly q: Float64Array;
  readonly qd: Float64Array;
  /** Acceleration of the step made last. [count] */
  readonly qdd: Float64Array;
  readonly #deceleration: Float64Array;

  /** `deceleration` of each dof [rad/s² or m/s²]. */
  constructor(deceleration: Float64Array) {
    this.#deceleration = deceleration;
    this.q = new Float64Array(deceleration.length);
    this.qd = new Float64Array(deceleration.length);
    this.qdd = new Float64Array(deceleration.length);
  }

  /** Whether all dofs are at rest. */
  get isStanding(): boolean {
    for (let i = 0; i < this.qd.length; i++) if (this.qd[i] !== 0) return false;
    return true;
  }

  /** Time until the last dof is at rest [s]. */
  get remaining(): number {
    let longest = 0;
    for (let i = 0; i < this.qd.length; i++) {
      const time = Math.abs(this.qd[i]!) / this.#deceleration[i]!;
      if (time > longest) longest = time;
    }
    return longest;
  }

  /** Takes up a motion. */
  set(q: Float64Array, qd: Float64Array, qdd: Float64Array): void {
    for (let i = 0; i < this.q.length; i++) {
      this.q[i] = q[i]!;
      this.qd[i] = qd[i]!;
      this.qdd[i] = qdd[i]!;
    }
  }

  /** Brakes for `period` [s]. A dof that comes to rest within it does so where the constant deceleration leads. */
  advance(period: number): void {
    const { q, qd, qdd } = this;
    for (let i = 0; i < q.length; i++) {
      const d = this.#deceleration[i]!;
      const speed = qd[i]!;
      const isLast = Math.abs(speed) <= d * period;
      const brake = speed > 0 ? -d : speed < 0 ? d : 0;
      q[i] = q[i]! + (isLast ? (speed * Math.abs(speed)) / (2 * d) : period * (speed + 0.5 * brake * period));
      qd[i] = isLast ? 0 : speed + brake * period;
      qdd[i] = brake;
    }
  }

  /** Where the brake of a motion would end. */
  findEnd(q: Float64Array, qd: Float64Array, out: Float64Array): void {
    for (let i = 0; i < out.length; i++) {
      out[i] = q[i]! + (qd[i]! * Math.abs(qd[i]!)) / (2 * this.#deceleration[i]!);
    }
  }
}
