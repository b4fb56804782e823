import { parentPort } from "node:worker_threads";
import { RecorderNode, recorderPorts } from "../nodes/recorder.js";
import { RecordingWriter } from "../recording/format/recording-writer.js";
import { loadZstd } from "../recording/mcap/zstd.js";
import { BackgroundFile } from "../recording/recorder/background-file.js";
import { PrioritisedWriter, type RecorderReport } from "../recording/recorder/prioritised-writer.js";
import type { RecordedItem } from "../recording/recording.js";
import { type ClockOrigin, clockFrom, type RunClock } from "../runtime/clock.js";
import { setNice } from "../runtime/real-time-priority.js";
import type { ChannelHandle } from "../transport/channels/channel.js";
import type { MessageType } from "../transport/message.js";
import { type InPort, nothingIn, type PortsOf } from "../transport/port.js";
import { MergedInPort } from "../transport/queue.js";
import { RingInPort } from "../transport/ring-ports.js";
import { workerDone, workerReady } from "../transport/workers/worker-context.js";
import type { RunRecording } from "./run-recorder.js";

/** An out-port of a run that is recorded, and the in-port of the recorder that takes it. */
export interface RecordedRing {
  readonly from: string;
  readonly to: keyof typeof recorderPorts.in;
  readonly ring: ChannelHandle;
}

/** What the recorder's thread is asked. */
export type RecorderRequest =
  | ({ readonly type: "begin"; readonly clock: ClockOrigin } & Omit<RunRecording, "clock">)
  /** Something that is on no ring. */
  | { readonly type: "item"; readonly item: RecordedItem }
  | { readonly type: "end" };

/** What it answers, to `begin` and to `end`; and that the disk takes no more, as soon as that is known. */
export type RecorderReply =
  | { readonly type: "begun"; readonly failure: { readonly code: string; readonly message: string } | null }
  | { readonly type: "cut"; readonly reason: string }
  | { readonly type: "ended"; readonly report: RecorderReport };

/** Time between two rounds [ms]: rings at 1 kHz hold some more. */
const ROUND_MS = 2;
/** The pipeline goes first. */
const NICE = 5;

/** A recording in progress: the recorder's node between rings and a file. */
class RecorderThread {
  readonly #clock: RunClock;
  readonly #writer: PrioritisedWriter;
  readonly #node: RecorderNode;
  readonly #ports: readonly (RecordedRing & { readonly port: RingInPort<object> })[];
  readonly #lost = new Map<string, number>();
  readonly #closed: () => Promise<void>;
  readonly #failure: () => string | null;
  #isCut = false;
  readonly #rounds: NodeJS.Timeout;

  static async begin(request: Extract<RecorderRequest, { type: "begin" }>): Promise<RecorderThread> {
    const { file, closed } = await BackgroundFile.create(request.path);
    const recording = await RecordingWriter.create(file, request.header);
    const writer = new PrioritisedWriter(recording, () => file.backlog, request.room);
    return new RecorderThread(request, writer, { closed, failure: () => writer.failure ?? file.failure });
  }

  private constructor(
    { header, clock, rings }: Extract<RecorderRequest, { type: "begin" }>,
    writer: PrioritisedWriter,
    { closed, failure }: { readonly closed: () => Promise<void>; readonly failure: () => string | null },
  ) {
    this.#clock = clockFrom(clock);
    this.#writer = writer;
    this.#closed = closed;
    this.#failure = failure;
    this.#ports = rings.map((ring) => ({
      ...ring,
      port: new RingInPort<object>(recorderPorts.in[ring.to] as MessageType, ring.ring, "every"),
    }));
    this.#node = new RecorderNode(this.#wiring(), { sink: writer, header });
    this.#rounds = setInterval(() => this.#round(), ROUND_MS);
  }

  #wiring(): PortsOf<typeof recorderPorts> {
    const ins: Record<string, InPort<object>> = {};
    for (const name of Object.keys(recorderPorts.in)) ins[name] = nothingIn;
    for (const { to, port } of this.#ports) ins[to] = ins[to] === nothingIn ? port : new MergedInPort([ins[to]!, port]);
    return { in: ins, out: {} } as unknown as PortsOf<typeof recorderPorts>;
  }

  write(item: RecordedItem): void {
    this.#writer.write(item);
  }

  #round(): void {
    this.#node.step(Math.max(0, this.#clock.nowNs()));
    for (const { from, port } of this.#ports) {
      const before = this.#lost.get(from) ?? 0;
      if (port.lost > before) this.#writer.lose(from, port.lost - before);
      this.#lost.set(from, port.lost);
    }
    const reason = this.#isCut ? null : this.#failure();
    if (reason === null) return;
    this.#isCut = true;
    reply({ type: "cut", reason });
  }

  async end(): Promise<RecorderReport> {
    clearInterval(this.#rounds);
    this.#round();
    this.#node.close();
    for (const { port } of this.#ports) port.close();
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

async function handle(request: RecorderRequest): Promise<void> {
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

parentPort?.on("message", (request: RecorderRequest) => void handle(request));
setNice(NICE);
await loadZstd();
workerReady();
