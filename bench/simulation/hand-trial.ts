import { gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import type { Random } from "../../src/math/random.js";
import type { Vec3 } from "../../src/math/vec3.js";
import * as vec3 from "../../src/math/vec3.js";
import { HandCage, HoldWatch } from "../../src/simulation/mujoco/hold-watch.js";
import type { RobotWorld } from "../../src/simulation/mujoco/robot-world.js";
import type { HoldOutcome } from "../../src/simulation/world/catch-world.js";

/** One ball thrown into a hand that stands still. */
export interface HandTrial {
  /** Distance of the ball's path from the middle of the mouth [m], and towards which side [rad]. */
  readonly offset: number;
  readonly side: number;
  /** Angle between the ball's path and the hand's axis [rad], and towards which side [rad]. */
  readonly tilt: number;
  readonly tiltSide: number;
  /** Speed in the mouth [m/s]. */
  readonly speed: number;
  /** How long before the ball passes the mouth the closing command is given [s]; negative: after. */
  readonly lead: number;
}

/** Flight before the mouth [s]: enough for the earliest closing, short enough not to pass the robot. */
const APPROACH = 0.12;

/** A trial with the given offset and lead, and all else drawn: speed 5–8 m/s, tilt up to 10° (the gate's tolerance). */
export function drawTrial(random: Random, offset: number, lead: number): HandTrial {
  return {
    offset,
    lead,
    side: random.uniformIn(-Math.PI, Math.PI),
    tilt: random.uniformIn(0, Math.PI / 18),
    tiltSide: random.uniformIn(-Math.PI, Math.PI),
    speed: random.uniformIn(5, 8),
  };
}

/** Throws ball 0 into hand `index` of the world's robot, which stands in `posture`; the ball stays where it then is. */
export function runTrial(world: RobotWorld, posture: Float64Array, index: number, trial: HandTrial): HoldOutcome {
  const hand = world.robot.hands[index]!;
  world.removeBall(0);
  world.place(posture);
  const cage = new HandCage(world, hand);
  const catchTime = world.time + APPROACH;
  const closingTime = catchTime - trial.lead;
  world.throwBall(0, releaseState(world, cage, trial));
  const watch = new HoldWatch(world, cage, 0, {
    hand: index,
    catchTime,
    closedTime: closingTime + hand.closingTime,
    passesGate: true,
  });
  const command = world.holdCommand();
  while (watch.outcome === null) {
    command.closing[index] = world.time >= closingTime - world.timestep / 2 ? 1 : 0;
    world.step(command);
    watch.step();
  }
  return watch.outcome;
}

/** The ball as it is `APPROACH` before it passes the mouth's plane at its offset, by the flight model backwards. */
function releaseState(world: RobotWorld, cage: HandCage, { offset, side, tilt, tiltSide, speed }: HandTrial) {
  const worldFromHand: Pose = world.worldFromLink(cage.hand.catchLink, pose.create());
  const inHand = vec3.create(offset * Math.cos(side), offset * Math.sin(side), 0);
  const across = Math.sin(tilt);
  const heading = vec3.create(across * Math.cos(tiltSide), across * Math.sin(tiltSide), -Math.cos(tilt));
  const position = pose.transformPoint(worldFromHand, inHand, vec3.create());
  const velocity: Vec3 = pose.rotateVector(worldFromHand, vec3.scale(heading, speed, heading), vec3.create());
  const flight = new Flight({ duration: 1 });
  flight.reset({ time: APPROACH, position, velocity, drag: world.ball.drag }, gravity(), 0, APPROACH);
  return {
    time: 0,
    position: flight.position(0, vec3.create()),
    velocity: flight.velocity(0, vec3.create()),
    drag: world.ball.drag,
  };
}
