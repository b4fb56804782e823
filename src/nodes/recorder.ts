import { JointCommand, MonitorState } from "../messages/control.js";
import { Handover, Motion, PlanReply } from "../messages/planning.js";
import { Predictions } from "../messages/prediction.js";
import { Event, Transition } from "../messages/report.js";
import { Circles, HeadPose, Image, Imu, JointState, LostFrame, Points } from "../messages/sensing.js";
import { ThrowOutcome, TrueFlight } from "../messages/world.js";
import { ReadingsBatch } from "../recording/readings-batch.js";
import type { RecordedItem, RecordedTopic, RecordingHeader, RecordingSink } from "../recording/recording.js";
import { type Node, WHEN_CALLED } from "../transport/node.js";
import { type InPort, type PortsOf, takeEach, takeNewest } from "../transport/port.js";

export const recorderPorts = {
  in: {
    joints: JointState,
    imu: Imu,
    imagesLeft: Image,
    imagesRight: Image,
    circlesLeft: Circles,
    circlesRight: Circles,
    points: Points,
    lost: LostFrame,
    head: HeadPose,
    predictions: Predictions,
    answers: PlanReply,
    motions: Motion,
    handovers: Handover,
    transitions: Transition,
    monitor: MonitorState,
    commands: JointCommand,
    state: JointState,
    flights: TrueFlight,
    events: Event,
    results: ThrowOutcome,
  },
  out: {},
} as const;

/** Topics of messages that are written as they come, by in-port, in the order of writing. */
const topics = {
  flights: "truth/flights",
  circlesLeft: "cameras/circles",
  circlesRight: "cameras/circles",
  points: "points",
  head: "head",
  predictions: "predictions",
  answers: "plans",
  motions: "motions",
  handovers: "handovers",
  monitor: "monitor",
  transitions: "states",
  lost: "cameras/lost",
  events: "events",
  results: "results",
} as const satisfies Partial<Record<keyof typeof recorderPorts.in, RecordedTopic>>;

export interface RecorderOptions {
  readonly sink: RecordingSink;
  readonly header: Pick<RecordingHeader, "readings" | "jointPeriodNs">;
  /** Whether images are written; and of how many frames at most. */
  readonly images?: "kept" | "dropped";
  readonly imageFrames?: number;
}

/** Time between two batches of readings [ns]. */
const BATCH_NS = 40_000_000;
/** Joints that are recorded for pictures alone are rounded to 1e-5 rad. */
const PICTURE_STEPS = 1e5;

/**
 * Writes the messages of a run: all that a replay needs, and all that it is compared with. It only takes: the run is the same with
 * and without it. Messages that come a thousand times a second are put together: readings in batches, joints at a period.
 */
export class RecorderNode implements Node {
  readonly #ports: PortsOf<typeof recorderPorts>;
  readonly #written: readonly { readonly topic: RecordedTopic; readonly port: InPort<object> }[];
  readonly #options: RecorderOptions;
  readonly #readings: ReadingsBatch | null;
  #command: JointCommand | null = null;
  #nowNs = 0;
  #batchNs = 0;
  #jointsNs = 0;
  /** Frames so far that had images. */
  #imageFrames = 0;

  constructor(ports: PortsOf<typeof recorderPorts>, options: RecorderOptions) {
    const { readings } = options.header;
    this.#ports = ports;
    this.#written = Object.entries(topics).map(([name, topic]) => ({
      topic,
      port: ports.in[name as keyof typeof topics],
    }));
    this.#options = options;
    this.#readings = readings === null ? null : new ReadingsBatch(readings);
  }

  step(nowNs: number): number {
    this.#nowNs = nowNs;
    this.#writeImages(this.#ports.in.imagesLeft, nowNs);
    this.#writeImages(this.#ports.in.imagesRight, nowNs);
    for (let k = 0; k < this.#written.length; k++) {
      const { topic, port } = this.#written[k]!;
      if (port.waiting > 0) takeEach(port, nowNs, (message) => this.#write(topic, nowNs, message));
    }
    this.#writeReadings(nowNs);
    this.#writeJoints(nowNs);
    return WHEN_CALLED;
  }

  /** A message with a time of its own keeps it. */
  #write(topic: RecordedTopic, timeNs: number, message: object): void {
    this.#options.sink.write({ topic, timeNs, ...message } as RecordedItem);
  }

  /** Images in which nothing can be are not written: their circles say so. */
  #writeImages(port: InPort<Image>, nowNs: number): void {
    const { images = "dropped", imageFrames = Number.POSITIVE_INFINITY } = this.#options;
    takeEach(port, nowNs, (image) => {
      if (image.pixels.length === 0) return;
      if (image.camera === "left") this.#imageFrames++;
      if (images === "kept" && this.#imageFrames <= imageFrames) this.#write("cameras/images", nowNs, image);
    });
  }

  /** Readings of a batch are those before its time. */
  #writeReadings(nowNs: number): void {
    const { joints, imu } = this.#ports.in;
    if (isDue(nowNs, this.#batchNs, BATCH_NS) || this.#readings?.isFull) this.#flush(nowNs);
    takeEach(joints, nowNs, (reading) => this.#readings?.addJoints(reading, nowNs));
    takeEach(imu, nowNs, ({ time, angularVelocity, specificForce }) =>
      this.#readings?.addImu(time, angularVelocity, specificForce, nowNs),
    );
  }

  #writeJoints(nowNs: number): void {
    const { jointPeriodNs } = this.#options.header;
    this.#command = takeNewest(this.#ports.in.commands, nowNs) ?? this.#command;
    const state = takeNewest(this.#ports.in.state, nowNs);
    if (state === null || this.#command === null || jointPeriodNs === null) return;
    if (!isDue(nowNs, this.#jointsNs, jointPeriodNs)) return;
    this.#jointsNs = nowNs;
    const copy = jointPeriodNs < BATCH_NS ? (values: Float64Array) => values.slice() : rounded;
    this.#write("joints", nowNs, {
      q: copy(state.q),
      qd: copy(state.qd),
      commandedQ: copy(this.#command.q),
      commandedQd: copy(this.#command.qd),
    });
  }

  #flush(nowNs: number): void {
    this.#batchNs = nowNs;
    const readings = this.#readings?.take() ?? null;
    if (readings !== null) this.#write("sensors/readings", nowNs, readings);
  }

  /** Writes what has been gathered, and results of the last step; the sink is the caller's to close. */
  close(): void {
    const { results } = this.#ports.in;
    takeEach(results, Number.POSITIVE_INFINITY, (result) => this.#write("results", this.#nowNs, result));
    this.#flush(this.#nowNs);
  }
}

/** Whether a multiple of the period has passed since the last time: in lock-step at the multiples, in real time soon after. */
function isDue(nowNs: number, lastNs: number, periodNs: number): boolean {
  return Math.floor(nowNs / periodNs) > Math.floor(lastNs / periodNs);
}

function rounded(values: Float64Array): Float64Array {
  return values.map((value) => Math.round(value * PICTURE_STEPS) / PICTURE_STEPS + 0);
}
