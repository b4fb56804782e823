import { describe, expect, it } from "vitest";
import { FrameClock } from "../../src/nodes/frame-clock.js";

const MS = 1e6;

describe("FrameClock", () => {
  it("places stamps by their zero, however late frames come", () => {
    const clock = new FrameClock();
    expect(clock.place(40 * MS, 1000 * MS, 1047 * MS)).toBe(1040 * MS);
    expect(clock.place(80 * MS, 1000 * MS, 1120 * MS)).toBe(1080 * MS);
    expect(clock.kind).toBe("base time");
    expect(clock.heldUpNs).toBe(33 * MS);
  });

  it("places them by the least delay where the zero is unknown", () => {
    const clock = new FrameClock();
    clock.place(0, null, 500 * MS);
    expect(clock.place(40 * MS, null, 560 * MS)).toBeCloseTo(540 * MS, -5);
    expect(clock.kind).toBe("least delay");
    expect(clock.place(null, null, 600 * MS)).toBe(600 * MS);
    expect(clock.kind).toBe("arrival");
  });

  it.each([
    ["that lie ahead", 2000 * MS],
    ["of another clock", -60_000 * MS],
  ])("does not believe a zero with stamps %s", (_, zeroNs) => {
    const clock = new FrameClock();
    expect(clock.place(0, zeroNs, 1000 * MS)).toBe(1000 * MS);
    expect(clock.kind).toBe("least delay");
    clock.reset();
    clock.place(0, 990 * MS, 1000 * MS);
    expect(clock.kind).toBe("base time");
  });
});
