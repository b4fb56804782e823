import type { ThrowResult } from "../../../src/catching/run-summary.js";
import type { Robot } from "../../../src/robot/robot.js";
import { LockStepRun } from "../../../src/run/lock-step-run.js";
import { createPosePacket, type PosePacket } from "../../../src/view/pose-packet.js";
import type { StageMessage } from "../../../src/view/stage-messages.js";
import { View } from "../../../src/view/view.js";
import { viewPorts } from "../../../src/view/view-ports.js";

/** Something a page is told at its time [s]. */
export type Told = { readonly time: number } & ({ readonly message: StageMessage } | { readonly pose: PosePacket });

/** One throw, with all that was told about it, and what became of it. */
export interface Rehearsed {
  readonly told: readonly Told[];
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
export class Rehearsal {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly #run: LockStepRun;
  readonly #view: View;
  #told: Told[] = [];
  #nextPose = 0;
  #nextState = 0;

  static async create(robot: Robot, seed: number): Promise<Rehearsal> {
    const perception = robot.stereo === undefined ? "points" : "circles";
    let rehearsal: Rehearsal | null = null;
    const onTick = (nowNs: number): void => rehearsal?.tick(nowNs);
    const run = await LockStepRun.create({ robot, world: "kinematic", perception, balls: 2, seed, onTick });
    rehearsal = new Rehearsal(robot, run);
    run.advance();
    return rehearsal;
  }

  private constructor(robot: Robot, run: LockStepRun) {
    this.robot = robot;
    this.#run = run;
    this.arms = run.arms.map(({ group }) => group.name);
    this.#view = new View(robot, run.parts, viewPorts(run), {
      publish: (message) => this.#tell(message),
      show: () => undefined,
    });
  }

  /** Throws balls of the seed's series and sees them through. */
  async throwBalls(ids: readonly number[]): Promise<Rehearsed> {
    const begin = this.#run.nowNs / 1e9;
    this.#told = [];
    const results = await this.#run.throwBalls(ids);
    return { told: this.#told, begin, end: this.#run.nowNs / 1e9, results };
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
      this.#told.push({ time, pose: this.waiting() });
    }
    if (time < this.#nextState && !this.#view.hasNewState) return;
    this.#nextState = time + STATE_PERIOD;
    const state = this.#view.state(time);
    if (state !== null) this.#tell(state);
    this.#tell(this.#view.safety(time));
  }

  #tell(message: StageMessage): void {
    this.#told.push({ time: "time" in message ? message.time : this.#run.nowNs / 1e9, message });
  }
}
