import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveDefaults } from "../../src/catching/live/live-options.js";
import { livePartsOf } from "../../src/catching/live/live-parts.js";
import { type LiveEvent, LiveRun } from "../../src/catching/live/live-run.module.js";
import { RobotProcess } from "../../src/catching/live/robot-process.module.js";
import type { WorldMessage } from "../../src/catching/live/robot-sim/world-protocol.js";
import { WorldClient } from "../../src/catching/live/world-client.module.js";
import { plainMotion, writePlan } from "../../src/control/plan-codec.module.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { deep } from "../support/deep.js";

/** The whole of the faults takes minutes; what is left in a usual run shows that the threads work together. */
const isDeep = deep(0, 1) === 1;

const process_ = {
  robot: "lwr-arm",
  seed: 1,
  balls: 1,
  challenges: "none",
  missedCycles: liveDefaults.missedCycles,
  priority: 75,
} as const;

type ModeMessage = Extract<WorldMessage, { type: "mode" }>;

/** Waits until something holds; the test's own time limit ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

describe("the live demo in real time", () => {
  const events: LiveEvent[] = [];
  const modes: ModeMessage[] = [];
  let run: LiveRun;
  let thrown = 0;

  beforeAll(async () => {
    run = await LiveRun.start(
      {
        ...liveDefaults,
        robot: "lwr-arm",
        perception: "truth",
        challenges: "none",
      },
      {
        event: (event) => events.push(event),
        world: (message) => {
          if (message.type === "mode") modes.push(message);
        },
      },
    );
  }, 90_000);

  afterAll(async () => {
    await run.stop();
  }, 120_000);

  /** Throws balls until one is caught: on a busy machine now and then a plan comes too late. */
  async function catchesAgain(): Promise<boolean> {
    for (let attempt = 0; attempt < 6; attempt++) {
      const [result] = await run.throwBalls([thrown++]);
      if (result?.outcome === "caught") return true;
    }
    return false;
  }

  it("sees a throw through, and control keeps to what was commanded", { timeout: 120_000 }, async () => {
    const [result] = await run.throwBalls([thrown++]);
    expect(["caught", "missed", "no-plan"]).toContain(result?.outcome);
    expect(run.control.statistics.ticks).toBeGreaterThan(1000);
    expect((await run.report()).divergences).toBe(0);
  });

  // How much a busy machine catches in real time says more of the machine than of the code.
  it.runIf(isDeep)("catches, and physics says so", { timeout: 120_000 }, async () => {
    expect(await catchesAgain()).toBe(true);
  });

  it.runIf(isDeep)("goes on after a planner has died amid a throw", { timeout: 90_000 }, async () => {
    const throwing = run.throwBalls([thrown++]);
    await pause(700);
    run.killPlanner("arm");
    await throwing;
    await until(() => events.some(({ code }) => code === "planner-restarted"));
    expect(events.some(({ code }) => code === "planner-died")).toBe(true);
    expect(await catchesAgain()).toBe(true);
  });

  it.runIf(isDeep)("goes on after its eyes have died", { timeout: 90_000 }, async () => {
    run.killPart("truth-seeing");
    await until(() => events.some(({ code }) => code === "part-died"));
    expect(await catchesAgain()).toBe(true);
  });

  it("refuses a plan with a number that is none, and holds", { timeout: 120_000 }, async () => {
    await run.waits();
    const { parts } = livePartsOf(run.robot);
    const answers = run.channels.handovers.openGetPort("every");
    const ramps = new JointRamps(7);
    ramps.hold(new Float64Array(7).fill(Number.NaN));
    const tStart = run.clock.nowSeconds() + 0.1;
    const put = run.channels.plans.openPutPort();
    const plan = { id: 4_000_000, tStart, ramps, closeHandAt: Number.POSITIVE_INFINITY };
    writePlan(parts[0]!, plan, plainMotion, put.reserve());
    put.publish();
    const answer = await answers.receiveAsync(5000);
    expect(answer?.outcome).toBe(3);
    if (answer !== null) answers.release(answer);
    answers.close();
    put.close();
  });

  it.each(isDeep ? [5, 50, 500] : [50])("outlives a cut of the wire of %d ms", { timeout: 90_000 }, async (ms) => {
    await run.waits();
    const before = modes.length;
    run.cutWire(ms / 1e3);
    if (ms > 2 * liveDefaults.missedCycles) {
      await until(() => modes.slice(before).some(({ fault }) => fault === "silence"));
    }
    await pause(ms);
    await run.waits();
    expect(modes.at(-1)?.mode).toBe("command");
    expect(await catchesAgain()).toBe(true);
  });
});

describe.runIf(isDeep)("a robot whose client dies", () => {
  it.each(["SIGKILL", "SIGSTOP"] as const)("brakes by itself after %s", { timeout: 90_000 }, async (signal) => {
    const robot = await RobotProcess.start(process_);
    const modes: ModeMessage[] = [];
    const client = await WorldClient.connect(robot.address, (message) => {
      if (message.type === "mode") modes.push(message);
    });
    const { udp, world } = robot.address;
    const program = join(packageRoot, "dist", "test", "live", "live-child.js");
    const child = spawn(process.execPath, [program, String(udp), String(world)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    let words = "";
    child.stdout.on("data", (bytes: Buffer) => {
      words += bytes.toString();
    });
    await until(() => words.includes("reaching"));
    await until(() => modes.at(-1)?.isStanding === false);
    child.kill(signal);
    await until(() => modes.some(({ mode, fault }) => mode === "fault" && fault === "silence"));
    const braking = modes.find(({ fault }) => fault === "silence")!;
    await until(() => modes.at(-1)!.isStanding && modes.at(-1)!.mode !== "command");
    const { model, maxDeceleration } = loadRobot("lwr-arm");
    const longest = Math.max(...model.maxVelocity.map((speed, i) => speed / Math.min(maxDeceleration[i]!, 1e3)));
    expect(modes.at(-1)!.time - braking.time).toBeLessThan(longest + 0.1);
    child.kill("SIGKILL");
    client.close();
    await robot.stop();
  });
});
