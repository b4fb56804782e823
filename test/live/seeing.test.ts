import { describe, expect, it, vi } from "vitest";
import type { ThrowResult } from "../../src/catching/run-summary.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { PerceptionKind } from "../../src/run/graph.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { deep } from "../support/deep.js";

vi.setConfig({ testTimeout: deep(120_000, 900_000) });

/** Throws at a robot in physics with all challenges, seen in some way. */
async function play(name: string, perception: PerceptionKind, throws: number, balls = 1): Promise<ThrowResult[]> {
  const robot = loadRobot(name);
  const run = await lockStepRun({ robot, world: "physics", perception, balls, seed: 3 });
  const ids = Array.from({ length: throws }, (_, k) => Array.from({ length: balls }, (_, ball) => k * balls + ball));
  const results: ThrowResult[] = [];
  for (const together of ids) results.push(...(await run.throwBalls(together)));
  await run.close();
  return results;
}

const caught = (results: readonly ThrowResult[]): number =>
  results.filter(({ outcome }) => outcome === "caught").length;

describe("catching what is seen", () => {
  it("without error, on a body that bends and slips, to two millimetres", async () => {
    const results = await play("agile-justin", "truth", deep(3, 50));
    expect(caught(results)).toBeGreaterThanOrEqual(deep(3, 49));
    for (const { verdict } of results) expect(verdict!.lateral).toBeLessThan(0.002);
  });

  it("as circles by a shaking head, to millimetres, the same bits each time", async () => {
    const results = await play("agile-justin", "circles", deep(3, 50));
    expect(caught(results)).toBeGreaterThanOrEqual(deep(2, 45));
    for (const { outcome, errors } of results) {
      if (outcome !== "caught") continue;
      expect(errors!.servo).toBeLessThan(0.003);
      expect(errors!.calibration).toBeLessThan(1e-6);
    }
    expect(await play("agile-justin", "circles", 1)).toEqual(results.slice(0, 1));
  });

  it("in rendered images", async () => {
    const results = await play("agile-justin", "images", deep(1, 20));
    expect(caught(results)).toBeGreaterThanOrEqual(deep(1, 18));
  });

  it("as points of motion capture, by an arm without eyes", async () => {
    const results = await play("lwr-arm", "points", deep(4, 50));
    const planned = results.filter(({ outcome }) => outcome !== "no-plan");
    expect(planned.length).toBeGreaterThanOrEqual(deep(2, 30));
    expect(caught(results)).toBeGreaterThanOrEqual(0.9 * planned.length);
  });

  it("is refused without eyes", async () => {
    await expect(play("lwr-arm", "images", 1)).rejects.toMatchObject({ code: "FLY_SENSOR_MISSING" });
  });
});
