import { pixelsOf, type WantedColours } from "../camera/frames/frame-pixels.js";
import type { FrameStream, StreamedFrame } from "../camera/frames/frame-stream.js";
import { Predictions } from "../messages/prediction.js";
import { Event } from "../messages/report.js";
import { type CameraSide, HeadState, Image, LostFrame } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { BallAttention, MovingHead } from "../tracking/prediction/ball-attention.js";
import type { Node, NodeCondition } from "../transport/node.js";
import { type PortsOf, takeEach, takeNewest } from "../transport/port.js";
import { FrameClock } from "./frame-clock.js";
import { FrameProgram } from "./frame-program.js";

export const pipeCameraPorts = {
  in: { predictions: Predictions, head: HeadState },
  out: { images: Image, lost: LostFrame, events: Event },
} as const;

export interface PipeCameraOptions {
  readonly side: CameraSide;
  /** Command line of the program whose standard output is the camera's frames. */
  readonly command: string;
  /** What cuts that into frames; another one for each start of the program. */
  readonly stream: () => FrameStream;
  /** Size of the camera's images [px]. */
  readonly width: number;
  readonly height: number;
  readonly wanted: WantedColours;
  readonly framePeriodNs: number;
  /** From mid-exposure to the source's time stamp where that is known by the machine's clock, else to arrival; as calibrated [ns]. */
  readonly latencyNs: number;
  /** Where in images balls are looked for; null: everywhere. */
  readonly attention: BallAttention | null;
  /** How long the first frame may take [ms]. */
  readonly startTimeoutMs: number;
  /** The run's clock [ns]. */
  readonly clock: () => number;
  /** Where zero of the run's clock is on the machine's monotonic clock [ns]; null: the two have nothing in common. */
  readonly zeroNs: number | null;
  /** See `NodeSite`. */
  readonly wake: () => void;
}

/** Frames that were held up by so much are left out [frame periods]: after a stall, or on a busy machine, the newest counts. */
const OLDEST = 2;
/** Periods without a frame after which the camera counts as silent. */
const SILENT = 3;
/** From a failure to the next start of the program [ns], doubled each time, up to the longest. */
const FIRST_PAUSE_NS = 0.25e9;
const LONGEST_PAUSE_NS = 8e9;
/** The program is started again when it is silent for so long [ns]. */
const PATIENCE_NS = 2e9;

/**
 * A camera whose frames another program writes to a pipe: GStreamer with any of its sources, ffmpeg, a laboratory's own. Stamps of the
 * source are placed on the run's clock by their zero, where the program says it, else by the least delay seen. A program that ends, falls silent or writes nonsense is reported
 * and started again.
 */
export class PipeCameraNode implements Node {
  readonly #ports: PortsOf<typeof pipeCameraPorts>;
  readonly #options: PipeCameraOptions;
  readonly #stamps = new FrameClock();
  #program: FrameProgram | null = null;
  #stream: FrameStream;
  #frame = 0;
  #lastStampNs = Number.NaN;
  #frameNs: number;
  #startedNs = Number.NEGATIVE_INFINITY;
  #pauseNs = FIRST_PAUSE_NS;
  #startAgainNs = Number.POSITIVE_INFINITY;
  #problem: string | null = null;
  #knownHead: MovingHead | null = null;
  /** What the last program complained about before it was ended. */
  #ended: string | null = null;
  #isClosed = false;
  /** Frames that did not come, and those that were too old when they came. */
  readonly counts = { lost: 0, late: 0, starts: 0 };

  constructor(ports: PortsOf<typeof pipeCameraPorts>, options: PipeCameraOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#stream = options.stream();
    this.#frameNs = options.clock();
  }

  get condition(): NodeCondition {
    const { lost, late } = this.counts;
    const detail = `${lost} frames lost, ${late} late; stamps by ${this.#stamps.kind}`;
    if (this.#problem === null) return { health: "running", detail };
    return { health: "degraded", detail: `${this.#problem}; ${detail}` };
  }

  /** Settles when the first frame has come. */
  async warmUp(): Promise<void> {
    const { startTimeoutMs, command, side } = this.#options;
    this.#start();
    const end = performance.now() + startTimeoutMs;
    while (this.#frame === 0) {
      if (performance.now() > end || this.#problem !== null) {
        const why = this.#problem ?? `sends no frame in ${startTimeoutMs} ms`;
        const complaint = this.#ended ?? this.#program?.complaint ?? "";
        await this.close();
        throw new FlycatcherError("FLY_CAMERA", `camera ${side} ${why}`, {
          ...{ path: `cameras.${side}`, expected: "a program that writes frames to its standard output" },
          found: complaint || command,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  step(nowNs: number): number {
    const { attention, framePeriodNs } = this.#options;
    if (attention !== null) {
      takeEach(this.#ports.in.predictions, nowNs, ({ balls }) => {
        for (const ball of balls) attention.hear(ball);
      });
      this.#knownHead = takeNewest(this.#ports.in.head, nowNs) ?? this.#knownHead;
    }
    if (nowNs >= this.#startAgainNs) this.#start();
    const silentNs = nowNs - this.#frameNs;
    if (this.#problem === null && silentNs > SILENT * framePeriodNs) this.#report("sends no frames");
    const isStarted = this.#startAgainNs === Number.POSITIVE_INFINITY;
    if (isStarted && Math.min(silentNs, nowNs - this.#startedNs) > PATIENCE_NS) this.#fail("sends no frames");
    return nowNs + framePeriodNs;
  }

  #start(): void {
    const { command, stream, clock } = this.#options;
    this.counts.starts++;
    this.#startAgainNs = Number.POSITIVE_INFINITY;
    this.#startedNs = clock();
    this.#lastStampNs = Number.NaN;
    this.#stamps.reset();
    this.#stream = stream();
    const program = new FrameProgram(command, {
      bytes: (bytes) => {
        if (program === this.#program) this.#receive(program, bytes);
      },
      closed: (code) => {
        if (program === this.#program) this.#fail(`has ended with code ${code}`);
      },
    });
    this.#program = program;
  }

  #receive(program: FrameProgram, bytes: Buffer): void {
    const arrivalNs = this.#options.clock();
    this.#stream.push(bytes);
    try {
      for (let frame = this.#stream.next(); frame !== null; frame = this.#stream.next()) {
        this.#take(frame, program, arrivalNs);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#fail(`sends a torn stream: ${error.message}`);
    }
    this.#options.wake();
  }

  #take({ stampNs, bytes }: StreamedFrame, { baseNs }: FrameProgram, arrivalNs: number): void {
    const { side, width, height, wanted, latencyNs, framePeriodNs, zeroNs } = this.#options;
    const shape = this.#stream.shape!;
    if (shape.width !== width || shape.height !== height) {
      throw new RangeError(`images of ${shape.width} × ${shape.height} px, the camera has ${width} × ${height}`);
    }
    const sentNs = this.#stamps.place(stampNs, baseNs === null || zeroNs === null ? null : baseNs - zeroNs, arrivalNs);
    const exposureNs = Math.round(sentNs - latencyNs);
    this.#countLost(stampNs ?? arrivalNs, exposureNs);
    this.#frameNs = arrivalNs;
    this.#recover(arrivalNs);
    const frame = this.#frame++;
    if (this.#stamps.heldUpNs > OLDEST * framePeriodNs) {
      this.counts.late++;
      this.#ports.out.lost.put({ frame, exposureNs }, arrivalNs);
      return;
    }
    const windows = this.#options.attention?.look(exposureNs / 1e9, this.#knownHead) ?? [];
    const { encoding, pixels } = pixelsOf(shape, bytes, wanted);
    const image = { camera: side, frame, exposureNs, arrivalNs, width, height, scale: 1, windows, pixels };
    this.#ports.out.images.put(encoding === "mono8" ? image : { ...image, encoding }, arrivalNs);
  }

  /** Frames between this one and the last, by their stamps. */
  #countLost(stampNs: number, exposureNs: number): void {
    const { framePeriodNs } = this.#options;
    const periods = Math.round((stampNs - this.#lastStampNs) / framePeriodNs);
    this.#lastStampNs = stampNs;
    for (let k = 1; k < Math.min(periods, 100); k++) {
      this.counts.lost++;
      this.#ports.out.lost.put(
        { frame: this.#frame++, exposureNs: exposureNs - (periods - k) * framePeriodNs },
        exposureNs,
      );
    }
  }

  /** Frames come; a program that has sent them for a while is trusted again. */
  #recover(nowNs: number): void {
    if (nowNs - this.#startedNs > PATIENCE_NS) this.#pauseNs = FIRST_PAUSE_NS;
    if (this.#problem === null) return;
    this.#problem = null;
    this.#put("info", "camera-back", `camera ${this.#options.side} sends frames again`);
  }

  /** Ends the program; another one is started after a pause. */
  #fail(why: string): void {
    if (this.#isClosed) return;
    this.#report(why);
    this.#ended = this.#program?.complaint ?? null;
    this.#end();
    this.#startAgainNs = this.#options.clock() + this.#pauseNs;
    this.#pauseNs = Math.min(2 * this.#pauseNs, LONGEST_PAUSE_NS);
  }

  #report(why: string): void {
    if (this.#problem === why) return;
    this.#problem = why;
    this.#put("warning", "camera-failed", `camera ${this.#options.side} ${why}`);
  }

  #put(severity: "info" | "warning", code: string, text: string): void {
    const source = `camera ${this.#options.side}`;
    this.#ports.out.events.put({ severity, source, code, track: -1, text }, this.#options.clock());
  }

  #end(): void {
    this.#program?.end();
    this.#program = null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
  }
}
