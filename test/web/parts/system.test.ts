import { describe, expect, it } from "vitest";
import { defaultTimes } from "../../../src/catching/catch-times.js";
import type { LogLine } from "../../../src/messages/system.js";
import { catchGraph } from "../../../src/run/graph.js";
import { graphMessage } from "../../../src/view/graph-message.js";
import { fieldName, topicsOf, unitOf } from "../../../web/src/system/field-names.js";
import { type Box, layoutGraph } from "../../../web/src/system/graph-layout.js";
import { LogLines, MOST_LINES, matches } from "../../../web/src/system/log-lines.js";

const line = (text: string, severity: LogLine["severity"] = "info", source = "tracker"): LogLine => {
  return { time: 1, severity, source, code: "lost-ball", text };
};

describe("the log on the page", () => {
  const all = { source: "", level: "debug", search: "" } as const;

  it.each([
    [all, true],
    [{ ...all, source: "tracker" }, true],
    [{ ...all, source: "control" }, false],
    [{ ...all, level: "info" }, true],
    [{ ...all, level: "warning" }, false],
    [{ ...all, search: "BALL far" }, true],
    [{ ...all, search: "lost-ball tracker" }, true],
    [{ ...all, search: "ball near" }, false],
  ] as const)("is filtered by node, level and words: %j", (filter, isShown) => {
    expect(matches(line("Ball 3 is far away"), filter)).toBe(isShown);
  });

  it("keeps a bounded number of lines, the newest, and hands out what is new", () => {
    const lines = new LogLines();
    lines.reset([line("a"), line("b", "error", "control")]);
    expect(lines.sources).toEqual(["control", "tracker"]);
    expect(lines.since(0).map(({ text }) => text)).toEqual(["a", "b"]);
    for (let k = 0; k < 3 * MOST_LINES; k++) lines.add(line(String(k)));
    expect(lines.count).toBe(3 * MOST_LINES + 2);
    expect(lines.since(0)).toHaveLength(MOST_LINES);
    expect(lines.since(lines.count - 2).map(({ text }) => Number(text))).toEqual([
      3 * MOST_LINES - 2,
      3 * MOST_LINES - 1,
    ]);
    expect(lines.since(lines.count)).toEqual([]);
    const { generation } = lines;
    lines.reset([line("again")]);
    expect([lines.count, lines.generation]).toEqual([1, generation + 1]);
  });
});

const graphs = (["images", "points", "truth"] as const).flatMap((perception) =>
  (["simulated", "streamed"] as const)
    .filter((sources) => sources === "simulated" || perception !== "points")
    .map((sources) => {
      const options = {
        perception,
        sources,
        arms: ["left", "right"],
        mount: "head" as const,
        windows: true,
        times: defaultTimes,
      };
      return graphMessage(catchGraph(options), sources === "streamed" ? "offered" : "not offered");
    }),
);

describe("the drawing of a graph", () => {
  const overlap = (a: Box, b: Box): boolean =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const holds = (outer: Box, inner: Box): boolean =>
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height;

  it.each(graphs.flatMap((graph) => (["columns", "rows"] as const).map((orientation) => ({ graph, orientation }))))(
    "has every node in the frame of its thread, apart from all others, and every edge: $orientation",
    ({ graph, orientation }) => {
      const { threads, nodes, edges, width, height } = layoutGraph(graph, orientation);
      expect(nodes.map(({ name }) => name).sort()).toEqual(graph.nodes.map(({ name }) => name).sort());
      for (const [k, box] of nodes.entries()) {
        const { thread } = graph.nodes.find(({ name }) => name === box.name)!;
        expect(holds(threads.find(({ name }) => name === thread)!, box)).toBe(true);
        for (const other of nodes.slice(k + 1)) expect(overlap(box, other)).toBe(false);
      }
      for (const [k, frame] of threads.entries()) {
        expect(holds({ x: 0, y: 0, width, height }, frame)).toBe(true);
        for (const other of threads.slice(k + 1)) expect(overlap(frame, other)).toBe(false);
      }
      expect(edges.flatMap(({ ports }) => ports).sort()).toEqual(
        graph.edges.map(({ from, to }) => `${from} → ${to}`).sort(),
      );
      for (const { path } of edges) expect(path).toMatch(/^M[\d. -]+C[\d. -]+$/);
      if (orientation === "rows") expect(width).toBeLessThanOrEqual(390);
    },
  );
});

describe("the fields of messages", () => {
  it("are named by node, port, path and indices", () => {
    expect(fieldName("a.b", "balls[].position[]", [1, 2])).toBe("a.b.balls[1].position[2]");
    expect(fieldName("a.b", "time", [])).toBe("a.b.time");
    expect(unitOf("speed of the ball [m/s]")).toBe("m/s");
    expect(unitOf("a count")).toBe("");
  });

  it("are those of every out-port with numbers", () => {
    const ports = topicsOf(graphs[0]!).map(({ port }) => port);
    expect(ports).toContain("tracker.predictions");
    expect(ports).toContain("control.commands");
    expect(new Set(ports).size).toBe(ports.length);
  });
});
