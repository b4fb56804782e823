import { describe, expect, it } from "vitest";
import { catchTransitions, createCatchMachine } from "../../src/catching/catch-states.js";
import { type Passage, StateMachine } from "../../src/catching/state-machine.js";

describe("a state machine", () => {
  const door = () =>
    new StateMachine<"open" | "shut", "push" | "pull">("shut", [
      { from: "shut", event: "push", to: "open" },
      { from: "open", event: "pull", to: "shut" },
    ]);

  it("follows its arrows, and knows since when it is where it is", () => {
    const machine = door();
    expect(machine.fire("push", 30)).toBe(true);
    expect(machine.state).toBe("open");
    expect(machine.sinceNs).toBe(30);
    expect(machine.last).toEqual({ from: "shut", event: "push", to: "open", timeNs: 30 });
  });

  it("ignores an event without an arrow", () => {
    const machine = door();
    expect(machine.fire("pull", 30)).toBe(false);
    expect(machine.state).toBe("shut");
    expect(machine.sinceNs).toBe(0);
    expect(machine.last).toBeNull();
  });

  it("shows each passage to those who watch", () => {
    const machine = door();
    const seen: Passage<string, string>[] = [];
    machine.watch((passage) => seen.push(passage));
    machine.fire("push", 1);
    machine.fire("push", 2);
    machine.fire("pull", 3);
    expect(seen.map(({ event, timeNs }) => [event, timeNs])).toEqual([
      ["push", 1],
      ["pull", 3],
    ]);
  });
});

describe("the states of a catch", () => {
  it("lead from the first plan back to watching", () => {
    const machine = createCatchMachine();
    const events = ["start", "planned", "planned", "closing", "closed", "held", "ready"] as const;
    const states = events.map((event) => {
      expect(machine.fire(event, 0)).toBe(true);
      return machine.state;
    });
    expect(states).toEqual(["watching", "reaching", "reaching", "grasping", "holding", "returning", "watching"]);
  });

  it("are unambiguous, and every one of them is reached and left", () => {
    const arrows = catchTransitions.map(({ from, event }) => `${from} ${event}`);
    expect(new Set(arrows).size).toBe(arrows.length);
    const states = new Set(catchTransitions.flatMap(({ from, to }) => [from, to]));
    for (const state of states) {
      expect(catchTransitions.some(({ from }) => from === state)).toBe(true);
      if (state !== "idle") expect(catchTransitions.some(({ to }) => to === state)).toBe(true);
    }
  });

  it("take no plan while the hand closes", () => {
    const machine = createCatchMachine();
    for (const event of ["start", "planned", "closing"] as const) machine.fire(event, 0);
    expect(machine.fire("planned", 1)).toBe(false);
    expect(machine.state).toBe("grasping");
  });
});
