import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Ball } from "../../flight/ball.js";
import { setAutogroupNice } from "../../runtime/autogroup-priority.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { processGcFlags } from "../../runtime/gc-flags.js";
import { packageRoot } from "../../runtime/package-root.js";
import type { RobotProtocol } from "./robot-ends.js";

/** Where a robot, and the simulated world about it, are to be found. */
export interface RobotAddress {
  readonly host: string;
  /** Of the robot's protocol over UDP; 0: it speaks another one. */
  readonly udp: number;
  /** Shared with the robot's protocol; left out: it asks for none. */
  readonly key?: string;
  /** Of the simulated world over TCP (port 0: there is none), and what it asks for. */
  readonly world: number;
  readonly secret: string;
}

/** What the process sends when it is ready. */
export interface RobotSimReady extends Pick<RobotAddress, "udp" | "world" | "secret"> {
  /** The same as `--robot-address` takes it. */
  readonly link: string;
}

interface RobotProcessOptions {
  readonly robot: string;
  readonly seed: number;
  readonly ball: Ball;
  readonly balls: number;
  readonly challenges: "full" | "none";
  readonly missedCycles: number;
  readonly priority: number;
  /** Default: the cyclic UDP protocol. */
  readonly protocol?: RobotProtocol;
}

/** Before it is ready the robot warms up; on a busy machine that takes its time. */
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 1000;
/** Nice value of its session against others. */
const SESSION_NICE = -15;
const HOST = "127.0.0.1";

/** The simulated robot, in a process of its own so that it can brake when we die. */
export class RobotProcess {
  readonly address: RobotAddress;
  /** The same as `--robot-address` takes it. */
  readonly link: string;
  /** Settles when the process has ended, with why. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;

  static async start(options: RobotProcessOptions): Promise<RobotProcess> {
    const program = join(packageRoot, "dist", "bundle", "cli", "main.js");
    const child = spawn(process.execPath, [...processGcFlags, program, "robot-sim", ...argumentsOf(options)], {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      // Our own robot listens on loopback and asks for no key.
      env: { ...process.env, FLYCATCHER_ROBOT_KEY: "" },
      // Ctrl-C is for us alone: the robot must outlive the moment in which it is stopped.
      detached: true,
    });
    const words: string[] = [];
    child.stderr?.on("data", (bytes: Buffer) => words.push(bytes.toString()));
    try {
      const { link, ...ports } = await portsOf(child, words);
      // It has a session of its own, which the favour for ours does not reach.
      if (options.priority > 0 && child.pid !== undefined) setAutogroupNice(SESSION_NICE, child.pid);
      return new RobotProcess(child, { host: HOST, ...ports }, link);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
  }

  private constructor(child: ChildProcess, address: RobotAddress, link: string) {
    this.#child = child;
    this.address = address;
    this.link = link;
    this.exited = new Promise((resolve) =>
      child.once("exit", (code, signal) => resolve(signal === null ? `exit code ${code}` : signal)),
    );
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    // One that was stopped amid its work hears nothing.
    this.#child.kill("SIGCONT");
    this.#child.kill("SIGTERM");
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(patience);
  }
}

function argumentsOf({
  robot,
  seed,
  ball,
  balls,
  challenges,
  missedCycles,
  priority,
  protocol = "udp",
}: RobotProcessOptions): string[] {
  const { diameter, mass, drag } = ball;
  const ballWords = { "ball-diameter": diameter, "ball-mass": mass, "ball-drag": drag };
  const options = { robot, seed, ...ballWords, balls, challenges, "missed-cycles": missedCycles, priority, protocol };
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

async function portsOf(child: ChildProcess, words: readonly string[]): Promise<RobotSimReady> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new FlycatcherError("FLY_ROBOT_UNREACHABLE", `the simulated robot ${why}`));
      child.once("message", (ports) => resolve(ports as RobotSimReady));
      child.once("error", ({ message }) => fail(`did not start: ${message}`));
      child.once("exit", (code) => fail(`ended with code ${code}: ${words.join("").trim()}`));
      timer = setTimeout(() => fail(`was not ready in ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    });
  } finally {
    clearTimeout(timer);
  }
}
