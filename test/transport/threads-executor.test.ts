import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { ComponentStatus } from "../../src/messages/report.js";
import { RealTimeClock } from "../../src/runtime/clock.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import type { Graph } from "../../src/transport/graph.js";
import type { Pacing } from "../../src/transport/host-input.js";
import type { InPort } from "../../src/transport/port.js";
import { ThreadsExecutor } from "../../src/transport/threads-executor.js";
import { type Count, type Order, toyPorts } from "./toy-nodes.js";

/** source → doubler → negator; the last two share a thread. */
const graph: Graph = {
  nodes: [
    { name: "source", kind: "source", placement: "a" },
    { name: "doubler", kind: "doubler", placement: "b" },
    { name: "negator", kind: "negator", placement: "b" },
  ],
  edges: [
    { from: "source.counts", to: "doubler.counts", latencyNs: 0, policy: "every" },
    { from: "doubler.counts", to: "negator.counts", latencyNs: 0, policy: "every" },
  ],
};

const program = pathToFileURL(join(packageRoot, "dist", "test", "transport", "toy-host.module.js"));

class Scene {
  readonly clock = new RealTimeClock();
  readonly told: string[] = [];
  readonly executor: ThreadsExecutor;

  constructor(pacing: Pacing = { kind: "messages" }) {
    const placement = { pacing, scheduling: { priority: 0, nice: 0 }, restarts: true };
    this.executor = new ThreadsExecutor({
      graph,
      ports: toyPorts,
      clock: this.clock,
      program,
      placements: { a: placement, b: { ...placement, pacing: { kind: "messages" } } },
      feeds: ["source.orders"],
      status: ComponentStatus,
      observer: {
        died: (name) => this.told.push(`${name} died`),
        restarted: (name) => this.told.push(`${name} restarted`),
        lost: (name) => this.told.push(`${name} lost`),
        silent: (name) => this.told.push(`${name} silent`),
        heard: (name) => this.told.push(`${name} heard`),
        message: () => undefined,
      },
    });
  }

  async start(): Promise<void> {
    await this.executor.start("b", null);
    await this.executor.start("a", null);
    this.executor.open();
  }

  /** The next message, as soon as it comes. */
  async next<M>(port: InPort<M>): Promise<M> {
    for (;;) {
      const message = port.take(0);
      if (message !== null) return message;
      await pause(1);
    }
  }
}

describe("a graph in threads", () => {
  let scene: Scene;
  afterEach(() => scene.executor.stopAll());

  it("begins a tap of the newest message with the one that is there", async () => {
    scene = new Scene();
    const every = scene.executor.tap<Count>("negator.counts");
    await scene.start();
    await scene.next(every);
    await scene.executor.stopAll();
    const late = scene.executor.tap<Count>("negator.counts", "newest");
    expect(late.take(0)).not.toBeNull();
    expect(late.take(0)).toBeNull();
    expect(scene.executor.tap<Count>("negator.counts").take(0)).toBeNull();
  });

  it("carries every message between threads and within one, in order", async () => {
    scene = new Scene();
    const results = scene.executor.tap<Count>("negator.counts");
    await scene.start();
    const values: number[] = [];
    while (values.length < 50) values.push((await scene.next(results)).value);
    const first = values[0]!;
    expect(values).toEqual(values.map((_, k) => first - 2 * k));
    expect(results.lost).toBe(0);
  });

  it("holds a message back until its time", async () => {
    scene = new Scene();
    const counts = scene.executor.tap<Count>("source.counts");
    const orders = scene.executor.feed<Order>("source.orders");
    await scene.start();
    orders.put({ dies: false, delayNs: 30e6 }, 0);
    await pause(100);
    while (counts.take(0) !== null);
    const late: number[] = [];
    while (late.length < 20) {
      const { putNs } = await scene.next(counts);
      late.push(scene.clock.nowNs() - putNs);
    }
    expect(Math.min(...late)).toBeGreaterThanOrEqual(30e6);
  });

  it("stops a placement by hand, starts it again, and traces what the threads do", async () => {
    scene = new Scene();
    const results = scene.executor.tap<Count>("negator.counts");
    const counts = scene.executor.tap<Count>("source.counts");
    await scene.start();
    await scene.next(results);
    await scene.executor.halt("b");
    expect(scene.executor.states.of("b")).toEqual({ state: "stopped", restarts: 0, isSilent: false });
    while (results.take(0) !== null);
    await pause(50);
    expect(results.take(0)).toBeNull();
    await scene.executor.resume("b");
    await scene.next(results);
    expect(scene.executor.states.of("b")).toEqual({ state: "running", restarts: 1, isSilent: false });
    expect(scene.told).toEqual([]);
    scene.executor.traces.begin();
    const begunNs = scene.clock.nowNs();
    // What waited in queues was put before.
    while ((await scene.next(counts)).putNs <= begunNs);
    while ((await scene.next(results)).putNs <= begunNs);
    const [a, b] = scene.executor.traces.end();
    expect([a?.nodes, a?.ports]).toEqual([["source"], ["source.counts"]]);
    expect(b?.nodes).toEqual(["doubler", "negator"]);
    expect(a?.records.some(({ kind }) => kind === "put")).toBe(true);
    for (const index of [0, 1]) {
      expect(b!.records.filter((record) => record.kind === "step" && record.index === index).length).toBeGreaterThan(0);
    }
  });

  it("starts a placement again whose thread is still ending, and only once", async () => {
    scene = new Scene();
    const results = scene.executor.tap<Count>("negator.counts");
    await scene.start();
    await scene.next(results);
    const halted = scene.executor.halt("b");
    const resumed = scene.executor.resume("b");
    await Promise.all([halted, resumed]);
    while (results.take(0) !== null);
    await scene.next(results);
    expect(scene.executor.states.of("b")).toEqual({ state: "running", restarts: 1, isSilent: false });
    expect(scene.told).toEqual([]);
    await scene.executor.halt("b");
    while (results.take(0) !== null);
    await pause(50);
    expect(results.take(0)).toBeNull();
  });

  it("steps a paced placement on the grid of the run's clock", async () => {
    scene = new Scene({ kind: "ticks", tickNs: 2e6, spinMs: 0 });
    const counts = scene.executor.tap<Count>("source.counts");
    await scene.start();
    const steps: number[] = [];
    while (steps.length < 30) steps.push((await scene.next(counts)).stepNs);
    expect(steps.every((stepNs) => stepNs % 2e6 === 0)).toBe(true);
    expect(scene.executor.statistics("a").ticks).toBeGreaterThanOrEqual(30);
  });

  it("starts a thread that dies again, and others do not notice", async () => {
    scene = new Scene();
    const results = scene.executor.tap<Count>("negator.counts");
    const orders = scene.executor.feed<Order>("source.orders");
    await scene.start();
    while ((await scene.next(results)).value > -100);
    orders.put({ dies: true, delayNs: 0 }, 0);
    // The source begins to count again.
    while ((await scene.next(results)).value < -60);
    while (scene.told.length < 2) await pause(1);
    expect(scene.told).toEqual(["a died", "a restarted"]);
  });

  it("kills a thread once, however late the main thread learns that another is ready", async () => {
    scene = new Scene();
    await scene.start();
    const starting = () => scene.executor.states.of("a").state === "starting";
    scene.executor.kill("a");
    while (scene.told.length === 0 || starting()) {
      await pause(1);
      // A busy main thread: what the new thread has posted waits.
      const endNs = scene.clock.nowNs() + (starting() ? 100e6 : 0);
      while (scene.clock.nowNs() < endNs);
    }
    await pause(100);
    expect(scene.told).toEqual(["a died", "a restarted"]);
  });

  it("ends a thread that uses up its memory, and no other", async () => {
    scene = new Scene();
    const counts = scene.executor.tap<Count>("source.counts");
    await scene.start();
    await scene.next(counts);
    scene.executor.exhaust("b");
    while (scene.told.length < 2) await pause(1);
    expect(scene.told).toEqual(["b died", "b restarted"]);
    expect(scene.executor.states.of("a")).toMatchObject({ state: "running", restarts: 0 });
    await scene.next(counts);
  });

  it("reports a thread that stands still, and puts another in its place", async () => {
    scene = new Scene();
    const results = scene.executor.tap<Count>("negator.counts");
    await scene.start();
    while ((await scene.next(results)).value > -100);
    let lookMs = 0;
    const look = async () => {
      await pause(1);
      lookMs += 100;
      scene.executor.watch(lookMs);
    };
    scene.executor.hang("a", 3600);
    await pause(50);
    // By the clock of the looks a thread that works is silent now and then, too.
    const told = () => scene.told.filter((word) => word.startsWith("a "));
    while (told().length === 0) await look();
    expect(told()).toEqual(["a silent"]);
    expect(scene.executor.states.of("a")).toEqual({ state: "running", restarts: 0, isSilent: true });
    while (!told().includes("a died")) await look();
    while (!told().includes("a restarted")) await pause(1);
    expect(told()).toEqual(["a silent", "a died", "a restarted"]);
    expect(scene.executor.states.of("a")).toEqual({ state: "running", restarts: 1, isSilent: false });
    while ((await scene.next(results)).value < -60);
  });

  it("does not start a thread again that dies over and over", async () => {
    scene = new Scene();
    const orders = scene.executor.feed<Order>("source.orders");
    await scene.start();
    while (!scene.told.includes("a lost")) {
      if (scene.executor.states.of("a").state === "running") orders.put({ dies: true, delayNs: 0 }, 0);
      await pause(5);
    }
    expect(scene.told.filter((told) => told === "a restarted")).toHaveLength(5);
    expect(scene.executor.states.of("a").state).toBe("failed");
  });

  it("reports how every node fares", async () => {
    scene = new Scene();
    const status = scene.executor.tapStatus<ComponentStatus>();
    await scene.start();
    const known = new Map<string, ComponentStatus>();
    while (known.size < 3 || (known.get("negator")?.cycles ?? 0) < 100) {
      const message = await scene.next(status);
      known.set(message.component, message);
    }
    const { health, lost, cycleMean, cycleMax } = known.get("doubler")!;
    expect({ health, lost }).toEqual({ health: "running", lost: 0 });
    expect(cycleMax).toBeGreaterThanOrEqual(cycleMean);
  });
});
