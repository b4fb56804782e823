/** A task in units of a lattice: time steps of 1, jerk −1, 0 or 1; acceleration in steps of 1, speed in steps of ½. */
export interface LatticeTask {
  readonly steps: number;
  readonly a0: number;
  readonly v0: number;
  readonly v1: number;
  readonly A: number;
  readonly V: number;
}

/**
 * The greatest way in exactly `steps` time steps to speed v1 without acceleration, over all sequences of jerks −1, 0, 1 that keep
 * the limits: dynamic programming over acceleration and speed, no formula of a profile. −Infinity if there is none. Between
 * two lattice times the acceleration does not change its sign, so the speed has its extremes at them.
 */
export function greatestLatticeWay({ steps, a0, v0, v1, A, V }: LatticeTask): number {
  const speeds = 4 * V + 1;
  const size = (2 * A + 1) * speeds;
  const index = (a: number, v: number) => (a + A) * speeds + 2 * (v + V);
  let best = new Float64Array(size).fill(-Infinity);
  best[index(a0, v0)] = 0;
  for (let k = 0; k < steps; k++) {
    const next = new Float64Array(size).fill(-Infinity);
    for (let a = -A; a <= A; a++) {
      for (let v = -V; v <= V; v += 0.5) {
        const way = best[index(a, v)]!;
        if (way === -Infinity) continue;
        for (let jerk = -1; jerk <= 1; jerk++) {
          const [a2, v2] = [a + jerk, v + a + jerk / 2];
          if (Math.abs(a2) > A || Math.abs(v2) > V) continue;
          const at = index(a2, v2);
          next[at] = Math.max(next[at]!, way + v + a / 2 + jerk / 6);
        }
      }
    }
    best = next;
  }
  return best[index(0, v1)]!;
}
