import { describe, expect, it } from "vitest";
import { type CatchState, catchChart, catchTransitions, createCatchMachine } from "../../src/catching/catch-states.js";
import { type Passage, StateMachine } from "../../src/catching/state-machine.js";

describe("a state machine", () => {
  const door = () =>
    new StateMachine<"open" | "shut", "push" | "pull">({
      initial: "shut",
      within: {},
      transitions: [
        { from: "shut", event: "push", to: "open" },
        { from: "open", event: "pull", to: "shut" },
      ],
    });

  it("follows its arrows, and knows since when it is where it is", () => {
    const machine = door();
    expect(machine.fire("push", 30, "wind")).toBe(true);
    expect(machine.state).toBe("open");
    expect(machine.sinceNs).toBe(30);
    expect(machine.last).toEqual({ from: "shut", event: "push", to: "open", timeNs: 30, reason: "wind" });
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

describe("a state machine with states within others", () => {
  const lamp = () =>
    new StateMachine<"off" | "on" | "dim" | "bright" | "broken", "press" | "turn" | "fall">({
      initial: "off",
      within: { dim: "on", bright: "on" },
      transitions: [
        { from: "off", event: "press", to: "dim" },
        { from: "on", event: "press", to: "off" },
        { from: "dim", event: "turn", to: "bright" },
        { from: "bright", event: "press", to: "dim" },
        { from: "on", event: "fall", to: "broken" },
      ],
    });

  it("is in a state and in all that lies around it", () => {
    const machine = lamp();
    machine.fire("press", 1);
    expect(machine.path).toEqual(["dim", "on"]);
    expect([machine.isIn("dim"), machine.isIn("on"), machine.isIn("bright")]).toEqual([true, true, false]);
  });

  it("follows the innermost arrow for an event, and tells which it would follow", () => {
    const machine = lamp();
    machine.fire("press", 1);
    machine.fire("turn", 2);
    expect(machine.waysOut.map(({ event, to }) => `${event} ${to}`)).toEqual(["press dim", "fall broken"]);
    machine.fire("press", 3);
    expect(machine.state).toBe("dim");
    machine.fire("press", 4);
    expect(machine.state).toBe("off");
  });

  it("remembers its last passages, the newest last, and no more than so many", () => {
    const machine = lamp();
    for (let k = 0; k < 100; k++) machine.fire("press", k);
    expect(machine.passages.length).toBeLessThan(100);
    expect(machine.passages.at(-1)).toMatchObject({ timeNs: 99 });
    expect(machine.passages.at(-1)).toEqual(machine.last);
  });
});

describe("the states of a catch", () => {
  it("lead from the first plan by the box back to watching", () => {
    const machine = createCatchMachine();
    const events = ["start", "planned", "planned", "closing", "closed", "held", "carried", "dropped", "ready"] as const;
    const states = events.map((event) => {
      expect(machine.fire(event, 0)).toBe(true);
      return machine.state;
    });
    const catching = ["watching", "reaching", "reaching", "grasping", "holding"];
    expect(states).toEqual([...catching, "carrying", "dropping", "homing", "watching"]);
  });

  it("can be left for braking and fault wherever the arm is active, and only there", () => {
    const machine = createCatchMachine();
    expect(machine.fire("unsafe", 0)).toBe(false);
    for (const event of ["start", "planned", "closing", "closed", "held", "unsafe"] as const) machine.fire(event, 0);
    expect(machine.state).toBe("braking");
    expect(machine.isIn("active")).toBe(false);
    machine.fire("failed", 1, "stuck");
    expect(machine.state).toBe("fault");
    expect(machine.fire("planned", 2)).toBe(false);
    machine.fire("repaired", 3);
    expect(machine.isIn("returning")).toBe(true);
  });

  it("are unambiguous, and every one of them is reached and left", () => {
    const arrows = catchTransitions.map(({ from, event }) => `${from} ${event}`);
    expect(new Set(arrows).size).toBe(arrows.length);
    const states = new Set(catchTransitions.flatMap(({ from, to }) => [from, to]));
    const around = (state: CatchState): CatchState[] => {
      const outer = catchChart.within[state];
      return outer === undefined ? [state] : [state, ...around(outer)];
    };
    for (const state of states) {
      expect(catchTransitions.some(({ from }) => around(state).includes(from))).toBe(true);
      const isReached = catchTransitions.some(({ to }) => around(to).includes(state));
      expect(isReached || state === "idle").toBe(true);
    }
  });

  it("take no plan while the hand closes", () => {
    const machine = createCatchMachine();
    for (const event of ["start", "planned", "closing"] as const) machine.fire(event, 0);
    expect(machine.fire("planned", 1)).toBe(false);
    expect(machine.state).toBe("grasping");
  });
});
