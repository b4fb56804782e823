import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { quantiles } from "../../src/math/statistics.js";
import { robotsFolder } from "../../src/robot/loading/robot-folders.js";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { abuses } from "./abuse.js";
import { type HttpAnswer, send } from "./http-request.js";
import { ServedRun } from "./served-run.js";
import { joinStops, measureStops, openDescriptors, type Stops } from "./stop-latency.js";
import { leakedBy } from "./stops-under-abuse.js";

/** How long the load lasts, in a slice and in the whole [ms]. */
const SLICE_MS = 60_000;
const WHOLE_MS = 3_600_000;
/** The time is cut into so many parts; the first two are for caches and compiled code to settle. */
const PARTS = 8;
const SETTLING = 2;
/** Sockets that abusers hold open at a time. */
const MOST_SOCKETS = 40;
/** Work of a client, and the pause behind it [ms]. */
interface Client {
  readonly name: string;
  readonly pauseMs: number;
  readonly work: () => Promise<unknown>;
}

/** What was measured in a part of the time. */
interface Sample {
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly healthMs: readonly number[];
  readonly planMs: readonly number[];
}

/** Everything a service does, for a minute or an hour, beside a run that catches: nothing may grow. */
export const mixedLoad: BenchPart = {
  name: "mixed load",
  async measure(context: BenchContext): Promise<Metrics> {
    const folder = mkdtempSync(join(tmpdir(), "flycatcher-load-"));
    const run = await ServedRun.start(context.seed, folder);
    try {
      const before = openDescriptors(run.pid);
      const { samples, stops, failures } = await load(run, context);
      const leaked = await leakedBy(run, before);
      return { ...trendOf(samples), ...joinStops([stops]), load_failures: failures, descriptors_leaked: leaked };
    } finally {
      await run.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function load(
  run: ServedRun,
  { full, seed, progress }: BenchContext,
): Promise<{ samples: Sample[]; stops: Stops; failures: number }> {
  const partMs = (full ? WHOLE_MS : SLICE_MS) / PARTS;
  const state = { isOver: false };
  const failures = new Map<string, number>();
  const sockets = new Set<Socket>();
  const [healthMs, planMs]: [number[], number[]] = [[], []];
  const clients = clientsOf(run, { seed, sockets, healthMs, planMs }).map(async ({ name, work, pauseMs }) => {
    while (!state.isOver) {
      await work().catch(() => failures.set(name, (failures.get(name) ?? 0) + 1));
      if (sockets.size > MOST_SOCKETS) sockets.values().next().value?.destroy();
      await pause(pauseMs);
    }
  });
  const stops: Stops[] = [];
  const samples: Sample[] = [];
  for (let part = 0; part < PARTS; part++) {
    await pause(partMs - 1000);
    stops.push(await measureStops(run, { stops: 4, pauseMs: 150 }));
    const sample = {
      ...{ memoryMb: run.memoryMb, descriptors: openDescriptors(run.pid) },
      ...{ healthMs: healthMs.splice(0), planMs: planMs.splice(0) },
    };
    samples.push(sample);
    progress(`load, part ${part + 1} of ${PARTS}: ${wordsOf(sample)}`);
  }
  state.isOver = true;
  await Promise.all(clients);
  for (const socket of sockets) socket.destroy();
  for (const [name, count] of failures) progress(`load: ${count} of ${name} failed`);
  const afterMs = stops.flatMap((measured) => measured.afterMs);
  const unconfirmed = stops.reduce((sum, measured) => sum + measured.unconfirmed, 0);
  return {
    samples,
    stops: { afterMs, unconfirmed },
    failures: Array.from(failures.values()).reduce((sum, count) => sum + count, 0),
  };
}

/** A robot as it is uploaded. */
function uploadedRobot(): object {
  const folder = join(robotsFolder, "lwr-arm");
  const sidecar = JSON.parse(readFileSync(join(folder, "robot.json"), "utf8")) as { urdf: string };
  return { name: "loaded-arm", urdf: readFileSync(join(folder, sidecar.urdf), "utf8"), sidecar };
}

interface ClientMaterial {
  readonly seed: number;
  /** Those that abusers hold open. */
  readonly sockets: Set<Socket>;
  readonly healthMs: number[];
  readonly planMs: number[];
}

function clientsOf(run: ServedRun, { seed, sockets, healthMs, planMs }: ClientMaterial): Client[] {
  const timed = async (times: number[], work: () => Promise<HttpAnswer>): Promise<void> => {
    const begun = performance.now();
    const { status } = await work();
    if (status !== 200) throw new Error(`status ${status}`);
    times.push(performance.now() - begun);
  };
  const ball = { state: { position: [5, 0.1, 1.6], velocity: [-6, 0, 3] } };
  const robot = uploadedRobot();
  const addAndRemove = async (): Promise<void> => {
    await run.post("/v1/robots", robot);
    await send(`${run.serviceUrl}/v1/robots/loaded-arm`, { method: "DELETE" });
  };
  const record = async (): Promise<void> => {
    for (const on of [true, false]) {
      await run.post("/v1/live/recording", { on }, "PUT");
      await pause(1000);
    }
  };
  const named = new Map(abuses(seed).map((abuse) => [abuse.name, abuse]));
  const abuse = (name: string, pauseMs: number): Client => ({
    ...{ name, pauseMs },
    work: () => named.get(name)!.once(run, sockets),
  });
  return [
    { name: "health", pauseMs: 100, work: () => timed(healthMs, () => run.get("/healthz")) },
    { name: "plans", pauseMs: 200, work: () => timed(planMs, () => run.post("/v1/plan", { robot: "lwr-arm", ball })) },
    { name: "live", pauseMs: 500, work: () => timed([], () => run.get("/v1/live")) },
    { name: "metrics", pauseMs: 1000, work: () => timed([], () => run.get("/metrics")) },
    { name: "throws", pauseMs: 5000, work: () => run.post("/v1/live/throws", {}) },
    { name: "robots", pauseMs: 4000, work: addAndRemove },
    { name: "recordings", pauseMs: 6000, work: record },
    abuse("viewers that change their mind", 1000),
    abuse("uploads that are no recordings", 2000),
    abuse("upgrades to HTTP/2", 200),
    abuse("heavy requests", 3000),
    abuse("batches of plans", 5000),
  ];
}

/** The last parts against those after the settling: what grows, grows over the hour. */
function trendOf(samples: readonly Sample[]): Metrics {
  const settled = samples.slice(SETTLING);
  const half = settled.length / 2;
  const [first, last] = [settled.slice(0, half), settled.slice(half)];
  const mean = (some: readonly Sample[], of: (sample: Sample) => number) =>
    some.reduce((sum, sample) => sum + of(sample), 0) / some.length;
  const median = (some: readonly Sample[], of: (sample: Sample) => readonly number[]) =>
    quantiles(some.flatMap(of), [0.5])[0] ?? Number.NaN;
  return {
    load_memory_mb: mean(last, ({ memoryMb }) => memoryMb),
    load_memory_growth_mb: mean(last, ({ memoryMb }) => memoryMb) - mean(first, ({ memoryMb }) => memoryMb),
    load_descriptors_growth:
      mean(last, ({ descriptors }) => descriptors) - mean(first, ({ descriptors }) => descriptors),
    load_health_ms_p50: median(last, ({ healthMs }) => healthMs),
    load_health_ms_p50_first: median(first, ({ healthMs }) => healthMs),
    load_plan_ms_p50: median(last, ({ planMs }) => planMs),
    load_plan_ms_p50_first: median(first, ({ planMs }) => planMs),
  };
}

function wordsOf({ memoryMb, descriptors, healthMs, planMs }: Sample): string {
  const of = (times: readonly number[]) => (quantiles(times, [0.5])[0] ?? Number.NaN).toFixed(1);
  return `${memoryMb.toFixed(0)} MB, ${descriptors} descriptors, health ${of(healthMs)} ms, plans ${of(planMs)} ms`;
}
