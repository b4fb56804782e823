import { MotionCheck } from "../../collision/motion-check.js";
import { PathCheck } from "../../collision/path-check.js";
import { PostureClearance } from "../../collision/posture-clearance.js";
import { JerkLimitedMotions } from "../../motion/jerk-limited-motion.js";
import type { Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import { GroupwisePlanner, type JointPart } from "../paths/groupwise-planner.js";
import { JointSpace } from "../paths/joint-space.js";
import { LazyPrm } from "../paths/lazy-prm.js";
import type { PathPlanner } from "../paths/path-planner.js";
import { RrtConnect } from "../paths/rrt-connect.js";
import { StraightPlanner } from "../paths/straight-planner.js";
import { GoalPostures } from "./goal-postures.js";

/** Distance that path planners keep, so that what they find passes the last check [m]. */
export const PATH_MARGIN = 0.002;
/** Samples of the last check: motions among obstacles take more than a catch. */
const MOST_SAMPLES = 40_000;

/** What planning the motions of some joints of a robot needs, built once. */
export class MotionWorkspace {
  /** Room for the robot at the start of the request in hand, and at any other place. */
  readonly start: RobotState;
  readonly state: RobotState;
  readonly space: JointSpace;
  /** Null for a robot without bodies. */
  readonly path: PathCheck | null;
  readonly motion: MotionCheck | null;
  readonly clearance: PostureClearance | null;
  readonly profiles: JerkLimitedMotions;
  readonly goals = new GoalPostures();
  readonly straight: PathPlanner = new StraightPlanner();
  /** Two of them in turn, with other random numbers and more room each time: what is hard for one seldom is for the other. */
  readonly trees: readonly PathPlanner[] = [
    new RrtConnect({ range: 1, local: 0.25 }),
    new RrtConnect({ range: 2, shorter: 8, local: 0.5 }),
  ];
  readonly roadmap: PathPlanner = new LazyPrm();
  /** For several groups of joints; null for one. */
  readonly groupwise: PathPlanner | null;

  constructor(robot: Robot, dofs: readonly number[], groups: readonly (readonly number[])[]) {
    this.start = new RobotState(robot.model);
    this.state = new RobotState(robot.model);
    this.space = new JointSpace(robot.model, dofs);
    this.profiles = new JerkLimitedMotions(dofs.length);
    const hasBodies = robot.pairs.length > 0;
    this.path = hasBodies ? new PathCheck(withoutMovers(robot), dofs, { margin: PATH_MARGIN }) : null;
    this.motion = hasBodies ? new MotionCheck(robot, dofs, 0, MOST_SAMPLES) : null;
    this.clearance = hasBodies ? new PostureClearance(robot) : null;
    const areApart = groups.reduce((sum, { length }) => sum + length, 0) === dofs.length;
    const hasParts = hasBodies && groups.length > 1 && areApart;
    this.groupwise = hasParts ? new GroupwisePlanner(groups.map((own) => partOf(robot, dofs, own))) : null;
  }
}

function partOf(robot: Robot, dofs: readonly number[], own: readonly number[]): JointPart {
  const check = new PathCheck(withoutMovers(robot), own, { margin: PATH_MARGIN });
  return { joints: own.map((dof) => dofs.indexOf(dof)), space: new JointSpace(robot.model, own), check };
}

/** Paths have no time: what moves by itself is left to the check of the whole motion. */
function withoutMovers(robot: Robot): Robot {
  const { movers, ...still } = robot;
  if (movers === undefined) return robot;
  const bodies = new Set(movers.map(({ body }) => body));
  return { ...still, pairs: robot.pairs.filter(([a, b]) => !bodies.has(a) && !bodies.has(b)) };
}
