import { defaultBall } from "../../src/flight/ball.js";
import type { Event } from "../../src/messages/report.js";
import { type RealTimeOptions, realTimeDefaults } from "../../src/run/real-time-options.js";
import { createRealTimeRun, startRealTimeRun } from "../../src/run/real-time-run.js";
import { robotLink } from "../../src/run/robot-link.js";
import type { Run } from "../../src/run/run.js";
import type { ThreadsHost } from "../../src/run/threads-host.js";
import { RobotProcess } from "../../src/simulation/robot-sim/robot-process.module.js";
import type { WorldMessage } from "../../src/simulation/robot-sim/world-protocol.js";

export const UR_ROBOT = "ur10e-net";
/** What the program on the robot lets pass without a command, and the monitor allows for [ms]. */
const TIMEOUT_MS = 20;

/** The simulated controller in a process of its own. */
export function startController(seed: number, robot = UR_ROBOT): Promise<RobotProcess> {
  const settings = { seed, ball: defaultBall, balls: 1, challenges: "full", missedCycles: 12, priority: 75 } as const;
  return RobotProcess.start({ ...settings, robot, protocol: "ur" });
}

/** What a run reported, and when [ms of the wall clock]. */
export interface ReportedEvent {
  readonly code: string;
  readonly severity: Event["severity"];
  readonly text: string;
  readonly atMs: number;
}

/** A run in threads that drives the controller at `link` over real sockets. */
export class UrRun {
  readonly run: Run<ThreadsHost>;
  readonly events: ReportedEvent[] = [];
  /** Newest word of the simulated robot about itself. */
  mode: Extract<WorldMessage, { type: "mode" }> | null = null;

  static async start(link: string, seed: number, speed: RealTimeOptions["speed"] = "auto"): Promise<UrRun> {
    // Port 0: several runs on one machine do not meet.
    const { address, drivers } = robotLink([`${link}&reverse=0&timeoutMs=${TIMEOUT_MS}`]);
    const options: RealTimeOptions = {
      ...realTimeDefaults,
      ...{ robot: UR_ROBOT, perception: "points", address, drivers, seed, speed, missedCycles: TIMEOUT_MS },
    };
    const urRun = new UrRun(options);
    await startRealTimeRun(urRun.run, options);
    return urRun;
  }

  private constructor(options: RealTimeOptions) {
    this.run = createRealTimeRun(options, {
      event: ({ code, severity, text }) => this.events.push({ code, severity, text, atMs: performance.now() }),
      world: (message) => {
        if (message.type === "mode") this.mode = message;
      },
    });
  }

  close(): Promise<void> {
    return this.run.close();
  }
}
