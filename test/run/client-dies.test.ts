import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { defaultBall } from "../../src/flight/ball.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { realTimeDefaults } from "../../src/run/real-time-options.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { RobotProcess } from "../../src/simulation/robot-sim/robot-process.module.js";
import { WorldClient } from "../../src/simulation/robot-sim/world-client.module.js";
import type { WorldMessage } from "../../src/simulation/robot-sim/world-protocol.js";
import { deep } from "../support/deep.js";

/** A run in a process of its own, as often as there are ways to end it, takes its time. */
const isDeep = deep(0, 1) === 1;

const robotOptions = {
  robot: "lwr-arm",
  seed: 1,
  ball: defaultBall,
  balls: 1,
  challenges: "none",
  missedCycles: realTimeDefaults.missedCycles,
  priority: 75,
} as const;

type ModeMessage = Extract<WorldMessage, { type: "mode" }>;

/** Waits until something holds; the test's own time limit ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

describe.runIf(isDeep)("a robot whose client dies", () => {
  it.each(["SIGKILL", "SIGSTOP"] as const)("brakes by itself after %s", { timeout: 180_000 }, async (signal) => {
    const robot = await RobotProcess.start(robotOptions);
    const modes: ModeMessage[] = [];
    const client = await WorldClient.connect(robot.address, (message) => {
      if (message.type === "mode") modes.push(message);
    });
    const { udp, world, secret } = robot.address;
    const program = join(packageRoot, "dist", "test", "run", "real-time-child.js");
    const child = spawn(process.execPath, [program, String(udp), String(world), secret], {
      stdio: ["ignore", "pipe", "ignore"],
      // A session of its own: the favour it asks for goes with it.
      detached: true,
    });
    let words = "";
    child.stdout.on("data", (bytes: Buffer) => {
      words += bytes.toString();
    });
    await until(() => words.includes("reaching"));
    await until(() => modes.at(-1)?.isStanding === false);
    // On a busy machine the robot may have stopped by itself before, and been led again.
    const before = modes.length;
    const isSilence = ({ mode, fault }: ModeMessage): boolean => mode === "fault" && fault === "silence";
    child.kill(signal);
    await until(() => modes.slice(before).some(isSilence));
    const braking = modes.slice(before).find(isSilence)!;
    await until(() => modes.at(-1)!.isStanding && modes.at(-1)!.mode !== "command");
    const { model, maxDeceleration } = loadRobot("lwr-arm");
    const longest = Math.max(...model.maxVelocity.map((speed, i) => speed / Math.min(maxDeceleration[i]!, 1e3)));
    expect(modes.at(-1)!.time - braking.time).toBeLessThan(longest + 0.1);
    child.kill("SIGKILL");
    client.close();
    await robot.stop();
  });
});
