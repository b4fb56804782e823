import { describe, expect, it } from "vitest";
import { closingLead, HandShape } from "../../src/control/hand-motion.js";
import { arm, MILLISECOND, ready, Scene } from "./scene.js";

const coldStart = 30 + 17;
const warmStart = 15 + 17;
/** The hand's closing command comes this much before the grasp [s]. */
const lead = closingLead(arm.hand);

/** A scene in which the first plan, for a catch at 0.8 s, has just begun. */
function reachingScene(...args: ConstructorParameters<typeof Scene>): Scene {
  const scene = new Scene(...args);
  scene.planner.tCatch = 0.8;
  scene.pass(100);
  scene.see();
  scene.pass(coldStart);
  expect(scene.state).toBe("reaching");
  return scene;
}

describe("the first prediction", () => {
  it("is asked about for tStart = now + budget + transport, from the command of then, within the time there is", () => {
    const scene = new Scene();
    scene.pass(100);
    scene.see();
    const { tStart, q0, w0, earliest, latest, previous, ball, mode } = scene.lastRequest;
    expect(tStart).toBe(0.147);
    expect([...q0]).toEqual([...ready]);
    expect([...w0]).toEqual(new Array(7).fill(0));
    expect(earliest).toBeCloseTo(tStart + lead + 0.002, 12);
    expect(latest).toBeCloseTo(0.025 + 1.8, 12);
    expect(ball.time).toBeCloseTo(0.025, 12);
    expect({ previous, mode }).toEqual({ previous: null, mode: "soft" });
  });

  it("sets the arm in motion at tStart, not a tick earlier", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.pass(100);
    scene.see();
    scene.pass(coldStart - 1);
    expect(scene.state).toBe("watching");
    expect(scene.motion.running).toBe(-1);
    scene.pass(1);
    expect(scene.state).toBe("reaching");
    expect(scene.motion.running).toBe(scene.coordinator.attempt?.plan?.id);
    expect(scene.coordinator.attempt).toMatchObject({ begun: 0.147, taken: 1, refused: 0, searches: 1 });
  });

  it("is ignored as long as the ball is not confirmed", () => {
    const scene = new Scene();
    scene.see(0, false);
    expect(scene.planner.requests).toEqual([]);
  });

  it("is followed by another search if there was no plan, and by the first reason if there never is", () => {
    const scene = new Scene();
    scene.planner.findsNothing = true;
    for (let frame = 0; frame < 5; frame++) {
      scene.see();
      scene.pass(80);
    }
    expect(scene.state).toBe("watching");
    expect(scene.coordinator.attempt).toMatchObject({ plan: null, searches: 5, reason: "no plan 1" });
    scene.planner.findsNothing = false;
    scene.planner.tCatch = 1.2;
    scene.see();
    scene.pass(coldStart);
    expect(scene.state).toBe("reaching");
  });

  it("comes too late to be asked about when the ball has been in sight for 1.8 s", () => {
    const scene = new Scene();
    scene.planner.findsNothing = true;
    scene.see();
    scene.pass(1580);
    scene.see();
    expect(scene.planner.requests).toHaveLength(2);
    scene.pass(120);
    scene.see();
    expect(scene.planner.requests).toHaveLength(2);
  });
});

describe("each further prediction", () => {
  it("is asked about from the moving command at its own tStart, with the plan in execution", () => {
    const scene = reachingScene();
    scene.pass(3);
    const plan = scene.coordinator.attempt!.plan!;
    scene.see();
    const { tStart, q0, w0, previous } = scene.lastRequest;
    expect(tStart).toBeCloseTo(0.15 + warmStart / 1000, 12);
    expect(previous).toBe(plan);
    const expected = plan.ramps.positions(tStart - plan.tStart, new Float64Array(7));
    expect([...q0]).toEqual([...expected]);
    for (const w of w0) expect(w).toBeGreaterThan(0.01);
  });

  it("changes the motion without a jump", () => {
    const scene = reachingScene();
    for (let frame = 0; frame < 8; frame++) {
      scene.planner.offset = 0.2 + 0.02 * (frame % 3);
      scene.see();
      const before = Float64Array.from(scene.motion.qd);
      for (let k = 0; k < 40; k++) {
        scene.pass(1);
        for (let i = 0; i < 7; i++) {
          const step = Math.abs(scene.motion.qd[i]! - before[i]!);
          expect(step).toBeLessThanOrEqual(arm.maxAcceleration[i]! * 1e-3 * (1 + 1e-6));
        }
        before.set(scene.motion.qd);
      }
    }
    expect(scene.coordinator.attempt).toMatchObject({ taken: 9, refused: 0, unsolved: 0 });
  });

  it("waits its turn while a question is open: the command it would start from is not known", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.see();
    scene.pass(40);
    scene.see();
    expect(scene.planner.requests).toHaveLength(1);
    expect(scene.coordinator.busy).toBe(true);
    scene.pass(coldStart - 40);
    scene.see();
    expect(scene.planner.requests).toHaveLength(2);
  });

  it("leaves the old motion alone if there is no better one", () => {
    const scene = reachingScene();
    const running = scene.motion.running;
    scene.planner.findsNothing = true;
    scene.see();
    scene.pass(40);
    expect(scene.coordinator.attempt).toMatchObject({ unsolved: 1, taken: 1, reason: null });
    expect(scene.motion.running).toBe(running);
    expect(scene.state).toBe("reaching");
  });

  it("leaves the old motion alone if the plan is late on its way", () => {
    const scene = reachingScene();
    const running = scene.motion.running;
    scene.extraTransportNs = MILLISECOND;
    for (let frame = 0; frame < 3; frame++) {
      scene.see();
      scene.pass(40);
    }
    expect(scene.motion.handovers.late).toBe(3);
    expect(scene.coordinator.attempt).toMatchObject({ refused: 3, taken: 1 });
    expect(scene.motion.running).toBe(running);
    expect(scene.passUntil("grasping")).toBeGreaterThan(0);
  });

  it("is of no interest once the hand is about to close, nor one of another ball", () => {
    const scene = reachingScene();
    scene.see(1);
    expect(scene.planner.requests).toHaveLength(1);
    // The closing command is due at 0.8 s − lead; a plan must have begun two ticks before.
    const lastMoment = Math.floor(1000 * (0.8 - lead)) - 2 - warmStart;
    scene.pass(lastMoment - scene.nowNs / MILLISECOND + 1);
    scene.see();
    expect(scene.planner.requests).toHaveLength(1);
  });
});

describe("a ball without a catch", () => {
  it("is gone towards, and searched for again from there with every prediction, until there is a catch", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.planner.findsNothing = true;
    scene.planner.shortfall = 0.1;
    scene.see();
    scene.pass(coldStart);
    expect(scene.state).toBe("reaching");
    expect(scene.coordinator.attempt).toMatchObject({ isStuck: true, firstObjective: null, reason: "no plan 1" });
    scene.see();
    expect(scene.lastRequest.previous).toBeNull();
    expect(scene.lastRequest.running).toBe(scene.coordinator.attempt!.plan);
    expect([...scene.lastRequest.w0].some((w) => w !== 0)).toBe(true);
    scene.planner.findsNothing = false;
    scene.pass(coldStart);
    scene.see();
    scene.pass(coldStart);
    expect(scene.coordinator.attempt).toMatchObject({ isStuck: false, isLost: false });
    expect(scene.coordinator.attempt!.plan!.shortfall).toBe(0);
    expect(scene.coordinator.attempt!.firstObjective).toBe(2);
    expect(scene.passUntil("grasping")).toBeGreaterThan(0);
  });

  it("is asked about at once when something was seen on the way to control", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.planner.findsNothing = true;
    scene.planner.shortfall = 0.1;
    scene.see();
    scene.pass(coldStart - 5);
    scene.see();
    expect(scene.planner.requests).toHaveLength(1);
    scene.pass(5);
    expect(scene.planner.requests).toHaveLength(2);
  });

  it("brings the arm home at last", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.planner.findsNothing = true;
    scene.planner.shortfall = 0.1;
    scene.see();
    scene.passUntil("grasping");
    scene.passUntil("watching");
    expect([...scene.motion.q]).toEqual([...ready]);
  });

  it("changes the motion of an arm that finds no way on, once everything was searched", () => {
    const scene = reachingScene();
    const running = scene.motion.running;
    scene.planner.findsNothing = true;
    scene.planner.shortfall = 0.1;
    scene.see();
    scene.pass(warmStart);
    expect(scene.motion.running).toBe(running);
    scene.pass(coldStart);
    expect(scene.motion.running).not.toBe(running);
    expect(scene.coordinator.attempt).toMatchObject({ isStuck: true, unsolved: 2, taken: 2 });
  });
});

describe("a first plan that control refuses", () => {
  it("leaves the arm where it is, and is made anew", () => {
    const scene = new Scene();
    scene.planner.tCatch = 0.8;
    scene.extraTransportNs = 5 * MILLISECOND;
    scene.see();
    scene.pass(100);
    expect(scene.state).toBe("watching");
    expect(scene.coordinator.attempt).toMatchObject({
      refused: 1,
      plan: null,
      reason: "control refused the plan: late",
    });
    expect([...scene.motion.q]).toEqual([...ready]);
    scene.extraTransportNs = 0;
    scene.see();
    scene.pass(100);
    expect(scene.state).toBe("reaching");
  });
});

describe("after the catch", () => {
  it("the hand closes about the ball, holds it, and the arm goes back to wait with an open hand", () => {
    const scene = reachingScene();
    scene.passUntil("grasping");
    expect(scene.nowNs / MILLISECOND).toBe(Math.ceil(1000 * (0.8 - lead)));
    expect(scene.motion.hand).toBe(HandShape.closed);
    expect(Math.abs(scene.motion.handClosedAt + lead - 0.8)).toBeLessThanOrEqual(0.5e-3);
    const closing = scene.passUntil("holding");
    expect(Math.abs(closing - 1000 * arm.hand.closingTime)).toBeLessThanOrEqual(1);
    expect(scene.passUntil("returning")).toBe(500);
    expect(scene.motion.hand).toBe(HandShape.closed);
    scene.passUntil("watching");
    expect([...scene.motion.q]).toEqual([...ready]);
    expect([...scene.motion.qd]).toEqual(new Array(7).fill(0));
    expect(scene.motion.hand).toBe(HandShape.open);
    expect(scene.motion.handovers).toMatchObject({ accepted: 2, late: 0, mismatch: 0 });
  });

  it("the arm waits where it caught, if it is to stay", () => {
    const scene = reachingScene("stay");
    scene.passUntil("returning");
    scene.passUntil("watching");
    for (let i = 0; i < 7; i++) expect(scene.motion.q[i]).toBeCloseTo(ready[i]! + 0.2, 12);
    expect(scene.motion.hand).toBe(HandShape.open);
  });

  it("the way back is asked for again until control takes it", () => {
    const scene = reachingScene();
    scene.passUntil("returning");
    scene.extraTransportNs = 3 * MILLISECOND;
    scene.pass(100);
    expect(scene.motion.handovers.late).toBeGreaterThan(2);
    scene.extraTransportNs = 0;
    scene.passUntil("watching");
    expect([...scene.motion.q]).toEqual([...ready]);
  });

  it("the ball is let go over the box, with a hand closed until then, and only then the arm goes back to wait", () => {
    const drop = ready.map((q) => q - 0.3);
    const scene = reachingScene("return", "taken at once", drop);
    scene.passUntil("carrying");
    scene.passUntil("dropping");
    for (let i = 0; i < 7; i++) expect(scene.motion.q[i]).toBeCloseTo(drop[i]!, 12);
    expect(scene.motion.hand).toBe(HandShape.closed);
    scene.passUntil("homing");
    expect(scene.motion.hand).toBe(HandShape.open);
    for (let i = 0; i < 7; i++) expect(scene.motion.q[i]).toBeCloseTo(drop[i]!, 12);
    scene.passUntil("watching");
    expect([...scene.motion.q]).toEqual([...ready]);
  });

  it("a way that the monitor would brake is not gone: the ball falls where it is, the arm goes home at its slowest", () => {
    const drop = ready.map((q) => q - 0.3);
    const scene = reachingScene("return", "taken at once", drop);
    scene.passUntil("carrying");
    scene.isWayClear = false;
    const caughtAt = Float64Array.from(scene.motion.q);
    scene.passUntil("homing");
    expect([...scene.motion.q]).toEqual([...caughtAt]);
    expect(scene.coordinator.machine.last).toMatchObject({ event: "lost", reason: "there is no clear way to the box" });
    scene.pass(500);
    expect([...scene.motion.q]).toEqual([...caughtAt]);
    let fastest = 0;
    for (let k = 0; k < 20_000 && scene.state !== "watching"; k++) {
      scene.pass(1);
      fastest = Math.max(fastest, ...scene.motion.qd.map((w, i) => Math.abs(w) / arm.maxVelocity[i]!));
    }
    expect([...scene.motion.q]).toEqual([...ready]);
    expect(fastest).toBeLessThanOrEqual(0.1 + 1e-9);
  });

  it("a way that is free again a little later is gone then", () => {
    const scene = reachingScene();
    scene.passUntil("returning");
    scene.isWayClear = false;
    scene.pass(250);
    expect(scene.motion.qd.every((w) => w === 0)).toBe(true);
    scene.isWayClear = true;
    scene.passUntil("watching");
    expect([...scene.motion.q]).toEqual([...ready]);
  });

  it("the same ball is not caught again, the next one is", () => {
    const scene = reachingScene();
    scene.passUntil("returning");
    scene.passUntil("watching");
    scene.see(0);
    expect(scene.planner.requests).toHaveLength(1);
    scene.see(1);
    expect(scene.planner.requests).toHaveLength(2);
    expect(scene.coordinator.attempt?.track).toBe(1);
  });
});

describe("what is laid open", () => {
  it("has the state, its ways out with their guards, and is plain data", () => {
    const scene = reachingScene();
    const open = scene.coordinator.snapshot(scene.nowNs);
    expect(open).toMatchObject({ arm: "arm", state: "reaching", within: ["catching", "active"], waitsFor: "nothing" });
    expect(open.since).toBeCloseTo(scene.nowNs / 1e9, 3);
    const closing = open.guards.find(({ name }) => name === "closing")!;
    expect(closing).toMatchObject({ to: "grasping", holds: false });
    expect(closing.value).toBe(`in ${(0.8 - lead - scene.nowNs / 1e9).toFixed(3)} s`);
    expect(open.guards.map(({ name }) => name).sort()).toEqual(["closing", "failed", "lost", "planned", "unsafe"]);
    expect(open.attempt).toMatchObject({ track: 0, tCatch: 0.8, taken: 1 });
    expect(JSON.parse(JSON.stringify(open))).toEqual(open);
  });

  it("has the guard that holds at the moment at which the transition follows", () => {
    const scene = reachingScene();
    while (scene.state === "reaching") {
      const due = scene.coordinator.snapshot(scene.nowNs + MILLISECOND).guards.find(({ holds }) => holds);
      scene.pass(1);
      expect(due?.name).toBe(scene.state === "reaching" ? undefined : "closing");
    }
  });

  it("has the last transitions with their reasons", () => {
    const scene = reachingScene();
    scene.coordinator.halt("the monitor braked", scene.nowNs);
    const { transitions, state } = scene.coordinator.snapshot(scene.nowNs);
    expect(state).toBe("braking");
    expect(transitions.map(({ event }) => event)).toEqual(["start", "planned", "unsafe"]);
    expect(transitions.at(-1)).toMatchObject({ from: "reaching", to: "braking", reason: "the monitor braked" });
  });
});
