import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { type Channel, createChannel } from "../../../src/channels/channel.js";
import { f64, time } from "../../../src/channels/field.js";
import { packet } from "../../../src/channels/packet.js";
import { Camera } from "../../../src/messages/camera.js";
import { Circles } from "../../../src/messages/circles.js";
import { Event, Severity } from "../../../src/messages/event.js";
import { Imu } from "../../../src/messages/imu.js";
import { JointCommand } from "../../../src/messages/joint-command.js";
import { JointState } from "../../../src/messages/joint-state.js";
import { openRecording } from "../../../src/recording/format/open-recording.js";
import { readingDofs } from "../../../src/recording/reading-dofs.js";
import { recordedRobotOf } from "../../../src/recording/recorded-robot.js";
import { LiveRecorder } from "../../../src/recording/recorder/live-recorder.module.js";
import type { ItemOf, RecordedItem, RecordedTopic } from "../../../src/recording/recording.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RealTimeClock } from "../../../src/runtime/clock.js";
import { plainHeader } from "../random-items.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-recorder-"));
afterAll(() => rmSync(folder, { recursive: true }));

const robot = loadRobot("agile-justin");
const header = plainHeader({
  robot: recordedRobotOf("agile-justin"),
  clock: "real-time",
  perception: "circles",
  readings: readingDofs(robot),
  jointPeriodNs: 10_000_000,
});

/** A packet of nobody's. */
const Oddity = packet("Oddity", 3, { t: time, value: f64 });

async function itemsOf(
  path: string,
): Promise<{ items: RecordedItem[]; topics: string[]; problems: readonly string[] }> {
  const recording = await openRecording(path);
  const items: RecordedItem[] = [];
  for await (const item of recording.items()) items.push(item);
  await recording.close();
  return { items, topics: recording.topics, problems: recording.problems };
}

function tap(name: string, channel: Channel<object>) {
  return { name, channel: channel.handle };
}

describe("LiveRecorder", () => {
  it("records what passes over channels, and accounts for every packet", async () => {
    const path = join(folder, "live.mcap");
    const circles = createChannel(Circles, { ringSize: 64 });
    const states = createChannel(JointState, { ringSize: 64 });
    const commands = createChannel(JointCommand, { ringSize: 64 });
    const imu = createChannel(Imu, { ringSize: 64 });
    const events = createChannel(Event, { ringSize: 64 });
    const oddities = createChannel(Oddity, { ringSize: 64 });
    const puts = {
      circles: circles.openPutPort(),
      states: states.openPutPort(),
      commands: commands.openPutPort(),
      imu: imu.openPutPort(),
      events: events.openPutPort(),
      oddities: oddities.openPutPort(),
    };
    const clock = new RealTimeClock();
    const recorder = await LiveRecorder.prepare();
    const taps = [
      tap("circles", circles as unknown as Channel<object>),
      tap("commands", commands as unknown as Channel<object>),
      tap("states", states as unknown as Channel<object>),
      tap("imu", imu as unknown as Channel<object>),
      tap("events", events as unknown as Channel<object>),
      tap("oddities", oddities as unknown as Channel<object>),
    ];
    await recorder.begin({ path, header, clock, taps });
    const rounds = 150;
    for (let k = 0; k < rounds; k++) {
      const command = puts.commands.reserve();
      command.t.nanoseconds = 1e6 * k;
      command.position.fill(0.5 + k);
      puts.commands.publish();
      const state = puts.states.reserve();
      state.t.nanoseconds = 1e6 * k;
      state.tArrival.nanoseconds = 1e6 * k + 200;
      state.position.fill(k / 7);
      state.velocity.fill(-k);
      puts.states.publish();
      const sample = puts.imu.reserve();
      sample.t.nanoseconds = 1e6 * k + 3;
      sample.tArrival.nanoseconds = 1e6 * k + 500;
      sample.specificForce[2] = 9.81;
      puts.imu.publish();
      if (k % 10 === 0) {
        const found = puts.circles.reserve();
        found.tExposure.nanoseconds = 1e6 * k;
        found.tArrival.nanoseconds = 1e6 * k + 4e7;
        found.camera = Camera.right;
        found.frame = k / 10;
        found.count = 2;
        Object.assign(found.circles[1]!, { u: 1 / 3, v: 2, r: 3, score: 0.25 });
        puts.circles.publish();
        const event = puts.events.reserve();
        event.t.nanoseconds = 1e6 * k;
        event.severity = Severity.warning;
        event.source.write("test");
        event.text.write(`round ${k}`);
        puts.events.publish();
        const oddity = puts.oddities.reserve();
        oddity.value = k;
        puts.oddities.publish();
      }
      await pause(1);
    }
    recorder.write({ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 });
    const report = await recorder.end();
    expect(report.failure).toBeNull();
    const { items, topics, problems } = await itemsOf(path);
    expect(problems).toEqual([]);
    const of = <T extends RecordedTopic>(topic: T): RecordedItem[] => items.filter((item) => item.topic === topic);
    const lost = (name: string): number => report.drops.find(({ topic }) => topic === name)?.messages ?? 0;
    expect(of("cameras/circles").length + lost("circles")).toBe(rounds / 10);
    expect(of("events").length + lost("events")).toBe(rounds / 10);
    const readings = of("sensors/readings") as ItemOf<"sensors/readings">[];
    const count = (pick: (item: ItemOf<"sensors/readings">) => number): number =>
      readings.reduce((sum, item) => sum + pick(item), 0);
    expect(count(({ joints }) => joints.time.length) + lost("states")).toBe(rounds);
    expect(count(({ imu: samples }) => samples.time.length) + lost("imu")).toBe(rounds);
    // A ring of 64 packets at some 1 kHz: enough even where the recorder has to wait for a core.
    expect(of("cameras/circles").at(-1)).toMatchObject({ camera: "right", exposureNs: 1.4e8, arrivalNs: 1.8e8 });
    expect(of("cameras/circles").at(-1)).toMatchObject({
      u: Float64Array.of(0, 1 / 3),
      v: Float64Array.of(0, 2),
      r: Float64Array.of(0, 3),
      score: Float64Array.of(0, 0.25),
    });
    expect(of("joints").length).toBeGreaterThan(5);
    expect(of("cameras/lost")).toEqual([{ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 }]);
    expect(topics).toContain("/channels/oddities");
    expect(topics).toContain("/tf");
  });

  it("does not hold up a channel that it cannot follow, and counts what it missed", async () => {
    const path = join(folder, "flood.mcap");
    const events = createChannel(Event, { ringSize: 4 });
    const put = events.openPutPort();
    const recorder = await LiveRecorder.prepare();
    const taps = [tap("events", events as unknown as Channel<object>)];
    await recorder.begin({ path, header: plainHeader({ robot: header.robot }), clock: new RealTimeClock(), taps });
    const flood = 5000;
    for (let k = 0; k < flood; k++) {
      put.reserve().t.nanoseconds = k;
      put.publish();
    }
    const report = await recorder.end();
    const { items } = await itemsOf(path);
    const heard = items.filter(({ topic }) => topic === "events").length;
    const [drop] = report.drops;
    expect(drop?.topic).toBe("events");
    expect(heard + drop!.messages).toBe(flood);
    expect(drop!.messages).toBeGreaterThan(0);
  });

  it("refuses a place where nothing can be written", async () => {
    const recorder = await LiveRecorder.prepare();
    const path = join(folder, "no", "such", "folder.mcap");
    const begun = recorder.begin({ path, header, clock: new RealTimeClock(), taps: [] });
    await expect(begun).rejects.toMatchObject({ code: "FLY_FILE_UNWRITABLE" });
    await recorder.abandon();
  });

  it.runIf(existsSync("/dev/full"))("tells of a full disk at the end", async () => {
    const recorder = await LiveRecorder.prepare();
    await recorder.begin({ path: "/dev/full", header, clock: new RealTimeClock(), taps: [] });
    recorder.write({ topic: "cameras/lost", timeNs: 5, frame: 9, exposureNs: 1 });
    const report = await recorder.end();
    expect(report.failure).toContain("ENOSPC");
  });
});
