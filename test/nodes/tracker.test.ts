import { describe, expect, it } from "vitest";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { type Ball, defaultBall, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { Predictions } from "../../src/messages/prediction.js";
import type { Event } from "../../src/messages/report.js";
import type { CameraSide, Circles, HeadPose, Points } from "../../src/messages/sensing.js";
import { TrackerNode, type TrackerScan } from "../../src/nodes/tracker.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { stereoRig } from "../../src/simulation/eyes/stereo-rig.js";
import { fromBytes, toBytes } from "../../src/transport/message.js";
import { fromJson, toJson } from "../../src/transport/message-json.js";
import { nothingIn, takeNewest } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";

const robot = loadRobot("agile-justin");
const rig = stereoRig(robot);
const worldFromHead = pose.create();
worldFromHead.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
const FRAME_NS = 40e6;
const flight = new Flight({ duration: 2 });
const thrown = { time: 0, position: vec3.create(5, 0.1, 1.5), velocity: vec3.create(-5.5, 0, 3.5), drag: 0.032 };
flight.reset(thrown, gravity(), 0, 1);

/** What a camera sees of the ball in a frame, without noise. */
function circles(side: CameraSide, frame: number): Circles {
  const { camera, headFromCamera } = rig[side];
  const worldFromCamera = pose.compose(worldFromHead, headFromCamera, pose.create());
  const ball = flight.position((frame * FRAME_NS) / 1e9, vec3.create());
  const circle = new Float64Array(3);
  const outline = new SphereOutline(camera, defaultBall.diameter / 2);
  expect(outline.measure(pose.transformPointInverse(worldFromCamera, ball, ball), circle)).toBe(true);
  const [u, v, r] = Array.from(circle, (value) => Float64Array.of(value)) as [Float64Array, Float64Array, Float64Array];
  const covariance = Float64Array.of(0.04, 0, 0, 0, 0.04, 0, 0, 0, 0.02);
  const exposure = { camera: side, frame, exposureNs: frame * FRAME_NS, arrivalNs: (frame + 1) * FRAME_NS };
  return { ...exposure, u, v, r, covariance, score: Float64Array.of(1) };
}

function headAt(frame: number): HeadPose {
  const covariance = new Float64Array(36);
  for (let i = 0; i < 6; i++) covariance[7 * i] = 1e-8;
  const motion = { worldFromHead, twist: new Float64Array(6), covariance };
  return { time: (frame * FRAME_NS) / 1e9, ...motion } as unknown as HeadPose;
}

/** The node between queues. */
class Scene {
  readonly left = new Queue<Circles>(0, "every");
  readonly right = new Queue<Circles>(0, "every");
  readonly poses = new Queue<HeadPose>(0, "every");
  readonly predictions = new Queue<Predictions>(0, "every");
  readonly events = new Queue<Event>(0, "every");
  readonly scans: TrackerScan[] = [];
  readonly node: TrackerNode;
  #nowNs = 0;

  constructor() {
    const predictions = new QueueOutPort<Predictions>();
    const events = new QueueOutPort<Event>();
    predictions.join(this.predictions);
    events.join(this.events);
    const ins = { left: this.left, right: this.right, poses: this.poses, points: new Queue<Points>(0, "every") };
    this.node = new TrackerNode({ in: ins, out: { predictions, events } }, robot, { ball: defaultBall, tracker: {} });
    this.node.onScan = ({ exposureNs, left, right }) => void this.scans.push({ exposureNs, left, right, points: null });
  }

  step(): void {
    this.node.step(++this.#nowNs);
  }

  /** Which cameras' images each frame was used with. */
  get used(): string[] {
    return this.scans.map(({ exposureNs, left, right }) => {
      const sides = [...(left === null ? [] : ["left"]), ...(right === null ? [] : ["right"])];
      return `${exposureNs / FRAME_NS} ${sides.join("+")}`;
    });
  }
}

describe("images on their way to the tracker", () => {
  it("wait for the head's pose at their exposure, and are used with it", () => {
    const scene = new Scene();
    scene.left.put(circles("left", 1), 0);
    scene.right.put(circles("right", 1), 0);
    scene.step();
    expect(scene.used).toEqual([]);
    scene.poses.put(headAt(2), 0);
    scene.step();
    expect(scene.used).toEqual([]);
    scene.poses.put(headAt(1), 0);
    scene.step();
    expect(scene.used).toEqual(["1 left+right"]);
  });

  it("are used by themselves when their partner is late, which is used when it comes", () => {
    const scene = new Scene();
    scene.poses.put(headAt(1), 0);
    scene.left.put(circles("left", 1), 0);
    scene.step();
    scene.right.put(circles("right", 1), 0);
    scene.step();
    expect(scene.used).toEqual(["1 left", "1 right"]);
  });

  it("are used in the order of their exposures, whatever order they come in", () => {
    const scene = new Scene();
    for (const frame of [3, 1, 2]) {
      scene.poses.put(headAt(frame), 0);
      scene.left.put(circles("left", frame), 0);
      scene.right.put(circles("right", frame), 0);
    }
    scene.step();
    expect(scene.used).toEqual(["1 left+right", "2 left+right", "3 left+right"]);
  });

  it("are given up after a while without a pose, which is reported once", () => {
    const scene = new Scene();
    for (let frame = 1; frame <= 20; frame++) scene.left.put(circles("left", frame), 0);
    scene.step();
    expect(scene.node.unposed).toBe(4);
    const event = scene.events.take(100)!;
    expect([event.code, event.severity]).toEqual(["scan-unusable", "warning"]);
    expect(scene.events.take(100)).toBeNull();
    scene.poses.put(headAt(1), 0);
    scene.poses.put(headAt(20), 0);
    scene.step();
    expect(scene.used).toEqual(["20 left"]);
  });

  it("lead to the flight that the ball has", () => {
    const scene = new Scene();
    for (let frame = 1; frame <= 12; frame++) {
      scene.poses.put(headAt(frame), 0);
      scene.left.put(circles("left", frame), 0);
      scene.right.put(circles("right", frame), 0);
      scene.step();
    }
    const { balls } = takeNewest(scene.predictions, 100)!;
    expect(balls).toHaveLength(1);
    const { state, confirmed, lastSeen } = balls[0]!;
    expect([confirmed, lastSeen]).toEqual([true, 0.48]);
    const truth = flight.position(state.time, vec3.create());
    expect(Math.hypot(...truth.map((value, i) => value - state.position[i]!))).toBeLessThan(0.02);
  });
});

describe("a ball that spins", () => {
  const spinning = { ...thrown, lift: vec3.create(0.1, 0.4, -0.5) };
  const truth = new Flight({ duration: 2 });
  truth.reset(spinning, gravity(), 0, 1.2);

  /** The newest prediction after `frames` points without noise, told with `ball`. */
  function predict(ball: Ball, frames: number): Predictions["balls"][number] {
    const points = new Queue<Points>(0, "every");
    const predictions = new Queue<Predictions>(0, "every");
    const put = new QueueOutPort<Predictions>();
    put.join(predictions);
    const none = { left: nothingIn, right: nothingIn, poses: nothingIn };
    const out = { predictions: put, events: new QueueOutPort<Event>() };
    const node = new TrackerNode({ in: { ...none, points }, out }, null, { ball, tracker: {} });
    for (let frame = 0; frame < frames; frame++) {
      const exposureNs = frame * 20e6;
      const position = Float64Array.from(truth.position(exposureNs / 1e9, vec3.create()));
      const covariance = Float64Array.of(1e-6, 0, 0, 0, 1e-6, 0, 0, 0, 1e-6);
      points.put({ frame, exposureNs, arrivalNs: exposureNs, position, covariance }, exposureNs);
      node.step(exposureNs);
    }
    return takeNewest(predictions, 2e9)!.balls[0]!;
  }

  /** How far the flight of a prediction is from the truth at 1.1 s [m]. */
  function errorOf({ state }: Predictions["balls"][number]): number {
    const path = new Flight({ duration: 2 });
    path.reset(state, gravity(), state.time, 1.2);
    return vec3.distance(path.position(1.1, vec3.create()), truth.position(1.1, vec3.create()));
  }

  it("is put with its lift, by which its flight is known far better", () => {
    const known = predict({ ...defaultBall, liftSigma: 0.5 }, 36);
    expect(known.confirmed).toBe(true);
    expect(vec3.distance(known.state.lift!, spinning.lift)).toBeLessThan(0.2);
    const unknown = predict(defaultBall, 36);
    expect("lift" in unknown.state).toBe(false);
    expect(errorOf(known)).toBeLessThan(0.25 * errorOf(unknown));
  });

  it("comes out of memory and JSON with it", () => {
    const balls = [predict({ ...defaultBall, liftSigma: 0.5 }, 36), predict(defaultBall, 36)];
    expect(fromBytes(Predictions, toBytes(Predictions, { balls }))).toStrictEqual({ balls });
    expect(fromJson(Predictions, JSON.parse(JSON.stringify(toJson(Predictions, { balls }))))).toStrictEqual({ balls });
  });

  it("is put without lift before it is known to fly", () => {
    expect("lift" in predict({ ...defaultBall, liftSigma: 0.5 }, 2).state).toBe(false);
  });
});
