import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../../src/runtime/package-root.js";

/** The robot brakes and the simulation is given back within that [ms]. */
const PATIENCE_MS = 15_000;

/** `flycatcher live --serve` in a process of its own, as a person starts it. */
export class RealService {
  readonly address: string;
  readonly #process: ChildProcess;

  /** Settles when it says where it listens. */
  static start(...options: readonly string[]): Promise<RealService> {
    const command = join(packageRoot, "dist", "bundle", "cli", "main.js");
    const child = spawn(process.execPath, [command, "live", "--serve", "--port", "18080", ...options], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Promise((resolve, reject) => {
      let said = "";
      const read = (text: Buffer): void => {
        said += text.toString();
        const address = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
        if (address !== undefined) resolve(new RealService(child, address));
      };
      child.stdout!.on("data", read);
      child.stderr!.on("data", read);
      child.on("exit", (code) => reject(new Error(`the service ended with ${code}: ${said}`)));
    });
  }

  private constructor(child: ChildProcess, address: string) {
    this.#process = child;
    this.address = address;
  }

  /** As Ctrl-C does; a process that does not end is killed. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGINT");
    const patience = setTimeout(() => this.#process.kill("SIGKILL"), PATIENCE_MS);
    await ended;
    clearTimeout(patience);
  }
}
