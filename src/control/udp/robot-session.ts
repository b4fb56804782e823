import { nameOf } from "../../runtime/name-of.js";
import { FINGERPRINT_SIZE, type Frame, FrameKind } from "./frame.js";

/** What the robot does about its client. */
export const RobotMode = {
  /** There is no client. */
  idle: 0,
  /** There is one; no joint has moved for it yet. */
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
  /** A command faster than a joint may move. */
  velocity: 4,
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

/** What follows from a frame. */
export const Reception = {
  none: 0,
  /** Its sender is to get a `welcome`. */
  welcome: 1,
  /** Its sender is the client from now on. */
  joined: 2,
} as const;
export type Reception = (typeof Reception)[keyof typeof Reception];

/** A frame may be so many ahead of the newest: a client that is silent for longer is gone. */
const MOST_AHEAD = 1 << 16;

export interface RobotSessionOptions {
  /** Degrees of freedom. */
  readonly count: number;
  readonly fingerprint: Uint8Array;
  /** Farthest a joint may be sent in one cycle [rad or m]: its speed limit times the cycle, and a little. [count] */
  readonly maxStep: Float64Array;
  /** Greatest velocity of a command [rad/s or m/s]. [count] */
  readonly maxSpeed: Float64Array;
  /** Cycles in a row that may pass without a command before the robot brakes. */
  readonly missedCycles: number;
  /** Cycles without any frame after which the client counts as gone. */
  readonly goneCycles: number;
  /** Number of the session that a sender may begin, after so many sessions before; others must not be able to guess it. */
  readonly sessionNumber: (sender: string, sessions: number) => number;
}

/**
 * The robot's side of the cyclic protocol, without sockets and clocks: frames come in as they arrive, `cycle` is called
 * once per control cycle of the robot and says what to do. A client that falls silent, jumps, is too fast or sends numbers that
 * are none makes the robot brake; it follows again only after a reset and a command that begins where it stands.
 *
 * A session begins with two frames: `hello` is answered with a number, and a frame with that number from the same address shows
 * that its sender can be reached there. Until then nothing is remembered of it and nothing else is sent to it.
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
  /** Address of the client; empty without one. */
  #client = "";
  /** Sessions that have ended. */
  #sessions = 0;
  /** What the next `welcome` says: the session its receiver may begin, and which `hello` it answers. */
  readonly #offer = { session: 0, hello: 0, time: 0 };
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

  /** Takes in a frame that was read without error; `sender` is the address it came from. */
  receive(frame: Frame, sender: string): Reception {
    if (frame.kind === FrameKind.hello) return this.#handleHello(frame, sender);
    if (this.mode === RobotMode.idle) return this.#join(frame, sender);
    if (sender !== this.#client || frame.session !== this.session) {
      this.refused.session++;
      return Reception.none;
    }
    const ahead = (frame.sequence - this.#heard) >>> 0;
    if (ahead === 0 || ahead > MOST_AHEAD) {
      this.refused.stale++;
      return Reception.none;
    }
    this.lost += ahead - 1;
    this.#hear(frame);
    this.#handleCommand(frame);
    return Reception.none;
  }

  /** A client is welcome where there is none. Its `hello` may come twice: the first welcome may have been lost. */
  #handleHello(frame: Frame, sender: string): Reception {
    if (!isSameFingerprint(frame.fingerprint, this.#options.fingerprint)) {
      this.refused.fingerprint++;
      return Reception.none;
    }
    const isIdle = this.mode === RobotMode.idle;
    if (!isIdle && sender !== this.#client) {
      this.refused.session++;
      return Reception.none;
    }
    this.#offer.session = isIdle ? this.#numberFor(sender) : this.session;
    this.#offer.hello = frame.session;
    this.#offer.time = frame.time;
    return Reception.welcome;
  }

  #numberFor(sender: string): number {
    return this.#options.sessionNumber(sender, this.#sessions) >>> 0 || 1;
  }

  /** The sender knows the number that was sent to its address. */
  #join(frame: Frame, sender: string): Reception {
    if (!canJoin(frame.kind) || frame.session !== this.#numberFor(sender)) {
      this.refused.session++;
      return Reception.none;
    }
    this.#client = sender;
    this.session = frame.session;
    this.mode = RobotMode.monitor;
    this.fault = RobotFault.none;
    this.missed = 0;
    this.#hear(frame);
    this.#handleCommand(frame);
    return Reception.joined;
  }

  /** The client has taken leave, or is gone: what it sent counts no more. */
  #end(): void {
    this.mode = RobotMode.idle;
    this.#hasNext = false;
    this.#client = "";
    this.#sessions++;
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
        this.#end();
        break;
      case FrameKind.reset:
        this.#reset();
        break;
    }
  }

  /** Only of a fault: a client that leads the robot gains no more missed cycles by it. */
  #reset(): void {
    if (this.mode !== RobotMode.fault) return;
    this.mode = RobotMode.monitor;
    this.fault = RobotFault.none;
    this.missed = 0;
  }

  #take(frame: Frame): void {
    const { count } = this.#options;
    const fault = frame.count === count ? this.#faultOf(frame) : RobotFault.notFinite;
    if (fault !== RobotFault.none) {
      this.#fail(fault);
      return;
    }
    for (let i = 0; i < count; i++) {
      this.#next[i] = frame.position[i]!;
      this.#nextVelocity[i] = frame.velocity[i]!;
    }
    this.#hasNext = true;
  }

  /** Why a command cannot be followed, whatever the joints do. */
  #faultOf({ position, velocity, effort }: Frame): RobotFault {
    const { count, maxSpeed } = this.#options;
    let sum = 0;
    let isTooFast = false;
    for (let i = 0; i < count; i++) {
      sum += position[i]! - position[i]! + (velocity[i]! - velocity[i]!) + (effort[i]! - effort[i]!);
      if (!(Math.abs(velocity[i]!) <= maxSpeed[i]!)) isTooFast = true;
    }
    if (sum !== 0) return RobotFault.notFinite;
    return isTooFast ? RobotFault.velocity : RobotFault.none;
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
   * What to do now; `q` is where the joints were last sent to, `measured` where they are: fingers that hold a ball do not get
   * where they were sent. A robot that was late itself says how many `cycles` have passed since it asked last.
   */
  cycle(q: Float64Array, cycles = 1, measured = q): RobotAction {
    this.#silentCycles += cycles;
    if (this.mode !== RobotMode.idle && this.#silentCycles > this.#options.goneCycles) this.#end();
    if (this.mode === RobotMode.fault) return RobotAction.brake;
    if (this.#hasNext) return this.#follow(q, cycles, measured);
    if (this.mode !== RobotMode.command) return RobotAction.hold;
    this.missed += cycles;
    if (this.missed <= this.#options.missedCycles) return RobotAction.extrapolate;
    this.#fail(RobotFault.silence);
    return RobotAction.brake;
  }

  #follow(q: Float64Array, passed: number, measured: Float64Array): RobotAction {
    this.#hasNext = false;
    const cycles = this.missed + passed;
    // A client begins where the joints stand, as it sees them.
    const begins = this.mode !== RobotMode.command;
    for (let i = 0; i < this.#options.count; i++) {
      if (!(this.#isNear(i, q, cycles) || (begins && this.#isNear(i, measured, cycles)))) {
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

  /** Whether a joint can go from where it is in `q` to where the next command sends it. */
  #isNear(joint: number, q: Float64Array, cycles: number): boolean {
    return Math.abs(this.#next[joint]! - q[joint]!) <= cycles * this.#options.maxStep[joint]!;
  }

  /** The header of the robot's next frame; the caller adds what the joints do. */
  fill(frame: Frame, kind: typeof FrameKind.welcome | typeof FrameKind.state, time: number): void {
    const isWelcome = kind === FrameKind.welcome;
    frame.kind = kind;
    frame.count = this.#options.count;
    frame.session = isWelcome ? this.#offer.session : this.session;
    frame.sequence = this.#sequence = (this.#sequence + 1) >>> 0;
    frame.acknowledged = isWelcome ? this.#offer.hello : this.#heard;
    frame.mode = this.mode;
    frame.fault = this.fault;
    frame.missed = this.missed;
    frame.time = time;
    frame.echoedTime = isWelcome ? this.#offer.time : this.#clientTime;
    frame.fingerprint.set(this.#options.fingerprint);
  }
}

/** Whether a client may begin its session with such a frame. */
function canJoin(kind: FrameKind): boolean {
  return kind === FrameKind.alive || kind === FrameKind.command || kind === FrameKind.reset;
}

export function isSameFingerprint(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < FINGERPRINT_SIZE; i++) if (a[i] !== b[i]) return false;
  return true;
}
