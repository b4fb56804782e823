import type { Random } from "../../../src/math/random.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { RampStatus } from "../../../src/motion/ramp.js";
import type { Robot } from "../../../src/robot/robot.js";

/** The dofs of the robot's arm; of two arms the right one. */
export function armOf(robot: Robot): readonly number[] {
  return robot.model.groups.find(({ hand, name }) => hand !== undefined && name !== "leftArm")!.dofs;
}

/** A motion of the arm from `ready` within ±spread [rad] in about a second, half of the time already moving. */
export function randomRamps(robot: Robot, dofs: readonly number[], spread: number, random: Random): JointRamps {
  const { lower, upper, maxVelocity, maxAcceleration } = robot.model;
  const ready = robot.postures.get("ready")!;
  const ramps = new JointRamps(dofs.length);
  const wmax = Float64Array.from(dofs, (dof) => maxVelocity[dof]!);
  const amax = Float64Array.from(dofs, (dof) => maxAcceleration[dof]!);
  const q0 = Float64Array.from(dofs, (dof) => ready[dof]!);
  for (;;) {
    const moves = random.uniform() < 0.5;
    const w0 = wmax.map((speed) => (moves ? 0.4 * random.uniformIn(-speed, speed) : 0));
    const q = Float64Array.from(dofs, (dof) =>
      Math.min(upper[dof]!, Math.max(lower[dof]!, ready[dof]! + random.uniformIn(-spread, spread))),
    );
    if (ramps.plan(q0, w0, q, random.uniformIn(0.5, 1.2), wmax, amax) === RampStatus.ok) return ramps;
  }
}
