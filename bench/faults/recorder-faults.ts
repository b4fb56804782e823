import { outcomeOf } from "../../src/recording/throw-outcome.js";
import type { RealTimeOptions } from "../../src/run/real-time-options.js";
import { type HeaderFacts, headerOf } from "../../src/run/record-real-time.js";
import type { Run } from "../../src/run/run.js";
import { RunRecorder } from "../../src/run/run-recorder.js";
import type { ThreadsHost } from "../../src/run/threads-host.js";
import type { SessionRecorder } from "../../src/view/session.js";
import type { Fault } from "./fault.js";

/** A device that takes nothing: every write fails as on a full disk. */
const FULL_DISK = "/dev/full";
const TAKES_ALL = "/dev/null";

/** The recorder of a live run, whose disk may be full. */
export class FaultyRecorder implements SessionRecorder<Run<ThreadsHost>> {
  path = TAKES_ALL;
  readonly #settings: RealTimeOptions;
  #current: RunRecorder | null = null;

  constructor(settings: RealTimeOptions) {
    this.#settings = settings;
  }

  async begin(run: Run<ThreadsHost>, cut: (reason: string) => void): Promise<string> {
    const recorder = await RunRecorder.prepare();
    const facts: HeaderFacts = { throws: 0, title: "faults" };
    const header = headerOf(run, this.#settings, facts);
    await recorder.begin({ path: this.path, header, clock: run.clock, rings: run.host.recordedRings() });
    this.#current = recorder;
    void recorder.cut.then(cut);
    return this.path;
  }

  thrown(result: Parameters<typeof outcomeOf>[0], timeNs: number): void {
    this.#current?.write({ topic: "results", timeNs, ...outcomeOf(result) });
  }

  /** Lets the recorder's thread die of an error. */
  kill(): void {
    this.#current?.write(null as never);
  }

  async end(timeoutMs?: number): Promise<void> {
    const recorder = this.#current;
    this.#current = null;
    await recorder?.end(timeoutMs);
  }
}

/** A full disk, and a recorder that dies: both are reported, and another recording can be begun. */
export function recorderFaults(recorder: FaultyRecorder): Fault[] {
  const common = { names: /recorder/, after: "catches on" } as const;
  const recordsAgain = (): Pick<Fault, "isOver"> => {
    let state: "idle" | "asked" | "over" = "idle";
    return {
      isOver: ({ session }) => {
        if (state !== "idle") return state === "over";
        state = "asked";
        recorder.path = TAKES_ALL;
        session
          .record(true)
          .then(() => session.record(false))
          .then(() => {
            state = "over";
          })
          .catch(() => {
            state = "idle";
          });
        return false;
      },
    };
  };
  return [
    {
      ...common,
      ...recordsAgain(),
      name: "disk full",
      bring: async ({ session }) => {
        recorder.path = FULL_DISK;
        await session.record(true);
      },
    },
    {
      ...common,
      ...recordsAgain(),
      name: "recorder killed",
      bring: async ({ session }) => {
        recorder.path = TAKES_ALL;
        await session.record(true);
        recorder.kill();
      },
    },
  ];
}
