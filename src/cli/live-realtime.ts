import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { summarize, type ThrowResult } from "../catching/run-summary.js";
import type { HistoryRing } from "../control/history-ring.js";
import type { TimedEvent } from "../run/real-time-observer.js";
import { type RealTimeOptions, realTimeDefaults } from "../run/real-time-options.js";
import { realTimeRun } from "../run/real-time-run.js";
import { colour } from "../runtime/colours.js";
import { printable } from "../runtime/printable-text.js";
import { StolenTime } from "../runtime/stolen-time.js";
import type { LoopStatistics } from "../transport/loop-statistics.js";
import { formatFalseAlarms, formatSummary, formatThrow, wallClockOf } from "./live-report.js";
import { type ArmChange, LiveWatch } from "./live-watch.js";
import { StartProgress } from "./start-progress.js";
import { endInTime, print } from "./terminal.js";

/** What `flycatcher live` says of a run in real time; what is left out has the default. */
export interface RealTimeDemo extends Partial<RealTimeOptions> {
  readonly robot: string;
  readonly throws: number;
  /** How long a run watches whose cameras or robot are real [s]; default: until it is interrupted. */
  readonly seconds?: number | undefined;
  readonly output: "text" | "json";
  /** Folder for what control did before and after a stop; none: it is not written. */
  readonly historyFolder?: string;
}

/**
 * The live demo in real time, from the start of the simulated robot to the table at the end. Ctrl-C and SIGTERM stop the
 * robot first, then the run; the exit code tells nothing of catches.
 */
export async function runRealTimeDemo(demo: RealTimeDemo): Promise<void> {
  const { throws, seconds, output, historyFolder, ...options } = demo;
  const isText = output === "text";
  const cameras = new Map<string, string>();
  const printEvent = eventPrinter(nothingThrown(options) === null ? "problems" : "all");
  const run = await realTimeRun(
    { ...realTimeDefaults, ...options },
    {
      event: (event) => {
        printEvent(event);
        if (event.code === "quality-changed") cameras.set(event.source, event.text);
      },
      progress: new StartProgress().show,
      braked: (reason, history) => keepHistory(historyFolder, reason, history),
    },
  );
  const stolen = new StolenTime();
  const stopping = { isAsked: false };
  let interrupt: () => void = () => undefined;
  const interrupted = new Promise<void>((resolve) => {
    interrupt = resolve;
  });
  const stop = () => {
    stopping.isAsked = true;
    // The robot first.
    run.hold();
    interrupt();
    // With the exit code of a closed pipe, if that is why.
    void endInTime(run.close()).then(() => process.exit());
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const why = nothingThrown(options);
  const streams: Record<string, string> = {};
  if (why !== null) {
    process.stderr.write(`${why}\n`);
    const watch = new LiveWatch(run, printChange);
    await Promise.race([interrupted, ...(seconds === undefined ? [] : [pause(1e3 * seconds)])]);
    watch.close();
    Object.assign(streams, watch.streams);
  }
  const results: ThrowResult[] = [];
  const { balls = realTimeDefaults.balls } = options;
  for (let first = 0; first < throws && why === null && !stopping.isAsked; first += balls) {
    const ids = Array.from({ length: Math.min(balls, throws - first) }, (_, k) => first + k);
    const thrown = await run.throwBalls(ids);
    results.push(...thrown);
    if (isText) for (const result of thrown) print(formatThrow(result));
  }
  if (stopping.isAsked) return;
  const { statistics } = run.host;
  const wallClock = wallClockOf(run.timings);
  const control = { ...controlFigures(statistics), speed: run.clock.speed, stolenShare: stolen.share() };
  await run.close();
  const loweredCameras = Object.fromEntries(cameras);
  if (isText) {
    const lines = [
      formatSummary(summarize(results), wallClock),
      ...formatFalseAlarms(run.falseAlarms),
      formatControl(control),
      ...formatCameras(cameras),
      ...Object.entries(streams).map(([name, detail]) => `${name.padEnd(24)} ${detail}`),
    ];
    print(`\n${lines.join("\n")}`);
  } else {
    const summary = summarize(results);
    const { falseAlarms } = run;
    print(
      JSON.stringify({ throws: results, falseAlarms, summary, wallClock, control, loweredCameras, streams }, null, 2),
    );
  }
}

function printChange({ timeNs, arm, to, reason }: ArmChange): void {
  printEvent({ time: timeNs / 1e9, severity: "info", source: arm, code: "state", track: -1, text: `${to}: ${reason}` });
}

/** Why a run throws no balls; null: it does. */
function nothingThrown({ address, cameras }: Partial<RealTimeOptions>): string | null {
  if (cameras?.pipes !== undefined)
    return "the cameras do not see the simulation: nothing is thrown, the robot waits for balls";
  if (address?.world !== 0) return null;
  return "the robot is held where it stands: without a simulated world nothing is thrown";
}

/** What a host takes less of is not worth a line. */
const TOLD_SHARE = 0.001;

/** Of the control loop: lateness and work of its ticks [µs]. */
interface ControlFigures {
  readonly ticks: number;
  readonly missed: number;
  readonly jitterUs: { readonly p50: number; readonly p99: number; readonly p999: number; readonly max: number };
  readonly workUs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Seconds of the run in a second of the wall clock, at the end. */
  readonly speed: number;
  /** Of the cores' time: what the machine's host gave to others; null where it does not tell. */
  readonly stolenShare: number | null;
}

function controlFigures({
  ticks,
  missed,
  lateness,
  work,
}: LoopStatistics): Omit<ControlFigures, "speed" | "stolenShare"> {
  return {
    ticks,
    missed,
    jitterUs: {
      p50: lateness.quantile(0.5),
      p99: lateness.quantile(0.99),
      p999: lateness.quantile(0.999),
      max: lateness.max,
    },
    workUs: { p50: work.quantile(0.5), p99: work.quantile(0.99), max: work.max },
  };
}

function formatControl({ ticks, missed, jitterUs, workUs, speed, stolenShare }: ControlFigures): string {
  const jitter = `p50 ${jitterUs.p50} µs, p99 ${jitterUs.p99} µs, worst ${jitterUs.max} µs`;
  return [
    `speed of the run         ${speed}`,
    `control                  ${ticks} ticks, ${missed} missed`,
    `  late by                ${jitter}`,
    `  work in a tick         p50 ${workUs.p50} µs, p99 ${workUs.p99} µs, worst ${workUs.max} µs`,
    ...(stolenShare === null || stolenShare < TOLD_SHARE
      ? []
      : [
          `  taken by the host      ${(100 * stolenShare).toFixed(1)} % of the cores' time: no priority helps against that`,
        ]),
  ].join("\n");
}

/** What cameras had to do with less, and why; nothing for those that kept up. */
function formatCameras(lowered: ReadonlyMap<string, string>): string[] {
  return Array.from(lowered, ([camera, text]) => `${camera.padEnd(25)}${text}`);
}

/** What is told of a run that is neither a warning nor an error. */
const told: ReadonlySet<string> = new Set(["scheduling", "speed", "ready"]);

/**
 * Prints warnings and errors, how control is scheduled, and the speed, on the standard error stream; of a run that throws nothing
 * itself all that happens. Trial throws may have warnings.
 */
export function eventPrinter(wanted: "problems" | "all" = "problems"): (event: TimedEvent) => void {
  let isReady = false;
  return (event) => {
    isReady ||= event.code === "ready";
    const isTold = event.severity === "warning" || (wanted === "all" && event.severity === "info");
    if (event.severity === "error" || (isTold && isReady) || told.has(event.code)) {
      printEvent(event);
    }
  };
}

function printEvent({ time, severity, source, text }: TimedEvent): void {
  const meaning = severity === "error" ? "bad" : severity === "warning" ? "doubtful" : "name";
  const when = colour("secondary", `${time.toFixed(3)} s`, process.stderr);
  process.stderr.write(`${when}  ${colour(meaning, source, process.stderr)}: ${printable(text)}\n`);
}

/** Writes the last ticks before and after a stop, one JSON object a line. */
function keepHistory(folder: string | undefined, reason: string, history: HistoryRing): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const entries = history.entries();
  const name = `stop-${(entries.at(-1)?.time ?? 0).toFixed(3)}-${reason}.jsonl`;
  writeFileSync(join(folder, name), `${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
}
