import { describe, expect, it } from "vitest";
import { HistoryRing } from "../../src/control/history-ring.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";

const row = (n: number) => Float64Array.of(n, n + 0.5);

function filled(ticks: number): HistoryRing {
  const ring = new HistoryRing(4, 2);
  for (let n = 0; n < ticks; n++) ring.add(n / 1000, n, 1, row(n), row(n + 1), row(n + 2), row(n + 3));
  return ring;
}

describe("HistoryRing", () => {
  it("tells what it has, oldest first", () => {
    const entries = filled(2).entries();
    expect(entries.map(({ cycle }) => cycle)).toEqual([0, 1]);
    expect(entries[1]).toEqual({
      time: 0.001,
      cycle: 1,
      mode: 1,
      measured: [1, 1.5],
      measuredVelocity: [2, 2.5],
      commanded: [3, 3.5],
      commandedVelocity: [4, 4.5],
    });
  });

  it("keeps the last ticks alone", () => {
    const ring = filled(11);
    expect(ring.size).toBe(4);
    expect(ring.entries().map(({ cycle }) => cycle)).toEqual([7, 8, 9, 10]);
  });

  it("finds the first tick since a time, and none after the last", () => {
    const ring = filled(11);
    expect(ring.since(0)?.cycle).toBe(7);
    expect(ring.since(0.0085)?.cycle).toBe(9);
    expect(ring.since(0.5)).toBeNull();
  });

  it("is the same made of its snapshot, but for the tick that the next one overwrites", () => {
    for (const ticks of [0, 3, 4, 11]) {
      const ring = filled(ticks);
      const copy = HistoryRing.fromSnapshot(ring.snapshot());
      expect(copy.entries()).toEqual(ring.entries().slice(-3));
      expect(copy.size).toBe(Math.min(ticks, 3));
    }
  });

  it("is copied as it was at the snapshot, without what was overwritten since", () => {
    const ring = filled(11);
    const snapshot = ring.snapshot();
    const before = ring.entries();
    for (const since of [1, 2, 3, 4]) {
      ring.add(1, 10 + since, 1, row(0), row(0), row(0), row(0));
      expect(HistoryRing.fromSnapshot(snapshot).entries()).toEqual(before.slice(1 + since));
    }
  });

  it("keeps a tick without allocating but for the numbers it is handed", () => {
    const ring = new HistoryRing(100, 2);
    const joints = row(0);
    let cycle = 0;
    const add = () => ring.add(cycle / 1000, cycle++, 1, joints, joints, joints, joints);
    expect(heapBytesPerCall(add)).toBeLessThan(boxedNumbers);
  });
});
