import type { MotionPlan } from "../control/motion-execution.js";
import type { Motion } from "../messages/planning.js";
import type { CameraSide } from "../messages/sensing.js";
import type { RunClock } from "../runtime/clock.js";
import type { ControllerEvent } from "../simulation/controllers/robot-end.js";
import { InjectedFaults } from "../simulation/injected-faults.js";
import type { WorldClient } from "../simulation/robot-sim/world-client.module.js";
import type { OutPort } from "../transport/port.js";
import type { ThreadsExecutor } from "../transport/threads-executor.js";

/** What faults are brought about in. */
export interface FaultTargets {
  readonly clock: RunClock;
  readonly executor: ThreadsExecutor;
  readonly motions: OutPort<Motion>;
  readonly world: () => WorldClient;
  /** The simulated robot's process, if it is ours. */
  readonly robotPid: () => number | null;
}

/** Brings faults about in a run in real time, for tests and demonstrations of what follows. */
export class RealTimeFaults {
  /** For the simulated sensors. */
  readonly memory = InjectedFaults.memory();
  readonly #sensors = new InjectedFaults(this.memory);
  readonly #targets: FaultTargets;

  constructor(targets: FaultTargets) {
    this.#targets = targets;
  }

  /** Ends the thread of a placement amid its work. */
  killPart(placement: string): void {
    this.#targets.executor.kill(placement);
  }

  /** Lets the thread of a placement use up its memory. */
  exhaustPart(placement: string): void {
    this.#targets.executor.exhaust(placement);
  }

  /** Lets the thread of a placement stand still for a while [s]. */
  hangPart(placement: string, duration: number): void {
    this.#targets.executor.hang(placement, duration);
  }

  /** Lets each step of a placement take `delay` longer for a while [s]. */
  slowPart(placement: string, delay: number, duration: number): void {
    this.#targets.executor.slow(placement, delay, duration);
  }

  /** Ends the planner of an arm amid its work. */
  killPlanner(arm: string): void {
    this.killPart(`planner-${arm}`);
  }

  /** Cuts the wire to the simulated robot for a while [s]. */
  cutWire(duration: number): void {
    this.#targets.world().cutWire(duration);
  }

  /** Lets a camera's picture stand still for a while [s]: frames come, and show what the last one did. */
  freezeCamera(side: CameraSide, duration: number): void {
    this.#sensors.freezeCamera(side, this.#targets.clock.nowSeconds() + duration);
  }

  /** Keeps the IMU silent for a while [s]. */
  silenceImu(duration: number): void {
    this.#sensors.silenceImu(this.#targets.clock.nowSeconds() + duration);
  }

  /** Sets the clock by which the simulated robot stamps its states on, or back, by `offset` [s]. */
  jumpClock(offset: number): void {
    this.#targets.world().jumpClock(offset);
  }

  /** Lets something happen at the simulated robot's controller: a protective stop, the speed slider. */
  atController(event: ControllerEvent): void {
    this.#targets.world().happen(event);
  }

  /** Ends the process of the simulated robot, or stops it amid its work as `SIGSTOP` does, or lets it go on. */
  signalRobot(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    const pid = this.#targets.robotPid();
    if (pid !== null) process.kill(pid, signal);
  }

  /** Sends control a motion that catching knows nothing of. */
  injectPlan(part: string, { id, tStart, ramps, closeHandAt }: MotionPlan): void {
    const { motions, clock } = this.#targets;
    const closing = Number.isFinite(closeHandAt) ? closeHandAt : null;
    const facts = { track: -1, tCatch: null, objective: null, isInjected: true };
    motions.put({ part, id, tStart, ramps, closeHandAt: closing, ...facts }, clock.nowNs());
  }
}
