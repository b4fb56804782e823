import type { WarmUpProgress } from "../runtime/warm-up.js";
import { ProgressBar } from "./terminal.js";

/** Shows on the standard error stream how far a start has come, and then how long it took. */
export class StartProgress {
  readonly #out: NodeJS.WriteStream;
  readonly #bar: ProgressBar;
  readonly #begun = performance.now();

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#bar = new ProgressBar("Warming up", out);
  }

  readonly show = ({ share, parts }: WarmUpProgress): void => {
    if (share < 1) {
      this.#bar.show(share, parts.join(", "));
      return;
    }
    this.#bar.clear();
    this.#out.write(`Warmed up in ${((performance.now() - this.#begun) / 1e3).toFixed(1)} s.\n`);
  };
}
