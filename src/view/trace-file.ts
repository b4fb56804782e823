import type { PageMessage } from "../messages/page.js";
import { type Graph, portName } from "../transport/graph.js";
import type { TraceRecord } from "../transport/step-trace.js";
import type { ThreadTrace } from "../transport/thread-traces.js";

/** Something that happened at one moment. */
export interface TraceInstant {
  readonly name: string;
  readonly timeNs: number;
  readonly args: { readonly [name: string]: string | number };
}

/** One entry of a trace file. Times are microseconds. */
export interface TraceEvent {
  readonly name: string;
  /** X: a step · s, f: begin and end of a message's way · i: a moment · M: a name. */
  readonly ph: "X" | "s" | "f" | "i" | "M";
  readonly pid: number;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly id?: number;
  /** Of the end of a way: it belongs to the step that is under way. */
  readonly bp?: "e";
  /** Of a moment: it is the whole process's. */
  readonly s?: "p";
  readonly args?: { readonly [name: string]: string | number };
}

/** A trace as Chrome's format has it: ui.perfetto.dev and chrome://tracing open it. */
export interface TraceFile {
  readonly displayTimeUnit: "ms";
  readonly traceEvents: readonly TraceEvent[];
  readonly otherData: { readonly [name: string]: string | number };
}

const PID = 1;
const micros = (ns: number): number => ns / 1e3;

/**
 * The trace file of some threads: each step of a node on the track of its thread, an arrow from each message that leaves its
 * thread to the next step of its reader, and what happened at one moment.
 */
export function traceFile(threads: readonly ThreadTrace[], instants: readonly TraceInstant[], graph: Graph): TraceFile {
  const steps = stepsByNode(threads);
  const events = [
    { name: "process_name", ph: "M", pid: PID, tid: 0, args: { name: "Flycatcher" } } as const,
    ...threads.flatMap(({ thread }, k) => threadNames(thread, k + 1)),
    ...threads.flatMap(({ nodes, records }, k) => stepEvents(nodes, records, k + 1)),
    ...flowEvents(threads, steps, graph),
    ...instants.map(instantEvent),
  ];
  const overwritten = threads.reduce((sum, thread) => sum + thread.overwritten, 0);
  return { displayTimeUnit: "ms", traceEvents: events, otherData: { program: "Flycatcher", overwritten } };
}

function threadNames(name: string, tid: number): TraceEvent[] {
  return [
    { name: "thread_name", ph: "M", pid: PID, tid, args: { name } },
    { name: "thread_sort_index", ph: "M", pid: PID, tid, args: { sort_index: tid } },
  ];
}

function stepEvents(nodes: readonly string[], records: readonly TraceRecord[], tid: number): TraceEvent[] {
  return records
    .filter(({ kind }) => kind === "step")
    .map(({ index, beginNs, durationNs }) => {
      const [ts, dur] = [micros(beginNs), micros(durationNs)];
      return { name: nodes[index]!, cat: "step", ph: "X", pid: PID, tid, ts, dur } as const;
    });
}

/** The steps of one node, in the order of time, and the track they are on. */
interface NodeSteps {
  readonly tid: number;
  readonly steps: readonly TraceRecord[];
}

function stepsByNode(threads: readonly ThreadTrace[]): Map<string, NodeSteps> {
  const entries = threads.flatMap(({ nodes, records }, k) =>
    nodes.map((name, index): [string, NodeSteps] => {
      const steps = records.filter((record) => record.kind === "step" && record.index === index);
      return [name, { tid: k + 1, steps: steps.sort((a, b) => a.beginNs - b.beginNs) }];
    }),
  );
  return new Map(entries);
}

/** Messages within a thread need no arrow, and those that wait for their reader's next step would all end at the same one. */
function flowEvents(
  threads: readonly ThreadTrace[],
  steps: ReadonlyMap<string, NodeSteps>,
  { edges }: Graph,
): TraceEvent[] {
  const events: TraceEvent[] = [];
  let id = 0;
  for (const { ports, records } of threads) {
    for (const { kind, index, beginNs } of records) {
      if (kind !== "put") continue;
      const from = ports[index]!;
      const source = steps.get(portName(from).node)!;
      if (!isWithin(source.steps, beginNs)) continue;
      for (const { to } of edges.filter((edge) => edge.from === from && edge.wakes !== false)) {
        const target = steps.get(portName(to).node);
        const next = target === undefined || target.tid === source.tid ? undefined : firstFrom(target.steps, beginNs);
        if (target === undefined || next === undefined) continue;
        const flow = { name: from, cat: "message", pid: PID, id: ++id } as const;
        events.push({ ...flow, ph: "s", tid: source.tid, ts: micros(beginNs) });
        events.push({ ...flow, ph: "f", bp: "e", tid: target.tid, ts: micros(next.beginNs) });
      }
    }
  }
  return events;
}

/** Whether one of these steps was under way at a time. */
function isWithin(steps: readonly TraceRecord[], timeNs: number): boolean {
  const before = steps[countBefore(steps, timeNs, "or at") - 1];
  return before !== undefined && timeNs <= before.beginNs + before.durationNs;
}

/** The first step that begins at a time or later. */
function firstFrom(steps: readonly TraceRecord[], timeNs: number): TraceRecord | undefined {
  return steps[countBefore(steps, timeNs, "only")];
}

/** How many steps begin before a time, or at it. */
function countBefore(steps: readonly TraceRecord[], timeNs: number, equal: "or at" | "only"): number {
  let [low, high] = [0, steps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { beginNs } = steps[middle]!;
    if (beginNs < timeNs || (equal === "or at" && beginNs === timeNs)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function instantEvent({ name, timeNs, args }: TraceInstant): TraceEvent {
  return { name, cat: "event", ph: "i", s: "p", pid: PID, tid: 0, ts: micros(timeNs), args };
}

/** What a message to pages is in a trace; null for those that are not of one moment. */
export function instantOf(message: PageMessage, timeNs: number): TraceInstant | null {
  switch (message.type) {
    case "ball":
      return { name: `ball ${message.ball} thrown`, timeNs, args: { ball: message.ball } };
    case "plan":
      return { name: `plan of ${message.part}`, timeNs, args: { plan: message.id, track: message.track } };
    case "handover":
      return { name: `${message.part}: plan ${message.outcome}`, timeNs, args: { plan: message.plan } };
    case "throw":
      return { name: `throw ${message.result.outcome}`, timeNs, args: { ball: message.result.id } };
    case "event":
      return { name: message.code, timeNs, args: { source: message.source, text: message.text } };
    default:
      return null;
  }
}
