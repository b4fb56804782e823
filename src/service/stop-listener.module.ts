import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket as TcpSocket } from "node:net";
import { monotonicMs } from "../runtime/clock.js";
import { errorCatalogue } from "../runtime/error-catalogue.js";
import { requestRealTime, setNice } from "../runtime/real-time-priority.js";
import { answerOf } from "../transport/stop-answer.js";
import { StopLine } from "../transport/stop-line.js";
import type { StopAnswer } from "../transport/stop-report.js";
import { onStop, postToParent, workerInput, workerReady } from "../transport/workers/worker-context.js";
import { tokenCheck } from "./access-rules.js";
import { ConnectionPlaces } from "./connection-places.js";
import { HeartbeatWatch, readStopDatagram } from "./stop-datagrams.js";
import { crossOriginHeaders, judgeStop, type StopRules } from "./stop-rules.js";
import { StopWord } from "./stop-words.js";

/** What the listener's thread is started with. */
export interface StopListenerInput {
  readonly host: string;
  readonly port: number;
  readonly portTries: number;
  readonly token: string;
  readonly heartbeatMs: number;
  /** Port of the service, whose page may ask. */
  readonly pagePort: number;
  /** Memory of `StopLine`. */
  readonly stopLine: SharedArrayBuffer;
  /** See `StopWord`. */
  readonly words: Int32Array;
  /** Real-time priority; 0: none is asked for. */
  readonly priority: number;
}

/** What it reports: who has stopped the robot, or that heartbeats come again. */
export interface StopReport {
  readonly severity: "warn" | "info";
  readonly text: string;
}

/** Connections at a time. */
const PLACES = 64;
/** Bytes of a body that are let pass before the connection is ended. */
const MAX_BODY = 65_536;
/** How long a client may take to send its headers [ms]. */
const HEADERS_MS = 5000;
/** Without permission for a real-time priority. */
const NICE = -15;

/** The emergency stop by HTTP and UDP, in a thread that does nothing else. */
class StopServer {
  readonly #input: StopListenerInput;
  readonly #line: StopLine;
  readonly #rules: StopRules;
  readonly #heartbeat: HeartbeatWatch;
  #http: Server | null = null;
  #udp: Socket | null = null;
  #places: ConnectionPlaces | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isMissing = false;
  /** Heartbeats of pages that were seen. */
  #beats = 0;

  constructor(input: StopListenerInput) {
    this.#input = input;
    this.#line = new StopLine(input.stopLine);
    this.#rules = { isToken: input.token === "" ? null : tokenCheck(input.token), pagePort: input.pagePort };
    this.#heartbeat = new HeartbeatWatch(input.heartbeatMs);
  }

  /** Listens by HTTP and UDP at the same number; the next one if either is taken. */
  async listen(): Promise<void> {
    const { host, port: wanted, portTries, words, heartbeatMs } = this.#input;
    for (let tries = 1; ; tries++) {
      try {
        Atomics.store(words, StopWord.port, await this.#bind(host, wanted === 0 ? 0 : wanted + tries - 1));
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || tries >= portTries) throw error;
      }
    }
    if (heartbeatMs > 0) this.#timer = setInterval(() => this.#watch(), Math.max(1, heartbeatMs / 4));
  }

  async #bind(host: string, port: number): Promise<number> {
    const http = this.#createServer();
    http.listen({ host, port });
    await once(http, "listening");
    const bound = (http.address() as { port: number }).port;
    const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
    try {
      udp.bind(bound, host.replace(/^\[(.*)\]$/, "$1"));
      await once(udp, "listening");
    } catch (error) {
      udp.close();
      http.close();
      throw error;
    }
    udp.on("message", (bytes, from) => this.#receive(bytes, from));
    udp.on("error", () => undefined);
    [this.#http, this.#udp] = [http, udp];
    return bound;
  }

  #createServer(): Server {
    const server = createServer({
      headersTimeout: HEADERS_MS,
      requestTimeout: HEADERS_MS,
      connectionsCheckingInterval: 1000,
    });
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response);
    // Whatever a client expects, or wants to change to: a stop is a stop.
    for (const event of ["request", "checkContinue", "checkExpectation"]) server.on(event, answer);
    server.on("connect", (request: IncomingMessage, socket: TcpSocket) => {
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      socket.on("error", () => undefined);
      response.once("finish", () => socket.destroySoon());
      void this.#answer(request, response);
    });
    server.on("clientError", (_: Error, socket: TcpSocket) => {
      if (socket.writable) socket.write("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      socket.destroySoon();
    });
    this.#places = new ConnectionPlaces(server, 0, PLACES);
    return server;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedMs = monotonicMs();
    const { method = "", headers, socket } = request;
    const verdict = judgeStop(method, headers, this.#rules);
    const number = verdict.kind === "stop" ? this.#line.ask() : 0;
    this.#skipBody(request, response);
    if (verdict.kind === "preflight") {
      response.writeHead(204, crossOriginHeaders(headers)).end();
      return;
    }
    if (verdict.kind === "refused") {
      const { meaning: title, remedy, httpStatus: status } = errorCatalogue[verdict.code];
      const problem = { type: `/errors#${verdict.code}`, title, status, detail: title, code: verdict.code, remedy };
      response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
      return;
    }
    report("warn", `stopped by HTTP ${method} from ${socket.remoteAddress ?? "a client that has gone"}`);
    const answer = await answerOf(this.#line, number, arrivedMs);
    response.writeHead(200, { "content-type": "application/json", ...crossOriginHeaders(headers) });
    response.end(JSON.stringify(answer));
  }

  /** Nobody reads it; a client that goes on sending is not listened to for long. */
  #skipBody(request: IncomingMessage, response: ServerResponse): void {
    let bytes = 0;
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY) return;
      request.pause();
      response.shouldKeepAlive = false;
      response.once("finish", () => request.socket.destroySoon());
      if (response.writableEnded) request.socket.destroySoon();
    });
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    const arrivedMs = monotonicMs();
    const datagram = readStopDatagram(bytes, this.#rules.isToken);
    if (datagram === null) return;
    if (datagram.kind === "beat") {
      this.#heartbeat.beat(datagram.number, arrivedMs);
      return;
    }
    const number = this.#line.ask();
    report("warn", `stopped by datagram from ${from.address}`);
    void answerOf(this.#line, number, arrivedMs).then((answer) => {
      this.#udp?.send(wordsOf(answer), from.port, from.address, () => undefined);
    });
  }

  /** While heartbeats are missing, nobody can let the robot go on for long. */
  #watch(): void {
    const now = monotonicMs();
    const { words } = this.#input;
    const isSupervised = Atomics.load(words, StopWord.isSupervised) === 1;
    if (isSupervised) this.#heartbeat.begin(now);
    const beats = Atomics.load(words, StopWord.beats);
    // While the run starts, the thread that passes them on is busy. Numbers below zero are no button box's.
    if (isSupervised && beats !== this.#beats) this.#heartbeat.beat(-beats - 1, now);
    this.#beats = beats;
    const isMissing = this.#heartbeat.isMissing(now);
    if (isMissing && !this.#line.isHeld) this.#line.ask();
    if (isMissing !== this.#isMissing) {
      const { heartbeatMs } = this.#input;
      if (isMissing) report("warn", `stopped: no heartbeat for ${heartbeatMs} ms`);
      else report("info", "heartbeats come again; a reset lets the robot go on");
    }
    this.#isMissing = isMissing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#http?.close();
    this.#places?.destroyAll();
    this.#udp?.close();
  }
}

/** The answer to a datagram, about as long as that. */
function wordsOf({ braked }: StopAnswer): string {
  return braked === null ? "unconfirmed" : `braked ${braked.afterMs.toFixed(1)} ${braked.confirmedBy}`;
}

function report(severity: StopReport["severity"], text: string): void {
  postToParent({ severity, text } satisfies StopReport);
}

const input = workerInput<StopListenerInput>();
const server = new StopServer(input);
if (input.priority > 0 && !requestRealTime(input.priority).granted) setNice(NICE);
await server.listen();
onStop(() => server.close());
workerReady();
