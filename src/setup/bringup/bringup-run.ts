import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ThrowResult } from "../../catching/run-summary.js";
import type { MotionPart } from "../../control/robot-motion.js";
import type { JointCommand } from "../../messages/control.js";
import type { PlanReply } from "../../messages/planning.js";
import type { Event } from "../../messages/report.js";
import type { JointState } from "../../messages/sensing.js";
import type { RealTimeOptions } from "../../run/real-time-options.js";
import { createRealTimeRun, startRealTimeRun } from "../../run/real-time-run.js";
import { headerOf } from "../../run/record-real-time.js";
import type { DriverChoice } from "../../run/robot-link.js";
import type { Run } from "../../run/run.js";
import { RunRecorder } from "../../run/run-recorder.js";
import type { ThreadsHost } from "../../run/threads-host.js";
import { type InPort, takeEach } from "../../transport/port.js";
import { StopLine } from "../../transport/stop-line.js";
import type { BringupSettings, BringupSite, BringupWatch } from "./bringup-step.js";
import { extendOverlay, readOverlay } from "./overlay-file.js";

/** Between two looks at what was commanded and measured [ms]. */
const LOOK_MS = 5;
/** How long a slow robot may take to its waiting posture [s]. */
const TO_WAIT = 180;
/** Joints are recorded this often [ns]. */
const JOINT_PERIOD_NS = 4_000_000;

/** What was commanded and measured in a while; a row of joints each. */
export interface MotionSeries {
  readonly commandTimes: number[];
  readonly commands: number[][];
  readonly times: number[];
  readonly positions: number[][];
  readonly speeds: number[][];
}

/** What a run of a bring-up is for. */
export interface BringupRunFacts {
  /** Of its recording. */
  readonly name: string;
  readonly throws: number;
  readonly drivers: readonly DriverChoice[];
  /** Share of its speed that the robot may use. */
  readonly ceiling: number;
}

interface RunningParts {
  readonly isDry: boolean;
  readonly parts: readonly MotionPart[];
  readonly recording: string;
  readonly recorder: RunRecorder;
  readonly warnings: readonly string[];
  readonly watch: BringupWatch | null;
}

/** A run of a bring-up's step, recorded, watched by the operator where the robot is commanded. */
export class BringupRun {
  readonly run: Run<ThreadsHost>;
  /** What of the robot gets motions of its own. */
  readonly parts: readonly MotionPart[];
  /** Whether nothing reaches the robot. */
  readonly isDry: boolean;
  readonly recording: string;
  /** What was reported so far, but for remarks. */
  readonly warnings: readonly string[];
  /** Null: nothing is commanded. */
  readonly watch: BringupWatch | null;
  /** What the planners answer. */
  readonly answers: readonly InPort<PlanReply>[];
  readonly #recorder: RunRecorder;
  readonly #commands: InPort<JointCommand>;
  readonly #states: InPort<JointState>;

  /** Starts it and waits until the robot waits for balls: first it goes there. */
  static async start(site: BringupSite, facts: BringupRunFacts): Promise<BringupRun> {
    const { settings, openWatch } = site;
    const { name, throws, drivers } = facts;
    const stopLine = StopLine.memory();
    const options: RealTimeOptions = {
      ...settings.run,
      ...{ robot: settings.robot, drivers, stopLine, calibration: overlayFor(settings, facts) },
      ...(throws > 0 ? {} : { warmUpThrows: 0 }),
    };
    const isDry = drivers.some(({ dryDelay }) => dryDelay !== undefined);
    const watch = isDry ? null : ((await openWatch?.(stopLine)) ?? null);
    const recorder = await RunRecorder.prepare();
    const warnings: string[] = [];
    const run = createRealTimeRun(options, { event: (event) => note(event, warnings) });
    try {
      await startRealTimeRun(run, options);
      const header = headerOf(run, options, { throws, title: `bring-up: ${name}`, jointPeriodNs: JOINT_PERIOD_NS });
      const recording = `${name}.mcap`;
      const path = join(settings.folder, recording);
      await recorder.begin({ path, header, clock: run.clock, rings: run.host.recordedRings() });
      // These take a while, in which no heartbeat would go out.
      const { parts } = run;
      watch?.begin();
      await run.waits(TO_WAIT);
      return new BringupRun(run, {
        parts,
        isDry,
        recording,
        recorder,
        warnings,
        watch,
      });
    } catch (error) {
      await watch?.close();
      await run.close();
      await recorder.abandon();
      throw error;
    }
  }

  private constructor(run: Run<ThreadsHost>, { parts, isDry, recording, recorder, warnings, watch }: RunningParts) {
    this.run = run;
    this.isDry = isDry;
    this.parts = parts;
    this.recording = recording;
    this.warnings = warnings;
    this.watch = watch;
    this.#recorder = recorder;
    this.#commands = run.tap("control.commands");
    this.#states = run.tap("robot.state");
    const planners = run.graph.nodes.filter(({ kind }) => kind === "planner");
    this.answers = planners.map(({ name }) => run.tap<PlanReply>(`${name}.answers`));
  }

  /** What is commanded and measured until `over` settles. */
  async collect(over: Promise<unknown>): Promise<MotionSeries> {
    const series: MotionSeries = { commandTimes: [], commands: [], times: [], positions: [], speeds: [] };
    this.#take(null);
    const progress = { isOver: false };
    const end = () => {
      progress.isOver = true;
    };
    over.then(end, end);
    while (!progress.isOver) {
      await pause(LOOK_MS);
      this.#take(series);
    }
    await over;
    return series;
  }

  /** What has come; null: it is of no interest. */
  #take(series: MotionSeries | null): void {
    takeEach(this.#commands, Number.POSITIVE_INFINITY, ({ time, q }) => {
      series?.commandTimes.push(time);
      series?.commands.push(Array.from(q));
    });
    takeEach(this.#states, Number.POSITIVE_INFINITY, ({ time, q, qd }) => {
      series?.times.push(time);
      series?.positions.push(Array.from(q));
      series?.speeds.push(Array.from(qd));
    });
  }

  /** Where the joints were commanded last. */
  async commanded(): Promise<Float64Array> {
    const { commands } = await this.collect(pause(50));
    return Float64Array.from(commands.at(-1) ?? []);
  }

  throwBall(id: number): Promise<ThrowResult[]> {
    return this.run.throwBalls([id]);
  }

  waits(): Promise<boolean> {
    return this.run.waits(TO_WAIT);
  }

  async close(): Promise<void> {
    await this.watch?.close();
    await this.run.close();
    await this.#recorder.end();
  }
}

/** The robot's overlay with the ceiling of this run, in a file of its own: what a run was not through with is not for others. */
function overlayFor({ overlay, folder }: BringupSettings, { name, ceiling }: BringupRunFacts): string {
  const file = join(folder, `${name}.overlay.json`);
  const before = readOverlay(overlay);
  if (before !== null) extendOverlay(file, before, before.date);
  extendOverlay(file, { speedCeiling: ceiling }, new Date().toISOString());
  return file;
}

function note({ severity, source, text }: Event, warnings: string[]): void {
  if (severity === "warning" || severity === "error") warnings.push(`${source}: ${text}`);
}
