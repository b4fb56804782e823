import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { JointCommand } from "../../src/messages/control.js";
import { Circles, createJointState, Imu, JointState } from "../../src/messages/sensing.js";
import { RecordingWriter } from "../../src/recording/format/recording-writer.js";
import { readingDofs } from "../../src/recording/reading-dofs.js";
import { buildRecordedRobot, recordedRobotOf } from "../../src/recording/recorded-robot.js";
import type { ItemOf, RecordedItem, RecordingHeader } from "../../src/recording/recording.js";
import type { RecordedRing } from "../../src/run/recorder.module.js";
import { RunRecorder } from "../../src/run/run-recorder.js";
import { simulatedHeader } from "../../src/run/simulated-recording.js";
import { RealTimeClock } from "../../src/runtime/clock.js";
import { createSyncTable } from "../../src/transport/channels/sync-table.js";
import type { MessageType } from "../../src/transport/message.js";
import { createRing, RingOutPort } from "../../src/transport/ring-ports.js";
import type { BenchContext, Metrics } from "../harness.js";

/** Seconds of images and joints that are written as fast as the disk and one core allow. */
const BULK_SECONDS = { slice: 1, full: 5 } as const;
/** Ticks published at once where a timer came late. */
const LONGEST_BURST = 8;
/** Seconds of a live run's sensors at their true rates. */
const LIVE_SECONDS = { slice: 3, full: 10 } as const;

/**
 * What the recorder can do: megabytes of items a second into a file (`recorder_mb_per_s`, images and joints of a live run
 * before compression), and packets lost of a live run's sensors at their true rates, 1 kHz of joints and commands, 512 Hz
 * of IMU and 25 Hz of circles (`recorder_dropped`).
 */
export async function measureRecorder({ seed, full, progress }: BenchContext): Promise<Metrics> {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-bench-"));
  try {
    progress("recorder: images and joints");
    const bulk = await measureBulk(join(folder, "bulk.mcap"), seed, BULK_SECONDS[full ? "full" : "slice"]);
    progress("recorder: sensors of a live run");
    const live = await measureLive(join(folder, "live.mcap"), LIVE_SECONDS[full ? "full" : "slice"]);
    return { ...bulk, ...live };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function header(): RecordingHeader {
  return simulatedHeader({ robot: "agile-justin", perception: "images", world: "physics", seed: 1 }).header;
}

/** Two cameras of 800 × 600 at 25 Hz and all joints at 1 kHz. */
async function measureBulk(path: string, seed: number, seconds: number): Promise<Metrics> {
  const items = bulkItems(new Random(seed));
  const writer = await RecordingWriter.create(path, header());
  const begun = performance.now();
  let bytes = 0;
  for (let second = 0; second < seconds; second++) {
    for (const item of items) {
      writer.write({ ...item, timeNs: item.timeNs + 1e9 * second } as RecordedItem);
      bytes += item.topic === "cameras/images" ? item.pixels.length : 8 * 4 * item.q.length;
    }
  }
  writer.close();
  const elapsed = (performance.now() - begun) / 1e3;
  return {
    recorder_mb_per_s: bytes / 1e6 / elapsed,
    recorder_compression: bytes / writer.byteLength,
    recorder_real_time_factor: seconds / elapsed,
  };
}

function bulkItems(random: Random): ItemOf<"cameras/images" | "joints">[] {
  const { dofCount } = buildRecordedRobot(recordedRobotOf("agile-justin")).model;
  const width = 800;
  const height = 600;
  const pixels = Uint8Array.from({ length: width * height }, (_, k) => {
    const shade = 90 + 40 * Math.sin((k % width) / 100) * Math.cos(k / width / 80);
    return shade + 2 * random.normal();
  });
  const numbers = (): Float64Array => Float64Array.from({ length: dofCount }, () => random.normal());
  const joints = Array.from({ length: 1000 }, (_, k): ItemOf<"joints"> => {
    const states = { q: numbers(), qd: numbers(), commandedQ: numbers(), commandedQd: numbers() };
    return { topic: "joints", timeNs: 1e6 * k, ...states };
  });
  const images = Array.from({ length: 50 }, (_, k): ItemOf<"cameras/images"> => {
    const timeNs = 4e7 * Math.floor(k / 2);
    const exposure = { frame: Math.floor(k / 2), exposureNs: timeNs, arrivalNs: timeNs };
    return {
      topic: "cameras/images",
      timeNs,
      camera: k % 2 === 0 ? "left" : "right",
      ...exposure,
      width,
      height,
      scale: 1,
      windows: [],
      pixels,
    };
  });
  return [...joints, ...images].sort((a, b) => a.timeNs - b.timeNs);
}

/** Publishes as the sensors of a live run do, from this thread, with the recorder on its own. */
async function measureLive(path: string, seconds: number): Promise<Metrics> {
  const robot = buildRecordedRobot(recordedRobotOf("agile-justin"));
  const clock = new RealTimeClock();
  const table = createSyncTable();
  const rings: RecordedRing[] = [];
  const ring = <M extends object>(type: MessageType<M>, to: RecordedRing["to"]): RingOutPort<M> => {
    const handle = createRing(type as unknown as MessageType, table);
    rings.push({ from: `bench.${to}`, to, ring: handle });
    return new RingOutPort(type, handle, () => clock.nowNs());
  };
  const puts = {
    joints: ring(JointState, "joints"),
    state: ring(JointState, "state"),
    commands: ring(JointCommand, "commands"),
    imu: ring(Imu, "imu"),
    circles: ring(Circles, "circlesLeft"),
  };
  const recorder = await RunRecorder.prepare();
  await recorder.begin({
    path,
    header: { ...header(), readings: readingDofs(robot), jointPeriodNs: 20_000_000 },
    clock,
    rings,
  });
  const { dofCount } = robot.model;
  const state = createJointState(dofCount);
  const joints = () => new Float64Array(dofCount);
  const command = {
    time: 0,
    cycle: 0,
    mode: "follow",
    q: joints(),
    qd: joints(),
    qdd: joints(),
    closedAt: new Float64Array(2),
  } as const;
  const begunNs = clock.nowNs();
  let published = 0;
  for (let tick = 0; tick < 1000 * seconds; ) {
    // Sensors do not make up for time that this thread had to wait for a core: no bursts.
    const due = Math.min(tick + LONGEST_BURST, Math.floor((clock.nowNs() - begunNs) / 1e6), 1000 * seconds);
    for (; tick < due; tick++) {
      const time = clock.nowNs() / 1e9;
      puts.joints.put({ ...state, time }, 0);
      puts.state.put({ ...state, time }, 0);
      puts.commands.put({ ...command, time }, 0);
      published += 3;
      if (tick % 2 === 0) {
        puts.imu.put(
          { time, sample: tick / 2, angularVelocity: vec3.create(), specificForce: vec3.create(0, 0, 9.81) },
          0,
        );
        published++;
      }
      if (tick % 40 === 0) {
        const exposure = {
          camera: "left",
          frame: tick / 40,
          exposureNs: clock.nowNs(),
          arrivalNs: clock.nowNs(),
        } as const;
        const one = Float64Array.of(300);
        puts.circles.put(
          { ...exposure, u: one, v: one, r: one, covariance: new Float64Array(9), score: Float64Array.of(1) },
          0,
        );
        published++;
      }
    }
    await pause(1);
  }
  const { drops } = await recorder.end();
  const dropped = drops.reduce((sum, { messages }) => sum + messages, 0);
  return { recorder_dropped: dropped, recorder_dropped_share: dropped / published };
}
