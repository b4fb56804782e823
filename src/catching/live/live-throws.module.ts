import { setTimeout as pause } from "node:timers/promises";
import type { Robot } from "../../robot/robot.js";
import type { RealTimeClock } from "../../runtime/clock.js";
import type { Challenges } from "../../simulation/head-motion/challenges.js";
import type { RobotAddress } from "../../simulation/robot-sim/robot-process.module.js";
import { WorldClient } from "../../simulation/robot-sim/world-client.module.js";
import type { WorldMessage } from "../../simulation/robot-sim/world-protocol.js";
import type { Throw } from "../../simulation/throws.js";
import type { CatchTimes } from "../catch-times.js";
import type { ThrowResult } from "../run-summary.js";
import type { CoordinatorReport } from "./attempt-report.js";
import { liveResult } from "./live-result.js";

type Verdict = Extract<WorldMessage, { type: "verdict" }>;

/** A throw is announced so long before its release [s]. */
const NOTICE = 0.25;
/** Throws are over by then, whatever happens [s]. */
export const LONGEST_THROW = 30;
const POLL_MS = 20;

/** The simulated world's thrower and judge, as a run knows them; times on the run's clock. */
export class LiveThrows {
  readonly #robot: Robot;
  readonly #clock: RealTimeClock;
  readonly #times: CatchTimes;
  readonly #world: WorldClient;
  /** The run's zero on the machine's clock [s]. */
  readonly #zero: number;
  readonly #verdicts = new Map<number, Verdict>();
  readonly #released = new Map<number, number>();

  static async connect(
    address: RobotAddress,
    robot: Robot,
    clock: RealTimeClock,
    times: CatchTimes,
    listener: (message: WorldMessage) => void,
  ): Promise<LiveThrows> {
    const takers: ((message: WorldMessage) => void)[] = [listener];
    const world = await WorldClient.connect(address, (message) => {
      for (const take of takers) take(message);
    });
    const throws = new LiveThrows(robot, clock, times, world);
    takers.push((message) => throws.#hear(message));
    return throws;
  }

  private constructor(robot: Robot, clock: RealTimeClock, times: CatchTimes, world: WorldClient) {
    this.#robot = robot;
    this.#clock = clock;
    this.#times = times;
    this.#world = world;
    this.#zero = Number(clock.origin.monotonicZeroNs) / 1e9;
  }

  #hear(message: WorldMessage): void {
    if (message.type === "released") this.#released.set(message.ball, message.time - this.#zero);
    if (message.type !== "verdict") return;
    this.#verdicts.set(message.ball, { ...message, time: message.time === null ? null : message.time - this.#zero });
  }

  /** Lets a ball go soon, as it is but for its time; the throw as it will be. */
  release({ state, ...rest }: Throw): Throw {
    const ball: Throw = { ...rest, state: { ...state, time: this.#clock.nowSeconds() + NOTICE } };
    const time = this.#zero + ball.state.time + (ball.framePhase * this.#times.framePeriodNs) / 1e9;
    this.#verdicts.delete(ball.id);
    this.#world.throwBall({ ...ball, state: { ...ball.state, time } });
    return ball;
  }

  /** Settles when the world has judged all of these balls, or nothing comes of it. */
  async judged(balls: readonly Throw[]): Promise<void> {
    const end = this.#clock.nowSeconds() + LONGEST_THROW;
    const isOver = () => balls.every(({ id }) => this.#verdicts.has(id));
    while (!isOver() && this.#clock.nowSeconds() < end) await pause(POLL_MS);
  }

  /** What became of a throw, the arms having done about it what they report. */
  resultOf(ball: Throw, arms: CoordinatorReport["arms"]): ThrowResult {
    const none: Verdict = { type: "verdict", ball: ball.id, hand: null, time: null, verdict: null, hold: null };
    const released = this.#released.get(ball.id) ?? ball.state.time;
    return liveResult(this.#robot, ball, released, this.#verdicts.get(ball.id) ?? none, arms);
  }

  /** Takes balls out of the world. */
  remove(balls: readonly Throw[]): void {
    for (const { id } of balls) this.#world.removeBall(id);
  }

  /** Cuts the wire between control and the simulated robot for a while [s]. */
  cutWire(duration: number): void {
    this.#world.cutWire(duration);
  }

  /** Sets the clock by which the simulated robot stamps its states on, or back [s]. */
  jumpClock(offset: number): void {
    this.#world.jumpClock(offset);
  }

  /** How strong the challenges of the simulated robot are from now on. */
  setChallenges(challenges: Partial<Challenges>): void {
    this.#world.setChallenges(challenges);
  }

  close(): void {
    this.#world.close();
  }
}
