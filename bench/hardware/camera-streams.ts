import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { ComponentStatus } from "../../src/messages/report.js";
import type { Circles } from "../../src/messages/sensing.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { realTimeDefaults } from "../../src/run/real-time-options.js";
import { realTimeRun } from "../../src/run/real-time-run.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { takeEach } from "../../src/transport/port.js";
import { type BenchContext, type Metrics, summarize } from "../harness.js";

const ROBOT = "agile-justin";
const SIZE = [800, 600] as const;
/** How long frames are counted [s], and how long before the streams settle. */
const seconds = { full: 60, short: 10 };
const SETTLING_MS = 2000;
const LOOK_MS = 5;

/** What sends the frames. */
export type SenderKind = "gstreamer" | "own";

/** GStreamer where it is installed, else the sender of ours. */
export function installedSender(): SenderKind {
  return spawnSync("gst-launch-1.0", ["--version"]).status === 0 ? "gstreamer" : "own";
}

function commandOf(kind: SenderKind, rateHz: number): string {
  const [width, height] = SIZE;
  if (kind === "own") {
    const program = join(packageRoot, "dist", "bundle", "cli", "main.js");
    return `exec '${process.execPath}' '${program}' frames --rate ${rateHz} --size ${width}x${height}`;
  }
  const caps = `video/x-raw,format=GRAY8,width=${width},height=${height},framerate=${rateHz}/1`;
  return `exec gst-launch-1.0 -q videotestsrc is-live=true pattern=ball ! ${caps} ! gdppay ! fdsink fd=1`;
}

/** Frames of two cameras in a live run, by what the detectors made of them. */
export interface StreamFigures {
  readonly frames: number;
  /** Numbers of frames that no detector saw: lost, late, or left out. */
  readonly lost: number;
  /** Of those: came, but so late that the busy camera's thread left them out. */
  readonly late: number;
  /** From a frame's time stamp to its arrival in the camera's thread [ms]. */
  readonly ages: Float64Array;
}

/** A live run whose two cameras are two programs over pipes: nothing is thrown, every frame is searched for balls. */
export async function countFrames(
  kind: SenderKind,
  rateHz: number,
  { full, seed }: BenchContext,
): Promise<StreamFigures> {
  const { cameras, stereo } = loadRobot(ROBOT);
  const latencyNs = 1e9 * cameras[stereo!.left]!.latency;
  const command = commandOf(kind, rateHz);
  const run = await realTimeRun({
    ...realTimeDefaults,
    ...{ robot: ROBOT, perception: "images", seed, speed: 1, warmUpThrows: 0 },
    times: { framePeriodNs: Math.round(1e3 / rateHz) * 1e6 },
    cameras: { windows: true, scale: null, pipes: { left: command, right: command, framing: "gdp" } },
  });
  const ages: number[] = [];
  const lates = new Map<string, number>();
  let [frames, lost, lateBefore] = [0, 0, 0];
  const lateFrames = () => Array.from(lates.values()).reduce((sum, count) => sum + count, 0);
  try {
    const statuses = run.host.executor.tapStatus<ComponentStatus>();
    const lookAtStatuses = () =>
      takeEach(statuses, Number.POSITIVE_INFINITY, ({ component, detail }) => {
        const late = /, (\d+) late/.exec(detail);
        if (late !== null && component.startsWith("camera-")) lates.set(component, Number(late[1]));
      });
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    lookAtStatuses();
    lateBefore = lateFrames();
    const ports = ["detector-left.circles", "detector-right.circles"].map((name) => ({
      port: run.tap<Circles>(name),
      last: -1,
    }));
    const end = performance.now() + 1e3 * (full ? seconds.full : seconds.short);
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      lookAtStatuses();
      for (const camera of ports) {
        takeEach(camera.port, run.nowNs, ({ frame, exposureNs, arrivalNs }) => {
          if (camera.last >= 0) lost += frame - camera.last - 1;
          camera.last = frame;
          frames++;
          ages.push((arrivalNs - exposureNs - latencyNs) / 1e6);
        });
      }
    }
  } finally {
    await run.close();
  }
  return { frames, lost, late: lateFrames() - lateBefore, ages: Float64Array.from(ages) };
}

const rates = [25, 60] as const;

/** `frames_lost_25hz`, `frames_lost_60hz`, `frame_age_ms_p50` and `_p99` (of 60 Hz), by the installed sender; by ours, too, in full. */
export async function cameraStreams(context: BenchContext): Promise<Metrics> {
  const sender = installedSender();
  const kinds: readonly SenderKind[] = context.full && sender !== "own" ? [sender, "own"] : [sender];
  const metrics: Metrics = { frames_by_gstreamer: sender === "gstreamer" ? 1 : 0 };
  for (const kind of kinds) {
    const prefix = kind === sender ? "" : `${kind}_`;
    for (const rateHz of rates) {
      context.progress(`2 x ${SIZE.join(" x ")} at ${rateHz} Hz by ${kind}`);
      const { frames, lost, late, ages } = await countFrames(kind, rateHz, context);
      const { p50, p99 } = summarize(ages);
      metrics[`${prefix}frames_${rateHz}hz`] = frames;
      metrics[`${prefix}frames_lost_${rateHz}hz`] = lost;
      metrics[`${prefix}frames_late_${rateHz}hz`] = late;
      if (rateHz === 60)
        Object.assign(metrics, { [`${prefix}frame_age_ms_p50`]: p50, [`${prefix}frame_age_ms_p99`]: p99 });
      else Object.assign(metrics, { [`${prefix}frame_age_25hz_ms_p50`]: p50, [`${prefix}frame_age_25hz_ms_p99`]: p99 });
    }
  }
  return metrics;
}
