import { describe, expect, it } from "vitest";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import { defaultBall, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as lie from "../../../src/math/lie.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { BallPrediction } from "../../../src/messages/prediction.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { stereoRig } from "../../../src/simulation/eyes/stereo-rig.js";
import { BallAttention, type MovingHead } from "../../../src/tracking/prediction/ball-attention.js";

const { camera, headFromCamera } = stereoRig(loadRobot("agile-justin")).left;
const radius = defaultBall.diameter / 2;
const FRAME = 0.04;
const attention = () => new BallAttention(camera, headFromCamera, radius);

/** A head at 1.6 m that looks along x, turning slowly. */
function headAt(time: number): MovingHead {
  const worldFromHead = pose.create();
  worldFromHead[11] = 1.6;
  return { time, worldFromHead, twist: new Float64Array([0.1, 0, 0, 0, 0.2, -0.3]) };
}

/** A ball four metres off that comes nearer, known to within `sigma` [m] and ten times as much per second. */
function ballAt(time: number, sigma = 0.005, confirmed = true): BallPrediction {
  const covariance = new Float64Array(49);
  for (let i = 0; i < 3; i++) covariance[8 * i] = sigma ** 2;
  for (let i = 3; i < 6; i++) covariance[8 * i] = (10 * sigma) ** 2;
  const state = { time, position: vec3.create(4, 0.2, 1.7), velocity: vec3.create(-5, 0.1, 2), drag: 0.03 };
  return { track: 7, state, covariance, lastSeen: time, confirmed };
}

describe("ball attention", () => {
  it("searches everywhere while no ball is known, or the head's place is not", () => {
    const eyes = attention();
    expect(eyes.look(0, headAt(0))).toBeNull();
    eyes.hear(ballAt(0));
    expect(eyes.look(FRAME, null)).toBeNull();
    expect(eyes.look(FRAME, headAt(-0.1))).toBeNull();
    expect(eyes.look(FRAME, headAt(FRAME))).toHaveLength(1);
  });

  it("searches everywhere while a ball is not certain, unsure of its place, or not seen for long", () => {
    const eyes = attention();
    eyes.hear(ballAt(0, 0.005, false));
    expect(eyes.look(FRAME, headAt(FRAME))).toBeNull();
    eyes.hear(ballAt(0, 0.3));
    expect(eyes.look(FRAME, headAt(FRAME))).toBeNull();
    eyes.hear(ballAt(0));
    expect(eyes.look(0.3, headAt(0.3))).toBeNull();
  });

  it("searches everywhere in every fourth image all the same", () => {
    const eyes = attention();
    eyes.hear(ballAt(0));
    const isWhole = Array.from({ length: 8 }, (_, k) => eyes.look(0.01 * k, headAt(0.01 * k)) === null);
    expect(isWhole).toEqual([false, false, false, true, false, false, false, true]);
  });

  it("expects the ball where it is, as often as four standard deviations promise", () => {
    const random = new Random("attention");
    const outline = new SphereOutline(camera, radius);
    const flight = new Flight({ duration: 1 });
    const [point, circle] = [vec3.create(), new Float64Array(3)];
    let seen = 0;
    for (let k = 0; k < 500; k++) {
      const guess = ballAt(0, random.uniformIn(0.001, 0.02));
      const sigma = Math.sqrt(guess.covariance![0]!);
      const truth = { ...guess.state, position: vec3.create(), velocity: vec3.create() };
      for (let i = 0; i < 3; i++) {
        truth.position[i] = guess.state.position[i]! + sigma * random.normal();
        truth.velocity[i] = guess.state.velocity[i]! + 10 * sigma * random.normal();
      }
      const time = random.uniformIn(0, 0.12);
      const known = headAt(time - random.uniformIn(0, 0.004));
      const eyes = attention();
      eyes.hear(guess);
      const windows = eyes.look(time, known);
      if (windows === null) continue;
      flight.reset(truth, gravity(), 0, 1);
      pose.transformPointInverse(
        pose.compose(later(known, time), headFromCamera, pose.create()),
        flight.position(time, point),
        point,
      );
      if (!outline.measure(point, circle)) continue;
      seen++;
      const [window] = windows;
      expect(Math.abs(circle[0]! - window!.u)).toBeLessThan(window!.halfSize);
      expect(Math.abs(circle[1]! - window!.v)).toBeLessThan(window!.halfSize);
      expect(circle[2]!).toBeGreaterThan(window!.minRadius);
      expect(circle[2]!).toBeLessThan(window!.maxRadius);
    }
    expect(seen).toBeGreaterThan(400);
  });
});

/** The head a little later: its twist held in its own axes, which for milliseconds is the same. */
function later({ time, worldFromHead, twist }: MovingHead, then: number): pose.Pose {
  const inHead = new Float64Array(6);
  const part = vec3.create();
  for (const from of [0, 3]) {
    vec3.set(twist[from]!, twist[from + 1]!, twist[from + 2]!, part);
    inHead.set(pose.rotateVectorInverse(worldFromHead, part, part), from);
  }
  for (let i = 0; i < 6; i++) inHead[i] = inHead[i]! * (then - time);
  return pose.compose(worldFromHead, lie.se3Exp(inHead, pose.create()), pose.create());
}
