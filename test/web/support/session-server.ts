import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { defaultTimes } from "../../../src/catching/catch-times.js";
import { summarize, type ThrowResult } from "../../../src/catching/run-summary.js";
import type { HelloMessage, PageMessage, StateMessage } from "../../../src/messages/page.js";
import type { RunSummary, SessionSettings } from "../../../src/messages/session.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { packageRoot } from "../../../src/runtime/package-root.js";
import { pagePolicy } from "../../../src/service/page-routes.js";
import { describeRobot } from "../../../src/service/robot-description.js";
import { sceneOf } from "../../../src/service/robot-scene.js";
import { unmeasured } from "../../../src/view/components.js";
import { budgetsOf } from "../../../src/view/latency-budgets.js";
import { encodePosePacket, type PosePacket } from "../../../src/view/pose-packet.js";
import { PreparedRun, type PreparedThrow } from "./prepared-run.js";
import { shippedRecording } from "./shipped-recording.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The one recording there is. */
const RECORDING = "ball";
const recordingState = {
  id: RECORDING,
  url: `/v1/recordings/${RECORDING}`,
  origin: "shipped",
  title: "A ball",
  robot: "agile-justin",
  perception: "circles",
  labels: [],
  duration: 4,
  problems: [],
};

export interface SessionServerOptions {
  readonly robot: string;
  readonly seed?: number;
  readonly port?: number;
  /** Needed in every request to /v1, if given. */
  readonly token?: string;
  /** `none`: a service without a live run. */
  readonly live?: "prepared" | "none";
}

/** A service for the page's tests: the real page, robots and planner, and a prepared live run played in real time. */
export class SessionServer {
  readonly address: string;
  /** When stop requests arrived, from the clock that browsers on this machine have, too [ms since 1970]. */
  readonly stops: number[] = [];
  readonly requests: string[] = [];
  /** Launches that balls were thrown with. */
  readonly launches: { readonly position: number[]; readonly velocity: number[] }[] = [];
  readonly #options: SessionServerOptions;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #run: PreparedRun | null;
  readonly #planner = new Planner({ settings: { starts: 24 } });
  readonly #results: ThrowResult[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #settings: SessionSettings = {
    mode: "soft",
    challenges: { deflection: 1, shake: 1, slip: 1, light: 0 },
    automatic: false,
    balls: 1,
    paused: false,
    speed: 1,
    recording: null,
  };
  #state: StateMessage | null = null;
  #pose: PosePacket | null;
  #next = 0;
  #isStopped = false;

  static async start(options: SessionServerOptions): Promise<SessionServer> {
    const { robot, seed = 1, port = 0, live = "prepared" } = options;
    const run = live === "none" ? null : await PreparedRun.create(loadRobot(robot), seed);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return new SessionServer(options, server, run);
  }

  private constructor(options: SessionServerOptions, server: Server, run: PreparedRun | null) {
    this.#options = options;
    this.#server = server;
    this.#run = run;
    this.#pose = run?.waiting() ?? null;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#sockets = new WebSocketServer({ noServer: true, handleProtocols: () => "flycatcher.v1" });
    server.on("request", (request, response) => void this.#answer(request, response));
    server.on("upgrade", (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#sendFirst(client));
    });
    this.#keepPosing();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A quiet robot is published, too, though rarely. */
  #keepPosing(): void {
    const timer = setInterval(() => {
      if (this.#pose !== null) this.#broadcast(encodePosePacket(this.#pose));
    }, 200);
    this.#timers.add(timer);
  }

  #sendFirst(client: WebSocket): void {
    client.send(JSON.stringify(this.#hello()));
    client.send(JSON.stringify(this.#state ?? this.#idleState()));
    client.send(JSON.stringify(this.#components()));
    if (this.#pose !== null) client.send(encodePosePacket(this.#pose));
  }

  #hello(): HelloMessage {
    const robot = this.#run!.robot;
    return {
      type: "hello",
      protocol: 1,
      software: "flycatcher test",
      facts: {
        robot: robot.name,
        clock: "lock-step",
        perception: "circles",
        seed: 1,
        arms: this.#run!.arms,
        joints: robot.model.dofNames,
        hands: robot.hands.map(({ name }) => name),
        ballRadius: 0.0425,
        ballDrag: 0.032,
        framePeriod: 0.04,
        budgets: budgetsOf(defaultTimes),
        maxBalls: 2,
        controls: ["throw", "mode", "challenges", "automatic", "stop", "reset", "pause", "record"],
        presets: [
          { name: "high", text: "a high, slow lob" },
          { name: "low", text: "low and fast" },
          { name: "left", text: "to the robot's left" },
          { name: "right", text: "to the robot's right" },
        ],
      },
      settings: this.#settings,
      throws: this.#results,
      summary: this.#summary(),
    };
  }

  #summary(): RunSummary {
    return summarize(this.#results);
  }

  #idleState(): StateMessage {
    const arms = this.#run!.arms.map((arm) => ({
      arm,
      state: "watching",
      since: 0,
      guards: [{ name: "planned", to: "reaching", holds: false, text: "no confirmed ball" }],
      transitions: [],
    }));
    return { type: "state", time: 0, activity: "waiting", monitor: { phase: "safe", reason: "" }, arms };
  }

  #components(): PageMessage {
    const component = (name: string, rate: number, cpu: number, meanMs: number) =>
      ({ ...unmeasured, name, rate, cpu, meanMs, maxMs: 4 * meanMs }) as const;
    return {
      type: "components",
      time: 0,
      components: [
        component("control", 1000, 0.16, 0.11),
        component("seeing", 25, 0.32, 12.4),
        component("planner", 25, 0.21, 7.9),
      ],
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.address);
    this.requests.push(`${request.method} ${url.pathname}`);
    try {
      if (url.pathname.startsWith("/v1/")) await this.#answerApi(request, response, url);
      else this.#serveFile(url.pathname, response);
    } catch (error) {
      const { code = "FLY_INTERNAL", message } = error as FlycatcherError;
      const status = code === "FLY_LIVE_NONE" ? 404 : 400;
      this.#json(response, { title: message, detail: message, code }, status);
    }
  }

  #serveFile(path: string, response: ServerResponse): void {
    const root = join(packageRoot, "dist", "web");
    const file = normalize(join(root, path === "/" ? "index.html" : path));
    if (!file.startsWith(root) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const headers = { "content-type": types[extname(file)] ?? "application/octet-stream" };
    response.writeHead(200, { ...headers, "content-security-policy": pagePolicy(null) });
    createReadStream(file).pipe(response);
  }

  async #answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { token } = this.#options;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      this.#json(
        response,
        { title: "The request carries no token, or a wrong one", code: "FLY_HTTP_TOKEN_WRONG" },
        401,
      );
      return;
    }
    if (url.pathname === "/v1/live/stop") this.stops.push(performance.timeOrigin + performance.now());
    if (url.pathname === `/v1/recordings/${RECORDING}/file`) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(await shippedRecording());
      return;
    }
    const body = await readJson(request);
    this.#json(response, this.#act(`${request.method} ${url.pathname}`, body, response));
  }

  #act(route: string, body: unknown, response: ServerResponse): unknown {
    const robot = /^GET \/v1\/robots\/([\w-]+)(\/scene)?$/.exec(route);
    if (robot !== null) {
      const loaded = loadRobot(robot[1]!);
      return robot[2] === undefined ? describeRobot(loaded) : sceneOf(loaded);
    }
    if (route.includes("/v1/live") && this.#run === null) {
      throw new FlycatcherError("FLY_LIVE_NONE", "There is no live run here");
    }
    switch (route) {
      case "GET /v1/robots":
        return {
          default: this.#options.robot,
          robots: ["agile-justin", "lwr-arm"].map((name) => ({ name, url: `/v1/robots/${name}` })),
        };
      case "GET /v1/recordings":
        return { recordings: [recordingState] };
      case "GET /v1/live":
        return { hello: this.#hello(), state: this.#state, safety: null, components: null };
      case "POST /v1/plan":
        return this.#planner.plan(body as PlanRequest);
      case "POST /v1/plan/batch":
        return this.#batch(body as PlanRequest[], response);
      case "POST /v1/live/throws":
        return this.#throw(body as { balls?: number; launches?: SessionServer["launches"] });
      case "POST /v1/live/stop":
        return this.#stop();
      case "POST /v1/live/reset":
        this.#isStopped = false;
        this.#publish({
          ...(this.#state ?? this.#idleState()),
          activity: "waiting",
          monitor: { phase: "safe", reason: "" },
        });
        return {};
      case "PATCH /v1/live/settings":
        return this.#change(body as Partial<SessionSettings>);
      case "POST /v1/live/step":
        return {};
      case "PUT /v1/live/recording":
        return this.#change({ recording: (body as { on: boolean }).on ? "run-1.mcap" : null });
      default:
        throw new FlycatcherError("FLY_INTERNAL", `no route ${route}`);
    }
  }

  #batch(requests: readonly PlanRequest[], response: ServerResponse): null {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for (const [index, request] of requests.entries()) {
      response.write(`${JSON.stringify({ index, answer: this.#planner.plan(request) })}\n`);
    }
    response.end();
    return null;
  }

  #change(change: Partial<SessionSettings>): SessionSettings {
    this.#settings = { ...this.#settings, ...change };
    this.#publish(this.#hello());
    return this.#settings;
  }

  #throw({ balls = 1, launches }: { balls?: number; launches?: SessionServer["launches"] }): { balls: number[] } {
    this.launches.push(...(launches ?? []));
    const ids = Array.from({ length: launches?.length ?? balls }, () => this.#next++);
    void this.#run!.throwBalls(ids).then((prepared) => this.#play(prepared));
    return { balls: ids };
  }

  /** Publishes each item at its time. */
  #play({ items, begin, end, results }: PreparedThrow): void {
    let now = begin;
    let last = performance.now();
    let next = 0;
    const timer = setInterval(() => {
      const wall = performance.now();
      if (!this.#settings.paused) now += 1e-3 * (wall - last) * this.#settings.speed;
      last = wall;
      while (next < items.length && items[next]!.time <= now) {
        const item = items[next++]!;
        if (this.#isStopped) continue;
        if ("message" in item) this.#publish(item.message);
        else this.#showPose(item.pose);
      }
      if (next < items.length) return;
      clearInterval(timer);
      this.#timers.delete(timer);
      for (const result of results) {
        this.#results.push(result);
        this.#publish({ type: "throw", time: end, result, summary: this.#summary() });
      }
    }, 8);
    this.#timers.add(timer);
  }

  #showPose(pose: PosePacket): void {
    this.#pose = pose;
    this.#broadcast(encodePosePacket(pose));
  }

  #stop(): object {
    this.#isStopped = true;
    const monitor = { phase: "stopped", reason: "a person asked for it" } as const;
    this.#publish({ ...(this.#state ?? this.#idleState()), activity: "stopped", monitor });
    return { braked: { at: this.stops.at(-1), afterMs: 0 } };
  }

  #publish(message: PageMessage): void {
    if (message.type === "state") this.#state = message;
    this.#broadcast(JSON.stringify(message));
  }

  #broadcast(data: string | Uint8Array): void {
    for (const client of this.#sockets.clients) client.send(data);
  }

  #json(response: ServerResponse, value: unknown, status = 200): void {
    if (response.headersSent) return;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text === "" ? undefined : JSON.parse(text);
}
