import { attachChannel } from "../../channels/channel.js";
import type { PutPort } from "../../channels/put-port.js";
import { defaultBall } from "../../flight/ball.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { BallPrediction } from "../../messages/ball-prediction.js";
import { Camera } from "../../messages/camera.js";
import { Circles } from "../../messages/circles.js";
import { ComponentHealth, ComponentStatus } from "../../messages/component-status.js";
import { Event, Severity } from "../../messages/event.js";
import { HeadPose } from "../../messages/head-pose.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { collectGarbage } from "../../runtime/collect-garbage.js";
import { requestFavour } from "../../runtime/real-time-priority.js";
import { systemThread } from "../../runtime/thread-load.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import { stereoRig, type TrueBall } from "../../simulation/eyes/stereo-rig.js";
import { FrameChange, FramePace, frameQualities } from "../../simulation/frame-pace.js";
import { createRigidMotion } from "../../simulation/head-motion/elastic-chain.js";
import { SharedChallenges } from "../../simulation/head-motion/shared-challenges.js";
import { InjectedFaults } from "../../simulation/injected-faults.js";
import { Room } from "../../simulation/rendering/room.js";
import { createRecordedBall, WorldRecord } from "../../simulation/robot-sim/world-record.js";
import { CircleSet } from "../../tracking/circles/circle-set.js";
import { writeCircles } from "../../tracking/circles/circles-codec.module.js";
import type { SearchWindow } from "../../tracking/circles/detector-options.js";
import type { CatchTimes } from "../catch-times.js";
import { BallAttention, type MovingHead } from "../seeing/ball-attention.js";
import { CameraPeek } from "./camera-peek.js";
import { ImageWay } from "./image-way.js";
import type { LiveHandles } from "./live-channels.module.js";
import { readPrediction } from "./prediction-codec.module.js";
import { type CameraSide, SimulatedCamera } from "./simulated-camera.js";
import { maxTrueBalls, TrueWorld } from "./true-world.module.js";

/** What the thread of one simulated camera is started with. */
export interface CameraInput {
  readonly robot: string;
  readonly side: CameraSide;
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  /** See `InjectedFaults`. */
  readonly faults: SharedArrayBuffer;
  /** See `SharedChallenges`. */
  readonly challenges: SharedArrayBuffer;
  /** See `CameraPeek`. */
  readonly peek: SharedArrayBuffer;
  readonly times: CatchTimes;
  readonly seed: number;
  /** Share of a frame's period that rendering and detecting may take. */
  readonly share: number;
  readonly nice: number;
}

const PATIENCE_MS = 20;
/** Frames of practice at each quality before the first that counts. */
const PRACTICE = 16;
/** Looked at in practice: what is in it does not matter. */
const SOME_WINDOW = { u: 400, v: 300, halfSize: 20, minRadius: 5, maxRadius: 15 };
/** A frame whose turn comes so many periods after it was due is of no use any more. */
const MOST_BEHIND = 2;
/** Frames between two states of health. */
const STATUS_FRAMES = 25;

/** The image of a frame, and where in it was looked. */
interface Seen {
  readonly camera: SimulatedCamera;
  readonly windows: readonly SearchWindow[] | null;
}

/**
 * A simulated camera with its detector: at each frame's time it takes the true world, renders, detects, and sends the circles
 * when a real camera's image would have arrived, or later if that takes longer. A frame without a ball in the air is not
 * rendered and counts as empty.
 */
class CameraThread {
  readonly #input = workerInput<CameraInput>();
  readonly #robot = loadRobot(this.#input.robot);
  readonly #clock = clockFrom(this.#input.clock);
  readonly #pace = new FramePace(this.#input.times.framePeriodNs / 1e9, this.#input.share);
  /** One a scale, made beforehand: it takes a second. */
  readonly #cameras: readonly SimulatedCamera[];
  readonly #world = attachChannel(this.#input.channels.world, TrueWorld).openGetPort("every");
  readonly #circles: PutPort<Circles>;
  readonly #events = attachChannel(this.#input.channels.events, Event).openPutPort();
  readonly #status = attachChannel(this.#input.channels.status, ComponentStatus).openPutPort();
  readonly #faults = new InjectedFaults(this.#input.faults);
  readonly #way = new ImageWay(this.#robot, new SharedChallenges(this.#input.challenges), this.#input.seed);
  readonly #peek = new CameraPeek(this.#input.peek);
  readonly #attention: BallAttention;
  readonly #predictions = attachChannel(this.#input.channels.predictions, BallPrediction).openGetPort("every");
  readonly #heads = attachChannel(this.#input.channels.head, HeadPose).openGetPort("newest");
  readonly #knownHead = { time: Number.NaN, worldFromHead: pose.create(), twist: new Float64Array(6) };
  readonly #found = new CircleSet();
  readonly #head = createRigidMotion();
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #thread = systemThread();
  #nextFrame = 0;
  #frames = 0;
  #lost = 0;
  #longest = 0;
  #seen: Seen | null = null;

  constructor() {
    const { side, seed, channels } = this.#input;
    const room = new Room(seed);
    const scales = new Set(frameQualities.map(({ scale }) => scale));
    this.#cameras = Array.from(scales, (scale) => new SimulatedCamera(this.#robot, side, room, scale, seed));
    const handle = side === "left" ? channels.circlesLeft : channels.circlesRight;
    this.#circles = attachChannel(handle, Circles).openPutPort();
    const { camera, headFromCamera } = stereoRig(this.#robot)[side];
    this.#attention = new BallAttention(camera, headFromCamera, defaultBall.diameter / 2);
  }

  /** Sees a ball fly towards it at each scale, and begins with what can be kept up. */
  practise(): void {
    for (const camera of this.#cameras) this.#watchFlight(camera, PRACTICE);
    this.#pace.begin((scale) => {
      const durations = this.#watchFlight(this.#cameraOf(scale), PRACTICE);
      return Math.min(...durations.slice(PRACTICE / 2));
    });
    const { scale, divisor } = this.#pace.quality;
    if (scale !== 1 || divisor !== 1) this.#tellQuality("a frame at full size takes too long here");
    this.#found.count = 0;
    collectGarbage();
  }

  /** How long each frame of an imagined flight takes [s]. */
  #watchFlight(camera: SimulatedCamera, frames: number): number[] {
    this.#head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.6]);
    return Array.from({ length: frames }, (_, k) => {
      const share = k / frames;
      // A head that turns blurs the image, which is dearer to render.
      this.#head.twist.set([0, 0, 0, 0, 0.5, share]);
      const ball = {
        position: vec3.create(4.5 - 3.7 * share, 0.2 - 0.4 * share, 1.8),
        velocity: vec3.create(-6, 0, 1),
      };
      const begun = this.#clock.nowNs();
      camera.see(this.#head, [ball], k, null, this.#found);
      const duration = (this.#clock.nowNs() - begun) / 1e9;
      camera.see(this.#head, [ball], k, [SOME_WINDOW], this.#found);
      return duration;
    });
  }

  #cameraOf(scale: number): SimulatedCamera {
    return this.#cameras.find((camera) => camera.scale === scale)!;
  }

  /** Looks for the record of the next frame, until stopped. */
  run(): void {
    while (!stopRequested()) {
      const packet = this.#world.receive(PATIENCE_MS);
      if (packet === null) continue;
      const timeNs = packet.t.nanoseconds;
      const frame = Math.floor(timeNs / this.#input.times.framePeriodNs);
      const isStale = this.#clock.nowNs() - timeNs > MOST_BEHIND * this.#input.times.framePeriodNs;
      const isDue = !isStale && frame >= this.#nextFrame && frame % this.#pace.quality.divisor === 0;
      const balls = isDue ? this.#copy(packet) : [];
      this.#world.release(packet);
      if (isDue) this.#expose(frame, timeNs, balls);
    }
  }

  #copy(packet: Readonly<TrueWorld>): TrueBall[] {
    const record = new WorldRecord(maxTrueBalls, 0, packet.numbers);
    record.motion("head", this.#head);
    const balls = Array.from({ length: maxTrueBalls }, (_, k) => record.ball(k, createRecordedBall()));
    return balls.filter(({ isFlying }) => isFlying);
  }

  #expose(frame: number, timeNs: number, balls: readonly TrueBall[]): void {
    const begun = this.#clock.nowNs();
    if (this.#nextFrame > 0) this.#lost += frame - this.#nextFrame;
    this.#nextFrame = frame + this.#pace.quality.divisor;
    this.#frames++;
    if (!this.#faults.isFrozen(this.#input.side, timeNs / 1e9)) this.#look(frame, timeNs / 1e9, balls, begun);
    const wait = (timeNs + this.#input.times.cameraNs - this.#clock.nowNs()) / 1e6 + 1e3 * this.#way.delay(frame);
    if (wait > 0) Atomics.wait(this.#sleeper, 0, 0, wait);
    if (this.#way.isLost(frame)) this.#lost++;
    else this.#send(frame, timeNs);
    if (this.#peek.isAsked && this.#seen !== null) this.#show(timeNs / 1e9, this.#seen);
    if (this.#frames % STATUS_FRAMES === 0) this.#tellStatus();
  }

  /** Lets those see the image who asked for one, now that nobody waits for its circles. */
  #show(time: number, { camera, windows }: Seen): void {
    this.#peek.show(camera.image, time, windows, camera.scale);
  }

  /** Renders and detects. */
  #look(frame: number, time: number, balls: readonly TrueBall[], begun: number): void {
    this.#found.count = 0;
    this.#seen = null;
    if (balls.length === 0) return;
    const windows = this.#attention.look(time, this.#takeKnowledge());
    const camera = this.#cameraOf(this.#pace.quality.scale);
    camera.see(this.#head, balls, frame, windows, this.#found);
    this.#seen = { camera, windows };
    const duration = (this.#clock.nowNs() - begun) / 1e9;
    this.#longest = Math.max(this.#longest, duration);
    this.#adapt(duration);
  }

  /** What the tracker knows of balls goes to the attention; where the head was last, if anybody knows. */
  #takeKnowledge(): MovingHead | null {
    for (let packet = this.#predictions.tryReceive(); packet !== null; packet = this.#predictions.tryReceive()) {
      this.#attention.hear(readPrediction(packet));
      this.#predictions.release(packet);
    }
    const packet = this.#heads.tryReceive();
    if (packet !== null) {
      this.#knownHead.time = packet.t.seconds;
      this.#knownHead.worldFromHead.set(packet.worldFromHead);
      this.#knownHead.twist.set(packet.twist);
      this.#heads.release(packet);
    }
    return Number.isNaN(this.#knownHead.time) ? null : this.#knownHead;
  }

  #adapt(duration: number): void {
    const change = this.#pace.took(duration);
    if (change === FrameChange.lowered) this.#tellQuality(`a frame took ${(1e3 * duration).toFixed(0)} ms`);
    if (change === FrameChange.raised) this.#tellQuality("frames take less time again");
  }

  #send(frame: number, timeNs: number): void {
    const packet = this.#circles.reserve();
    packet.tExposure.nanoseconds = timeNs;
    packet.tArrival.nanoseconds = this.#clock.nowNs();
    packet.camera = Camera[this.#input.side];
    packet.frame = frame >>> 0;
    writeCircles(this.#found, packet);
    this.#circles.publish();
  }

  /** Says what the machine can keep up, and what is done about it. */
  #tellQuality(why: string): void {
    const { scale, divisor } = this.#pace.quality;
    const event = this.#events.reserve();
    event.t.nanoseconds = Math.max(0, this.#clock.nowNs());
    event.severity = Severity.warning;
    event.source.write(`camera ${this.#input.side}`);
    event.code.write("quality-changed");
    event.track = -1;
    event.plan = 0;
    event.text.write(
      `${why}: from now on images of ${100 * scale} % size, every ${divisor === 1 ? "" : "second "}frame`,
    );
    this.#events.publish();
  }

  #tellStatus(): void {
    const { scale, divisor } = this.#pace.quality;
    const packet = this.#status.reserve();
    packet.t.nanoseconds = this.#clock.nowNs();
    packet.component.write(`camera ${this.#input.side}`);
    packet.thread = this.#thread;
    packet.health = scale === 1 && divisor === 1 ? ComponentHealth.running : ComponentHealth.degraded;
    packet.cycles = this.#frames >>> 0;
    packet.lost = Math.max(0, this.#lost) >>> 0;
    packet.behind = 0;
    packet.cycleMean = 0;
    packet.cycleMax = this.#longest;
    packet.detail.write(`images of ${100 * scale} % size, every ${divisor === 1 ? "" : "second "}frame`);
    this.#status.publish();
    this.#longest = 0;
  }
}

const thread = new CameraThread();
thread.practise();
const { nice } = workerInput<CameraInput>();
if (nice !== 0) requestFavour(nice);
workerReady();
thread.run();
