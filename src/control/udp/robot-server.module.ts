import { createHmac, randomBytes } from "node:crypto";
import { createSocket, type RemoteInfo, type Socket, type SocketOptions } from "node:dgram";
import { lookup } from "node:dns";
import { isIPv4 } from "node:net";
import { FlycatcherError } from "../../runtime/errors.js";
import { isLoopback } from "../../runtime/loopback.js";
import { Frame, FrameCodec, FrameKind, FrameStatus, readFrame } from "./frame.js";
import type { FrameKey } from "./frame-key.js";
import { Reception, type RobotAction, RobotMode, RobotSession, type RobotSessionOptions } from "./robot-session.js";

export interface RobotServerOptions extends Omit<RobotSessionOptions, "sessionNumber"> {
  /** Address and port to listen on; port 0 lets the system choose. */
  readonly host: string;
  readonly port: number;
  /** Frames must carry its codes; any address but one of loopback needs one. */
  readonly key: FrameKey | null;
}

/** What a robot sends in each cycle, in model order. */
interface RobotReading {
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly effort: Float64Array;
}

/**
 * The robot's end of the cyclic protocol: a socket about a `RobotSession`. The robot calls `cycle` once a millisecond and does
 * what it says. Frames that cannot be read are counted and dropped. An address whose owner has not answered gets no more than
 * it sends: a `welcome` for a `hello`, which is as long.
 */
export class RobotServer {
  readonly session: RobotSession;
  /** Datagrams that were no frames. */
  unreadable = 0;
  /** Whether the wire is whole; nothing passes a wire that is cut, either way. For tests of what follows. */
  isWhole = true;
  readonly #options: RobotServerOptions;
  readonly #socket: Socket;
  readonly #received = new Frame();
  readonly #sent = new Frame();
  readonly #codec: FrameCodec;
  #client: RemoteInfo | null = null;

  static async listen(options: RobotServerOptions): Promise<RobotServer> {
    if (options.key === null && !isLoopback(options.host)) throw keyError(options.host);
    const socket = createSocket({ type: "udp4", lookup: lookUpNames });
    await new Promise<void>((resolve, reject) => {
      socket.once("error", (error) => reject(addressError(options, error)));
      socket.bind(options.port, options.host, () => resolve());
    });
    return new RobotServer(options, socket);
  }

  private constructor(options: RobotServerOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#codec = new FrameCodec(options.key);
    this.session = new RobotSession({ ...options, sessionNumber: secretNumbers() });
    socket.removeAllListeners("error");
    // A client that has gone answers with "port unreachable": silence is what tells the session.
    socket.on("error", () => undefined);
    socket.on("message", (bytes, from) => this.#receive(bytes, from));
  }

  get port(): number {
    return this.#socket.address().port;
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    if (!this.isWhole) return;
    if (readFrame(bytes, this.#received, this.#options.key) !== FrameStatus.ok) {
      this.unreadable++;
      return;
    }
    const reception = this.session.receive(this.#received, `${from.address}:${from.port}`);
    if (reception === Reception.joined) this.#client = from;
    if (reception !== Reception.welcome) return;
    this.session.fill(this.#sent, FrameKind.welcome, this.#received.time);
    this.#send(from);
  }

  /** What the robot is to do in this cycle, or in `cycles` at once; `q` is where its joints were last sent to, `measured` where they are. */
  cycle(q: Float64Array, cycles = 1, measured = q): RobotAction {
    const action = this.session.cycle(q, cycles, measured);
    if (this.session.mode === RobotMode.idle) this.#client = null;
    return action;
  }

  /** Tells the client, if there is one, what the joints do at `time` [s] of the robot's clock. */
  tell({ q, qd, effort }: RobotReading, time: number): void {
    if (this.#client === null) return;
    const frame = this.#sent;
    this.session.fill(frame, FrameKind.state, time);
    for (let i = 0; i < this.#options.count; i++) {
      frame.position[i] = q[i]!;
      frame.velocity[i] = qd[i]!;
      frame.effort[i] = effort[i]!;
    }
    this.#send(this.#client);
  }

  #send({ port, address }: RemoteInfo): void {
    if (!this.isWhole) return;
    const length = this.#codec.write(this.#sent);
    // The socket may send later; the codec's memory is written again by then.
    this.#socket.send(this.#codec.bytes.slice(0, length), port, address);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }
}

const SECRET_SIZE = 32;

/** Looks up names, and nothing for addresses: so a frame leaves within the call that sends it, not with the loop's next turn. */
const lookUpNames: NonNullable<SocketOptions["lookup"]> = (host, options, done) => {
  if (isIPv4(host)) done(null, host, 4);
  else lookup(host, options, done);
};

/** Session numbers that only their receiver knows: another secret in each run, nothing to be kept a sender. */
function secretNumbers(): RobotSessionOptions["sessionNumber"] {
  const secret = randomBytes(SECRET_SIZE);
  return (sender, sessions) => createHmac("sha256", secret).update(`${sessions} ${sender}`).digest().readUInt32LE();
}

function keyError(host: string): FlycatcherError {
  return new FlycatcherError("FLY_ROBOT_KEY", `the robot does not listen on ${host} without a key`, {
    path: "robot.host",
    expected: "a loopback address, or a key",
    found: host,
  });
}

function addressError({ host, port }: RobotServerOptions, cause: Error): FlycatcherError {
  return new FlycatcherError(
    "FLY_ROBOT_ADDRESS_UNAVAILABLE",
    `the robot cannot listen on ${host}:${port}: ${cause.message}`,
    { path: "robot.port", expected: "a free UDP port", found: String(port) },
    { cause },
  );
}
