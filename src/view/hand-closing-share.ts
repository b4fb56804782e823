import type { Robot } from "../robot/robot.js";

/** How far each hand is closed, from its fingers: 0 open, 1 closed; 0 for a hand without fingers. */
export function closingOf({ hands }: Robot, q: Float64Array, out: Float32Array): void {
  for (const [k, { dofs, open, closed }] of hands.entries()) {
    let share = 0;
    let travel = 0;
    for (const [i, dof] of dofs.entries()) {
      const way = closed[i]! - open[i]!;
      share += (q[dof]! - open[i]!) * Math.sign(way);
      travel += Math.abs(way);
    }
    out[k] = travel > 0 ? Math.min(1, Math.max(0, share / travel)) : 0;
  }
}
