import { FAR } from "./ur-wire-messages.js";

/** Bytes of a command to the robot's program: eight words of 32 bits, the first six values from the second on, the mode last. */
const COMMAND = 32;
const MODE_AT = 28;
const SET_POINT = 1;
const JOINTS = 6;
const MICRO = 1e6;

/** Looks at the commands on their way to the robot's program. */
export class CommandTap {
  readonly counts = { setPoints: 0, stale: 0, far: 0 };
  /** When the newest true state was measured that the driver has got [ms]. */
  knownMs = performance.now();
  #rest: Buffer = Buffer.alloc(0);
  #isFirst = true;
  readonly #last = new Array<number>(JOINTS).fill(Number.NaN);

  /** A new program begins. */
  begin(): void {
    this.#isFirst = true;
    this.#rest = Buffer.alloc(0);
  }

  /** `standing`: where the robot's joints are [rad]. */
  take(bytes: Buffer, standing: readonly number[], staleMs: number): void {
    let rest = Buffer.concat([this.#rest, bytes]);
    for (; rest.length >= COMMAND; rest = rest.subarray(COMMAND)) {
      if (rest.readInt32BE(MODE_AT) === SET_POINT) this.#judge(rest, standing, staleMs);
    }
    this.#rest = rest;
  }

  #judge(command: Buffer, standing: readonly number[], staleMs: number): void {
    const q = this.#last.map((_, i) => command.readInt32BE(4 + 4 * i) / MICRO);
    this.counts.setPoints++;
    if (this.#isFirst) {
      if (q.some((value, i) => !(Math.abs(value - standing[i]!) <= FAR))) this.counts.far++;
    } else if (performance.now() - this.knownMs > staleMs && q.some((value, i) => value !== this.#last[i])) {
      this.counts.stale++;
    }
    this.#isFirst = false;
    this.#last.splice(0, JOINTS, ...q);
  }
}
