/**
 * The time-optimal motions of third order that leave one state in one direction: the jerk is +J, 0 while the acceleration
 * is at its limit, −J, 0 while it is at the opposite limit, +J. `JerkFamily` finds those that arrive.
 *
 * Let x·2/J be the time that the first half would take from no acceleration to none, and y·2/J that of the second half: from the
 * speed u at its peak to the speed w at the goal. A half with gain Δ of speed obeys Δ = x²/J up to x = A and Δ = A(2x − A)/J
 * beyond, where it holds the limit A. Both branches meet with one slope. A start with acceleration a is on such a half, a/J after
 * its begin at speed c = v − a²/(2J) and δ = ca/J + a³/(6J²) after its place. So the whole motion, in all its cases, is
 *
 *   u = c + Δ(x) = w + Δ(y),  J·(D + δ) = (c + u)x + (u + w)y,  J·T = 2x + 2y − a.
 *
 * A negative x is the joint whose acceleration is negative from begin to end. One unknown is left: y is given by x, or, if c
 * ≤ w, x by y, whichever has the smaller slope. The distance rises with it wherever w has the direction of the family or
 * is 0. Otherwise it has turning points, and they are known in closed form: with k = c − w,
 *
 *   none held 3X² + (7c + w)JX + 4c²J² = 0, X = x²;  first held y² + Ay/2 + Jw = 0;  second x² + Ax/2 + Jc = 0;  both u = −A²/(2J).
 */
export class JerkFamily {
  /** State at the start, distance and speed of the goal in the direction of the family, limits: set these, then `prepare`. */
  v = Number.NaN;
  a = Number.NaN;
  d = Number.NaN;
  w = Number.NaN;
  V = Number.NaN;
  A = Number.NaN;
  J = Number.NaN;
  /** A motion: halves, peak, time at the peak speed. */
  x = Number.NaN;
  y = Number.NaN;
  u = Number.NaN;
  cruise = Number.NaN;
  /** How far beyond the goal a motion without cruise leads, times J, and its slope over the unknown. */
  excess = Number.NaN;
  #slope = Number.NaN;
  #z = Number.NaN;
  #c = Number.NaN;
  #k = Number.NaN;
  #target = Number.NaN;
  #low = Number.NaN;
  #high = Number.NaN;
  #from = Number.NaN;
  #to = Number.NaN;
  /** Ends of intervals in which the distance is monotone. */
  readonly #knots = new Float64Array(12);
  #knotCount = 0;
  #next = 0;

  /** Sets up the family. `excess` is then that of its first motion: the fastest change of speed to the goal's. */
  prepare(): void {
    const { v, a, w, V, A, J } = this;
    this.#c = v - (a * a) / (2 * J);
    this.#k = this.#c - w;
    this.#target = J * this.d + this.#c * a + (a * a * a) / (6 * J);
    if (this.#k > 0) {
      this.#low = a;
      this.#high = Math.max(a, halfOf(Math.max(0, V - this.#c), A, J));
    } else {
      this.#low = a > 0 ? halfOf(Math.max(0, gainOf(a, A, J) + this.#k), A, J) : 0;
      this.#high = Math.max(this.#low, halfOf(Math.max(0, V - w), A, J));
    }
    this.#z = this.#low;
    this.#evaluate();
  }

  /** Duration of the motion at hand. */
  get duration(): number {
    return (2 * (this.x + this.y) - this.a) / this.J + this.cruise;
  }

  /** Prepares `next`: intervals of monotone distance, in ascending order of duration. */
  begin(): void {
    this.#next = 0;
    this.#knots[0] = this.#low;
    this.#knotCount = 1;
    if (this.w < 0) this.#addTurningPoints();
    this.#knots[this.#knotCount++] = this.#high;
  }

  /** The next motion that arrives; false if there are no more. */
  next(): boolean {
    while (this.#next + 1 < this.#knotCount) {
      const low = this.#knots[this.#next]!;
      const high = this.#knots[++this.#next]!;
      this.#z = low;
      this.#evaluate();
      const atLow = this.excess;
      this.#z = high;
      this.#evaluate();
      const atHigh = this.excess;
      const isFirst = atLow === 0 && this.#next === 1;
      if (!isFirst && atLow < 0 === atHigh < 0) continue;
      if (isFirst || low === high) this.direct();
      else {
        this.#from = low;
        this.#to = high;
        this.#solve(atLow < 0);
      }
      this.cruise = 0;
      return true;
    }
    if (this.#next >= this.#knotCount) return false;
    this.#next = this.#knotCount;
    return this.#cruises();
  }

  /** The first motion of the family, wherever it leads. */
  direct(): void {
    this.#z = this.#low;
    this.#evaluate();
    this.cruise = 0;
  }

  /** The motion that has the speed limit for some time, after all others. */
  #cruises(): boolean {
    this.#z = this.#high;
    this.#evaluate();
    this.cruise = -this.excess / (this.J * this.V);
    return this.cruise >= 0;
  }

  /** Newton's method within the bracket, halving it where a step would leave it. */
  #solve(rises: boolean): void {
    let low = this.#from;
    let high = this.#to;
    const guess = Math.cbrt(0.5 * this.J * Math.abs(this.#target));
    this.#z = guess > low && guess < high ? guess : 0.5 * (low + high);
    for (let i = 0; i < 100; i++) {
      this.#evaluate();
      if (this.excess === 0) return;
      if (this.excess < 0 === rises) low = this.#z;
      else high = this.#z;
      const newton = this.#z - this.excess / this.#slope;
      const z = newton > low && newton < high ? newton : 0.5 * (low + high);
      if (Math.abs(z - this.#z) <= Number.EPSILON * Math.abs(z) || z === low || z === high) return;
      this.#z = z;
    }
  }

  #evaluate(): void {
    const { w, A, J } = this;
    const byFirst = this.#k > 0;
    const z = this.#z;
    const other = halfOf(gainOf(z, A, J) + Math.abs(this.#k), A, J);
    const x = byFirst ? z : other;
    const y = byFirst ? other : z;
    const u = byFirst ? this.#c + gainOf(x, A, J) : w + gainOf(y, A, J);
    this.x = x;
    this.y = y;
    this.u = u;
    this.excess = (this.#c + u) * x + (u + w) * y - this.#target;
    const own = slopeOf(z, A, J);
    const slope = slopeOf(other, A, J);
    const ratio = slope > 0 ? own / slope : 1;
    this.#slope = own * (x + y) + (byFirst ? this.#c + u + (u + w) * ratio : (this.#c + u) * ratio + u + w);
  }

  /** Where the distance turns: the solutions above, each in its own case, in ascending order, as values of the unknown. */
  #addTurningPoints(): void {
    const { w, A, J } = this;
    const c = this.#c;
    const b = (7 * c + w) * J;
    const root = Math.sqrt(b * b - 48 * c * c * J * J);
    this.#addTurnsAt((-b - root) / 6);
    this.#addTurnsAt((-b + root) / 6);
    const held = Math.sqrt(A * A - 16 * J * w);
    const y = (held - A) / 4;
    this.#addTurn((y * y - J * this.#k + A * A) / (2 * A), y);
    const first = Math.sqrt(A * A - 16 * J * c);
    this.#addTurnHeld((-A - first) / 4);
    this.#addTurnHeld((-A + first) / 4);
    const peak = -(A * A) / (2 * J);
    this.#addTurn((J * (peak - c) + A * A) / (2 * A), (J * (peak - w) + A * A) / (2 * A));
  }

  #addTurnsAt(X: number): void {
    const x = Math.sqrt(X);
    const y = Math.sqrt(X + this.J * this.#k);
    this.#addTurn(x, y);
    this.#addTurn(-x, y);
  }

  /** Of the case in which the second half holds its limit. */
  #addTurnHeld(x: number): void {
    this.#addTurn(x, (x * x + this.J * this.#k + this.A * this.A) / (2 * this.A));
  }

  #addTurn(x: number, y: number): void {
    const z = this.#k > 0 ? x : y;
    if (!(z > this.#low && z < this.#high && x + y >= 0)) return;
    let at = this.#knotCount++;
    while (at > 1 && this.#knots[at - 1]! > z) this.#knots[at] = this.#knots[--at]!;
    this.#knots[at] = z;
  }
}

/** Gain of speed of a half. */
export function gainOf(x: number, A: number, J: number): number {
  return x <= A ? (x * x) / J : (A * (2 * x - A)) / J;
}

/** Its slope. */
function slopeOf(x: number, A: number, J: number): number {
  return (2 * (x <= A ? x : A)) / J;
}

/** The half with this gain, which is not negative. */
export function halfOf(gain: number, A: number, J: number): number {
  const x = Math.sqrt(J * gain);
  return x <= A ? x : 0.5 * ((J * gain) / A + A);
}
