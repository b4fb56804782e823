import { attachChannel, type ChannelHandle } from "../../channels/channel.js";
import type { GetPort } from "../../channels/get-port.js";
import { SyncGroup } from "../../channels/sync-group.js";
import { defaultBall } from "../../flight/ball.js";
import { BallPrediction } from "../../messages/ball-prediction.js";
import { Circles } from "../../messages/circles.js";
import { Event } from "../../messages/event.js";
import { HeadPose } from "../../messages/head-pose.js";
import { Imu } from "../../messages/imu.js";
import { JointState } from "../../messages/joint-state.js";
import { loadRobot } from "../../robot/loading/load-robot.js";
import { type ClockOrigin, clockFrom } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { requestRealTime } from "../../runtime/real-time-priority.js";
import { stopRequested, workerInput, workerReady } from "../../runtime/worker-context.js";
import { HeadPoseModule, writeHeadPose } from "../../tracking/pose/head-pose.module.js";
import { createHeadPoseEstimate, PoseSource } from "../../tracking/pose/head-pose-estimate.js";
import { TrackerModule } from "../../tracking/tracker.module.js";
import { Heartbeats } from "../../transport/heartbeats.js";
import type { LiveHandles } from "./live-channels.module.js";
import { LivePart } from "./live-input.js";
import { PartStatus } from "./part-status.module.js";
import { rehearse } from "./rehearsal.js";

/** What the thread that tracks balls is started with. */
export interface SeeingInput {
  readonly robot: string;
  readonly clock: ClockOrigin;
  readonly channels: LiveHandles;
  readonly states: ChannelHandle;
  readonly heartbeats: SharedArrayBuffer;
  readonly priority: number;
}

/** Longest sleep between two looks around [ms]. */
const LOOK_MS = 2;

/** Throws to rehearse before the first that counts. */
const REHEARSAL = 4;

/** Head pose and tracker in one thread: the pose at an image's exposure is known when its circles come. */
class SeeingThread {
  readonly #input = workerInput<SeeingInput>();
  readonly #robot = loadRobot(this.#input.robot);
  readonly #heartbeats = new Heartbeats(this.#input.heartbeats);
  readonly #pose: HeadPoseModule;
  readonly #tracker: TrackerModule;
  /** Images that have come, to see when they were exposed. */
  readonly #exposures: readonly GetPort<Circles>[];
  readonly #now = attachChannel(this.#input.channels.head, HeadPose).openPutPort();
  readonly #clock = clockFrom(this.#input.clock);
  readonly #status = new PartStatus(this.#input.channels.status, "seeing");
  readonly #estimate = createHeadPoseEstimate();
  #lastExposure = Number.NEGATIVE_INFINITY;

  constructor() {
    const { channels, states } = this.#input;
    const events = attachChannel(channels.events, Event).openPutPort();
    const left = attachChannel(channels.circlesLeft, Circles);
    const right = attachChannel(channels.circlesRight, Circles);
    const poses = attachChannel(channels.poses, HeadPose);
    this.#pose = new HeadPoseModule(this.#robot, {
      imu: attachChannel(channels.imu, Imu).openGetPort("every"),
      joints: attachChannel(states, JointState).openGetPort("every"),
      poses: poses.openPutPort(),
      events,
    });
    const ports = {
      left: left.openGetPort("every"),
      right: right.openGetPort("every"),
      poses: poses.openGetPort("every"),
      predictions: attachChannel(channels.predictions, BallPrediction).openPutPort(),
      events,
    };
    this.#tracker = new TrackerModule(this.#robot, ports, { ball: defaultBall });
    this.#exposures = [left.openGetPort("every"), right.openGetPort("every")];
  }

  run(): void {
    const table = this.#input.channels.circlesLeft.syncTable;
    if (table === null) throw new FlycatcherError("FLY_INTERNAL", "the channels of circles have no sync table");
    const group = new SyncGroup(table, this.#exposures);
    while (!stopRequested()) {
      group.wait(LOOK_MS);
      this.#heartbeats.beat(LivePart.seeing);
      this.#pose.receive();
      for (const port of this.#exposures) this.#poseFor(port);
      this.#track();
      this.#tellNow();
      this.#tellStatus();
    }
  }

  #track(): void {
    const begun = this.#clock.nowNs();
    if (this.#tracker.receive() > 0) this.#status.worked((this.#clock.nowNs() - begun) / 1e9);
  }

  #tellStatus(): void {
    const [left, right] = this.#exposures as readonly [GetPort<Circles>, GetPort<Circles>];
    this.#status.lost = left.lost + right.lost + this.#tracker.unposed;
    this.#status.waiting = left.waiting + right.waiting;
    this.#status.step(this.#clock.nowNs());
  }

  /** The head at each exposure, once for both cameras. */
  #poseFor(port: GetPort<Circles>): void {
    for (let packet = port.tryReceive(); packet !== null; packet = port.tryReceive()) {
      const time = packet.tExposure.seconds;
      port.release(packet);
      if (time <= this.#lastExposure) continue;
      this.#lastExposure = time;
      this.#pose.publish(time);
    }
  }

  #tellNow(): void {
    const { filter } = this.#pose;
    if (filter.estimate(filter.newest, this.#estimate) === PoseSource.none) return;
    writeHeadPose(this.#estimate, this.#now.reserve());
    this.#now.publish();
  }
}

const { priority, robot } = workerInput<SeeingInput>();
await rehearse({ robot: loadRobot(robot), perception: "circles", throws: REHEARSAL });
const thread = new SeeingThread();
if (priority > 0) requestRealTime(priority);
workerReady();
thread.run();
