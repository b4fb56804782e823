/** Where a ball has been: the newest `CAPACITY` positions, oldest first. */
const CAPACITY = 240;

export class BallTrail {
  readonly times: number[] = [];
  /** x, y, z of each [m]. */
  readonly points: number[] = [];

  add(time: number, [x, y, z]: readonly [number, number, number]): void {
    this.times.push(time);
    this.points.push(x, y, z);
    if (this.times.length <= CAPACITY) return;
    this.times.shift();
    this.points.splice(0, 3);
  }

  get newest(): number {
    return this.times.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Position at `time`, between two samples; null outside of what is known. */
  at(time: number): [number, number, number] | null {
    const { times, points } = this;
    const after = times.findIndex((sample) => sample >= time);
    if (after < 0 || (after === 0 && times[0] !== time)) return null;
    const before = Math.max(0, after - 1);
    const span = times[after]! - times[before]!;
    const share = span > 0 ? (time - times[before]!) / span : 0;
    const mix = (k: number): number =>
      points[3 * before + k]! + share * (points[3 * after + k]! - points[3 * before + k]!);
    return [mix(0), mix(1), mix(2)];
  }
}
