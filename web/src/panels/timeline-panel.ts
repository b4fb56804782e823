import { element, svg } from "../dom/element.js";
import { milliseconds } from "../dom/format.js";
import { refreshOn } from "../dom/refresh.js";
import type { LiveStore } from "../live/live-store.js";
import { latencyOf, type Stage, type StageSpan, spansOf, stageNames, stagesOf } from "../live/stage-latency.js";
import type { ThrowLog } from "../live/throw-log.js";

const WIDTH = 1000;
const ROW = 20;
const TOP = 14;
/** Shown at least [s]; longer throws stretch it. */
const SHORTEST = 1.2;
const AFTER_CATCH = 0.15;
const TICK = 0.2;
/** A twentieth beyond its budget a stage counts as late: frames jitter. */
const OVER = 1.05;

/** The throw under way from image to catch, a row a stage, and how long each stage takes against its budget. */
export function createTimeline(store: LiveStore): HTMLElement {
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${TOP + ROW * stageNames.length}`,
    preserveAspectRatio: "none",
    class: "timeline-drawing",
    role: "img",
    "aria-label": "Stages of the throw over time",
  });
  const ticks = element("div", { class: "timeline-ticks", attributes: { "aria-hidden": "true" } });
  const latencies = element("dl", { class: "latencies" });
  const names = element(
    "ol",
    { class: "timeline-names" },
    stageNames.map((name) => element("li", { text: name })),
  );
  const section = element("section", { class: "timeline", attributes: { "aria-label": "Time line of the throw" } }, [
    names,
    element("div", { class: "timeline-middle" }, [drawing, ticks]),
    latencies,
  ]);
  refreshOn(store.changes, ["prediction", "circles", "plan", "handover", "ball", "throw", "hello"], () => {
    const spans = store.log === null ? [] : spansOf(store.log);
    drawing.replaceChildren(...draw(store.log, spans));
    ticks.replaceChildren(...tickLabels(durationOf(store.log, spans)));
    const stages = stagesOf(store.hello?.facts.budgets);
    for (const [k, { text }] of stages.entries()) (names.children[k] as HTMLElement).title = text;
    latencies.replaceChildren(...latencyItems(stages, spans));
  });
  return section;
}

function durationOf(log: ThrowLog | null, spans: readonly StageSpan[]): number {
  if (log === null) return SHORTEST;
  const tCatch = log.newestCatch?.tCatch;
  const ends = tCatch == null ? spans.map(({ end }) => end) : [tCatch];
  return Math.max(SHORTEST, ...ends.map((end) => end - log.released + AFTER_CATCH));
}

function draw(log: ThrowLog | null, spans: readonly StageSpan[]): SVGElement[] {
  const duration = durationOf(log, spans);
  const at = (time: number): number => (WIDTH * (time - (log?.released ?? 0))) / duration;
  const rows = stageNames.map((_, row) =>
    svg("line", { x1: 0, x2: WIDTH, y1: rowMiddle(row), y2: rowMiddle(row), class: "timeline-row" }),
  );
  const counts = new Map<string, number>();
  const bars = spans.map(({ stage, begin, end }) => {
    const row = stageNames.indexOf(stage);
    const k = counts.get(stage) ?? 0;
    counts.set(stage, k + 1);
    const isMoment = end === begin;
    // Frames overlap in the longer stages: they take turns above and below the row's middle.
    const shift = isMoment || (stage !== "Detection" && stage !== "Prediction") ? 0 : k % 2 === 0 ? -3.2 : 3.2;
    const x = at(begin) - (isMoment ? 1.6 : 0);
    const width = isMoment ? 3.2 : Math.max(2, at(end) - at(begin));
    const height = isMoment ? 13 : shift === 0 ? 8 : 5;
    return svg("rect", {
      x,
      y: rowMiddle(row) + shift - height / 2,
      width,
      height,
      rx: 2,
      class: `span ${stage.toLowerCase()}`,
    });
  });
  return [...rows, ...bars];
}

function rowMiddle(row: number): number {
  return TOP + ROW * (row + 0.5) - 7;
}

function tickLabels(duration: number): HTMLElement[] {
  const count = Math.floor(duration / TICK);
  return Array.from({ length: count + 1 }, (_, k) => {
    const label = element("span", { text: k === 0 ? "release" : `${(k * TICK).toFixed(1)} s` });
    label.style.left = `${(100 * k * TICK) / duration}%`;
    return label;
  });
}

function latencyItems(stages: readonly Stage[], spans: readonly StageSpan[]): HTMLElement[] {
  return stages.flatMap(({ name, budget }) => {
    const latency = budget === null ? null : latencyOf(spans, name);
    const words = latency === null ? (budget === null ? "" : "–") : milliseconds(latency.median);
    const item = element("dd", { class: "latency" }, [
      element("span", { class: "figure", text: words }),
      budget === null ? null : element("span", { class: "quiet", text: `/ ${milliseconds(budget)}` }),
    ]);
    if (latency !== null && budget !== null) item.append(budgetBar(latency.median / budget, latency.longest / budget));
    return [element("dt", { class: "visually-hidden", text: name }), item];
  });
}

/** Median as a bar, the longest as a mark; the line at two thirds is the budget. */
function budgetBar(median: number, longest: number): HTMLElement {
  const scale = (share: number): string => `${Math.min(100, (200 / 3) * share)}%`;
  const bar = element("span", { class: median > OVER ? "bar-fill over" : "bar-fill" });
  bar.style.width = scale(median);
  const mark = element("span", { class: "bar-mark" });
  mark.style.left = scale(longest);
  return element("span", { class: "bar budget", attributes: { "aria-hidden": "true" } }, [bar, mark]);
}
