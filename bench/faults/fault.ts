import { setTimeout as pause } from "node:timers/promises";
import { type BenchContext, type Metrics, summarize } from "../harness.js";
import type { RealTimeScene } from "./real-time-scene.js";

/** A fault: how it is brought about, what its report must name, when it is over, and what the robot does then. */
export interface Fault {
  readonly name: string;
  /** A word of the event's source or text. */
  readonly names: RegExp;
  readonly after: "catches on" | "stands";
  /** A node that waits for messages is slow only at work: a ball is thrown. */
  readonly needsWork?: true;
  /** Settles when it is there. */
  bring(scene: RealTimeScene): void | Promise<void>;
  /** Whether the table of components shows it, where no event tells of it. */
  isShown?(scene: RealTimeScene): boolean;
  /** Whether it is over; left out: it is over at once. */
  isOver?(scene: RealTimeScene): boolean;
}

/** Longest time until a report, and until the robot waits for balls again [ms]: threads warm up again, on a busy machine. */
const NOTICE_MS = 15_000;
const RECOVERY_MS = 90_000;

export interface Outcome {
  readonly name: string;
  /** From the fault to its report [ms]; NaN without one. */
  readonly noticedMs: number;
  readonly isWell: boolean;
  readonly answers: boolean;
  readonly text: string;
}

/** Brings faults about, one after the other. */
export async function sufferAll(
  scene: RealTimeScene,
  faults: readonly Fault[],
  context: BenchContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const fault of faults) {
    const outcome = await suffer(scene, fault);
    outcomes.push(outcome);
    context.progress(describe(outcome));
  }
  return outcomes;
}

/** Brings a fault about while the robot waits for a ball that is thrown, and sees what follows. */
async function suffer(scene: RealTimeScene, fault: Fault): Promise<Outcome> {
  const { run, events } = scene;
  await run.waits(RECOVERY_MS / 1e3);
  await pause(300);
  const from = events.length;
  const begun = performance.now();
  await fault.bring(scene);
  if (fault.needsWork === true) scene.session.throwBalls({});
  const report = () =>
    events
      .slice(from)
      .find(({ event }) => isReport(event.severity) && fault.names.test(`${event.source} ${event.text}`));
  const isShown = () => fault.isShown?.(scene) === true;
  await scene.holds(() => report() !== undefined || isShown(), NOTICE_MS);
  const found = report();
  const noticedMs = found !== undefined ? found.atMs - begun : isShown() ? performance.now() - begun : Number.NaN;
  const isWell = await isWellAfter(scene, fault);
  return { name: fault.name, noticedMs, isWell, answers: await scene.answers(), text: found?.event.text ?? "" };
}

function isReport(severity: string): boolean {
  return severity === "warning" || severity === "error";
}

async function isWellAfter(scene: RealTimeScene, { after, isOver }: Fault): Promise<boolean> {
  const { run } = scene;
  if (after === "stands") {
    const ready = await scene.holds(() => isUnready(scene), NOTICE_MS);
    return ready && scene.isStanding;
  }
  const { states, placements } = run.host.executor;
  // What the fault left behind is not to be taken for a report of the next one: threads that took the place of others warm up.
  const areUp = () =>
    isOver?.(scene) !== false &&
    placements.every((name) => states.of(name).state === "running" && !states.of(name).isSilent);
  return (await scene.holds(areUp, RECOVERY_MS)) && (await run.waits(RECOVERY_MS / 1e3));
}

function isUnready({ session }: RealTimeScene): boolean {
  const components = session.snapshot().components?.components ?? [];
  return components.some(({ health }) => health === "failed");
}

function describe({ name, noticedMs, isWell, answers, text }: Outcome): string {
  const noticed = Number.isNaN(noticedMs) ? "NOT noticed" : `noticed after ${noticedMs.toFixed(0)} ms`;
  return `${name}: ${noticed}${text === "" ? "" : ` (${text})`}, ${isWell ? "well" : "NOT well"}${answers ? "" : ", service silent"}`;
}

export function metricsOf(outcomes: readonly Outcome[]): Metrics {
  const noticed = outcomes.map(({ noticedMs }) => noticedMs).filter((ms) => !Number.isNaN(ms));
  const { p50, p95, max } = summarize(Float64Array.from(noticed));
  return {
    faults_tried: outcomes.length,
    faults_unnoticed: outcomes.length - noticed.length,
    robot_not_at_rest: outcomes.filter(({ isWell }) => !isWell).length,
    service_silent: outcomes.filter(({ answers }) => !answers).length,
    noticed_ms_p50: p50,
    noticed_ms_p95: p95,
    noticed_ms_max: max,
  };
}
