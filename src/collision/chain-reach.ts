import * as vec3 from "../math/vec3.js";
import { JointKind, type RobotModel } from "../robot/model.js";
import type { CollisionHull } from "../robot/robot.js";

/**
 * How far the points of a body can be from the axes of the joints that carry it, in any configuration [m]: no farther than
 * the links between are long. Joints that move, from the body to the root, with a reach each; of a sliding joint, which
 * moves every point alike, it is 1 per metre.
 */
export function chainReaches(model: RobotModel, hull: CollisionHull): ReadonlyMap<number, number> {
  const reaches = new Map<number, number>();
  let length = 0;
  for (let i = 0; i < hull.points.length; i += 3) length = Math.max(length, vec3.norm(vec3.view(hull.points, i)));
  for (let link = hull.link; link > 0; link = model.parentLink[link]!) {
    const isMoving = model.termStart[link + 1]! > model.termStart[link]!;
    const slides = model.jointKind[link] === JointKind.prismatic;
    if (isMoving) reaches.set(link, slides ? 1 : length);
    const placement = model.parentFromJoint[link]!;
    length += Math.hypot(placement[9], placement[10], placement[11]);
    if (slides) length += Math.max(Math.abs(model.jointLower[link]!), Math.abs(model.jointUpper[link]!));
  }
  return reaches;
}
