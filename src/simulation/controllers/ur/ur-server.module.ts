import { connect, createServer, type Server, type Socket } from "node:net";
import { RobotAction, RobotFault, RobotMode } from "../../../control/udp/robot-session.js";
import { FlycatcherError } from "../../../runtime/errors.js";
import type { ControllerEvent, RobotEnd, RobotEndSession } from "../robot-end.js";
import { answerDashboard, dashboardGreeting } from "./dashboard.js";
import { errorPackage, ScriptReader } from "./primary.js";
import { type HeldInputs, RtdeSession } from "./rtde-session.js";
import type { UrReading } from "./rtde-values.js";
import { UrController, type UrControllerOptions } from "./ur-controller.js";
import { UrSafetyMode } from "./ur-modes.js";
import type { UrProgram } from "./ur-program.js";

export interface UrPorts {
  /** Real-time data exchange, primary interface, dashboard; 0 lets the system choose. */
  readonly rtde: number;
  readonly primary: number;
  readonly dashboard: number;
}

interface UrServerOptions extends UrControllerOptions {
  readonly host: string;
  readonly ports: UrPorts;
}

/** A client that reads less is disconnected [bytes]. */
const MOST_UNREAD = 1 << 16;
/** Connections of each interface. */
const MOST_CLIENTS = 8;
const LONGEST_LINE = 256;
/** The program tries to connect so often, after so long each [ms]. */
const CONNECT_TRIES = 5;
const CONNECT_PAUSE_MS = 200;

/** The sockets of a Universal Robots controller about a `UrController`: the end of the robot's protocol in `RobotSim`. */
export class UrServer implements RobotEnd {
  readonly controller: UrController;
  readonly session: RobotEndSession;
  isWhole = true;
  readonly #options: UrServerOptions;
  readonly #servers: Record<keyof UrPorts, Server>;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<RtdeSession>();
  readonly #primary = new Set<Socket>();
  readonly #held: HeldInputs = new Map();
  readonly #measured: Float64Array;
  #reverse: Socket | null = null;

  static async listen(options: UrServerOptions): Promise<UrServer> {
    const server = new UrServer(options);
    for (const [name, port] of Object.entries(options.ports)) {
      await listenOn(server.#servers[name as keyof UrPorts], options.host, port);
    }
    return server;
  }

  private constructor(options: UrServerOptions) {
    this.#options = options;
    this.#measured = Float64Array.from(options.start);
    this.controller = new UrController(options, {
      connect: (host, port, program) => this.#connect(host, port, program, CONNECT_TRIES),
      disconnect: () => this.#disconnect(),
      error: (code, argument, level, text) => this.#report(code, argument, level, text),
    });
    this.session = sessionOf(this.controller);
    this.#servers = {
      rtde: this.#serve((socket) => this.#takeRtde(socket)),
      primary: this.#serve((socket) => this.#takePrimary(socket)),
      dashboard: this.#serve((socket) => this.#takeDashboard(socket)),
    };
  }

  get ports(): UrPorts {
    const { rtde, primary, dashboard } = this.#servers;
    return { rtde: portOf(rtde), primary: portOf(primary), dashboard: portOf(dashboard) };
  }

  #serve(accept: (socket: Socket) => void): Server {
    const server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#sockets.delete(socket));
      accept(socket);
    });
    server.maxConnections = MOST_CLIENTS;
    return server;
  }

  #takeRtde(socket: Socket): void {
    const session = new RtdeSession({
      controller: this.controller,
      held: this.#held,
      send: (bytes) => {
        if (!this.isWhole) return;
        if (socket.writableLength > MOST_UNREAD) socket.destroy();
        else socket.write(bytes);
      },
      fail: () => socket.destroy(),
      maxRate: Math.round(1 / this.#options.period),
    });
    this.#sessions.add(session);
    socket.on("data", (bytes) => session.receive(bytes));
    socket.on("close", () => {
      this.#sessions.delete(session);
      session.close();
    });
  }

  #takePrimary(socket: Socket): void {
    const reader = new ScriptReader();
    this.#primary.add(socket);
    socket.on("data", (bytes) => {
      for (const script of reader.take(bytes)) this.controller.runScript(script);
    });
    socket.on("close", () => this.#primary.delete(socket));
  }

  #takeDashboard(socket: Socket): void {
    let rest = "";
    socket.write(dashboardGreeting);
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString("latin1")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(`${answerDashboard(line, this.controller)}\n`);
      if (rest.length > LONGEST_LINE) socket.destroy();
    });
  }

  #connect(host: string, port: number, program: UrProgram, tries: number): void {
    if (program.end !== null) return;
    const socket = connect({ host, port, noDelay: true });
    this.#reverse = socket;
    let isOpen = false;
    socket.on("connect", () => {
      isOpen = true;
    });
    socket.on("data", (bytes) => {
      if (this.isWhole) program.receive(bytes);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (isOpen) program.stop("connection closed");
      else if (tries > 1) setTimeout(() => this.#connect(host, port, program, tries - 1), CONNECT_PAUSE_MS).unref();
      else program.stop("connection refused");
    });
  }

  #disconnect(): void {
    this.#reverse?.destroy();
    this.#reverse = null;
  }

  #report(code: number, argument: number, level: number, text: string): void {
    const bytes = errorPackage(this.controller.time, code, argument, level, text);
    for (const socket of this.#primary) socket.write(bytes);
  }

  cycle(_q: Float64Array, cycles: number): RobotAction {
    for (let k = 0; k < cycles; k++) this.controller.advance(this.#measured);
    return RobotAction.follow;
  }

  tell(reading: UrReading): void {
    this.#measured.set(reading.q);
    for (const session of this.#sessions) session.publish(reading);
  }

  happen(event: ControllerEvent): void {
    const { controller } = this;
    if (event === "protective-stop") controller.protectiveStop();
    else if (event === "emergency-stop") controller.emergencyStop("pressed");
    else if (event === "emergency-release") controller.emergencyStop("released");
    else if (event === "power-off") controller.powerOff();
    else controller.arm.speedFraction = event === "half-speed" ? 0.5 : 1;
  }

  async close(): Promise<void> {
    this.#disconnect();
    for (const socket of this.#sockets) socket.destroy();
    const closed = Object.values(this.#servers).map((server) => new Promise((resolve) => server.close(resolve)));
    await Promise.all(closed);
  }
}

/** How the robot is led, in the words that all simulated robots have for it. */
function sessionOf(controller: UrController): RobotEndSession {
  return {
    target: controller.arm.q,
    targetVelocity: controller.arm.qd,
    isWaitingForCommand: false,
    get mode() {
      if (controller.safetyMode !== UrSafetyMode.normal) return RobotMode.fault;
      return controller.program === null ? RobotMode.idle : RobotMode.command;
    },
    get fault() {
      if (controller.safetyMode !== UrSafetyMode.normal) return RobotFault.jump;
      return controller.program === null && controller.programEnd === "time-out" ? RobotFault.silence : RobotFault.none;
    },
  };
}

async function listenOn(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(addressError(host, port, cause)));
    server.listen(port, host, () => resolve());
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function addressError(host: string, port: number, cause: Error): FlycatcherError {
  return new FlycatcherError(
    "FLY_ROBOT_ADDRESS_UNAVAILABLE",
    `the robot's controller cannot listen on ${host}:${port}: ${cause.message}`,
    { path: "robot.port", expected: "a free TCP port", found: String(port) },
    { cause },
  );
}
