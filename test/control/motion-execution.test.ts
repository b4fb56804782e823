import { describe, expect, it } from "vitest";
import { closingLead, HandShape } from "../../src/control/hand-motion.js";
import { HandoverOutcome, MotionExecution, type MotionPlan } from "../../src/control/motion-execution.js";
import { Random } from "../../src/math/random.js";
import { JointRamps, rampFields } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { deep } from "../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";

const joints = 3;
const tick = 1e-3;
const wmax = Float64Array.of(2, 3, 1.5);
const amax = Float64Array.of(20, 15, 30);

const seconds = (ticks: number): number => ticks / 1000;

function ramps(q0: Float64Array, w0: Float64Array, q: Float64Array, atLeast = 0): JointRamps {
  const motion = new JointRamps(joints);
  const T = Math.max(atLeast, motion.minimalTimes(q0, w0, q, wmax, amax, new Float64Array(joints)));
  expect(motion.plan(q0, w0, q, T, wmax, amax)).toBe(RampStatus.ok);
  return motion;
}

/** A motion from where `execution` will be at tStart. */
function planFrom(
  execution: MotionExecution,
  tStart: number,
  q: Float64Array,
  { id = 1, closeHandAt = Number.POSITIVE_INFINITY } = {},
): MotionPlan {
  const q0 = new Float64Array(joints);
  const w0 = new Float64Array(joints);
  execution.commandedAt(tStart, q0, w0);
  return { id, tStart, ramps: ramps(q0, w0, q), closeHandAt };
}

function spoiled(plan: MotionPlan, spoil: (ramps: JointRamps) => void): MotionPlan {
  const copy = new JointRamps(joints);
  copy.copyFrom(plan.ramps);
  spoil(copy);
  return { ...plan, ramps: copy };
}

const origin = Float64Array.of(0.1, -0.2, 0.3);
const there = Float64Array.of(0.5, 0.4, -0.3);
const elsewhere = Float64Array.of(-0.4, 0.1, 0.9);

describe("the command", () => {
  it("holds the first position until there is a plan", () => {
    const execution = new MotionExecution(origin);
    execution.tick(0.5);
    expect([...execution.q]).toEqual([...origin]);
    expect([...execution.qd]).toEqual([0, 0, 0]);
    expect(execution.running).toBe(-1);
    expect(execution.hand).toBe(HandShape.open);
  });

  it("is that of the plan's ramps from the first tick at or after tStart, and holds its end", () => {
    const execution = new MotionExecution(origin);
    execution.tick(0);
    const plan = planFrom(execution, 0.0105, there);
    expect(execution.offer(plan)).toBe(HandoverOutcome.accepted);
    for (let k = 1; k <= 10; k++) execution.tick(seconds(k));
    expect(execution.running).toBe(-1);
    execution.tick(seconds(11));
    expect(execution.running).toBe(1);
    const expected = plan.ramps.positions(seconds(11) - 0.0105, new Float64Array(joints));
    expect([...execution.q]).toEqual([...expected]);
    execution.tick(30);
    expect([...execution.q]).toEqual([...there]);
    expect([...execution.qd]).toEqual([0, 0, 0]);
  });

  it("switches at tStart itself if that is a tick", () => {
    const execution = new MotionExecution(origin);
    execution.offer(planFrom(execution, 0.007, there));
    execution.tick(0.006);
    expect(execution.running).toBe(-1);
    execution.tick(0.007);
    expect(execution.running).toBe(1);
  });

  it("is continuous in position and velocity over any series of replans", () => {
    const random = new Random("handover");
    for (let series = 0; series < deep(20, 500); series++) expectContinuous(random.fork(String(series)));
  });

  it("is computed without allocation, but for the time that is handed over", () => {
    const execution = new MotionExecution(origin);
    const times = Float64Array.from({ length: 20_000 }, (_, k) => seconds(k));
    execution.offer(planFrom(execution, 0.01, there));
    // V8 boxes fractional arguments of calls that it does not inline, how many depends on what else has run.
    const oneBox = boxedNumbers;
    expect(heapBytesPerCall((k) => execution.tick(times[k]!), times.length, oneBox)).toBeLessThan(oneBox);
    const late = { ...planFrom(execution, 100, origin), tStart: 0 };
    expect(heapBytesPerCall(() => execution.offer(late), 20_000, oneBox)).toBeLessThan(oneBox);
    const waiting = planFrom(execution, 100, origin);
    expect(heapBytesPerCall(() => execution.offer(waiting), 20_000, oneBox)).toBeLessThan(oneBox);
    expect(execution.handovers.late).toBeGreaterThan(0);
    expect(execution.handovers.accepted).toBeGreaterThan(1);
  });
});

/** Replans to random targets every few milliseconds, from wherever the joints are, and looks at every tick. */
function expectContinuous(random: Random): void {
  const execution = new MotionExecution(origin);
  const before = { q: Float64Array.from(origin), qd: new Float64Array(joints) };
  let next = 0;
  for (let k = 0; k < 600; k++) {
    const now = seconds(k);
    if (k === next) {
      const target = Float64Array.from(origin, () => random.uniformIn(-1, 1));
      const tStart = now + random.uniformIn(0, 0.05);
      expect(execution.offer(planFrom(execution, tStart, target))).toBe(HandoverOutcome.accepted);
      // At most three plans may wait, and each starts within 50 ms.
      next = k + 20 + random.integer(60);
    }
    execution.tick(now);
    for (let i = 0; i < joints; i++) {
      const change = execution.qd[i]! - before.qd[i]!;
      expect(Math.abs(change)).toBeLessThanOrEqual(amax[i]! * tick * (1 + 1e-6) + 1e-9);
      // Under accelerations within ±amax, a tick's way differs from the mean speed's by amax·tick²/4 at most.
      const way = 0.5 * (execution.qd[i]! + before.qd[i]!) * tick;
      const jump = k === 0 ? 0 : execution.q[i]! - before.q[i]! - way;
      expect(Math.abs(jump)).toBeLessThanOrEqual(0.25 * amax[i]! * tick * tick * (1 + 1e-6) + 1e-12);
    }
    before.q.set(execution.q);
    before.qd.set(execution.qd);
  }
}

describe("a plan that is refused", () => {
  /** An execution on its way from origin to there, at tick 20. */
  function moving(): MotionExecution {
    const execution = new MotionExecution(origin);
    execution.offer(planFrom(execution, 0.001, there, { id: 7 }));
    for (let k = 0; k <= 20; k++) execution.tick(seconds(k));
    return execution;
  }

  function expectUndisturbed(execution: MotionExecution): void {
    const alone = moving();
    for (let k = 21; k < 1000; k++) {
      execution.tick(seconds(k));
      alone.tick(seconds(k));
      expect([...execution.q]).toEqual([...alone.q]);
      expect([...execution.qd]).toEqual([...alone.qd]);
    }
    expect(execution.running).toBe(7);
  }

  it("comes too late: its first tick is over", () => {
    const execution = moving();
    expect(execution.offer(planFrom(execution, 0.02, elsewhere))).toBe(HandoverOutcome.late);
    expect(execution.offer(planFrom(execution, 0.013, elsewhere))).toBe(HandoverOutcome.late);
    expect(execution.handovers).toMatchObject({ accepted: 1, late: 2 });
    expectUndisturbed(execution);
  });

  it("may still come in the very tick it begins", () => {
    const execution = moving();
    expect(execution.offer(planFrom(execution, 0.0201, elsewhere, { id: 8 }))).toBe(HandoverOutcome.accepted);
    execution.tick(0.021);
    expect(execution.running).toBe(8);
  });

  it.each([0, 1, 2])("does not begin where joint %i will be, or not as fast", (joint) => {
    const execution = moving();
    const plan = planFrom(execution, 0.05, elsewhere);
    const shifts = [
      { field: "q0", by: 1.1e-6, handover: HandoverOutcome.mismatch },
      { field: "q0", by: -1.1e-6, handover: HandoverOutcome.mismatch },
      { field: "w0", by: 1.1e-4, handover: HandoverOutcome.mismatch },
      { field: "w0", by: -1.1e-4, handover: HandoverOutcome.mismatch },
    ] as const;
    for (const { field, by, handover } of shifts) {
      const shifted = spoiled(plan, (copy) => {
        copy[field][joint]! += by;
      });
      expect(execution.offer(shifted)).toBe(handover);
    }
    expect(execution.handovers.mismatch).toBe(4);
    expectUndisturbed(execution);
  });

  it("is off by less than the tolerance, and so is accepted", () => {
    const plan = planFrom(moving(), 0.05, elsewhere);
    for (const [field, by] of [
      ["q0", 0.9e-6],
      ["w0", 0.9e-4],
    ] as const) {
      const shifted = spoiled(plan, (copy) => {
        copy[field][1]! -= by;
      });
      expect(moving().offer(shifted)).toBe(HandoverOutcome.accepted);
    }
  });

  it.each([...rampFields, "end"] as const)("has %s that is not a number", (field) => {
    const execution = moving();
    const plan = planFrom(execution, 0.05, elsewhere);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const broken = spoiled(plan, (copy) => {
        copy[field][2] = value;
      });
      expect(execution.offer(broken)).toBe(HandoverOutcome.invalid);
    }
    expectUndisturbed(execution);
  });

  it("has times that are not numbers, or other joints", () => {
    const execution = moving();
    const plan = planFrom(execution, 0.05, elsewhere);
    expect(execution.offer({ ...plan, tStart: Number.NaN })).toBe(HandoverOutcome.invalid);
    expect(execution.offer({ ...plan, tStart: Number.POSITIVE_INFINITY })).toBe(HandoverOutcome.invalid);
    expect(execution.offer({ ...plan, closeHandAt: Number.NaN })).toBe(HandoverOutcome.invalid);
    expect(execution.offer({ ...plan, ramps: new JointRamps(joints + 1) })).toBe(HandoverOutcome.invalid);
    expect(execution.handovers.invalid).toBe(4);
    expectUndisturbed(execution);
  });
});

describe("plans that wait for their time", () => {
  it("follow one another", () => {
    const execution = new MotionExecution(origin);
    for (const [id, tStart] of [
      [1, 0.01],
      [2, 0.03],
      [3, 0.05],
    ] as const) {
      expect(execution.offer(planFrom(execution, tStart, id === 2 ? elsewhere : there, { id }))).toBe(
        HandoverOutcome.accepted,
      );
    }
    const runs = [0.005, 0.02, 0.04, 0.06].map((time) => {
      execution.tick(time);
      return execution.running;
    });
    expect(runs).toEqual([-1, 1, 2, 3]);
  });

  it("make way for one that begins before them, for they would not fit any more", () => {
    const execution = new MotionExecution(origin);
    execution.offer(planFrom(execution, 0.03, there, { id: 1 }));
    execution.offer(planFrom(execution, 0.02, elsewhere, { id: 2 }));
    execution.tick(5);
    expect(execution.running).toBe(2);
    expect([...execution.q]).toEqual([...elsewhere]);
  });

  it("are replaced by one for the same moment", () => {
    const execution = new MotionExecution(origin);
    const first = planFrom(execution, 0.03, there, { id: 1 });
    const second = { ...first, id: 2, ramps: ramps(origin, new Float64Array(joints), elsewhere) };
    execution.offer(first);
    expect(execution.offer(second)).toBe(HandoverOutcome.accepted);
    execution.tick(5);
    expect([...execution.q]).toEqual([...elsewhere]);
  });

  it("are at most three", () => {
    const execution = new MotionExecution(origin);
    const handovers = [1, 2, 3, 4].map((id) => execution.offer(planFrom(execution, 0.01 * id, there, { id })));
    expect(handovers).toEqual(["accepted", "accepted", "accepted", "full"]);
    execution.tick(0.015);
    expect(execution.offer(planFrom(execution, 0.04, there, { id: 4 }))).toBe(HandoverOutcome.accepted);
  });
});

describe("an execution that adopts what another has accepted", () => {
  it("commands the same to the bit, however late it hears of each plan", () => {
    const random = new Random("adopting");
    const leader = new MotionExecution(origin);
    const mirror = new MotionExecution(origin);
    const underway: { plan: MotionPlan; heardAt: number }[] = [];
    for (let k = 1; k <= 4000; k++) {
      const now = seconds(k);
      leader.tick(now);
      mirror.tick(now);
      while (underway.length > 0 && underway[0]!.heardAt <= now) mirror.adopt(underway.shift()!.plan);
      if (underway.length > 0 || random.uniform() > 0.02) continue;
      expect([...mirror.q]).toEqual([...leader.q]);
      expect(mirror.running).toBe(leader.running);
      const goal = Float64Array.from(origin, () => random.uniformIn(-0.5, 0.5));
      const plan = planFrom(leader, seconds(k + Math.round(random.uniformIn(1, 60))), goal, { id: k });
      expect(leader.offer(plan)).toBe(HandoverOutcome.accepted);
      underway.push({ plan, heardAt: now + random.uniformIn(0, 0.3) });
    }
    expect(leader.handovers.accepted).toBeGreaterThan(10);
  });
});

describe("the hand", () => {
  it("is told to close at the tick nearest to the time asked for", () => {
    for (const closeHandAt of [0.0304, 0.0296, 0.03]) {
      const execution = new MotionExecution(origin);
      execution.offer(planFrom(execution, 0.01, there, { closeHandAt }));
      for (let k = 0; k < 30; k++) execution.tick(seconds(k));
      expect(execution.hand).toBe(HandShape.open);
      expect(execution.handClosedAt).toBeNaN();
      execution.tick(seconds(30));
      expect(execution.hand).toBe(HandShape.closed);
      expect(execution.handClosedAt).toBe(0.03);
    }
  });

  it("stays closed over a replan, and opens with a motion that has no grasp", () => {
    const execution = new MotionExecution(origin);
    execution.offer(planFrom(execution, 0.01, there, { closeHandAt: 0.02 }));
    execution.tick(0.02);
    execution.offer(planFrom(execution, 0.025, elsewhere, { closeHandAt: 0.05 }));
    execution.tick(0.026);
    expect(execution.handClosedAt).toBe(0.02);
    execution.offer(planFrom(execution, 0.1, origin));
    execution.tick(0.099);
    expect(execution.hand).toBe(HandShape.closed);
    execution.tick(0.1);
    expect(execution.hand).toBe(HandShape.open);
    expect(execution.handClosedAt).toBeNaN();
  });

  it("begins to close before the grasp by a tenth of its closing time", () => {
    expect(closingLead({ closingTime: 0.095, closingLead: null })).toBeCloseTo(0.0095, 12);
    expect(closingLead({ closingTime: 0, closingLead: null })).toBe(0);
    expect(closingLead({ closingTime: 0.33, closingLead: 0.1 })).toBe(0.1);
  });
});
