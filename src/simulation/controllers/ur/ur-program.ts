import type { UrArm } from "./ur-arm.js";
import { UR_JOINTS } from "./ur-modes.js";

/** What a program says of itself at its top, a line each: `FLY_REVERSE_PORT = 50001`. */
export interface UrProgramParameters {
  /** Where the program connects to for its commands. */
  readonly host: string;
  readonly reversePort: number;
  readonly lookahead: number;
  readonly gain: number;
  readonly scale: number;
  /** A set-point that needs more than this is refused [rad/s]. */
  readonly maxSpeed: number;
}

/** Reads the parameters of our own URScript; null if a text is not one. The rest of the text is not interpreted. */
export function readParameters(text: string): UrProgramParameters | null {
  const host = /^\s*FLY_HOST = "([0-9A-Za-z.:-]{1,255})"\s*$/m.exec(text)?.[1];
  const value = (name: string) => Number(new RegExp(`^\\s*FLY_${name} = ([-+0-9.e]{1,24})\\s*$`, "m").exec(text)?.[1]);
  const reversePort = value("REVERSE_PORT");
  const [lookahead, gain, scale, maxSpeed] = [value("LOOKAHEAD"), value("GAIN"), value("SCALE"), value("MAX_SPEED")];
  const isPort = Number.isInteger(reversePort) && reversePort > 0 && reversePort < 65536;
  const isServo = lookahead >= 0.03 && lookahead <= 0.2 && gain >= 100 && gain <= 2000;
  if (host === undefined || !isPort || !isServo || !(scale > 0) || !(maxSpeed > 0)) return null;
  return { host, reversePort, lookahead, gain, scale, maxSpeed };
}

/** Words of a command: time-out of the next read [ms], six values, mode. */
const WORDS = 8;
const COMMAND_BYTES = 4 * WORDS;
/** Commands that wait at most; a peer that sends more is not ours. */
const MOST_WAITING = 256;
const Mode = { stop: -2, idle: 0, servo: 1, speed: 2 } as const;
/** Modes with motion: a time-out of 0 is not accepted in them, and none is longer [s]. */
const LONGEST_TIMEOUT = 0.2;
/** Steps for which a set-point goes on at its speed when none comes. */
const EXTRAPOLATED_STEPS = 3;
/** Of `stopj` at the end [rad/s²]. */
const STOP_DECELERATION = 4;
/** A set-point as near to where the joints are is never too fast [rad]. */
const NEAR = 0.02;

/** Why a program has ended. */
export type UrProgramEnd = "asked" | "time-out" | "connection closed" | "command unknown" | "connection refused";

/**
 * What the controller does when it runs our program: reads a command of 32 bytes a step, moves the joints by `servoj` or
 * `speedj`, goes on for three steps when no set-point comes, refuses one that is too fast, and stops when the time-out is over.
 */
export class UrProgram {
  readonly parameters: UrProgramParameters;
  end: UrProgramEnd | null = null;
  /** Set-points refused, and steps without a set-point: output registers 24 and 25. */
  refused = 0;
  extrapolated = 0;
  readonly #arm: UrArm;
  readonly #period: number;
  readonly #waiting: Uint8Array = new Uint8Array(MOST_WAITING * COMMAND_BYTES);
  #waitingBytes = 0;
  /** Time-out of the next read [s]; 0: none. */
  #timeout = 0;
  #waited = 0;
  #mode: number = Mode.idle;
  /** The newest set-point of the peer, and where `servoj` is sent to. */
  readonly #commanded = new Float64Array(UR_JOINTS);
  readonly #setPoint = new Float64Array(UR_JOINTS);
  readonly #velocity = new Float64Array(UR_JOINTS);
  #stepsWithout = 0;
  readonly #values = new Float64Array(UR_JOINTS);

  constructor(parameters: UrProgramParameters, arm: UrArm, period: number) {
    this.parameters = parameters;
    this.#arm = arm;
    this.#period = period;
    arm.lookahead = parameters.lookahead;
  }

  /** Bytes from the reverse connection, in whatever pieces. */
  receive(bytes: Uint8Array): void {
    if (this.end !== null) return;
    if (this.#waitingBytes + bytes.length > this.#waiting.length) {
      this.stop("command unknown");
      return;
    }
    this.#waiting.set(bytes, this.#waitingBytes);
    this.#waitingBytes += bytes.length;
  }

  stop(end: UrProgramEnd): void {
    if (this.end !== null) return;
    this.end = end;
    this.#arm.stop(STOP_DECELERATION);
  }

  /** Once a period of the controller. */
  step(): void {
    if (this.end !== null) return;
    const hasCome = this.#takeCommands();
    if (this.end !== null) return;
    this.#waited = hasCome ? 0 : this.#waited + this.#period;
    if (this.#timeout > 0 && this.#waited > this.#timeout) {
      this.stop("time-out");
      return;
    }
    if (this.#mode === Mode.servo) this.#goOn(hasCome);
    else if (this.#mode === Mode.speed) this.#turn();
    if (this.#mode !== Mode.idle) this.#arm.servo(this.#setPoint);
  }

  #takeCommands(): boolean {
    const view = new DataView(this.#waiting.buffer);
    let at = 0;
    for (; at + COMMAND_BYTES <= this.#waitingBytes && this.end === null; at += COMMAND_BYTES) this.#take(view, at);
    this.#waiting.copyWithin(0, at, this.#waitingBytes);
    this.#waitingBytes -= at;
    return at > 0;
  }

  #take(view: DataView, at: number): void {
    const mode = view.getInt32(at + 28);
    if (mode === Mode.stop) {
      this.stop("asked");
      return;
    }
    if (mode !== Mode.idle && mode !== Mode.servo && mode !== Mode.speed) {
      this.stop("command unknown");
      return;
    }
    const timeout = view.getInt32(at) / 1e3;
    this.#timeout = mode === Mode.idle ? Math.max(0, timeout) : clampTimeout(timeout, this.#period);
    for (let i = 0; i < UR_JOINTS; i++) this.#values[i] = view.getInt32(at + 4 + 4 * i) / this.parameters.scale;
    if (mode !== this.#mode) this.#begin(mode);
    if (mode === Mode.servo) this.#takeSetPoint();
    else if (mode === Mode.speed) this.#velocity.set(this.#values);
  }

  /** A new mover begins where the joints are. */
  #begin(mode: number): void {
    this.#mode = mode;
    this.#commanded.set(this.#arm.q);
    this.#setPoint.set(this.#arm.q);
    this.#velocity.fill(0);
    this.#stepsWithout = 0;
    if (mode === Mode.idle) this.#arm.stop(STOP_DECELERATION);
  }

  #takeSetPoint(): void {
    const time = (this.#stepsWithout + 1) * this.#period;
    for (let i = 0; i < UR_JOINTS; i++) {
      const isNear = Math.abs(this.#values[i]! - this.#arm.q[i]!) <= NEAR;
      const speed = Math.abs(this.#values[i]! - this.#commanded[i]!) / time;
      if (isNear || speed <= this.parameters.maxSpeed) continue;
      this.refused++;
      return;
    }
    for (let i = 0; i < UR_JOINTS; i++) this.#velocity[i] = (this.#values[i]! - this.#commanded[i]!) / time;
    this.#commanded.set(this.#values);
    this.#setPoint.set(this.#values);
    this.#stepsWithout = 0;
  }

  #goOn(hasCome: boolean): void {
    if (hasCome || this.#stepsWithout >= EXTRAPOLATED_STEPS) return;
    this.#stepsWithout++;
    this.extrapolated++;
    this.#turn();
  }

  #turn(): void {
    for (let i = 0; i < UR_JOINTS; i++) this.#setPoint[i] = this.#setPoint[i]! + this.#velocity[i]! * this.#period;
  }
}

function clampTimeout(timeout: number, period: number): number {
  return Math.min(LONGEST_TIMEOUT, Math.max(period, timeout));
}
