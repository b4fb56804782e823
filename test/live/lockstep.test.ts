import { beforeAll, describe, expect, it, vi } from "vitest";
import { summarize, type ThrowResult } from "../../src/catching/run-summary.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { type LockStepOptions, lockStepRun } from "../../src/run/lock-step-host.js";
import { deep } from "../support/deep.js";

vi.setConfig({ testTimeout: deep(120_000, 600_000), hookTimeout: deep(120_000, 600_000) });

const perfect = { world: "kinematic", perception: "truth", seed: 1 } as const;

async function play(name: string, throws: number, options: Partial<LockStepOptions> = {}): Promise<ThrowResult[]> {
  const run = await lockStepRun({ robot: loadRobot(name), ...perfect, ...options });
  const results: ThrowResult[] = [];
  for (let id = 0; id < throws; id++) results.push(...(await run.throwBalls([id])));
  return results;
}

/** Every throw with a plan was caught, within the hand's tolerances, without a plan that control refused. */
function expectAllCaught(results: readonly ThrowResult[], leastPlanned: number): void {
  const planned = results.filter(({ outcome }) => outcome !== "no-plan");
  expect(planned.length).toBeGreaterThanOrEqual(leastPlanned);
  for (const { id, outcome, verdict, refused, reason } of planned) {
    expect({ id, outcome, refused, reason }).toEqual({ id, outcome: "caught", refused: 0, reason: null });
    expect(verdict!.lateral).toBeLessThanOrEqual(0.02);
    expect(Math.abs(verdict!.timing)).toBeLessThanOrEqual(0.005);
  }
  for (const { outcome, reason, replans } of results) {
    if (outcome === "no-plan") expect(reason).not.toBe("");
    else expect(replans).toBeGreaterThanOrEqual(3);
  }
}

describe("the arm on the table", () => {
  const throws = deep(20, 400);
  let results: readonly ThrowResult[] = [];

  beforeAll(async () => {
    results = await play("lwr-arm", throws);
  });

  it("catches every ball that it has a plan for", () => {
    expectAllCaught(results, 0.6 * throws);
  });

  it("reaches for the ball as soon as three frames and all delays allow, and replans at every frame", () => {
    for (const { reactionTime, catchTime, replans, outcome } of results) {
      if (outcome === "no-plan") continue;
      // The third frame is exposed 80 to 120 ms after the release; then 40 + 35 + 30 + 17 ms.
      expect(reactionTime).toBeGreaterThanOrEqual(0.08 + 0.122 - 1e-9);
      expect(reactionTime).toBeLessThanOrEqual(0.12 + 0.122 + 1e-9);
      const frames = (catchTime! - reactionTime!) / 0.04;
      expect(Math.abs(replans - frames)).toBeLessThan(3.5);
    }
  });

  it("plays the same game again, bit by bit, and another one with another seed", async () => {
    expect(await play("lwr-arm", 8)).toEqual(results.slice(0, 8));
    expect((await play("lwr-arm", 2, { seed: 2 }))[1]!.flightTime).not.toBe(results[1]!.flightTime);
  });

  it("catches where it stands after the last catch, if it stays", async () => {
    expectAllCaught(await play("lwr-arm", deep(10, 100), { afterCatch: "stay" }), deep(6, 60));
  });

  it.each<CatchMode>(["latest", "cool", "sure"])("catches in mode %s", async (mode) => {
    expectAllCaught(await play("lwr-arm", deep(6, 100), { mode }), deep(4, 60));
  });

  it("has plans on time also where budgets are no whole number of ticks", async () => {
    const times = { coldBudgetNs: 20_300_000, warmBudgetNs: 7_777_777, transportNs: 1_234_567 };
    expectAllCaught(await play("lwr-arm", 4, { times }), 3);
  });

  it("is not told to jump, nor faster than it may move", async () => {
    const before = { q: new Float64Array(0), qd: new Float64Array(0) };
    const run = await lockStepRun({
      robot: loadRobot("lwr-arm"),
      ...perfect,
      mode: "latest",
      onTick: () => onTick(),
    });
    const arm = run.host.catchArms[0]!;
    let worstJump = 0;
    let worstStep = 0;
    let worstSpeed = 0;
    const onTick = (): void => {
      const { q, qd, count } = run.host.control.motion.of("arm");
      for (let i = 0; i < count && before.q.length > 0; i++) {
        const amax = arm.maxAcceleration[i]!;
        const way = (0.5 * (qd[i]! + before.qd[i]!)) / 1000;
        worstJump = Math.max(worstJump, Math.abs(q[i]! - before.q[i]! - way) / (0.25e-6 * amax));
        worstStep = Math.max(worstStep, Math.abs(qd[i]! - before.qd[i]!) / (1e-3 * amax));
        worstSpeed = Math.max(worstSpeed, Math.abs(qd[i]!) / arm.maxVelocity[i]!);
      }
      before.q = Float64Array.from(q);
      before.qd = Float64Array.from(qd);
    };
    for (let id = 0; id < 5; id++) await run.throwBalls([id]);
    expect(worstJump).toBeLessThanOrEqual(1 + 1e-5);
    expect(worstStep).toBeLessThanOrEqual(1 + 1e-5);
    expect(worstSpeed).toBeLessThanOrEqual(1 + 1e-5);
    expect(worstSpeed).toBeGreaterThan(0.5);
  });
});

describe("other robots", () => {
  it("Agile Justin catches with either arm, torso and platform helping", async () => {
    const results = await play("agile-justin", deep(6, 100));
    expectAllCaught(results, deep(6, 95));
    expect(summarize(results).refused).toBe(0);
    expect(new Set(results.map(({ arm }) => arm))).toEqual(new Set(["leftArm", "rightArm"]));
  });

  it("and with its left arm alone, its body still", async () => {
    expectAllCaught(await play("agile-justin", deep(5, 100), { arms: ["leftArm"], body: "stand" }), deep(1, 40));
  });

  it("and two balls at once", async () => {
    const run = await lockStepRun({ robot: loadRobot("agile-justin"), ...perfect });
    const pairs: ThrowResult[][] = [];
    for (let k = 0; k < deep(4, 50); k++) pairs.push(await run.throwBalls([2 * k, 2 * k + 1]));
    const both = pairs.filter((results) => results.every(({ outcome }) => outcome === "caught"));
    expect(both.length).toBeGreaterThanOrEqual(deep(1, 20));
    for (const results of pairs) {
      expect(results.filter(({ outcome }) => outcome === "missed")).toEqual([]);
      if (both.includes(results)) expect(results[0]!.arm).not.toBe(results[1]!.arm);
    }
  });

  it.each(["iiwa-14", "panda"])("%s catches", async (name) => {
    expectAllCaught(await play(name, deep(4, 100)), deep(3, 55));
  });
});

describe("what cannot run", () => {
  it("is refused with a code", async () => {
    const robot = loadRobot("lwr-arm");
    await expect(lockStepRun({ robot, ...perfect, arms: ["tail"] })).rejects.toThrow(
      expect.objectContaining({ code: "FLY_PLAN_GROUP_UNKNOWN" }),
    );
    const homeless = { ...robot, postures: new Map() };
    await expect(lockStepRun({ robot: homeless, ...perfect })).rejects.toThrow(
      expect.objectContaining({ code: "FLY_LIVE_POSTURE_MISSING" }),
    );
  });
});
