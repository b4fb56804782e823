import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { TrueWorld } from "../../messages/world.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { toBytes } from "../../transport/message.js";
import {
  decodeRequest,
  encodeLine,
  LineReader,
  MAX_LINE,
  type WorldMessage,
  type WorldRequest,
} from "./world-protocol.js";

/** A client that does not read loses records beyond this many bytes. */
const MOST_WAITING = 1 << 20;

/** Only this machine's own processes reach the world. */
const HOST = "127.0.0.1";
/** Connections at a time, and how long one may take to show the secret [ms]. */
const MAX_CONNECTIONS = 16;
const OPENING_MS = 5000;

interface WorldServerOptions {
  readonly port: number;
  /** What connections must show. */
  readonly secret: string;
  readonly onRequest: (request: Exclude<WorldRequest, { type: "open" | "stream" }>) => void;
  /** What every connection is sent first. */
  readonly welcome: () => WorldMessage;
}

/** The second socket of the simulated robot, on loopback: streams the true world, takes throws, sends verdicts. */
export class WorldServer {
  readonly #server: Server;
  readonly #options: WorldServerOptions;
  readonly #secret: Buffer;
  /** Connections that have not shown the secret yet, and those that have. */
  readonly #opening = new Set<Socket>();
  readonly #talking = new Set<Socket>();
  readonly #streaming = new Set<Socket>();
  readonly #records: Buffer[] = [];

  static async listen(options: WorldServerOptions): Promise<WorldServer> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => reject(addressError(options, cause)));
      server.listen(options.port, HOST, resolve);
    });
    return new WorldServer(server, options);
  }

  private constructor(server: Server, options: WorldServerOptions) {
    this.#server = server;
    this.#options = options;
    this.#secret = digest(options.secret);
    server.maxConnections = MAX_CONNECTIONS;
    server.on("connection", (socket) => this.#accept(socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  #accept(socket: Socket): void {
    const reader = new LineReader(MAX_LINE);
    const patience = setTimeout(() => socket.destroy(), OPENING_MS);
    this.#opening.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(patience);
      for (const set of [this.#opening, this.#talking, this.#streaming]) set.delete(socket);
    });
    socket.on("data", (bytes) => {
      const lines = reader.take(bytes);
      if (lines === null) socket.destroy();
      for (const line of lines ?? []) {
        if (socket.destroyed) return;
        if (!this.#opening.has(socket)) this.#take(socket, decodeRequest(line));
        else if (this.#open(socket, decodeRequest(line))) clearTimeout(patience);
      }
    });
  }

  /** The first line decides: without the secret the connection ends. */
  #open(socket: Socket, request: WorldRequest | null): boolean {
    const isRight = request?.type === "open" && timingSafeEqual(digest(request.secret), this.#secret);
    if (!isRight) {
      socket.destroy();
      return false;
    }
    this.#opening.delete(socket);
    this.#talking.add(socket);
    socket.write(encodeLine(this.#options.welcome()));
    return true;
  }

  #take(socket: Socket, request: WorldRequest | null): void {
    if (request === null || request.type === "open") return;
    if (request.type !== "stream") {
      this.#options.onRequest(request);
      return;
    }
    this.#talking.delete(socket);
    this.#streaming.add(socket);
  }

  tell(message: WorldMessage): void {
    const line = encodeLine(message);
    for (const socket of this.#talking) socket.write(line);
  }

  get hasListeners(): boolean {
    return this.#streaming.size > 0;
  }

  /** Adds a step of the world to what is sent next. */
  stream(world: TrueWorld): void {
    this.#records.push(Buffer.from(toBytes(TrueWorld, world)));
  }

  /** Sends what was added. */
  flush(): void {
    const bytes = this.#records.length === 1 ? this.#records[0]! : Buffer.concat(this.#records);
    this.#records.length = 0;
    if (bytes.length === 0) return;
    for (const socket of this.#streaming) if (socket.writableLength < MOST_WAITING) socket.write(bytes);
  }

  async close(): Promise<void> {
    for (const socket of [...this.#opening, ...this.#talking, ...this.#streaming]) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Of the same length whatever the secret, to be compared in constant time. */
function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function addressError({ port }: WorldServerOptions, cause: Error): FlycatcherError {
  return new FlycatcherError(
    "FLY_ROBOT_ADDRESS_UNAVAILABLE",
    `the simulated world cannot listen on ${HOST}:${port}: ${cause.message}`,
    { path: "robot.port", expected: "a free TCP port", found: String(port) },
    { cause },
  );
}
