import { nameOf } from "../../runtime/name-of.js";
import { FINGERPRINT_SIZE, type Frame, FrameKind, isNewer } from "./frame.js";

/** What the robot does about its client. */
export const RobotMode = {
  /** Nobody is there. */
  idle: 0,
  /** Somebody listens; nothing he says moves a joint yet. */
  monitor: 1,
  /** Follows commands. */
  command: 2,
  /** Has braked, or is braking, and waits for a reset. */
  fault: 3,
} as const;
export type RobotMode = (typeof RobotMode)[keyof typeof RobotMode];

/** Why the robot went to `fault`. */
export const RobotFault = {
  none: 0,
  /** Too many cycles in a row without a command. */
  silence: 1,
  /** A command that no joint could follow: farther away than its speed allows. */
  jump: 2,
  /** A command with a number that is not finite. */
  notFinite: 3,
} as const;
export type RobotFault = (typeof RobotFault)[keyof typeof RobotFault];

export function faultName(fault: RobotFault): keyof typeof RobotFault {
  return nameOf(RobotFault, fault) ?? "none";
}

/** What the robot's own controller is to do in this cycle. */
export const RobotAction = {
  /** Stand still; a joint that still moves is stopped first, at its greatest deceleration. */
  hold: 0,
  /** Take `target` and `targetVelocity`. */
  follow: 1,
  /** Go on as in the last command, at its velocity: the next one is late. */
  extrapolate: 2,
  /** Stop every joint at its greatest deceleration. */
  brake: 3,
} as const;
export type RobotAction = (typeof RobotAction)[keyof typeof RobotAction];

export interface RobotSessionOptions {
  /** Degrees of freedom. */
  readonly count: number;
  readonly fingerprint: Uint8Array;
  /** Farthest a joint may be sent in one cycle [rad or m]: its speed limit times the cycle, and a little. [count] */
  readonly maxStep: Float64Array;
  /** Cycles in a row that may pass without a command before the robot brakes. */
  readonly missedCycles: number;
  /** Cycles without any frame after which the client counts as gone. */
  readonly goneCycles: number;
}

/**
 * The robot's side of the cyclic protocol, without sockets and clocks: frames come in as they arrive, `cycle` is called
 * once per control cycle of the robot and says what to do. It trusts nobody: a client that falls silent, jumps or talks
 * nonsense makes the robot brake, and it follows again only after a reset and a command that begins where it stands.
 */
export class RobotSession {
  mode: RobotMode = RobotMode.idle;
  fault: RobotFault = RobotFault.none;
  /** Number of the session; another one for each client. */
  session = 0;
  /** Cycles in a row without a usable command. */
  missed = 0;
  /** What to follow, and how fast it moves [rad/s or m/s]. */
  readonly target: Float64Array;
  readonly targetVelocity: Float64Array;
  /** Frames put aside: of another session, of another robot, older than one seen before. */
  readonly refused = { session: 0, fingerprint: 0, stale: 0 };
  /** Frames with a right sequence number that never came. */
  lost = 0;

  readonly #options: RobotSessionOptions;
  readonly #next: Float64Array;
  readonly #nextVelocity: Float64Array;
  #hasNext = false;
  /** Number in the client's `hello`. */
  #helloNumber = 0;
  #heard = 0;
  #sequence = 0;
  #silentCycles = 0;
  #clientTime = 0;

  constructor(options: RobotSessionOptions) {
    this.#options = options;
    this.target = new Float64Array(options.count);
    this.targetVelocity = new Float64Array(options.count);
    this.#next = new Float64Array(options.count);
    this.#nextVelocity = new Float64Array(options.count);
  }

  /** Takes in a frame that was read without error; true if it wants a `welcome`. */
  receive(frame: Frame): boolean {
    if (frame.kind === FrameKind.hello) return this.#handleHello(frame);
    if (this.mode === RobotMode.idle || frame.session !== this.session) {
      this.refused.session++;
      return false;
    }
    if (!isNewer(frame.sequence, this.#heard)) {
      this.refused.stale++;
      return false;
    }
    this.lost += ((frame.sequence - this.#heard) >>> 0) - 1;
    this.#hear(frame);
    this.#handleCommand(frame);
    return false;
  }

  /** A client is welcome where there is none. Its `hello` may come twice: the first welcome may have been lost. */
  #handleHello(frame: Frame): boolean {
    if (!isSameFingerprint(frame.fingerprint, this.#options.fingerprint)) {
      this.refused.fingerprint++;
      return false;
    }
    if (this.mode !== RobotMode.idle) {
      const isAgain = frame.session === this.#helloNumber;
      if (isAgain) this.#silentCycles = 0;
      else this.refused.session++;
      return isAgain;
    }
    this.#helloNumber = frame.session;
    this.session = (this.session + 1) >>> 0 || 1;
    this.mode = RobotMode.monitor;
    this.fault = RobotFault.none;
    this.missed = 0;
    this.#hear(frame);
    return true;
  }

  #hear(frame: Frame): void {
    this.#heard = frame.sequence;
    this.#clientTime = frame.time;
    this.#silentCycles = 0;
  }

  #handleCommand(frame: Frame): void {
    switch (frame.kind) {
      case FrameKind.command:
        if (this.mode !== RobotMode.fault) this.#take(frame);
        break;
      case FrameKind.release:
        this.mode = RobotMode.idle;
        break;
      case FrameKind.reset:
        if (this.mode === RobotMode.fault) this.mode = RobotMode.monitor;
        this.fault = RobotFault.none;
        this.missed = 0;
        break;
    }
  }

  #take(frame: Frame): void {
    const { count } = this.#options;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const position = frame.position[i]!;
      const velocity = frame.velocity[i]!;
      sum += position - position + (velocity - velocity);
    }
    if (frame.count !== count || sum !== 0) {
      this.#fail(RobotFault.notFinite);
      return;
    }
    for (let i = 0; i < count; i++) {
      this.#next[i] = frame.position[i]!;
      this.#nextVelocity[i] = frame.velocity[i]!;
    }
    this.#hasNext = true;
  }

  #fail(fault: RobotFault): void {
    this.mode = RobotMode.fault;
    this.fault = fault;
    this.#hasNext = false;
  }

  /** Whether the client leads the robot, and its next command has not come yet. */
  get isWaitingForCommand(): boolean {
    return this.mode === RobotMode.command && !this.#hasNext;
  }

  /**
   * What to do now; `q` is where the joints were last sent to, or stand. A robot that was late itself says how many
   * `cycles` have passed since it asked last.
   */
  cycle(q: Float64Array, cycles = 1): RobotAction {
    this.#silentCycles += cycles;
    if (this.mode !== RobotMode.idle && this.#silentCycles > this.#options.goneCycles) this.mode = RobotMode.idle;
    if (this.mode === RobotMode.fault) return RobotAction.brake;
    if (this.#hasNext) return this.#follow(q, cycles);
    if (this.mode !== RobotMode.command) return RobotAction.hold;
    this.missed += cycles;
    if (this.missed <= this.#options.missedCycles) return RobotAction.extrapolate;
    this.#fail(RobotFault.silence);
    return RobotAction.brake;
  }

  #follow(q: Float64Array, passed: number): RobotAction {
    const { count, maxStep } = this.#options;
    this.#hasNext = false;
    const cycles = this.missed + passed;
    for (let i = 0; i < count; i++) {
      if (!(Math.abs(this.#next[i]! - q[i]!) <= cycles * maxStep[i]!)) {
        this.#fail(RobotFault.jump);
        return RobotAction.brake;
      }
    }
    this.target.set(this.#next);
    this.targetVelocity.set(this.#nextVelocity);
    this.mode = RobotMode.command;
    this.missed = 0;
    return RobotAction.follow;
  }

  /** The header of the robot's next frame; the caller adds what the joints do. */
  fill(frame: Frame, kind: typeof FrameKind.welcome | typeof FrameKind.state, time: number): void {
    frame.kind = kind;
    frame.count = this.#options.count;
    frame.session = this.session;
    frame.sequence = this.#sequence = (this.#sequence + 1) >>> 0;
    frame.acknowledged = this.#heard;
    frame.mode = this.mode;
    frame.fault = this.fault;
    frame.missed = this.missed;
    frame.time = time;
    frame.echoedTime = this.#clientTime;
    frame.fingerprint.set(this.#options.fingerprint);
  }
}

export function isSameFingerprint(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < FINGERPRINT_SIZE; i++) if (a[i] !== b[i]) return false;
  return true;
}
