import { describe, expect, it } from "vitest";
import { Reaction, Watchdog } from "../../src/control/watchdog.js";

const parts = [
  { name: "tracking", patience: 0.2, reaction: Reaction.finish },
  { name: "robot", patience: 0.01, reaction: Reaction.brake },
];

describe("Watchdog", () => {
  it("misses nothing that was never there", () => {
    expect(new Watchdog(parts).check(100)).toBe(Reaction.none);
  });

  it("asks for the strongest reaction of all that are overdue, and is content when they are back", () => {
    const watchdog = new Watchdog(parts);
    watchdog.sign(0, 1);
    watchdog.sign(1, 1);
    expect(watchdog.check(1.005)).toBe(Reaction.none);
    expect(watchdog.check(1.02)).toBe(Reaction.brake);
    expect([...watchdog.overdue]).toEqual([0, 1]);
    watchdog.sign(1, 1.25);
    expect(watchdog.check(1.25)).toBe(Reaction.finish);
    expect([...watchdog.overdue]).toEqual([1, 0]);
    watchdog.sign(0, 1.25);
    expect(watchdog.check(1.25)).toBe(Reaction.none);
  });

  it("takes a clock that was set back as no reason to brake", () => {
    const watchdog = new Watchdog(parts);
    watchdog.sign(1, 10);
    expect(watchdog.check(9)).toBe(Reaction.none);
  });
});
