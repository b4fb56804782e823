import type {
  DriverCapabilities,
  DriverCommand,
  DriverFactory,
  DriverSite,
  DriverState,
  RobotDriver,
} from "./driver.js";

/** Commands kept: half a second at the fastest rate of control. */
const KEPT = 512;

/**
 * A driver that only reads: the device is opened and never started, and no command reaches it. Its joints are reported where a
 * robot would have them that follows commands `delay` [s] late. So a run plans, checks and shows all it would do.
 */
export function dryDriver(create: DriverFactory, delay: number): DriverFactory {
  return (site, options) => new DryDriver(create(site, options), site, delay);
}

class DryDriver implements RobotDriver {
  readonly #device: RobotDriver;
  readonly #delay: number;
  readonly #times = new Float64Array(KEPT).fill(Number.NaN);
  readonly #q: Float64Array[];
  readonly #qd: Float64Array[];
  #newest = -1;
  #fault: "none" | "not started" = "not started";
  /** What a device says that was opened and not started: no fault of a dry run. */
  #usual = "none";

  constructor(device: RobotDriver, { joints }: DriverSite, delay: number) {
    this.#device = device;
    this.#delay = delay;
    const rows = () => Array.from({ length: KEPT }, () => new Float64Array(joints.length));
    this.#q = rows();
    this.#qd = rows();
  }

  get capabilities(): DriverCapabilities {
    return this.#device.capabilities;
  }

  get fault(): string {
    const { fault } = this.#device;
    return fault === this.#usual ? this.#fault : fault;
  }

  get detail(): string {
    return `dry run, nothing is commanded; ${this.#device.detail}`;
  }

  async open(): Promise<void> {
    await this.#device.open();
    this.#usual = this.#device.fault;
  }

  async start(): Promise<void> {
    this.#newest = -1;
    this.#times.fill(Number.NaN);
    this.#fault = "none";
  }

  receive(out: DriverState): boolean {
    if (!this.#device.receive(out)) return false;
    const at = this.#before(out.time - this.#delay);
    if (at >= 0) {
      out.q.set(this.#q[at]!);
      out.qd.set(this.#qd[at]!);
    }
    return true;
  }

  /** The newest command that is not younger; the oldest that is kept if all are; −1 before the first. */
  #before(time: number): number {
    let found = -1;
    for (let back = 0; back < KEPT; back++) {
      const at = (this.#newest - back + KEPT) % KEPT;
      if (this.#newest < 0 || Number.isNaN(this.#times[at]!)) break;
      found = at;
      if (this.#times[at]! <= time) break;
    }
    return found;
  }

  send({ time, q, qd }: DriverCommand): void {
    this.#newest = (this.#newest + 1) % KEPT;
    this.#times[this.#newest] = time;
    this.#q[this.#newest]!.set(q);
    this.#qd[this.#newest]!.set(qd);
  }

  stop(): void {
    this.#fault = "not started";
  }

  close(): Promise<void> {
    return this.#device.close();
  }
}
