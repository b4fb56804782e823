import { createServer, type Server, type Socket } from "node:net";
import { TrueWorld } from "../../messages/world.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { toBytes } from "../../transport/message.js";
import { decodeRequest, encodeLine, LineReader, type WorldMessage, type WorldRequest } from "./world-protocol.js";

/** A client that does not read loses records beyond this many bytes. */
const MOST_WAITING = 1 << 20;

interface WorldServerOptions {
  readonly host: string;
  readonly port: number;
  readonly onRequest: (request: Exclude<WorldRequest, { type: "stream" }>) => void;
  /** What every connection is told first. */
  readonly welcome: () => WorldMessage;
}

/** The second socket of the simulated robot: streams the true world, takes throws, tells verdicts. */
export class WorldServer {
  readonly #server: Server;
  readonly #options: WorldServerOptions;
  readonly #talking = new Set<Socket>();
  readonly #streaming = new Set<Socket>();
  readonly #records: Buffer[] = [];

  static async listen(options: WorldServerOptions): Promise<WorldServer> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => reject(addressError(options, cause)));
      server.listen(options.port, options.host, resolve);
    });
    return new WorldServer(server, options);
  }

  private constructor(server: Server, options: WorldServerOptions) {
    this.#server = server;
    this.#options = options;
    server.on("connection", (socket) => this.#accept(socket));
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  #accept(socket: Socket): void {
    const reader = new LineReader();
    this.#talking.add(socket);
    socket.write(encodeLine(this.#options.welcome()));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#talking.delete(socket);
      this.#streaming.delete(socket);
    });
    socket.on("data", (bytes) => {
      for (const line of reader.take(bytes)) this.#take(socket, decodeRequest(line));
    });
  }

  #take(socket: Socket, request: WorldRequest | null): void {
    if (request === null) return;
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
    for (const socket of [...this.#talking, ...this.#streaming]) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function addressError({ host, port }: WorldServerOptions, cause: Error): FlycatcherError {
  return new FlycatcherError(
    "FLY_ROBOT_ADDRESS_UNAVAILABLE",
    `the simulated world cannot listen on ${host}:${port}: ${cause.message}`,
    { path: "robot.port", expected: "a free TCP port", found: String(port) },
    { cause },
  );
}
