import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageMessage, pageJson, pageSchemas } from "../../src/messages/page.js";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { monotonicMs } from "../../src/runtime/clock.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { LockStepSession } from "../../src/view/lock-step-session.module.js";
import { createPosePacket } from "../../src/view/pose-packet.js";
import { eventually } from "../support/eventually.js";

/** A run that goes on has a new pose every few milliseconds [ms]. */
const REST_MS = 300;

const received: PageMessage[] = [];
let session: LockStepSession;

function ofType<T extends PageMessage["type"]>(type: T): Extract<PageMessage, { type: T }>[] {
  return received.filter((message): message is Extract<PageMessage, { type: T }> => message.type === type);
}

function timeOfPose(): number {
  const pose = createPosePacket(session.facts.joints.length, session.facts.hands.length);
  return session.pose(pose) ? pose.time : Number.NaN;
}

/** Time of the pose that is no longer followed by another; poses may still be under way when a run is paused. */
async function restingTime(): Promise<number> {
  let [time, since] = [Number.NaN, Date.now()];
  await eventually(() => {
    if (time !== timeOfPose()) [time, since] = [timeOfPose(), Date.now()];
    return Date.now() - since > REST_MS;
  });
  return time;
}

function nodeOf(name: string) {
  return session.snapshot().components?.components.find((component) => component.name === name);
}

beforeAll(async () => {
  session = await LockStepSession.start({
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
    planner: { starts: 12 },
    automatic: false,
    speed: 10,
  });
  session.subscribe({ onMessage: (message) => received.push(message) });
});

afterAll(async () => {
  await session.close();
});

describe("a lock-step session", () => {
  test("publishes a throw from release to result", async () => {
    const [ball] = session.throwBalls({});
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
    await session.change({ paused: true });
    const before = await restingTime();
    await session.step(50);
    await eventually(() => timeOfPose() > before);
    expect(await restingTime()).toBeLessThanOrEqual(before + 0.2);
    await session.change({ paused: false });
    await eventually(() => timeOfPose() > before + 0.2);
  });

  test("is stopped by a person and stays so until it is let go", async () => {
    // At ten times real time a busy machine would miss the reach.
    await session.change({ speed: 1 });
    const known = ofType("state").length;
    session.throwBalls({});
    await eventually(() =>
      ofType("state")
        .slice(known)
        .some(({ arms }) => arms[0]?.state === "reaching"),
    );
    expect((await session.stopRobot(monotonicMs())).braked).toMatchObject({ confirmedBy: "robot" });
    await session.change({ speed: 10 });
    await eventually(() => session.snapshot().state?.monitor.phase === "stopped");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(session.snapshot().state?.activity).toBe("stopped");
    session.resetRobot();
    await eventually(() => session.snapshot().state?.activity === "waiting");
    session.throwBalls({});
    await eventually(() => ofType("throw").length >= 3);
    expect(ofType("throw").at(-1)!.result.outcome).toBe("caught");
  });

  test("publishes its graph, how each node fares, and the fields that are asked for", async () => {
    const { graph } = session.snapshot();
    expect(graph?.nodes.map(({ name }) => name)).toContain("catching");
    expect(graph?.nodes.every(({ control }) => control === "never")).toBe(true);
    await eventually(() => (nodeOf("control")?.rate ?? 0) > 0);
    expect(nodeOf("control")?.rate).toBeCloseTo(1000, -1);
    expect(nodeOf("control")?.load).toBeGreaterThan(0);
    expect(nodeOf("control")?.cpu).toBeNull();
    const commands = nodeOf("control")?.outputs.find(({ port }) => port === "commands");
    expect(commands?.rate).toBeCloseTo(1000, -1);
    expect(nodeOf("robot")?.inputs).toContainEqual(
      expect.objectContaining({ port: "commands", from: "control.commands", state: "flowing" }),
    );
    session.plotFields(["control.commands.q[1]"]);
    await eventually(() => ofType("samples").length > 1);
    const [series] = ofType("samples").at(-1)!.series;
    expect(series?.field).toBe("control.commands.q[1]");
    expect(series?.values.every((value) => value !== null)).toBe(true);
    const gaps = series!.times.slice(1).map((time, k) => time - series!.times[k]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.019);
    session.plotFields([]);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const before = ofType("samples").length;
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(ofType("samples")).toHaveLength(before);
    expect(() => session.plotFields(["control.commands.name"])).toThrow(/FLY_FIELD_UNKNOWN|no number/);
  });

  test("takes one trace of its steps at a time", async () => {
    const taken = session.trace(0.3);
    await expect(session.trace(0.3)).rejects.toMatchObject({ code: "FLY_TRACE_BUSY" });
    const { traceEvents } = await taken;
    const steps = traceEvents.filter(({ ph }) => ph === "X");
    expect(new Set(steps.map(({ name }) => name))).toContain("control");
    expect(steps.every(({ ts, dur }) => Number.isFinite(ts) && dur! >= 0)).toBe(true);
  });

  test("publishes only messages that are described, as they are described", async () => {
    const schemas = pageSchemas();
    const ajv = new Ajv({ strict: false });
    const types = Object.keys(schemas) as PageMessage["type"][];
    const validators = new Map(types.map((type) => [type, ajv.compile(schemas[type] as object)]));
    await session.change({ mode: "cool" });
    await eventually(() => ofType("components").length > 0);
    for (const message of received) {
      const validate = validators.get(message.type);
      const sent: unknown = JSON.parse(JSON.stringify(message));
      expect(validate?.(sent), `${message.type}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
      expect(JSON.parse(JSON.stringify(pageJson(message)))).toEqual(sent);
    }
    // Nothing is said of events without one, and of circles where balls are seen as they are.
    const seen = new Set(received.map(({ type }) => type));
    expect(
      types.filter((type) => !seen.has(type) && type !== "event" && type !== "start" && type !== "circles"),
    ).toEqual([]);
  });

  test("refuses what it cannot do", async () => {
    await expect(session.change({ balls: 3 })).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
    for (const challenges of [{ wind: 1 }, { constructor: 1 }, { toString: 1 }] as unknown as { wind: number }[]) {
      await expect(session.change({ challenges })).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
    }
    await expect(session.step(1)).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
    await expect(session.controlNode("catching", "stop")).rejects.toMatchObject({ code: "FLY_LIVE_CONTROL" });
  });
});
