import { createServer, type Server, type Socket } from "node:net";
import { FlycatcherError } from "../../../runtime/errors.js";
import { COMMAND_SIZE, encodeReverseCommand, ReverseMode } from "./reverse-command.js";
import { JOINTS } from "./rtde-recipe.js";

export interface ReverseServerOptions {
  /** Address to listen on, and port; 0: any. */
  readonly host: string;
  readonly port: number;
  /** How long the program on the robot waits for the next command [ms]. */
  readonly timeoutMs: number;
  /** The program's connection has ended without our doing. */
  readonly onEnd: () => void;
}

const noJoints = new Float64Array(JOINTS);
/** Bytes that may wait to be sent: beyond them the robot does not read, and what waits is old. */
const MAX_WAITING = 16 * COMMAND_SIZE;

/** Waits for the program on the robot to connect, and sends it commands. One connection, from the robot alone. */
export class ReverseServer {
  /** Connections from elsewhere, and commands that were not sent because the robot does not read. */
  readonly counts = { strangers: 0, held: 0 };
  readonly #options: ReverseServerOptions;
  readonly #server: Server;
  readonly #bytes = Buffer.alloc(COMMAND_SIZE);
  #program: Socket | null = null;
  #expected: { readonly robot: string; readonly settle: (isThere: boolean) => void } | null = null;

  static async listen(options: ReverseServerOptions): Promise<ReverseServer> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", ({ message }) => {
        const words = `the driver cannot listen on ${options.host}:${options.port}: ${message}`;
        reject(new FlycatcherError("FLY_DRIVER_LISTEN", words));
      });
      server.listen(options.port, options.host, () => resolve());
    });
    return new ReverseServer(options, server);
  }

  private constructor(options: ReverseServerOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.removeAllListeners("error");
    server.on("error", () => undefined);
    server.on("connection", (socket) => this.#accept(socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  get isConnected(): boolean {
    return this.#program !== null;
  }

  /** Settles when the program has connected from the address `robot`; false after `timeoutMs`. */
  expect(robot: string, timeoutMs: number): Promise<boolean> {
    this.drop();
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer);
        this.#expected = null;
        resolve(isThere);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.#expected = { robot, settle };
    });
  }

  /** Ends the wait: the program will not come. */
  giveUp(): void {
    this.#expected?.settle(false);
  }

  #accept(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    const expected = this.#expected;
    if (expected === null || plain(socket.remoteAddress ?? "") !== plain(expected.robot)) {
      this.counts.strangers++;
      socket.destroy();
      return;
    }
    this.#program = socket;
    // The program sends nothing that matters; what is not read would fill up.
    socket.resume();
    socket.on("close", () => {
      if (this.#program !== socket) return;
      this.#program = null;
      this.#options.onEnd();
    });
    this.#write(ReverseMode.idle, 0, noJoints);
    expected.settle(true);
  }

  /** Sends a set point [rad]; false if the program is not there, or does not read. */
  servo(q: Float64Array): boolean {
    return this.#write(ReverseMode.servo, this.#options.timeoutMs, q);
  }

  #write(mode: ReverseMode, timeoutMs: number, q: Float64Array): boolean {
    const program = this.#program;
    if (program === null) return false;
    if (program.writableLength > MAX_WAITING) {
      this.counts.held++;
      return false;
    }
    encodeReverseCommand(mode, timeoutMs, q, this.#bytes);
    program.write(Uint8Array.prototype.slice.call(this.#bytes));
    return true;
  }

  /** Tells the program to stop the robot and to end. */
  drop(): void {
    const program = this.#program;
    if (program === null) return;
    this.#write(ReverseMode.stop, 0, noJoints);
    this.#program = null;
    program.end();
  }

  async close(): Promise<void> {
    const program = this.#program;
    this.drop();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      // A program that does not take leave is not waited for.
      if (program !== null) setTimeout(() => program.destroy(), LEAVE_MS).unref();
    });
  }
}

/** How long the program may take to close its connection [ms]. */
const LEAVE_MS = 500;

/** An address without the prefix that IPv4 addresses have on a socket of IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:/, "");
}
