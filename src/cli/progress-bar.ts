const WIDTH = 30;

/** A bar that fills while a command works, on stderr and only where somebody watches. */
export class ProgressBar {
  readonly #label: string;
  readonly #out: NodeJS.WriteStream;
  #shown = -1;

  constructor(label: string, out: NodeJS.WriteStream = process.stderr) {
    this.#label = label;
    this.#out = out;
  }

  /** Shows the share done, from 0 to 1. */
  show(share: number): void {
    const percent = Math.floor(100 * share);
    if (!this.#out.isTTY || percent === this.#shown) return;
    this.#shown = percent;
    const filled = Math.round(WIDTH * share);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    this.#out.write(`\r${this.#label} ${bar} ${String(percent).padStart(3)} %`);
  }

  /** Wipes the bar away. */
  clear(): void {
    if (this.#out.isTTY && this.#shown >= 0) this.#out.write("\r\u001b[K");
  }
}
