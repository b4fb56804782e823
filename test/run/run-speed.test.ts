import { describe, expect, it } from "vitest";
import { defaultTimes } from "../../src/catching/catch-times.js";
import type { PlanReply } from "../../src/messages/planning.js";
import { RunSpeed } from "../../src/run/run-speed.js";
import { newRealTimeOrigin, RealTimeClock } from "../../src/runtime/clock.js";
import { ClockPace, type PaceChange } from "../../src/runtime/clock-pace.js";
import { LoopStatistics } from "../../src/transport/loop-statistics.js";
import { errorCode } from "../support/error-code.js";
import { eventually } from "../support/eventually.js";

class Scene {
  readonly clock = new RealTimeClock(newRealTimeOrigin(ClockPace.memory()));
  readonly changes: PaceChange[] = [];
  readonly texts: string[] = [];
  readonly speed: RunSpeed;

  constructor(speed: number | "auto", robot: "simulated" | "real" = "simulated") {
    this.speed = new RunSpeed({
      ...{ clock: this.clock, times: defaultTimes, speed, robot },
      statistics: new LoopStatistics(LoopStatistics.memory()),
      follow: (change) => this.changes.push(change),
      report: (severity, code, text) => severity !== "debug" && this.texts.push(`${code}: ${text}`),
    });
  }

  /** A throw with plans `latency` [s] after their images arrived. */
  throwWith(latency: number): void {
    const answeredNs = 1e9 + defaultTimes.cameraNs + latency * 1e9;
    for (let k = 0; k < 10; k++) this.speed.answered({ tSeen: 1, answeredNs } as PlanReply);
    this.speed.afterThrow();
  }
}

describe("RunSpeed", () => {
  it("sets a fixed speed at the start, for the robot's clock too, and keeps it", () => {
    const scene = new Scene(0.5);
    scene.speed.begin();
    const [change] = scene.changes;
    const zeroNs = Number(scene.clock.origin.monotonicZeroNs);
    expect(change?.speed).toBe(0.5);
    expect(change!.fromNs - zeroNs).toBeGreaterThan(0);
    expect(change!.atNs).toBeCloseTo(change!.fromNs, -1);
    scene.throwWith(10);
    scene.speed.adapt();
    expect(scene.speed.choose()).toBe("kept");
    expect(scene.changes).toHaveLength(1);
  });

  it("chooses by the load of a trial throw, and says so", async () => {
    const scene = new Scene("auto");
    scene.speed.begin();
    scene.throwWith(0.08);
    expect(scene.speed.choose()).toBe("lowered");
    expect(scene.changes.map(({ speed }) => speed)).toEqual([0.5]);
    expect(scene.texts).toEqual([expect.stringMatching(/^speed: the machine is busy \(80 ms .*at speed 0.5$/)]);
    await eventually(() => scene.clock.speed === 0.5);
    scene.throwWith(0.04);
    expect(scene.speed.choose()).toBe("kept");
  });

  it("leaves a real robot's time alone, and refuses to slow it down", () => {
    const scene = new Scene("auto", "real");
    scene.speed.begin();
    scene.throwWith(10);
    expect(scene.speed.choose()).toBe("kept");
    scene.speed.adapt();
    expect(scene.changes).toEqual([]);
    expect(errorCode(() => new Scene(0.5, "real"))).toBe("FLY_SPEED_OF_REAL_ROBOT");
    expect(new Scene(1, "real").clock.speed).toBe(1);
  });
});
