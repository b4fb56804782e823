import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { LockStepStage } from "../../src/view/lock-step-stage.module.js";
import { createPosePacket } from "../../src/view/pose-packet.js";
import type { StageMessage } from "../../src/view/stage-messages.js";
import { eventually } from "../support/eventually.js";

const heard: StageMessage[] = [];
let stage: LockStepStage;

function ofType<T extends StageMessage["type"]>(type: T): Extract<StageMessage, { type: T }>[] {
  return heard.filter((message): message is Extract<StageMessage, { type: T }> => message.type === type);
}

beforeAll(async () => {
  stage = await LockStepStage.start({
    robot: "lwr-arm",
    perception: "truth",
    world: "kinematic",
    balls: 1,
    ...runSettingsOf(resolveConfig({})),
    mode: "soft",
    body: "rule",
    afterCatch: "return",
    seed: 1,
    latestCatch: 1.8,
    starts: 12,
    automatic: false,
    speed: 10,
  });
  stage.watch({ hear: (message) => heard.push(message) });
});

afterAll(async () => {
  await stage.close();
});

describe("a lock-step run on stage", () => {
  test("tells of a throw from release to result", async () => {
    const [ball] = stage.throwBalls({});
    await eventually(() => ofType("throw").length === 1);
    expect(ofType("throw")[0]!.result).toMatchObject({ id: ball, outcome: "caught" });
    expect(ofType("throw")[0]!.summary.throws).toBe(1);
    expect(ofType("ball").map((message) => message.ball)).toEqual([ball]);
    const plans = ofType("plan").filter(({ tCatch }) => tCatch !== null);
    expect(plans.length).toBeGreaterThan(0);
    for (const { ramps, joints } of plans) {
      for (const numbers of Object.values(ramps)) expect(numbers).toHaveLength(joints.length);
    }
    expect(ofType("handover").filter(({ outcome }) => outcome === "accepted").length).toBeGreaterThan(0);
    const { path } = ofType("prediction").at(-1)!;
    expect(path[0]![0]).toBeLessThan(path.at(-1)![0]);
    const states = new Set(ofType("state").flatMap(({ arms }) => arms.map(({ state }) => state)));
    expect(states).toContain("watching");
    expect(states).toContain("reaching");
  });

  test("stands still while it is paused, but for the steps asked for", async () => {
    await stage.change({ paused: true });
    const pose = createPosePacket(stage.facts.joints.length, stage.facts.hands.length);
    await eventually(() => stage.pose(pose));
    const settle = () => new Promise((resolve) => setTimeout(resolve, 60));
    await settle();
    stage.pose(pose);
    const before = pose.time;
    await settle();
    stage.pose(pose);
    expect(pose.time).toBe(before);
    await stage.step(50);
    await settle();
    stage.pose(pose);
    expect(pose.time).toBeGreaterThan(before);
    expect(pose.time).toBeLessThanOrEqual(before + 0.2);
    await stage.change({ paused: false });
  });

  test("is stopped by a person and stays so until it is let go", async () => {
    stage.throwBalls({});
    await eventually(() => stage.snapshot().state?.arms[0]?.state === "reaching");
    expect(await stage.stopRobot()).toBeNull();
    await eventually(() => stage.snapshot().state?.monitor.phase === "stopped");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stage.snapshot().state?.activity).toBe("stopped");
    stage.resetRobot();
    await eventually(() => stage.snapshot().state?.activity === "waiting");
    stage.throwBalls({});
    await eventually(() => ofType("throw").length >= 3);
    expect(ofType("throw").at(-1)!.result.outcome).toBe("caught");
  });

  test("refuses what it cannot do", async () => {
    await expect(stage.change({ balls: 3 })).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
    await expect(stage.change({ challenges: { wind: 1 } })).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
    await expect(stage.step(1)).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
  });
});
