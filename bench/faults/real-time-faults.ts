import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { type BenchContext, type Metrics, summarize } from "../harness.js";
import { countExceptions } from "./exceptions.js";
import type { FaultPart } from "./fault-part.js";
import { RealTimeScene } from "./real-time-scene.js";
import { openDescriptors } from "./stop-latency.js";

/** A fault: how it is brought about, what its report must name, and whether the robot catches on afterwards. */
interface Fault {
  readonly name: string;
  /** A word of the event's source or text. */
  readonly names: RegExp;
  readonly after: "catches on" | "stands";
  bring(scene: RealTimeScene): void;
}

/** Longest time until a report, and until the robot waits for balls again [ms]: threads warm up again, on a busy machine. */
const NOTICE_MS = 15_000;
const RECOVERY_MS = 90_000;
/** Steps of a slowed node take so much longer [s], for so long. */
const SLOWER = 0.03;
const SLOW = 2;

/** Faults of every thread, of the robot and of the link to it, in real time. */
export const realTimeFaults: FaultPart = {
  name: "real time",
  async measure(context: BenchContext): Promise<Metrics> {
    const scene = await RealTimeScene.start(context.seed);
    const outcomes: Outcome[] = [];
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const descriptors = openDescriptors();
    const exceptions = await countExceptions(async () => {
      delay.enable();
      for (const fault of faultsOf(scene)) {
        const outcome = await suffer(scene, fault);
        outcomes.push(outcome);
        context.progress(describe(fault, outcome));
      }
      delay.disable();
    });
    const leaked = Math.max(0, openDescriptors() - descriptors);
    await scene.close();
    return { ...metricsOf(outcomes), descriptors_leaked: leaked, exceptions, loop_delay_ms_max: delay.max / 1e6 };
  },
};

interface Outcome {
  /** From the fault to its report [ms]; NaN without one. */
  readonly noticedMs: number;
  readonly isWell: boolean;
  readonly answers: boolean;
  readonly text: string;
}

function faultsOf({ run }: RealTimeScene): Fault[] {
  const { executor, faults } = run.host;
  const threads = executor.placements.flatMap((placement): Fault[] => {
    const after = "catches on";
    const names = reportsOf(placement);
    return [
      { name: `${placement} killed`, names, after, bring: () => faults.killPart(placement) },
      { name: `${placement} hung`, names, after, bring: () => faults.hangPart(placement, hangs(placement)) },
      { name: `${placement} slowed`, names, after, bring: () => faults.slowPart(placement, SLOWER, SLOW) },
    ];
  });
  const after = "catches on";
  return [
    ...threads,
    { name: "link cut for 0.5 s", names: /robot|control/, after, bring: () => faults.cutWire(0.5) },
    { name: "clock set back by 0.5 s", names: /control|monitor/, after, bring: () => faults.jumpClock(-0.5) },
    {
      name: "robot frozen for 1.5 s",
      names: /robot/,
      after,
      bring: () => {
        faults.signalRobot("SIGSTOP");
        setTimeout(() => faults.signalRobot("SIGCONT"), 1500);
      },
    },
    { name: "robot killed", names: /robot/, after: "stands", bring: () => faults.signalRobot("SIGKILL") },
  ];
}

/** Threads that are replaced hang until then; those that have sockets come back by themselves [s]. */
function hangs(placement: string): number {
  return placement === "robot" || placement === "world" ? 3 : 60;
}

/** What names a thread: for the two between which commands pass, what the other finds, too. */
function reportsOf(placement: string): RegExp {
  if (placement === "control") return /control|the robot has stopped by itself/;
  return placement === "robot" ? /robot|staleState/ : new RegExp(placement);
}

/** Brings a fault about while the robot waits for a ball that is thrown, and sees what follows. */
async function suffer(scene: RealTimeScene, fault: Fault): Promise<Outcome> {
  const { run, events } = scene;
  await run.waits(RECOVERY_MS / 1e3);
  await pause(300);
  const from = events.length;
  const begun = performance.now();
  fault.bring(scene);
  // A node that waits for messages is slow only at work.
  if (fault.name.endsWith("slowed")) scene.session.throwBalls({});
  const report = () =>
    events
      .slice(from)
      .find(({ event }) => isReport(event.severity) && fault.names.test(`${event.source} ${event.text}`));
  await scene.holds(() => report() !== undefined || showsSlowness(scene, fault), NOTICE_MS);
  const found = report();
  const noticedMs =
    found !== undefined ? found.atMs - begun : showsSlowness(scene, fault) ? performance.now() - begun : Number.NaN;
  const isWell = await isWellAfter(scene, fault);
  return { noticedMs, isWell, answers: await scene.answers(), text: found?.event.text ?? "" };
}

function isReport(severity: string): boolean {
  return severity === "warning" || severity === "error";
}

/** A thread that is slow and does its work all the same shows that in the table of components alone. */
function showsSlowness({ session }: RealTimeScene, { name }: Fault): boolean {
  if (!name.endsWith("slowed")) return false;
  const placement = name.split(" ")[0]!;
  const nodes = session.run.graph.nodes.filter((node) => node.placement === placement).map((node) => node.name);
  const components = session.snapshot().components?.components ?? [];
  return components.some((component) => nodes.includes(component.name) && (component.maxMs ?? 0) > 1e3 * SLOWER * 0.9);
}

async function isWellAfter(scene: RealTimeScene, { after }: Fault): Promise<boolean> {
  const { run } = scene;
  if (after === "stands") {
    const ready = await scene.holds(() => isUnready(scene), NOTICE_MS);
    return ready && scene.isStanding;
  }
  // The threads that took the place of others warm up first.
  const areUp = () =>
    run.host.executor.placements.every((name) => run.host.executor.states.of(name).state === "running");
  const isUp = await scene.holds(areUp, RECOVERY_MS);
  return isUp && (await run.waits(RECOVERY_MS / 1e3));
}

function isUnready({ session }: RealTimeScene): boolean {
  const components = session.snapshot().components?.components ?? [];
  return components.some(({ health }) => health === "failed");
}

function describe({ name }: Fault, { noticedMs, isWell, answers, text }: Outcome): string {
  const noticed = Number.isNaN(noticedMs) ? "not noticed" : `noticed after ${noticedMs.toFixed(0)} ms`;
  return `${name}: ${noticed}${text === "" ? "" : ` (${text})`}, ${isWell ? "well" : "NOT well"}${answers ? "" : ", service silent"}`;
}

function metricsOf(outcomes: readonly Outcome[]): Metrics {
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
