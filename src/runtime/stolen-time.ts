import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/** Linux counts in hundredths of a second, whatever its own tick is. */
const TICKS_PER_SECOND = 100;
/** Place of `steal` in the line of all cores: after user, nice, system, idle, iowait, irq and softirq. */
const STEAL = 8;

/**
 * How long cores of this machine had work and did not run, because the machine that hosts it gave them to others: the sum over
 * all cores since it was started [s]. No priority helps against that. null where the system does not tell.
 */
export function stolenSeconds(file = "/proc/stat"): number | null {
  try {
    const line = readFileSync(file, "utf8").split("\n", 1)[0] ?? "";
    const [name, ...counts] = line.split(/\s+/);
    const ticks = Number(counts[STEAL - 1]);
    return name === "cpu" && Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null;
  } catch {
    return null;
  }
}

/** The same from the making of this object on. */
export class StolenTime {
  readonly #begun = performance.now();
  readonly #before = stolenSeconds();

  /** Of all cores together [s]. */
  seconds(): number | null {
    const now = stolenSeconds();
    return now === null || this.#before === null ? null : now - this.#before;
  }

  /** Of the time that the cores would have had. */
  share(): number | null {
    const seconds = this.seconds();
    return seconds === null ? null : seconds / (1e-3 * (performance.now() - this.#begun) * cpus().length);
  }
}
