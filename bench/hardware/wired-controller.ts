import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { RobotProcess } from "../../src/simulation/robot-sim/robot-process.module.js";
import { startController } from "./ur-run.js";
import { fairWire, type WireReport, type WireRequest, type WireWeather } from "./ur-wire-messages.js";

/** A simulated controller behind a wire that delays, loses, reorders and falsifies. */
export class WiredController {
  /** As `--robot-address` takes it; through the wire. */
  readonly link: string;
  /** Port of the controller's own dashboard. */
  readonly dashboard: number;
  readonly #robot: RobotProcess;
  readonly #wire: ChildProcess;
  readonly #lines: Interface;

  static async start(seed: number): Promise<WiredController> {
    const robot = await startController(seed);
    const { searchParams: keys } = new URL(robot.link);
    const targets = ["rtde", "primary", "dashboard"].map((name) => keys.get(name)!);
    const program = join(packageRoot, "dist", "bench", "hardware", "ur-wire.js");
    const wire = spawn(process.execPath, [program, ...targets], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: wire.stdout });
    const ports = JSON.parse(await nextLine(lines)) as Record<string, number>;
    for (const [name, port] of Object.entries(ports)) keys.set(name, String(port));
    return new WiredController(robot, wire, lines, `ur://127.0.0.1?${keys}`, Number(targets[2]));
  }

  private constructor(robot: RobotProcess, wire: ChildProcess, lines: Interface, link: string, dashboard: number) {
    this.#robot = robot;
    this.#wire = wire;
    this.#lines = lines;
    this.link = link;
    this.dashboard = dashboard;
  }

  weather(weather: Partial<WireWeather>): void {
    this.#send({ type: "weather", weather });
  }

  clear(): void {
    this.weather(fairWire);
  }

  /** Ends all connections. */
  cut(): void {
    this.#send({ type: "cut" });
  }

  async report(): Promise<WireReport> {
    const line = nextLine(this.#lines);
    this.#send({ type: "report" });
    return JSON.parse(await line) as WireReport;
  }

  #send(request: WireRequest): void {
    this.#wire.stdin!.write(`${JSON.stringify(request)}\n`);
  }

  async close(): Promise<void> {
    this.#wire.kill();
    await this.#robot.stop();
  }
}

function nextLine(lines: Interface): Promise<string> {
  return new Promise((resolve) => lines.once("line", resolve));
}
