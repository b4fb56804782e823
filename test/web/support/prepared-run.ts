import type { ThrowResult } from "../../../src/catching/run-summary.js";
import type { PageMessage } from "../../../src/messages/page.js";
import type { Robot } from "../../../src/robot/robot.js";
import { type LockStepHost, lockStepRun } from "../../../src/run/lock-step-host.js";
import type { Run } from "../../../src/run/run.js";
import { createPosePacket, type PosePacket } from "../../../src/view/pose-packet.js";
import { View } from "../../../src/view/view.js";
import { viewPorts } from "../../../src/view/view-ports.js";

/** Something a page gets at its time [s]. */
export type TimedItem = { readonly time: number } & ({ readonly message: PageMessage } | { readonly pose: PosePacket });

/** One throw, with all that was published about it, and what became of it. */
export interface PreparedThrow {
  readonly items: readonly TimedItem[];
  readonly begin: number;
  readonly end: number;
  readonly results: readonly ThrowResult[];
}

/** A pose every sixtieth of a second, distances and states every tenth [s]. */
const POSE_PERIOD = 1 / 60;
const STATE_PERIOD = 0.1;

/**
 * Catches balls in lock-step ahead of time, and keeps what a live run would have published: the page's tests play it back in
 * real time, so that they need neither images nor a second thread.
 */
export class PreparedRun {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly #run: Run<LockStepHost>;
  readonly #view: View;
  #items: TimedItem[] = [];
  #nextPose = 0;
  #nextState = 0;

  static async create(robot: Robot, seed: number): Promise<PreparedRun> {
    const perception = robot.stereo === undefined ? "points" : "circles";
    let prepared: PreparedRun | null = null;
    const onTick = (nowNs: number): void => prepared?.tick(nowNs);
    const run = await lockStepRun({ robot, world: "kinematic", perception, balls: 2, seed, onTick });
    prepared = new PreparedRun(robot, run);
    run.host.advance();
    return prepared;
  }

  private constructor(robot: Robot, run: Run<LockStepHost>) {
    this.robot = robot;
    this.#run = run;
    this.arms = run.arms;
    this.#view = new View(robot, run.parts, viewPorts(run), {
      publish: (message) => this.#publish(message),
      publishImage: () => undefined,
    });
  }

  /** Throws balls of the seed's series and sees them through. */
  async throwBalls(ids: readonly number[]): Promise<PreparedThrow> {
    const begin = this.#run.nowNs / 1e9;
    this.#items = [];
    const results = await this.#run.throwBalls(ids);
    return { items: this.#items, begin, end: this.#run.nowNs / 1e9, results };
  }

  /** The robot as it waits. */
  waiting(): PosePacket {
    const packet = createPosePacket(this.robot.model.dofCount, this.robot.hands.length);
    this.#view.pose(this.#run.nowNs, packet);
    return packet;
  }

  /** After each tick of the run. */
  tick(nowNs: number): void {
    const time = nowNs / 1e9;
    this.#view.poll(nowNs);
    if (time >= this.#nextPose) {
      this.#nextPose = time + POSE_PERIOD;
      this.#items.push({ time, pose: this.waiting() });
    }
    if (time < this.#nextState && !this.#view.hasNewState) return;
    this.#nextState = time + STATE_PERIOD;
    const state = this.#view.state(time);
    if (state !== null) this.#publish(state);
    this.#publish(this.#view.safety(time));
  }

  #publish(message: PageMessage): void {
    this.#items.push({ time: "time" in message ? message.time : this.#run.nowNs / 1e9, message });
  }
}
