import { describe, expect, it } from "vitest";
import type { Graph } from "../../src/transport/graph.js";
import { StepTrace } from "../../src/transport/step-trace.js";
import type { ThreadTrace } from "../../src/transport/thread-traces.js";
import { instantOf, type TraceEvent, traceFile } from "../../src/view/trace-file.js";
import { allocationFree, heapBytesPerCall } from "../support/heap.js";

const graph: Graph = {
  nodes: [
    { name: "camera", kind: "camera", placement: "a" },
    { name: "tracker", kind: "tracker", placement: "b" },
    { name: "quiet", kind: "tracker", placement: "b" },
  ],
  edges: [
    { from: "camera.images", to: "tracker.images", latencyNs: 0, policy: "every" },
    { from: "camera.images", to: "quiet.images", latencyNs: 0, policy: "every", wakes: false },
  ],
};

/** Two threads: three steps of a camera with a message each, and the steps of its readers. */
function threads(): ThreadTrace[] {
  const [a, b] = [new StepTrace(StepTrace.memory()), new StepTrace(StepTrace.memory())];
  a.begin();
  b.begin();
  for (const beginNs of [1e6, 2e6, 3e6]) {
    a.put(0, beginNs + 4e5);
    a.step(0, beginNs, beginNs + 5e5);
  }
  // A message that was put between steps has no step to begin at.
  a.put(0, 2.9e6);
  b.step(0, 1.6e6, 1.7e6);
  b.step(1, 1.7e6, 1.8e6);
  b.step(0, 2.5e6, 2.6e6);
  const traced = (thread: string, nodes: string[], ports: string[], trace: StepTrace): ThreadTrace => {
    return { thread, nodes, ports, records: trace.records(), overwritten: trace.overwritten };
  };
  return [traced("a", ["camera"], ["camera.images"], a), traced("b", ["tracker", "quiet"], [], b)];
}

/**
 * The rules of the Trace Event Format (Google, 2016): what each phase must have; a way begins and ends within a slice of its
 * thread, and has one beginning and one end of the same identity, category and name, in the order of time.
 */
function violations(events: readonly TraceEvent[]): string[] {
  const found: string[] = [];
  const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
  const slices = events.filter(({ ph }) => ph === "X");
  const isInSlice = ({ tid, ts }: TraceEvent): boolean =>
    slices.some((slice) => slice.tid === tid && slice.ts! <= ts! && ts! <= slice.ts! + slice.dur!);
  const ways = new Map<string, TraceEvent[]>();
  for (const event of events) {
    const { name, ph, pid, tid, ts, dur, cat, id, args } = event;
    if (typeof name !== "string" || name === "" || !isNumber(pid) || !isNumber(tid))
      found.push(`${name}: no name or track`);
    if (ph !== "M" && !isNumber(ts)) found.push(`${name}: no time`);
    if (ph === "X" && !(isNumber(dur) && dur! >= 0)) found.push(`${name}: no duration`);
    if (ph === "M" && args === undefined) found.push(`${name}: no arguments`);
    if (ph === "i" && event.s !== "p") found.push(`${name}: no scope`);
    if (ph !== "s" && ph !== "f") continue;
    if (!isInSlice(event)) found.push(`${name}: ${ph} is in no slice`);
    const key = `${cat} ${name} ${id}`;
    ways.set(key, [...(ways.get(key) ?? []), event]);
  }
  for (const [key, way] of ways) {
    const isWhole = way.length === 2 && way[0]!.ph === "s" && way[1]!.ph === "f" && way[0]!.ts! <= way[1]!.ts!;
    if (!isWhole) found.push(`${key}: no way from s to f`);
  }
  return found;
}

describe("a trace file", () => {
  const instants = [
    instantOf({ type: "ball", time: 0, ball: 3 }, 1e6),
    instantOf({ type: "event", time: 0, severity: "info", source: "run", code: "ready", text: "waits" }, 2e6),
  ].filter((instant) => instant !== null);
  const file = traceFile(threads(), instants, graph);

  it("keeps the rules of the format", () => {
    expect(violations(file.traceEvents)).toEqual([]);
    const broken = [...file.traceEvents, { name: "x", ph: "s", pid: 1, tid: 9, ts: 1, id: 99 } as const];
    expect(violations(broken)).toHaveLength(2);
  });

  it("has each step on the track of its thread, in microseconds", () => {
    const steps = file.traceEvents.filter(({ ph }) => ph === "X").map(({ name, tid, ts, dur }) => [name, tid, ts, dur]);
    expect(steps).toEqual([
      ["camera", 1, 1000, 500],
      ["camera", 1, 2000, 500],
      ["camera", 1, 3000, 500],
      ["tracker", 2, 1600, 100],
      ["quiet", 2, 1700, 100],
      ["tracker", 2, 2500, 100],
    ]);
    const names = file.traceEvents.filter(({ name }) => name === "thread_name").map(({ args }) => args?.name);
    expect(names).toEqual(["a", "b"]);
  });

  it("leads an arrow from a message to the next step of the reader that it wakes", () => {
    const ends = file.traceEvents.filter(({ ph }) => ph === "s" || ph === "f").map(({ ph, ts }) => [ph, ts]);
    expect(ends).toEqual([
      ["s", 1400],
      ["f", 1600],
      ["s", 2400],
      ["f", 2500],
    ]);
  });

  it("has throws and events as moments", () => {
    const moments = file.traceEvents.filter(({ ph }) => ph === "i").map(({ name, ts }) => [name, ts]);
    expect(moments).toEqual([
      ["ball 3 thrown", 1000],
      ["ready", 2000],
    ]);
    expect(instantOf({ type: "log", lines: [] }, 0)).toBeNull();
  });
});

describe("the trace of a thread", () => {
  it("keeps the newest records, says how many are lost, and begins again empty", () => {
    const trace = new StepTrace(StepTrace.memory());
    trace.begin();
    const written = 70_000;
    for (let k = 0; k < written; k++) trace.step(0, k, k + 1);
    const records = trace.records();
    expect(records.length + trace.overwritten).toBe(written);
    expect(records.at(-1)).toEqual({ kind: "step", index: 0, beginNs: written - 1, durationNs: 1 });
    expect(records[0]?.beginNs).toBe(trace.overwritten);
    trace.end();
    expect(trace.isOn).toBe(false);
    trace.begin();
    expect(trace.records()).toEqual([]);
  });

  it("is written without allocation, and costs no more than a look while it is off", () => {
    const trace = new StepTrace(StepTrace.memory());
    const note = (k: number): void => {
      if (trace.isOn) trace.step(1, k, k + 1);
    };
    expect(heapBytesPerCall(note)).toBeLessThan(allocationFree);
    trace.begin();
    expect(heapBytesPerCall(note)).toBeLessThan(allocationFree);
  });
});
