import { describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Overlay } from "../../src/robot/sidecar/overlay-schema.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { LateCommands } from "../../src/simulation/late-commands.js";

function delayed(delay: number): Overlay {
  return { schemaVersion: 1, date: "2026-11-18", version: "test", commandDelays: { arm: delay } };
}

describe("late commands", () => {
  it("come out after each joint's own delay, and at first the joints stand", () => {
    const { model } = loadRobot("ur10e-net");
    const commandDelay = Float64Array.of(0, 0.001, 0.002, 0.003, 0.0304, 0.05);
    const late = new LateCommands({ model, commandDelay } as never, new Float64Array(6).fill(-1), 0.001);
    const zeros = new Float64Array(6);
    for (let k = 0; k < 200; k++) {
      late.step(new Float64Array(6).fill(k), new Float64Array(6).fill(2 * k), zeros);
      const expected = [0, 1, 2, 3, 30, 50].map((steps) => (k >= steps ? k - steps : -1));
      expect(Array.from(late.q)).toEqual(expected);
      expect(Array.from(late.qd)).toEqual(expected.map((q) => (q < 0 ? 0 : 2 * q)));
    }
  });
});

/** What a late arm's grasps are off by, along the ball's flight [s] and by their servos [m]. */
async function grasps(known: number, real: number) {
  const robot = loadRobot("ur10e-net", { calibration: delayed(known) });
  const truth = loadRobot("ur10e-net", { calibration: "none", truth: delayed(real) });
  const run = await lockStepRun({ robot, truth, world: "kinematic", perception: "points", seed: 1 });
  const results = await run.throwBalls([0]);
  await run.close();
  return results;
}

describe("an arm that follows its commands late", () => {
  it("meets the ball where the delay is known, and is late where it is not", async () => {
    const servo = (results: Awaited<ReturnType<typeof grasps>>) =>
      results.map(({ errors }) => errors?.servo ?? Number.NaN);
    const known = await grasps(0.034, 0.034);
    const unknown = await grasps(0, 0.034);
    const exact = await grasps(0, 0);
    for (const results of [known, exact]) for (const { outcome } of results) expect(outcome).toBe("caught");
    for (const error of servo(known)) expect(error).toBeLessThan(0.0005);
    expect(Math.max(...servo(unknown))).toBeGreaterThan(0.003);
    for (const [k, { verdict }] of known.entries()) {
      expect(Math.abs(verdict!.timing)).toBeLessThan(0.002);
      expect(Math.abs(known[k]!.catchTime! - exact[k]!.catchTime!)).toBeLessThan(0.1);
    }
  });

  it("closes its hand with the arm, not with the arm's commands", async () => {
    const { hands, model } = loadRobot("lwr-arm");
    const group = model.groups.find(({ hand }) => hand === hands[0]!.name)!.name;
    const overlay: Overlay = { ...delayed(0), commandDelays: { [group]: 0.034 } };
    const robot = loadRobot("lwr-arm", { calibration: overlay });
    const run = await lockStepRun({ robot, world: "kinematic", perception: "truth", seed: 1 });
    const [result] = await run.throwBalls([0]);
    await run.close();
    expect(result).toMatchObject({ outcome: "caught" });
    expect(Math.abs(result!.verdict!.timing)).toBeLessThan(0.002);
  });
});
