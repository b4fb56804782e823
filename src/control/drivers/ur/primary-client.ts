import type { Socket } from "node:net";
import { connectTo } from "./connect.js";

/** Length (i32) and type (i8) of a package. */
const HEADER = 5;
const MAX_PACKAGE = 1 << 20;
/** A message, and the kinds of it that matter to the sender of a program. */
const MESSAGE = 20;
const ERROR = 6;
const RUNTIME_EXCEPTION = 10;
/** Time (u64), source (i8) and kind (i8) of a message. */
const MESSAGE_HEADER = 10;
/** Of an error: from here on it is a warning or worse. */
const WARNING_LEVEL = 2;
/** The controller takes no program from the network: it is in local control. */
export const READ_ONLY = 210;

/** Something the controller says of our program or of the robot. */
export interface PrimaryMessage {
  readonly kind: "error" | "exception";
  /** Number of the error; line of the program for an exception. */
  readonly code: number;
  readonly text: string;
}

/** Reads what comes from the primary port: nearly all of it is thrown away. */
export class PrimaryReader {
  isBroken = false;
  #bytes: Buffer = Buffer.alloc(0);

  take(bytes: Buffer, sink: (message: PrimaryMessage) => void): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (!this.isBroken && this.#bytes.length >= HEADER) {
      const size = this.#bytes.readInt32BE(0);
      this.isBroken = !(size >= HEADER && size <= MAX_PACKAGE);
      if (this.isBroken || this.#bytes.length < size) break;
      const message = messageIn(this.#bytes.subarray(0, size));
      if (message !== null) sink(message);
      this.#bytes = this.#bytes.subarray(size);
    }
    if (this.isBroken) this.#bytes = Buffer.alloc(0);
  }
}

function messageIn(bytes: Buffer): PrimaryMessage | null {
  const at = HEADER + MESSAGE_HEADER;
  if (bytes[4] !== MESSAGE || bytes.length < at) return null;
  const kind = bytes.readInt8(at - 1);
  if (kind === ERROR && bytes.length >= at + 20) {
    if (bytes.readInt32BE(at + 8) < WARNING_LEVEL) return null;
    return { kind: "error", code: bytes.readInt32BE(at), text: bytes.toString("latin1", at + 20) };
  }
  if (kind === RUNTIME_EXCEPTION && bytes.length >= at + 8) {
    return { kind: "exception", code: bytes.readInt32BE(at), text: bytes.toString("latin1", at + 8) };
  }
  return null;
}

/** The controller's primary port, which takes programs as text. */
export class PrimaryClient {
  readonly #socket: Socket;
  readonly #reader = new PrimaryReader();

  static async connect(
    host: string,
    port: number,
    timeoutMs: number,
    onMessage: (message: PrimaryMessage) => void,
  ): Promise<PrimaryClient> {
    return new PrimaryClient(await connectTo(host, port, timeoutMs, "primary port"), onMessage);
  }

  private constructor(socket: Socket, onMessage: (message: PrimaryMessage) => void) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#reader.take(bytes, onMessage));
  }

  /** Stops the program that runs, and starts this one: in one write, as the controller takes them. */
  run(program: string): void {
    this.#socket.write(`stop program\n${program.endsWith("\n") ? program : `${program}\n`}`);
  }

  close(): void {
    this.#socket.destroy();
  }
}
