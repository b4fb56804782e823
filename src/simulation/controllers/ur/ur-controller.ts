import { UrArm } from "./ur-arm.js";
import { UR_JOINTS, UrRobotMode, UrRuntimeState, UrSafetyMode } from "./ur-modes.js";
import { readParameters, UrProgram, type UrProgramEnd } from "./ur-program.js";

export interface UrControllerOptions {
  /** Where the joints stand at first [rad]. [6] */
  readonly start: Float64Array;
  /** Limits of the joints [rad, rad/s]. [6] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  /** The controller's period [s]: 2 ms, CB3 8 ms; and the time between two calls of `advance` [s]. */
  readonly period: number;
  readonly timestep: number;
}

/** What the controller's sockets do for it. */
export interface UrControllerObserver {
  /** A program wants its commands from there. */
  connect(host: string, port: number, program: UrProgram): void;
  /** A program has ended: its connection is closed. */
  disconnect(): void;
  /** What the primary interface sends: code, argument, level (2 warning, 3 violation), text. */
  error(code: number, argument: number, level: number, text: string): void;
}

/** Since the controller's start [s]: below 40 s a client must wait. */
const BOOTED = 100;
/** A protective stop can be released after so long [s]. */
const RELEASE_AFTER = 5;
/** Deceleration of a protective or emergency stop [rad/s²]. Chosen. */
const STOP_DECELERATION = 25;
/** How far a joint may be behind what it was sent to [rad]. Chosen. */
const DEVIATION = 0.35;
/** Error codes of the primary interface: a program that may not be run, a joint that deviates, one at its limit. */
const codes = { readOnly: 210, deviation: 153, range: 191 } as const;

/**
 * Controller of a Universal Robots arm, without sockets and clock: power, brakes, safety, the slider, and the program that
 * leads the joints. `advance` is called once a time step and leaves in `arm` where the joints are sent to.
 */
export class UrController {
  robotMode: UrRobotMode = UrRobotMode.running;
  safetyMode: UrSafetyMode = UrSafetyMode.normal;
  /** Programs of the network are accepted in remote control alone. */
  isRemote = true;
  /** Time since its start [s]. */
  time = BOOTED;
  program: UrProgram | null = null;
  /** How the last program ended. */
  programEnd: UrProgramEnd | null = null;
  readonly arm: UrArm;
  readonly #options: UrControllerOptions;
  readonly #observer: UrControllerObserver;
  readonly #ticksPerPeriod: number;
  #ticks = 0;
  #stoppedAt = Number.NEGATIVE_INFINITY;

  constructor(options: UrControllerOptions, observer: UrControllerObserver) {
    const { start, maxVelocity, timestep, period } = options;
    this.#options = options;
    this.#observer = observer;
    this.#ticksPerPeriod = Math.max(1, Math.round(period / timestep));
    this.arm = new UrArm({ start, maxVelocity, timestep });
  }

  get runtimeState(): UrRuntimeState {
    if (this.program !== null) return UrRuntimeState.playing;
    return this.arm.isStanding ? UrRuntimeState.stopped : UrRuntimeState.stopping;
  }

  /** What the limiter applies: nothing moves in a stop. */
  get speedScaling(): number {
    return this.safetyMode === UrSafetyMode.normal ? this.arm.speedFraction : 0;
  }

  get canRun(): boolean {
    return this.robotMode === UrRobotMode.running && this.safetyMode === UrSafetyMode.normal;
  }

  /** A text of the primary interface: a program that is run at once, or `stop program`. */
  runScript(text: string): void {
    if (/^\s*stop program\s*$/.test(text)) {
      this.stopProgram();
      return;
    }
    if (!this.isRemote) {
      this.#observer.error(codes.readOnly, 0, 2, "Socket is read-only when the robot is in local mode");
      return;
    }
    const parameters = readParameters(text);
    if (parameters === null || !this.canRun) return;
    this.stopProgram();
    this.program = new UrProgram(parameters, this.arm, this.#options.period);
    this.#observer.connect(parameters.host, parameters.reversePort, this.program);
  }

  stopProgram(): void {
    this.program?.stop("asked");
    this.#endProgram();
  }

  #endProgram(): void {
    if (this.program === null || this.program.end === null) return;
    this.programEnd = this.program.end;
    this.program = null;
    this.#observer.disconnect();
  }

  /** One time step; `measured` is where the joints are [rad]. */
  advance(measured: Float64Array): void {
    this.time += this.#options.timestep;
    if (this.canRun) this.#watch(measured);
    if (this.#ticks++ % this.#ticksPerPeriod === 0) this.program?.step();
    this.#endProgram();
    this.arm.advance();
  }

  #watch(measured: Float64Array): void {
    const { lower, upper } = this.#options;
    for (let i = 0; i < UR_JOINTS; i++) {
      if (!(measured[i]! >= lower[i]! && measured[i]! <= upper[i]!)) {
        this.protectiveStop(codes.range, i);
        return;
      }
      if (!(Math.abs(measured[i]! - this.arm.q[i]!) <= DEVIATION)) {
        this.protectiveStop(codes.deviation, i);
        return;
      }
    }
  }

  /** Brakes; the program ends, and nothing runs until the stop is released. */
  protectiveStop(code: number = codes.deviation, joint = 0): void {
    if (this.safetyMode === UrSafetyMode.robotEmergencyStop) return;
    this.#stop(UrSafetyMode.protectiveStop);
    this.#observer.error(code, joint, 2, `Protective stop: joint ${joint}`);
  }

  /** The button is pressed, or turned back. */
  emergencyStop(isPressed: "pressed" | "released"): void {
    if (isPressed === "pressed") {
      this.#stop(UrSafetyMode.robotEmergencyStop);
    } else if (this.safetyMode === UrSafetyMode.robotEmergencyStop) {
      this.safetyMode = UrSafetyMode.normal;
      this.robotMode = UrRobotMode.powerOff;
    }
  }

  #stop(mode: UrSafetyMode): void {
    this.stopProgram();
    this.safetyMode = mode;
    this.#stoppedAt = this.time;
    this.arm.stop(STOP_DECELERATION);
  }

  /** Whether a protective stop was released. */
  unlock(): boolean {
    if (this.safetyMode !== UrSafetyMode.protectiveStop || this.time - this.#stoppedAt < RELEASE_AFTER) return false;
    this.safetyMode = UrSafetyMode.normal;
    return true;
  }

  powerOn(): boolean {
    if (this.safetyMode !== UrSafetyMode.normal) return false;
    if (this.robotMode === UrRobotMode.powerOff) this.robotMode = UrRobotMode.idle;
    return true;
  }

  releaseBrakes(): boolean {
    if (this.robotMode === UrRobotMode.powerOff) return false;
    this.robotMode = UrRobotMode.running;
    return true;
  }

  powerOff(): void {
    this.stopProgram();
    this.arm.stop(STOP_DECELERATION);
    this.robotMode = UrRobotMode.powerOff;
  }
}
