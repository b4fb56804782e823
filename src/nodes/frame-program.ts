import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** What a program has to say while it runs. */
export interface FrameProgramObserver {
  readonly bytes: (bytes: Buffer) => void;
  readonly closed: (code: number | null) => void;
}

/** Longest complaint of a program that is kept [characters]. */
const LONGEST_COMPLAINT = 500;
/** Longest beginning of a log that is looked through for the base time [characters]. */
const LONGEST_LOG = 100_000;
/** GStreamer's log of the zero of its time stamps on the machine's monotonic clock: hours, minutes, seconds, nanoseconds. */
const BASE_TIME = /\bbase_time (\d+):(\d\d):(\d\d)\.(\d{9})/;

/** A program that writes frames to its standard output, in a process group of its own: a shell's children end with it. */
export class FrameProgram {
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  #complaint = "";
  #log = "";
  /** Zero of the stamps on the machine's monotonic clock [ns]; null: the program has not said it. */
  baseNs: number | null = null;

  constructor(command: string, observer: FrameProgramObserver) {
    const env = environmentFor(command);
    this.#process = spawn(command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"], env });
    this.#process.stdout.on("data", observer.bytes);
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.#process.on("error", () => undefined);
    this.#process.on("close", observer.closed);
  }

  /** The last line that it wrote to its standard error, its log left out. */
  get complaint(): string {
    const lines = this.#complaint.trim().split("\n");
    return lines.filter((line) => !/ (DEBUG|INFO|LOG) /.test(line) && !BASE_TIME.test(line)).at(-1) ?? "";
  }

  #read(text: string): void {
    this.#complaint = (this.#complaint + text).slice(-LONGEST_COMPLAINT);
    if (this.baseNs !== null || this.#log.length > LONGEST_LOG) return;
    this.#log += text;
    const found = BASE_TIME.exec(this.#log);
    if (found === null) return;
    const [hours, minutes, seconds, nanoseconds] = found.slice(1).map(Number) as [number, number, number, number];
    this.baseNs = 1e9 * (3600 * hours + 60 * minutes + seconds) + nanoseconds;
    this.#log = "";
  }

  end(): void {
    const { pid, stdout } = this.#process;
    if (pid === undefined) return;
    stdout.destroy();
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  }
}

/** GStreamer says the zero of its time stamps in the log of its pipeline alone. Stamps of `aravissrc` are the camera's own. */
function environmentFor(command: string): NodeJS.ProcessEnv {
  const isAsked = /\bgst-launch/.test(command) && !/\bGST_DEBUG=/.test(command) && process.env.GST_DEBUG === undefined;
  const isOwnClock = /\baravissrc\b/.test(command) && !/\bdo-timestamp=(true|1)\b/.test(command);
  if (!isAsked || isOwnClock) return process.env;
  return { ...process.env, GST_DEBUG: "pipeline:5", GST_DEBUG_NO_COLOR: "1" };
}
