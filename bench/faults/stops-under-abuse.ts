import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { abuses, underAbuse } from "./abuse.js";
import { besideBusyProcesses, ServedRun } from "./served-run.js";
import { joinStops, measureStops, openDescriptors, type Stops } from "./stop-latency.js";

/** Stops an abuse, in a slice and in the whole. */
const STOPS = 12;
const STOPS_OF_ALL = 120;
const PAUSE_MS = 150;
/** Processes beside the run's end that take what they get. */
const BUSY = 4;
/** Sockets of abusers are closed by then [ms]. */
const SETTLE_MS = 8000;

/** The emergency stop of a served live run while clients do what they can, and how long its end takes. */
export const stopsUnderAbuse: BenchPart = {
  name: "stops under abuse",
  async measure(context: BenchContext): Promise<Metrics> {
    const folder = mkdtempSync(join(tmpdir(), "flycatcher-faults-"));
    const run = await ServedRun.start(context.seed, folder);
    try {
      const before = openDescriptors(run.pid);
      const stops = context.full ? STOPS_OF_ALL : STOPS;
      const all: Stops[] = [];
      for (const abuse of abuses(context.seed)) {
        const measured = await underAbuse(abuse, run, () => measureStops(run, { stops, pauseMs: PAUSE_MS }));
        all.push(measured);
        context.progress(`stops under ${abuse.name}: ${words(measured)}`);
      }
      await run.post("/v1/live/recording", { on: false }, "PUT");
      const leaked = await leakedBy(run, before);
      const endMs = await besideBusyProcesses(BUSY, () => run.end());
      context.progress(`end beside ${BUSY} busy processes: ${endMs.toFixed(0)} ms; ${leaked} descriptors leaked`);
      return { ...joinStops(all), descriptors_leaked: leaked, end_ms_max: endMs };
    } finally {
      await run.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Descriptors that stay when nobody asks for anything any more. */
export async function leakedBy(run: ServedRun, before: number): Promise<number> {
  const end = performance.now() + SETTLE_MS;
  let leaked = openDescriptors(run.pid) - before;
  while (leaked > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaked = openDescriptors(run.pid) - before;
  }
  return Math.max(0, leaked);
}

function words(stops: Stops): string {
  const { stop_ms_p99: p99, stop_ms_max: max } = joinStops([stops]);
  return `p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms of ${stops.afterMs.length}, ${stops.unconfirmed} unconfirmed`;
}
