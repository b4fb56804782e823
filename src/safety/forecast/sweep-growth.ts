import type { SweptBodies } from "../../collision/pairs/swept-bodies.js";
import { JointKind, type RobotModel } from "../../robot/model.js";

/**
 * How much a monitor's enclosure of a body can exceed the body's true sweep [m], if the monitor's boxes have no more than
 * the given half widths and lie within the box that `swept` is placed for.
 *
 * A turn by up to h about an axis grows the hull by no more than 0.27·h² of the points' distance from the axis (for h ≤
 * `WIDEST_TURN`: sin²(h/2) + 0.4·(h − sin h)) and 2·sin(h/2) ≤ h of the spans it had. A span of an earlier joint j is no
 * longer than hⱼ·Rⱼ. The distances Rⱼ are those in the middle of the box, and as much more as the joints before j can
 * move the body within the box.
 */
export function sweepGrowth(
  model: RobotModel,
  swept: SweptBodies,
  halfWidth: Float64Array,
  body: number,
  stage: number,
): number {
  const { start, joint } = swept.paths;
  const { motions } = swept;
  let growth = 0;
  let spans = 0;
  for (let k = 1; k <= stage; k++) {
    const link = joint[start[body]! + k - 1]!;
    const turn = jointHalfWidth(model, halfWidth, link);
    if (model.jointKind[link] !== JointKind.revolute) {
      spans += turn;
      continue;
    }
    const before = motions[swept.motionIndex(body, k - 1)]!;
    const width = jointHalfWidth(model, swept.halfWidth, link);
    const reach = width > 0 ? (motions[swept.motionIndex(body, k)]! - before) / width + before : 0;
    growth += 0.27 * turn * turn * reach + turn * spans;
    spans += turn * reach;
  }
  return growth;
}

function jointHalfWidth({ termStart, termDof, termFactor }: RobotModel, halfWidth: Float64Array, link: number): number {
  let sum = 0;
  for (let term = termStart[link]!; term < termStart[link + 1]!; term++) {
    sum += Math.abs(termFactor[term]!) * halfWidth[termDof[term]!]!;
  }
  return sum;
}
