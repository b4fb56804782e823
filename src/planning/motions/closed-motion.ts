import { PIECE, PiecewiseMotion } from "../../motion/piecewise-motion.js";
import type { RobotModel } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ClosedMotion } from "./motion-request.js";

/** A motion of some dofs as plain data. */
export function writeMotion(motion: PiecewiseMotion, names: readonly string[]): ClosedMotion {
  const pieces = names.map((_, i) =>
    Array.from({ length: motion.counts[i]! }, (_, k) => {
      const at = (i * motion.capacity + k) * PIECE;
      const c = [...motion.pieces.subarray(at + 1, at + PIECE)];
      while (c.length > 1 && c[c.length - 1] === 0) c.pop();
      return { start: motion.pieces[at]!, c };
    }),
  );
  return { joints: [...names], duration: motion.duration, pieces };
}

/** The motion of plain data, and the dofs it moves; `path` is the JSON pointer of it. */
export function readMotion(closed: ClosedMotion, model: RobotModel, path: string): { motion: PiecewiseMotion; joints: number[] } {
  const { joints: names, duration, pieces } = closed;
  if (names.length !== pieces.length || names.length === 0) throw wrong(path, "pieces for each of its joints", `${pieces.length} for ${names.length}`);
  const joints = names.map((name, i) => {
    const dof = model.dofNames.indexOf(name);
    if (dof < 0 || names.indexOf(name) !== i) throw wrong(`${path}/joints/${i}`, "the name of an independent joint, once", JSON.stringify(name));
    return dof;
  });
  const motion = new PiecewiseMotion(names.length, Math.max(...pieces.map((list) => list.length)));
  motion.clear(duration);
  for (const [i, list] of pieces.entries()) {
    for (const [k, { start, c }] of list.entries()) {
      const isInOrder = k === 0 ? start === 0 : start >= list[k - 1]!.start && start <= duration;
      if (!isInOrder) throw wrong(`${path}/pieces/${i}/${k}/start`, "0 and then ascending times within the duration", String(start));
      const [c0 = 0, c1, c2, c3, c4, c5] = c;
      motion.append(i, start, c0, c1, c2, c3, c4, c5);
    }
    const { start, c } = list[list.length - 1]!;
    const x = duration - start;
    const position = c.reduceRight((sum, value) => sum * x + value, 0);
    const velocity = c.reduceRight((sum, value, k) => (k === 0 ? sum : sum * x + k * value), 0);
    motion.end(i, position, velocity);
  }
  return { motion, joints };
}

function wrong(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_MOTION_RUNNING", "The running motion cannot be read", { path, expected, found });
}
