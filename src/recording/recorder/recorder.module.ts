import { parentPort } from "node:worker_threads";
import { type ClockOrigin, clockFrom, type RunClock } from "../../runtime/clock.js";
import { setNice } from "../../runtime/real-time-priority.js";
import { workerDone, workerReady } from "../../runtime/worker-context.js";
import { RecordingWriter } from "../format/recording-writer.js";
import { loadZstd } from "../mcap/zstd.js";
import { buildRecordedRobot } from "../recorded-robot.js";
import type { RecordedItem, RecordingHeader } from "../recording.js";
import { BackgroundFile } from "./background-file.js";
import { ChannelTap, type TapRequest } from "./channel-tap.module.js";
import { JointItems } from "./joint-items.js";
import { PrioritisedWriter, type RecorderReport } from "./prioritised-writer.js";

/** What the recorder's thread is told. */
export type RecorderRequest =
  | {
      readonly type: "begin";
      readonly path: string;
      readonly header: RecordingHeader;
      readonly clock: ClockOrigin;
      readonly taps: readonly TapRequest[];
      /** Bytes that may wait for the disk. */
      readonly room?: number;
    }
  /** Something that is on no channel. */
  | { readonly type: "item"; readonly item: RecordedItem }
  | { readonly type: "end" };

/** What it answers: to `begin`, and to `end`. */
export type RecorderReply =
  | { readonly type: "begun"; readonly failure: { readonly code: string; readonly message: string } | null }
  | { readonly type: "ended"; readonly report: RecorderReport };

/** Time between two rounds [ms]: a ring of 16 packets at 1 kHz holds 16. */
const ROUND_MS = 4;
/** The pipeline goes first. */
const NICE = 5;

/** A recording in progress. */
class RecorderThread {
  readonly #clock: RunClock;
  readonly #writer: PrioritisedWriter;
  readonly #joints: JointItems;
  readonly #taps: readonly ChannelTap[];
  readonly #closed: () => Promise<void>;
  readonly #rounds: NodeJS.Timeout;

  static async begin(request: Extract<RecorderRequest, { type: "begin" }>): Promise<RecorderThread> {
    const { file, closed } = await BackgroundFile.create(request.path);
    const recording = await RecordingWriter.create(file, request.header);
    return new RecorderThread(request, new PrioritisedWriter(recording, () => file.backlog, request.room), closed);
  }

  private constructor(
    { header, clock, taps }: Extract<RecorderRequest, { type: "begin" }>,
    writer: PrioritisedWriter,
    closed: () => Promise<void>,
  ) {
    const robot = header.robot === null ? null : buildRecordedRobot(header.robot);
    this.#clock = clockFrom(clock);
    this.#writer = writer;
    this.#closed = closed;
    this.#joints = new JointItems(header, robot?.model.dofCount ?? 0);
    const context = { writer, joints: this.#joints, robot };
    this.#taps = taps.map((tap) => new ChannelTap(tap, context));
    this.#rounds = setInterval(() => this.#round(), ROUND_MS);
  }

  write(item: RecordedItem): void {
    this.#writer.write(item);
  }

  #round(): void {
    const nowNs = Math.max(0, this.#clock.nowNs());
    for (const tap of this.#taps) tap.drain(nowNs);
    const readings = this.#joints.batch(nowNs);
    if (readings !== null) this.#writer.write(readings);
  }

  async end(): Promise<RecorderReport> {
    clearInterval(this.#rounds);
    this.#round();
    const readings = this.#joints.rest(Math.max(0, this.#clock.nowNs()));
    if (readings !== null) this.#writer.write(readings);
    for (const tap of this.#taps) tap.close();
    const report = this.#writer.close();
    try {
      await this.#closed();
      return report;
    } catch (error) {
      return { ...report, failure: report.failure ?? (error as Error).message };
    }
  }
}

let thread: RecorderThread | null = null;

function reply(message: RecorderReply): void {
  parentPort?.postMessage(message);
}

async function obey(request: RecorderRequest): Promise<void> {
  if (request.type === "item") {
    thread?.write(request.item);
    return;
  }
  if (request.type === "end") {
    if (thread !== null) reply({ type: "ended", report: await thread.end() });
    workerDone();
    return;
  }
  try {
    thread = await RecorderThread.begin(request);
    reply({ type: "begun", failure: null });
  } catch (error) {
    const { code = "FLY_INTERNAL", message } = error as Error & { code?: string };
    reply({ type: "begun", failure: { code, message } });
  }
}

parentPort?.on("message", (request: RecorderRequest) => void obey(request));
setNice(NICE);
await loadZstd();
workerReady();
