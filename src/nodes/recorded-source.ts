import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import { maxCircles } from "../messages/parts.js";
import { Circles, createJointState, Image, Imu, JointState, Points } from "../messages/sensing.js";
import { ReadingsFeed } from "../recording/readings-feed.js";
import type {
  CirclesItem,
  ImageItem,
  PointsItem,
  ReadingsItem,
  RecordingHeader,
} from "../recording/recorded-messages.js";
import { MAX_POINTS } from "../tracking/filter/scan.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import { MessagePool } from "../transport/message-pool.js";
import type { Node } from "../transport/node.js";
import type { PortsOf } from "../transport/port.js";

export const recordedSourcePorts = {
  in: {},
  out: {
    joints: JointState,
    imu: Imu,
    "images-left": Image,
    "images-right": Image,
    "circles-left": Circles,
    "circles-right": Circles,
    points: Points,
  },
} as const;

export interface RecordedSourceOptions {
  /** What is seen by: images where there are any, the circles that were found in them, or points. */
  readonly input: "images" | "circles" | "points";
  readonly readings: RecordingHeader["readings"];
  /** Joints of the robot that saw. */
  readonly dofCount: number;
  readonly tickNs: number;
}

/** Readings that may come at one tick, several times over. */
const READINGS = 64;

type FrameItem = ImageItem | CirclesItem | PointsItem;

/** What was sensed, out of a recording: every message at the tick at which it was known then. */
export class RecordedSourceNode implements Node {
  /** Images that were put out. */
  images = 0;
  readonly #ports: PortsOf<typeof recordedSourcePorts>;
  readonly #options: RecordedSourceOptions;
  readonly #readings: ReadingsFeed | null;
  readonly #states: MessagePool<JointState>;
  #frames: FrameItem[] = [];
  #nowNs = 0;

  constructor(ports: PortsOf<typeof recordedSourcePorts>, options: RecordedSourceOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#states = new MessagePool(() => createJointState(options.dofCount), READINGS);
    this.#readings = options.readings === null ? null : new ReadingsFeed(options.readings, options.dofCount);
  }

  /** Takes what is of interest out of a recording; must be ahead of the run's time. */
  add(item: ReadingsItem | FrameItem): void {
    const { input } = this.#options;
    if (item.topic === "sensors/readings") this.#readings?.add(item);
    else if ((item.topic === "points") !== (input === "points")) return;
    else if (item.topic !== "cameras/images" || input === "images") this.#frames.push(item);
  }

  step(nowNs: number): number {
    this.#nowNs = nowNs;
    if (this.#frames.length > 0 && this.#frames.some(({ timeNs }) => timeNs <= nowNs)) this.#putFrames(nowNs);
    this.#readings?.deliver(nowNs, this);
    return nowNs + this.#options.tickNs;
  }

  #putFrames(nowNs: number): void {
    const due = this.#frames.filter(({ timeNs }) => timeNs <= nowNs);
    this.#frames = this.#frames.filter(({ timeNs }) => timeNs > nowNs);
    for (const item of due) {
      if (item.topic === "points") this.#putPoints(item, nowNs);
      else if (item.topic === "cameras/images") this.#putImage(item, nowNs);
      else if (!due.some((other) => isImageOf(other, item))) this.#putCircles(item, nowNs);
    }
  }

  #putImage({ topic: _, timeNs: __, ...image }: ImageItem, nowNs: number): void {
    this.images++;
    this.#ports.out[`images-${image.camera}`].put({ ...image, scale: 1, windows: [] }, nowNs);
  }

  /** Circles of an image that was left out had nothing to be found in. */
  #putCircles({ camera, frame, exposureNs, arrivalNs, circles, covariance, score }: CirclesItem, nowNs: number): void {
    const count = Math.min(score.length, maxCircles);
    const column = (k: number) => Float64Array.from({ length: count }, (_, i) => circles[3 * i + k]!);
    this.#ports.out[`circles-${camera}`].put(
      {
        camera,
        frame,
        exposureNs,
        arrivalNs,
        u: column(0),
        v: column(1),
        r: column(2),
        covariance: Float64Array.from(covariance.slice(0, 9 * count)),
        score: Float64Array.from(score.slice(0, count)),
      },
      nowNs,
    );
  }

  #putPoints({ frame, exposureNs, arrivalNs, positions, covariance }: PointsItem, nowNs: number): void {
    const count = Math.min(positions.length / 3, MAX_POINTS);
    const position = Float64Array.from(positions.slice(0, 3 * count));
    const covariances = Float64Array.from(covariance.slice(0, 9 * count));
    this.#ports.out.points.put({ frame, exposureNs, arrivalNs, position, covariance: covariances }, nowNs);
  }

  addJoints({ time, q, qd, commanded }: JointReading): void {
    const state = this.#states.next();
    state.time = time;
    state.q.set(q);
    state.qd.set(qd);
    state.commanded.set(commanded);
    this.#ports.out.joints.put(state, this.#nowNs);
  }

  addImu(time: number, angularVelocity: Vec3, specificForce: Vec3): void {
    const sample = {
      time,
      sample: 0,
      angularVelocity: vec3.copy(angularVelocity, vec3.create()),
      specificForce: vec3.copy(specificForce, vec3.create()),
    };
    this.#ports.out.imu.put(sample, this.#nowNs);
  }
}

function isImageOf(other: FrameItem, { exposureNs, camera }: CirclesItem): boolean {
  return other.topic === "cameras/images" && other.exposureNs === exposureNs && other.camera === camera;
}
