import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type HttpAnswer, send } from "./http-request.js";
import type { StoppedRun } from "./stop-latency.js";

const START_MS = 120_000;
/** Longer than an end may take: what is there then is killed [ms]. */
const KILL_MS = 30_000;
const PORT = 18_180;

/** `flycatcher live --serve` in a process of its own, as a person starts it. */
export class ServedRun implements StoppedRun {
  readonly pid: number;
  readonly serviceUrl: string;
  readonly stopUrl: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  /** Settles when the robot waits for balls. `folder`: where recordings are kept. */
  static async start(seed: number, folder: string): Promise<ServedRun> {
    const command = join(packageRoot, "dist", "bundle", "cli", "main.js");
    const robot = ["--robot", "lwr-arm", "--perception", "truth", "--seed", String(seed), "--speed", "1"];
    const child = spawn(process.execPath, [command, "live", "--serve", "--port", String(PORT), ...robot], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const read = (bytes: Buffer): void => {
      said += bytes.toString();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const end = performance.now() + START_MS;
    while (!said.includes("The robot waits for balls")) {
      if (child.exitCode !== null || performance.now() > end) {
        child.kill("SIGKILL");
        throw new Error(`the run did not start: ${said}`);
      }
      await pause(50);
    }
    const serviceUrl = /http:\/\/[\d.]+:\d+/.exec(said)![0];
    const { stop } = JSON.parse((await send(`${serviceUrl}/v1/live`)).text) as { stop: { url: string } };
    return new ServedRun(child, serviceUrl, stop.url, folder);
  }

  private constructor(child: ChildProcess, serviceUrl: string, stopUrl: string, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.pid = child.pid!;
    this.serviceUrl = serviceUrl;
    this.stopUrl = stopUrl;
  }

  get folder(): string {
    return this.#folder;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Of the process [MB]. */
  get memoryMb(): number {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) / 1024;
  }

  get(path: string): Promise<HttpAnswer> {
    return send(`${this.serviceUrl}${path}`);
  }

  post(path: string, body: unknown, method = "POST"): Promise<HttpAnswer> {
    return send(`${this.serviceUrl}${path}`, { method, type: "application/json", body: JSON.stringify(body) });
  }

  /** As Ctrl-C does; how long the process takes to end [ms]. */
  async end(): Promise<number> {
    if (!this.isRunning) return Number.NaN;
    const ended = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    const begun = performance.now();
    this.#child.kill("SIGINT");
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), KILL_MS);
    await ended;
    clearTimeout(patience);
    return performance.now() - begun;
  }
}

/** Runs `work` beside processes that use all the time they get. */
export async function besideBusyProcesses<T>(count: number, work: () => Promise<T>): Promise<T> {
  const busy = Array.from({ length: count }, () => spawn(process.execPath, ["-e", "for(;;);"], { stdio: "ignore" }));
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
}
