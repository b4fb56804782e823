import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { defaultBall } from "../../src/flight/ball.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type RobotAddress, RobotProcess } from "../../src/simulation/robot-sim/robot-process.module.js";
import type { Weather } from "./udp-proxy.js";

/** A simulated robot behind a network that delays, loses and reorders datagrams. */
export class ProxiedRobot {
  readonly address: RobotAddress;
  readonly #robot: RobotProcess;
  readonly #proxy: ChildProcess;

  static async start(robot: string, seed: number): Promise<ProxiedRobot> {
    const process_ = await RobotProcess.start({
      ...{ robot, seed, ball: defaultBall, balls: 1, challenges: "none", missedCycles: 12, priority: 75 },
    });
    const program = join(packageRoot, "dist", "bench", "faults", "udp-proxy.js");
    const proxy = spawn(process.execPath, [program, String(process_.address.udp)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const udp = await new Promise<number>((resolve) =>
      proxy.stdout.once("data", (bytes: Buffer) => resolve(Number(bytes.toString()))),
    );
    return new ProxiedRobot(process_, proxy, { ...process_.address, udp });
  }

  private constructor(robot: RobotProcess, proxy: ChildProcess, address: RobotAddress) {
    this.#robot = robot;
    this.#proxy = proxy;
    this.address = address;
  }

  set weather(weather: Weather) {
    this.#proxy.stdin!.write(`${JSON.stringify(weather)}\n`);
  }

  async close(): Promise<void> {
    this.#proxy.kill();
    await this.#robot.stop();
  }
}
