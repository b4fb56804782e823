import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import * as vec3 from "../../src/math/vec3.js";
import { JointCommand } from "../../src/messages/control.js";
import { Event } from "../../src/messages/report.js";
import { Circles, createJointState, Imu, JointState } from "../../src/messages/sensing.js";
import type { recorderPorts } from "../../src/nodes/recorder.js";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { readingDofs } from "../../src/recording/reading-dofs.js";
import { recordedRobotOf } from "../../src/recording/recorded-robot.js";
import type { ItemOf, RecordedItem, RecordedTopic } from "../../src/recording/recording.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { RecordedRing } from "../../src/run/recorder.module.js";
import { RunRecorder } from "../../src/run/run-recorder.js";
import { RealTimeClock } from "../../src/runtime/clock.js";
import { createSyncTable } from "../../src/transport/channels/sync-table.js";
import type { MessageType } from "../../src/transport/message.js";
import { createRing, RingOutPort } from "../../src/transport/ring-ports.js";
import { plainHeader } from "../recording/random-items.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-recorder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const robot = loadRobot("agile-justin");
const count = robot.model.dofCount;
const header = plainHeader({
  robot: recordedRobotOf("agile-justin"),
  clock: "real-time",
  perception: "circles",
  readings: readingDofs(robot),
  jointPeriodNs: 10_000_000,
});
const table = createSyncTable();

/** A ring of messages that the recorder takes at `to`, and what puts into it. */
function ringOf<M extends object>(type: MessageType<M>, to: keyof typeof recorderPorts.in, clock: RealTimeClock) {
  const ring = createRing(type as unknown as MessageType, table);
  const recorded: RecordedRing = { from: `test.${to}`, to, ring };
  return { recorded, put: new RingOutPort(type, ring, () => clock.nowNs()) };
}

async function itemsOf(
  path: string,
): Promise<{ items: RecordedItem[]; topics: string[]; problems: readonly string[] }> {
  const recording = await openRecording(path);
  const items: RecordedItem[] = [];
  for await (const item of recording.items()) items.push(item);
  await recording.close();
  return { items, topics: recording.topics, problems: recording.problems };
}

describe("the recorder in a thread of its own", () => {
  it("records what passes over rings, and accounts for every message", async () => {
    const path = join(folder, "live.mcap");
    const clock = new RealTimeClock();
    const rings = {
      circles: ringOf(Circles, "circlesRight", clock),
      joints: ringOf(JointState, "joints", clock),
      state: ringOf(JointState, "state", clock),
      commands: ringOf(JointCommand, "commands", clock),
      imu: ringOf(Imu, "imu", clock),
      events: ringOf(Event, "events", clock),
    };
    const recorder = await RunRecorder.prepare();
    await recorder.begin({ path, header, clock, rings: Object.values(rings).map(({ recorded }) => recorded) });
    const rounds = 150;
    const joints = () => new Float64Array(count);
    for (let k = 0; k < rounds; k++) {
      const time = k / 1e3;
      const command = { time, cycle: k, mode: "follow", q: joints(), qd: joints(), qdd: joints() } as const;
      rings.commands.put.put({ ...command, closedAt: new Float64Array(2) }, 0);
      rings.state.put.put({ ...createJointState(count), time }, 0);
      rings.joints.put.put({ ...createJointState(count), time }, 0);
      const specificForce = vec3.create(0, 0, 9.81);
      rings.imu.put.put({ time, sample: k, angularVelocity: vec3.create(), specificForce }, 0);
      if (k % 10 === 0) {
        const exposure = { camera: "right", frame: k / 10, exposureNs: 1e6 * k, arrivalNs: 1e6 * k + 4e7 } as const;
        const [u, v, r] = [Float64Array.of(0, 1 / 3), Float64Array.of(0, 2), Float64Array.of(0, 3)];
        rings.circles.put.put(
          { ...exposure, u, v, r, covariance: new Float64Array(18), score: Float64Array.of(0, 0.25) },
          0,
        );
        rings.events.put.put({ severity: "warning", source: "test", code: "x", track: -1, text: `round ${k}` }, 0);
      }
      await pause(1);
    }
    recorder.write({ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 });
    const report = await recorder.end();
    expect(report.failure).toBeNull();
    const { items, topics, problems } = await itemsOf(path);
    expect(problems).toEqual([]);
    const of = <T extends RecordedTopic>(topic: T): RecordedItem[] => items.filter((item) => item.topic === topic);
    const lost = (name: string): number => report.drops.find(({ topic }) => topic === `test.${name}`)?.messages ?? 0;
    expect(of("cameras/circles").length + lost("circlesRight")).toBe(rounds / 10);
    expect(of("events").length + lost("events")).toBe(rounds / 10);
    const readings = of("sensors/readings") as ItemOf<"sensors/readings">[];
    const sum = (pick: (item: ItemOf<"sensors/readings">) => number): number =>
      readings.reduce((all, item) => all + pick(item), 0);
    expect(sum((item) => item.joints.time.length) + lost("joints")).toBe(rounds);
    expect(sum((item) => item.imu.time.length) + lost("imu")).toBe(rounds);
    expect(of("cameras/circles").at(-1)).toMatchObject({ camera: "right", exposureNs: 1.4e8, arrivalNs: 1.8e8 });
    // Thinned, and the newest only: how many depends on when the recorder's thread runs.
    expect(of("joints").length).toBeGreaterThan(1);
    expect(of("cameras/lost")).toEqual([{ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 }]);
    expect(topics).toContain("/tf");
  });

  it("does not hold up a ring that it cannot follow, and counts what it missed", async () => {
    const path = join(folder, "flood.mcap");
    const clock = new RealTimeClock();
    const { recorded, put } = ringOf(Event, "events", clock);
    const recorder = await RunRecorder.prepare();
    await recorder.begin({ path, header: plainHeader({ robot: header.robot }), clock, rings: [recorded] });
    const flood = 50_000;
    for (let k = 0; k < flood; k++) put.put({ severity: "info", source: "test", code: "x", track: k, text: "" }, 0);
    const report = await recorder.end();
    const { items } = await itemsOf(path);
    const taken = items.filter(({ topic }) => topic === "events").length;
    const [drop] = report.drops;
    expect(drop?.topic).toBe("test.events");
    expect(taken + drop!.messages).toBe(flood);
    expect(drop!.messages).toBeGreaterThan(0);
  });

  it("refuses a place where nothing can be written", async () => {
    const recorder = await RunRecorder.prepare();
    const path = join(folder, "no", "such", "folder.mcap");
    const begun = recorder.begin({ path, header, clock: new RealTimeClock(), rings: [] });
    await expect(begun).rejects.toMatchObject({ code: "FLY_FILE_UNWRITABLE" });
    await recorder.abandon();
  });

  it.runIf(existsSync("/dev/full"))("reports a full disk as soon as it is known", async () => {
    const recorder = await RunRecorder.prepare();
    await recorder.begin({ path: "/dev/full", header, clock: new RealTimeClock(), rings: [] });
    expect(await recorder.cut).toContain("ENOSPC");
    expect((await recorder.end()).failure).toContain("ENOSPC");
  });

  it.runIf(existsSync("/dev/full"))("reports a full disk at the end", async () => {
    const recorder = await RunRecorder.prepare();
    await recorder.begin({ path: "/dev/full", header, clock: new RealTimeClock(), rings: [] });
    recorder.write({ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 });
    const report = await recorder.end();
    expect(report.failure).toContain("ENOSPC");
  });
});
