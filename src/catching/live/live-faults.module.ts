import type { MotionPlan } from "../../control/motion-execution.js";
import { plainMotion, writePlan } from "../../control/plan-codec.module.js";
import type { MotionPart } from "../../control/robot-motion.js";
import type { RunClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { InjectedFaults } from "../../simulation/injected-faults.js";
import type { CoordinatorClient } from "./coordinator-client.module.js";
import type { LiveChannels } from "./live-channels.module.js";
import type { LiveThrows } from "./live-throws.module.js";
import type { PartThreads } from "./part-threads.module.js";
import type { CameraSide } from "./simulated-camera.js";

/** What faults are brought about in. */
export interface FaultTargets {
  readonly clock: RunClock;
  readonly channels: LiveChannels;
  readonly parts: readonly MotionPart[];
  readonly threads: PartThreads;
  readonly coordinator: CoordinatorClient;
  readonly throws: () => LiveThrows;
}

/** Brings faults about in a live run, to see what it makes of them. */
export class LiveFaults {
  /** For the simulated sensors. */
  readonly memory = InjectedFaults.memory();
  readonly #sensors = new InjectedFaults(this.memory);
  readonly #targets: FaultTargets;

  constructor(targets: FaultTargets) {
    this.#targets = targets;
  }

  /** Ends a part's thread amid its work; `name` as in "seeing". */
  killPart(name: string): void {
    this.#targets.threads.kill(name);
  }

  /** Ends the planner of an arm amid its work. */
  killPlanner(arm: string): void {
    this.#targets.coordinator.killPlanner(arm);
  }

  /** Cuts the wire to the simulated robot for a while [s]. */
  cutWire(duration: number): void {
    this.#targets.throws().cutWire(duration);
  }

  /** Lets a camera's picture stand still for a while [s]: frames come, and show what the last one did. */
  freezeCamera(side: CameraSide, duration: number): void {
    this.#sensors.freezeCamera(side, this.#targets.clock.nowSeconds() + duration);
  }

  /** Lets the IMU tell nothing for a while [s]. */
  silenceImu(duration: number): void {
    this.#sensors.silenceImu(this.#targets.clock.nowSeconds() + duration);
  }

  /** Sets the clock by which the simulated robot stamps its states on, or back, by `offset` [s]. */
  jumpClock(offset: number): void {
    this.#targets.throws().jumpClock(offset);
  }

  /** Sends control a motion behind the coordinator's back. */
  injectPlan(part: string, plan: MotionPlan): void {
    const { parts, channels } = this.#targets;
    const motionPart = parts.find(({ name }) => name === part);
    if (motionPart === undefined) throw new FlycatcherError("FLY_INTERNAL", `the robot has no part ${part}`);
    const port = channels.plans.openPutPort();
    writePlan(motionPart, plan, plainMotion, port.reserve());
    port.publish();
    port.close();
  }
}
