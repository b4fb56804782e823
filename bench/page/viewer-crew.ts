import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { packageRoot } from "../../src/runtime/package-root.js";

/** Viewers in a process of their own, as many as one likes at a time. */
export class ViewerCrew {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(address: string) {
    const program = join(packageRoot, "dist", "bench", "page", "viewers.js");
    this.#child = spawn(process.execPath, [program, address], { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Settles when so many look on; the bytes that all have received until then. */
  async become(viewers: number): Promise<number> {
    this.#child.stdin.write(`${viewers}\n`);
    const { value } = await this.#answers.next();
    return (JSON.parse(String(value)) as { bytes: number }).bytes;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end();
    await ended;
  }
}
