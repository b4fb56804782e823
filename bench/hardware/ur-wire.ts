import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { CommandTap } from "./command-tap.js";
import { StateTap } from "./state-tap.js";
import { fairWire, type WireReport, type WireRequest, type WireWeather } from "./ur-wire-messages.js";

interface Ports {
  readonly rtde: number;
  readonly primary: number;
  readonly dashboard: number;
}

const HOST = "127.0.0.1";

/**
 * A program between a driver and a controller of Universal Robots: `node ur-wire.js <rtde> <primary> <dashboard>` prints its own
 * ports as JSON, then takes requests as lines of JSON. It reads what passes by the published layout alone, shares no code with driver or
 * simulator, and is a process of its own, so that it is late as little as possible.
 */
class UrWire {
  #weather: WireWeather = fairWire;
  readonly #states = new StateTap();
  readonly #commands = new CommandTap();
  readonly #sockets = new Set<Socket>();
  readonly #random = uniform(1);
  /** Where the driver waits for the robot's program. */
  #driverPort = 0;
  #reversePort = 0;

  async open(targets: Ports): Promise<Ports> {
    this.#reversePort = await this.#serve((program) => this.#joinReverse(program));
    return {
      rtde: await this.#serve((driver) => this.#joinStates(driver, this.#to(targets.rtde))),
      primary: await this.#serve((driver) => this.#joinPrimary(driver, this.#to(targets.primary))),
      dashboard: await this.#serve((driver) => join(driver, this.#to(targets.dashboard))),
    };
  }

  #serve(accept: (socket: Socket) => void): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => {
      this.#keep(socket);
      accept(socket);
    });
    return new Promise((resolve) => server.listen(0, HOST, () => resolve(portOf(server))));
  }

  #to(port: number): Socket {
    const socket = connect({ host: HOST, port, noDelay: true });
    this.#keep(socket);
    return socket;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #joinStates(driver: Socket, robot: Socket): void {
    endTogether(driver, robot);
    driver.on("data", (bytes) => {
      this.#states.asked(bytes);
      robot.write(bytes);
    });
    let held: Buffer | null = null;
    robot.on("data", (bytes) => {
      for (const whole of this.#states.take(bytes)) {
        const w = this.#weather;
        const told = this.#states.tell(whole, w.lie);
        if (!told.isState) {
          driver.write(told.bytes);
          continue;
        }
        if (w.states === "hold" || this.#random() < w.lossShare) continue;
        if (held === null && this.#random() < w.reorderShare) {
          held = told.bytes;
          continue;
        }
        this.#pass(driver, held === null ? [told.bytes] : [told.bytes, held], told.isTrue, w.delayMs);
        held = null;
      }
    });
  }

  #pass(driver: Socket, packages: readonly Buffer[], isTrue: boolean, delayMs: number): void {
    const measuredMs = performance.now();
    const send = () => {
      for (const bytes of packages) driver.write(bytes);
      if (isTrue) this.#commands.knownMs = measuredMs;
    };
    if (delayMs === 0) send();
    else setTimeout(send, delayMs);
  }

  /** The program is to come to us. */
  #joinPrimary(driver: Socket, robot: Socket): void {
    endTogether(driver, robot);
    driver.on("data", (bytes) => {
      const text = bytes.toString("latin1").replace(/^( {2}FLY_REVERSE_PORT = )(\d+)$/m, (_, name: string, port) => {
        this.#driverPort = Number(port);
        return `${name}${this.#reversePort}`;
      });
      robot.write(Buffer.from(text, "latin1"));
    });
    robot.on("data", (bytes) => driver.write(bytes));
  }

  #joinReverse(program: Socket): void {
    const driver = this.#to(this.#driverPort);
    endTogether(driver, program);
    this.#commands.begin();
    driver.on("data", (bytes) => {
      if (this.#weather.commands === "hold") return;
      this.#commands.take(bytes, this.#states.q, this.#weather.staleMs);
      program.write(bytes);
    });
  }

  request(request: WireRequest): void {
    if (request.type === "weather") this.#weather = { ...this.#weather, ...request.weather };
    else if (request.type === "cut") for (const socket of this.#sockets) socket.destroy();
    else process.stdout.write(`${JSON.stringify(this.#report)}\n`);
  }

  get #report(): WireReport {
    return { ...this.#commands.counts, speed: Math.max(...this.#states.qd.map(Math.abs)) };
  }
}

function join(a: Socket, b: Socket): void {
  endTogether(a, b);
  a.on("data", (bytes) => b.write(bytes));
  b.on("data", (bytes) => a.write(bytes));
}

function endTogether(a: Socket, b: Socket): void {
  a.on("close", () => b.destroy());
  b.on("close", () => a.destroy());
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The same in every run (Park and Miller). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

if (process.argv[1]?.endsWith("ur-wire.js") === true) {
  const [rtde = 0, primary = 0, dashboard = 0] = process.argv.slice(2).map(Number);
  const wire = new UrWire();
  process.stdout.write(`${JSON.stringify(await wire.open({ rtde, primary, dashboard }))}\n`);
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => wire.request(JSON.parse(line) as WireRequest));
  // The program that started it has gone.
  lines.on("close", () => process.exit());
}
