import type { GrayImage } from "../../camera/gray-image.js";
import type { Side } from "../measurements/marker-model.js";
import type { HoldRecording, SampleStream } from "./calibration-recording.js";

/** Takes what the sensors say, in the order in which it arrives; stamps on the controller's clock [s]. */
export interface SensorSink {
  /** Measured positions [rad] and torques [N·m] of the given dofs. */
  joints(sequence: number, stamp: number, positions: Float64Array, torques: Float64Array): void;
  /** Angular velocity [rad/s], then specific force [m/s²]. */
  imu(sequence: number, stamp: number, values: Float64Array): void;
  /** An image; the sink finds the marker in it before it returns. */
  image(side: Side, sequence: number, stamp: number, image: GrayImage): void;
  /** In place of an image, where the camera side finds the marker itself; (NaN, NaN) if it did not. */
  marker(side: Side, sequence: number, stamp: number, u: number, v: number): void;
}

/** Finds the marker in an image: writes u, v [px], or returns false. */
export interface MarkerFinder {
  find(image: GrayImage, out: Float64Array): boolean;
}

/** Collects what the sensors say during one hold. */
export class RecordingBuilder implements SensorSink {
  readonly #arm: string;
  readonly #finder: MarkerFinder;
  readonly #neckCount: number;
  readonly #joints: StreamBuilder;
  readonly #imu = new StreamBuilder(6);
  readonly #markers = [new StreamBuilder(2), new StreamBuilder(2)] as const;
  readonly #pixel = new Float64Array(2);

  constructor(arm: string, neckCount: number, armCount: number, finder: MarkerFinder) {
    this.#arm = arm;
    this.#finder = finder;
    this.#neckCount = neckCount;
    this.#joints = new StreamBuilder(neckCount + 2 * armCount);
  }

  joints(sequence: number, stamp: number, positions: Float64Array, torques: Float64Array): void {
    this.#joints.begin(sequence, stamp);
    this.#joints.push(positions, 0, positions.length);
    this.#joints.push(torques, this.#neckCount, torques.length);
  }

  imu(sequence: number, stamp: number, values: Float64Array): void {
    this.#imu.begin(sequence, stamp);
    this.#imu.push(values, 0, 6);
  }

  image(side: Side, sequence: number, stamp: number, image: GrayImage): void {
    if (!this.#finder.find(image, this.#pixel)) this.#pixel.fill(Number.NaN);
    this.marker(side, sequence, stamp, this.#pixel[0]!, this.#pixel[1]!);
  }

  marker(side: Side, sequence: number, stamp: number, u: number, v: number): void {
    this.#pixel[0] = u;
    this.#pixel[1] = v;
    this.#markers[side].begin(sequence, stamp);
    this.#markers[side].push(this.#pixel, 0, 2);
  }

  finish(): HoldRecording {
    const [left, right] = this.#markers;
    const markers = [left.finish(), right.finish()] as const;
    return { arm: this.#arm, joints: this.#joints.finish(), imu: this.#imu.finish(), markers };
  }
}

/** A stream that grows; samples may arrive out of order. */
class StreamBuilder {
  readonly #width: number;
  readonly #sequence: number[] = [];
  readonly #stamps: number[] = [];
  readonly #values: number[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  begin(sequence: number, stamp: number): void {
    this.#sequence.push(sequence);
    this.#stamps.push(stamp);
  }

  push(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.#values.push(values[i]!);
  }

  finish(): SampleStream {
    const [width, sequence, numbers] = [this.#width, this.#sequence, Float64Array.from(this.#values)];
    const order = [...sequence.keys()].sort((a, b) => sequence[a]! - sequence[b]!);
    const values = new Float64Array(numbers.length);
    for (const [to, from] of order.entries())
      values.set(numbers.subarray(from * width, (from + 1) * width), to * width);
    return {
      sequence: Float64Array.from(order, (i) => sequence[i]!),
      stamps: Float64Array.from(order, (i) => this.#stamps[i]!),
      width,
      values,
    };
  }
}
