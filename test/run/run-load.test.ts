import { describe, expect, it } from "vitest";
import type { Handover, PlanReply } from "../../src/messages/planning.js";
import { RunLoad } from "../../src/run/run-load.js";
import { LoopStatistics } from "../../src/transport/loop-statistics.js";

const CAMERA_NS = 40e6;

function answered(load: RunLoad, seen: number, answeredNs: number): void {
  load.answered({ tSeen: seen, answeredNs } as PlanReply);
}

describe("RunLoad", () => {
  it("has the latency from the arrival of an image to its plan, three quarters of them below", () => {
    const load = new RunLoad(CAMERA_NS, new LoopStatistics(LoopStatistics.memory()));
    for (let k = 0; k <= 100; k++) answered(load, 1, 1e9 + CAMERA_NS + k * 1e6);
    expect(load.take().latency).toBeCloseTo(0.075, 9);
    expect(load.take().latency).toBeNaN();
  });

  it("counts plans, late ones, stops and missed ticks since the last look", () => {
    const statistics = new LoopStatistics(LoopStatistics.memory());
    const load = new RunLoad(CAMERA_NS, statistics);
    for (const outcome of ["accepted", "late", "mismatch"] as const) load.handedOver({ outcome } as Handover);
    for (let k = 0; k < 9; k++) statistics.record(0, 0, k === 5 ? 1 : 0);
    load.happened({ code: "robot-stopped", text: "the robot has stopped by itself (silence)" });
    load.happened({ code: "brake", text: "the monitor brakes: staleState" });
    load.happened({ code: "brake", text: "the monitor brakes: requested" });
    expect(load.take()).toEqual({ latency: Number.NaN, late: 1, plans: 3, missed: 0.1, stops: 2 });
    expect(load.take()).toEqual({ latency: Number.NaN, late: 0, plans: 0, missed: 0, stops: 0 });
  });

  it("survives statistics that are reset", () => {
    const statistics = new LoopStatistics(LoopStatistics.memory());
    const load = new RunLoad(CAMERA_NS, statistics);
    statistics.record(0, 0, 7);
    load.take();
    statistics.reset();
    expect(load.take().missed).toBe(0);
  });
});
