import { defaultBall, FlightStatus, gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import * as vec3 from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { catchGroups } from "../problem/catch-arm.js";
import type { PlanRequest } from "./request.js";
import { resolveStart } from "./start-state.js";

/** Where the ball goes, against the hand in the ready posture [m], so that there is something to move. */
const MEETING_POINT = vec3.create(-0.05, -0.12, 0.15);
/** Where it comes from, against that point [m], and how long it flies [s]. */
const THROW = vec3.create(4.5, 0.3, 0.25);
const FLIGHT_TIME = 1;
/** The throw leaves the thrower's hand this long before the motion starts [s]: it has to be seen first. */
const HEAD_START = 0.25;
/** Standard deviations of what is known of the ball then [m, m/s]. */
const POSITION_SIGMA = 0.02;
const VELOCITY_SIGMA = 0.2;

/** A request that this robot can answer: a throw to somewhere near its hand. */
export function exampleRequest(robot: Robot): PlanRequest {
  const groups = catchGroups(robot);
  const group = groups.at(-1);
  if (group === undefined) {
    throw new FlycatcherError("FLY_PLAN_GROUP_UNKNOWN", `${robot.name} has nothing to catch with`, {
      expected: "a hand on an arm",
      found: "none",
    });
  }
  const start = resolveStart(robot, groups);
  const hand = start.worldFromLink[group.tipLink]!;
  const target = vec3.add(vec3.create(hand[9], hand[10], hand[11]), MEETING_POINT, vec3.create());
  const release = vec3.add(target, THROW, vec3.create());
  return {
    robot: robot.name,
    group: groups.length > 1 ? "any" : group.name,
    mode: "soft",
    ball: {
      frame: "world",
      state: {
        time: -HEAD_START,
        position: rounded(release),
        velocity: rounded(aim(release, target)),
        covariance: diagonal(POSITION_SIGMA ** 2, VELOCITY_SIGMA ** 2),
      },
    },
  };
}

/** The velocity that brings a ball from one point to another: the miss over the flight time, until there is none. */
function aim(from: vec3.Vec3, to: vec3.Vec3): vec3.Vec3 {
  const flight = new Flight();
  const velocity = vec3.scale(vec3.subtract(to, from, vec3.create()), 1 / FLIGHT_TIME, vec3.create());
  const miss = vec3.create();
  for (let k = 0; k < 20; k++) {
    const state = { time: 0, position: from, velocity, drag: defaultBall.drag };
    if (flight.reset(state, gravity(), 0, FLIGHT_TIME) !== FlightStatus.ok) break;
    vec3.subtract(to, flight.position(FLIGHT_TIME, miss), miss);
    vec3.addScaled(velocity, miss, 1 / FLIGHT_TIME, velocity);
  }
  return velocity;
}

function rounded(vector: vec3.Vec3): number[] {
  return Array.from(vector, (value) => Number(value.toFixed(3)));
}

function diagonal(position: number, velocity: number): number[][] {
  return Array.from({ length: 6 }, (_, r) =>
    Array.from({ length: 6 }, (_, c) => (r === c ? Number((r < 3 ? position : velocity).toPrecision(6)) : 0)),
  );
}
