import type { CommandMode } from "../../messages/command-mode.js";
import { type Frame, FrameKind, isNewer } from "./frame.js";
import { isSameFingerprint, RobotFault, RobotMode } from "./robot-session.js";

export const ClientMode = {
  /** Greets and waits for a welcome. */
  connecting: 0,
  connected: 1,
  /** The robot answered with another fingerprint: it is not the one we know. */
  mistaken: 2,
} as const;
export type ClientMode = (typeof ClientMode)[keyof typeof ClientMode];

interface ClientSessionOptions {
  readonly count: number;
  readonly fingerprint: Uint8Array;
  /** A random u32 for each greeting: an old answer does not fit a new one. */
  readonly helloNumber: () => number;
}

/** Our side of the cyclic protocol, without sockets and clocks. */
export class ClientSession {
  mode: ClientMode = ClientMode.connecting;
  /** What the robot sent of itself last. */
  robotMode: RobotMode = RobotMode.idle;
  robotFault: RobotFault = RobotFault.none;
  /** Time of the robot in its newest state [s], and how long a frame took there and back [s]; NaN before the first. */
  robotTime = Number.NaN;
  roundTrip = Number.NaN;
  /** State frames received, that never came, that came after a newer one, of another session. */
  readonly counts = { received: 0, lost: 0, stale: 0, foreign: 0 };

  readonly #options: ClientSessionOptions;
  #session = 0;
  #helloNumber: number;
  #sequence = 0;
  #heard = 0;

  constructor(options: ClientSessionOptions) {
    this.#options = options;
    this.#helloNumber = options.helloNumber();
  }

  /** Takes in a frame that was read without error; true if it is a state newer than all before. */
  receive(frame: Frame, time: number): boolean {
    if (frame.kind === FrameKind.welcome) return this.#welcome(frame);
    if (frame.kind !== FrameKind.state || this.mode !== ClientMode.connected || frame.session !== this.#session) {
      this.counts.foreign++;
      return false;
    }
    if (!isNewer(frame.sequence, this.#heard)) {
      this.counts.stale++;
      return false;
    }
    this.counts.received++;
    this.counts.lost += ((frame.sequence - this.#heard) >>> 0) - 1;
    this.#heard = frame.sequence;
    this.robotMode = frame.mode as RobotMode;
    this.robotFault = frame.fault as RobotFault;
    this.robotTime = frame.time;
    this.roundTrip = time - frame.echoedTime;
    return frame.count === this.#options.count;
  }

  #welcome(frame: Frame): false {
    if (this.mode !== ClientMode.connecting || frame.acknowledged !== this.#helloNumber) {
      this.counts.foreign++;
      return false;
    }
    if (!isSameFingerprint(frame.fingerprint, this.#options.fingerprint)) {
      this.mode = ClientMode.mistaken;
      return false;
    }
    this.#session = frame.session;
    this.#heard = frame.sequence;
    this.mode = ClientMode.connected;
    return false;
  }

  /** Begins again: the robot forgot us, or went away. */
  reconnect(): void {
    this.mode = ClientMode.connecting;
    this.#helloNumber = this.#options.helloNumber();
    this.#session = 0;
    this.robotMode = RobotMode.idle;
  }

  /** The header of our next frame; for a command the caller adds what the joints are to do. */
  fill(frame: Frame, kind: FrameKind, mode: CommandMode, time: number): void {
    frame.kind = kind;
    frame.count = this.#options.count;
    frame.session = kind === FrameKind.hello ? this.#helloNumber : this.#session;
    frame.sequence = this.#sequence = (this.#sequence + 1) >>> 0;
    frame.acknowledged = this.#heard;
    frame.mode = mode;
    frame.fault = 0;
    frame.missed = 0;
    frame.time = time;
    frame.echoedTime = Number.isNaN(this.robotTime) ? 0 : this.robotTime;
    frame.fingerprint.set(this.#options.fingerprint);
  }
}
