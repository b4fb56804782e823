import type { ThrowResult } from "../catching/run-summary.js";
import type { RemoveBall, ThrowBall } from "../messages/world.js";
import type { RunClock } from "../runtime/clock.js";
import type { Throw } from "../simulation/throws.js";
import type { OutPort } from "../transport/port.js";
import { poll } from "./poll.js";
import type { RealTimeTaps } from "./real-time-taps.js";

/** A throw is announced so long before its release [s]. */
const NOTICE = 0.25;
/** Throws are over by then, whatever happens [s]. */
export const LONGEST_THROW = 30;

export interface RealTimeThrowsOptions {
  readonly clock: RunClock;
  readonly taps: RealTimeTaps;
  readonly throws: OutPort<ThrowBall>;
  readonly removals: OutPort<RemoveBall>;
  readonly framePeriodNs: number;
}

/** Throws balls in a run in real time, and sees them through. */
export class RealTimeThrows {
  readonly #options: RealTimeThrowsOptions;

  constructor(options: RealTimeThrowsOptions) {
    this.#options = options;
  }

  /** Settles when the robot waits for balls and looks where they come from; false if it does not come to that in `timeout` [s]. */
  async waits(timeout = LONGEST_THROW): Promise<boolean> {
    return (await poll(1e3 * timeout, () => (this.#options.taps.isWaiting ? true : null))) !== null;
  }

  /** Throws balls when the robot waits, all at once; settles when all is over. */
  async throwAll(balls: readonly Throw[]): Promise<ThrowResult[]> {
    const { taps, removals, clock } = this.#options;
    const { record, released } = taps;
    await this.waits();
    record.forget();
    const thrown = balls.map((ball) => this.#release(ball));
    await poll(1e3 * LONGEST_THROW, () => (thrown.every(({ id }) => record.isJudged(id)) ? true : null));
    const results = thrown.map((ball) => {
      const time = released.get(ball.id) ?? ball.state.time;
      return record.result({ ...ball, state: { ...ball.state, time } });
    });
    await this.waits();
    for (const { id } of thrown) removals.put({ id }, clock.nowNs());
    return results;
  }

  /** Lets a ball go soon, as it is but for its time; the throw as it will be. */
  #release(ball: Throw): Throw {
    const { clock, throws, framePeriodNs } = this.#options;
    const phase = (ball.framePhase * framePeriodNs) / 1e9;
    const state = { ...ball.state, time: clock.nowSeconds() + NOTICE + phase };
    throws.put({ ...ball, state, bounce: ball.bounce ?? null }, clock.nowNs());
    return { ...ball, state };
  }
}
