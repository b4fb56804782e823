import { Flight } from "../../src/flight/flight.js";
import * as pose from "../../src/math/pose.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/problem/catch-arm.js";
import type { CatchTask } from "../../src/planning/problem/catch-problem.js";
import { ALL_CHECKS } from "../../src/planning/problem/checks.js";
import { KeepOutSet } from "../../src/planning/problem/keep-out.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import { forwardKinematics, relativePose } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";

/** A robot's arm in its ready posture, and random throws at it: what the planning tests start from. */
export interface CatchSetup {
  readonly arm: CatchArm;
  readonly keepOut: KeepOutSet;
  /** The arm's joints in the ready posture. */
  readonly ready: Float64Array;
  /** A ball thrown from about 5 m away so that it passes near the arm's reach; its flight in the arm's base. */
  throwBall(random: Random): Flight;
}

const drag = 0.032;

export function catchSetup(robotName: string, group: string): CatchSetup {
  const robot = loadRobot(robotName);
  const posture = robot.postures.get("ready")!;
  const arm = buildCatchArm(robot, group, posture);
  const state = new RobotState(robot.model);
  state.q.set(posture);
  forwardKinematics(state);
  const { baseLink, tipLink, dofs } = arm.chain;
  const baseFromWorld = pose.invert(state.worldFromLink[baseLink]!, pose.create());
  const keepOut = new KeepOutSet(robot.keepOut, (link) => relativePose(state, baseLink, link, pose.create()));
  const hand = pose.getTranslation(state.worldFromLink[tipLink]!, vec3.create());
  const ready = Float64Array.from(dofs, (dof) => state.q[dof]!);
  return { arm, keepOut, ready, throwBall: (random) => throwAt(hand, baseFromWorld, random) };
}

function throwAt(hand: vec3.Vec3, baseFromWorld: pose.Pose, random: Random): Flight {
  const aim = vec3.create(hand[0], hand[1] + random.uniformIn(-0.4, 0.4), hand[2] + random.uniformIn(-0.3, 0.4));
  const release = vec3.create(
    hand[0] + random.uniformIn(4, 5.5),
    random.uniformIn(-0.5, 0.5),
    random.uniformIn(1.3, 1.8),
  );
  const duration = random.uniformIn(0.75, 1.1);
  const gravity = vec3.create(0, 0, -9.81);
  const velocity = vec3.scale(vec3.subtract(aim, release, vec3.create()), 1 / duration, vec3.create());
  vec3.addScaled(velocity, gravity, -duration / 2, velocity);
  // Drag makes the throw fall short by about k·v·s/2 of its way; a little more speed makes up for most of it.
  vec3.scale(velocity, 1 + 0.5 * drag * vec3.distance(aim, release), velocity);
  const flight = new Flight();
  const position = pose.transformPoint(baseFromWorld, release, vec3.create());
  pose.rotateVector(baseFromWorld, velocity, velocity);
  pose.rotateVector(baseFromWorld, gravity, gravity);
  flight.reset({ time: -0.2, position, velocity, drag }, gravity, -0.2, 1.8);
  return flight;
}

/** A task from the ready posture, at rest unless `w0` is given. */
export function catchTask(setup: CatchSetup, mode: CatchMode, path: Flight, w0?: Float64Array): CatchTask {
  const { arm, keepOut, ready } = setup;
  return {
    mode,
    q0: ready,
    w0: w0 ?? new Float64Array(ready.length),
    maxVelocity: arm.maxVelocity,
    maxAcceleration: arm.maxAcceleration,
    path,
    keepOut,
    earliest: 0,
    latest: 1.8,
    success: null,
    checks: ALL_CHECKS,
  };
}
