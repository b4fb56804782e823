import { connect, type Socket } from "node:net";
import type { PaceChange } from "../../runtime/clock-pace.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { ControllerEvent } from "../controllers/robot-end.js";
import type { Challenges } from "../head-motion/challenges.js";
import type { RobotAddress } from "./robot-process.module.js";
import { decodeMessage, encodeLine, LineReader, type WorldMessage } from "./world-protocol.js";

/** The client's end of the simulated world's second socket: sets challenges and faults, receives verdicts. */
export class WorldClient {
  readonly #socket: Socket;
  readonly #listener: (message: WorldMessage) => void;

  static async connect(address: RobotAddress, listener: (message: WorldMessage) => void): Promise<WorldClient> {
    return new WorldClient(await openSocket(address), listener);
  }

  private constructor(socket: Socket, listener: (message: WorldMessage) => void) {
    const reader = new LineReader();
    this.#socket = socket;
    this.#listener = listener;
    socket.on("data", (bytes) => {
      for (const line of reader.take(bytes) ?? []) this.#take(decodeMessage(line));
    });
    socket.on("error", () => socket.destroy());
  }

  #take(message: WorldMessage | null): void {
    if (message !== null) this.#listener(message);
  }

  /** Cuts the wire between the robot and its client for a while [s]. */
  cutWire(duration: number): void {
    this.#socket.write(encodeLine({ type: "cut", duration }));
  }

  /** Sets the clock by which the robot stamps its states on, or back, by `offset` [s]. */
  jumpClock(offset: number): void {
    this.#socket.write(encodeLine({ type: "clock", offset }));
  }

  /** Lets something happen at the robot's controller, if it has one. */
  happen(event: ControllerEvent): void {
    this.#socket.write(encodeLine({ type: "controller", event }));
  }

  /** The world's clock goes on at another speed, from a time on [ns since the monotonic clock's zero]. */
  setPace(change: PaceChange): void {
    this.#socket.write(encodeLine({ type: "pace", change }));
  }

  /** How strong challenges are from now on. */
  setChallenges(challenges: Partial<Challenges>): void {
    this.#socket.write(encodeLine({ type: "challenges", challenges }));
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** A connection to the simulated world, which has been shown the secret. */
export function openSocket({ host, world, secret }: Omit<RobotAddress, "udp">): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: world, noDelay: true }, () => {
      socket.removeAllListeners("error");
      socket.write(encodeLine({ type: "open", secret }));
      resolve(socket);
    });
    socket.once("error", (cause) => {
      const message = `the simulated world at ${host}:${world} does not answer: ${cause.message}`;
      reject(new FlycatcherError("FLY_ROBOT_UNREACHABLE", message, {}, { cause }));
    });
  });
}
