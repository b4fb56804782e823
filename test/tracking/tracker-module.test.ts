import { describe, expect, it } from "vitest";
import { ThrownBall, throwsOf } from "../../bench/tracking/round-objects.js";
import { addCircle, FRAME_PERIOD } from "../../bench/tracking/scan-simulator.js";
import { SphereOutline } from "../../src/camera/sphere-outline.js";
import { createChannel } from "../../src/channels/channel.js";
import { defaultBall } from "../../src/flight/ball.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallPrediction } from "../../src/messages/ball-prediction.js";
import { Camera } from "../../src/messages/camera.js";
import { Circles } from "../../src/messages/circles.js";
import { Event } from "../../src/messages/event.js";
import { HeadPose } from "../../src/messages/head-pose.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import type { CameraView } from "../../src/tracking/camera-view.js";
import { CircleSet } from "../../src/tracking/circles/circle-set.js";
import { writeCircles } from "../../src/tracking/circles/circles-codec.module.js";
import { writeHeadPose } from "../../src/tracking/pose/head-pose.module.js";
import { createHeadPoseEstimate } from "../../src/tracking/pose/head-pose-estimate.js";
import { HeadViews } from "../../src/tracking/pose/head-views.js";
import { TrackerModule } from "../../src/tracking/tracker.module.js";

const robot = loadRobot("agile-justin");
const SIGMA = 0.2;

/** Channels on both sides of the module, and a head that stands still. */
class Bench {
  readonly random = new Random("module");
  readonly circles = [createChannel(Circles), createChannel(Circles)] as const;
  readonly images = this.circles.map((channel) => channel.openPutPort());
  readonly poseChannel = createChannel(HeadPose);
  readonly poses = this.poseChannel.openPutPort();
  readonly predictionChannel = createChannel(BallPrediction);
  readonly predictions = this.predictionChannel.openGetPort("every");
  readonly eventChannel = createChannel(Event);
  readonly events = this.eventChannel.openGetPort("every");
  readonly module = new TrackerModule(robot, {
    left: this.circles[0].openGetPort("every"),
    right: this.circles[1].openGetPort("every"),
    poses: this.poseChannel.openGetPort("every"),
    predictions: this.predictionChannel.openPutPort(),
    events: this.eventChannel.openPutPort(),
  });
  readonly views = new HeadViews(robot);
  readonly #head = createHeadPoseEstimate();

  constructor() {
    const state = new RobotState(robot.model);
    state.q.set(robot.postures.get("ready")!);
    forwardKinematics(state);
    pose.copy(state.worldFromLink[robot.frames.head!]!, this.#head.worldFromHead);
    for (let n = 0; n < 6; n++) this.#head.covariance[7 * n] = 1e-8;
  }

  sendPose(time: number): void {
    this.#head.time = time;
    this.views.look(this.#head);
    writeHeadPose(this.#head, this.poses.reserve());
    this.poses.publish();
  }

  sendImage(camera: Camera, time: number, ball: ThrownBall): void {
    const circles = new CircleSet();
    this.#see(camera === Camera.left ? this.views.left : this.views.right, time, ball, circles);
    const packet = this.images[camera]!.reserve();
    packet.tExposure.seconds = time;
    packet.tArrival.seconds = time + 0.04;
    packet.camera = camera;
    packet.frame = Math.round(time / FRAME_PERIOD);
    writeCircles(circles, packet);
    this.images[camera]!.publish();
  }

  #see(view: CameraView, time: number, ball: ThrownBall, circles: CircleSet): void {
    const [place, circle] = [vec3.create(), new Float64Array(3)];
    if (!ball.position(time, place)) return;
    pose.transformPointInverse(view.worldFromCamera, place, place);
    if (!new SphereOutline(view.camera, defaultBall.diameter / 2).measure(place, circle)) return;
    const [u, v, r] = [...circle].map((x) => x + SIGMA * this.random.normal());
    addCircle(circles, u!, v!, r!, SIGMA, SIGMA);
  }

  /** The texts of all events since the last call. */
  tell(): string[] {
    const told: string[] = [];
    for (let event = this.events.tryReceive(); event !== null; event = this.events.tryReceive()) {
      told.push(`${event.source.read()} ${event.code.read()} ${event.track}`);
      this.events.release(event);
    }
    return told;
  }
}

function ballOf(seed: number): ThrownBall {
  return new ThrownBall(throwsOf(seed).make(0, 0.1));
}

describe("TrackerModule", () => {
  it("turns circles and head poses into predictions and events", () => {
    const bench = new Bench();
    const ball = ballOf(11);
    const told: string[] = [];
    for (let k = 0; k < 15; k++) {
      const time = k * FRAME_PERIOD;
      bench.sendPose(time);
      bench.sendImage(Camera.left, time, ball);
      bench.sendImage(Camera.right, time, ball);
      expect(bench.module.receive()).toBe(1);
      told.push(...bench.tell());
    }
    expect(told).toEqual(["tracker track-born 1", "tracker track-confirmed 1"]);
    let newest = bench.predictions.tryReceive();
    for (let next = newest; next !== null; next = bench.predictions.tryReceive()) {
      if (newest !== null && next !== newest) bench.predictions.release(newest);
      newest = next;
    }
    const place = vec3.create();
    ball.position(newest!.tState.seconds, place);
    expect(newest!.tState.seconds).toBeCloseTo(14 * FRAME_PERIOD, 9);
    expect(newest!.confirmed).toBe(true);
    expect(newest!.drag).toBeCloseTo(defaultBall.drag, 9);
    expect(vec3.distance(newest!.position, place)).toBeLessThan(0.05);
    expect(newest!.covariance[0]).toBeGreaterThan(0);
  });

  it("waits for the head's pose, and joins images that come one after the other", () => {
    const bench = new Bench();
    const ball = ballOf(12);
    for (let k = 0; k < 10; k++) {
      const time = k * FRAME_PERIOD;
      bench.sendPose(time - 10);
      bench.sendImage(Camera.left, time, ball);
      expect(bench.module.receive()).toBe(0);
      bench.sendPose(time);
      expect(bench.module.receive()).toBe(1);
      bench.sendImage(Camera.right, time, ball);
      expect(bench.module.receive()).toBe(1);
    }
    expect(bench.module.tracker.counters.completed).toBe(10);
    expect(bench.module.tracker.trackCount).toBe(1);
    expect(bench.module.tracker.tracks[0]!.confirmed).toBe(true);
  });

  it("gives up images for which no pose comes, and says so once", () => {
    const bench = new Bench();
    const ball = ballOf(13);
    bench.sendPose(-10);
    for (let k = 0; k < 20; k++) {
      bench.sendImage(Camera.left, k * FRAME_PERIOD, ball);
      bench.module.receive();
    }
    expect(bench.module.unposed).toBe(4);
    expect(bench.tell()).toEqual(["tracker scan-unusable -1"]);
  });
});
