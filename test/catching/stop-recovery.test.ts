import { describe, expect, it } from "vitest";
import { StopRecovery } from "../../src/catching/stop-recovery.js";
import { SweptPairs } from "../../src/collision/pairs/swept-pairs.js";
import type { ControlCycle } from "../../src/control/control-cycle.js";
import { HandoverOutcome, type MotionPlan } from "../../src/control/motion-execution.js";
import * as vec3 from "../../src/math/vec3.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { BrakeReason, MonitorPhase } from "../../src/safety/monitor/monitor-words.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const { dofs } = robot.model.groups.find(({ name }) => name === "leftArm")!;

/** A stopped robot of one arm that goes where it is sent, and came along a way in which dof 0 of the arm says how long ago. */
class StoppedRobot {
  readonly monitor: Record<string, unknown>;
  readonly motion = {
    parts: [{ name: "leftArm", dofs }],
    q: Float64Array.from(ready),
    qd: new Float64Array(ready.length),
  };
  readonly history = { since: (time: number) => ({ commanded: this.#postureAt(time) }) };
  /** Where it was sent, and how its monitor judges each place. */
  readonly sent: Float64Array[] = [];
  readonly #stoppedAt: number;
  readonly #isClearAfter: (goals: number) => boolean;
  #arrival = Number.POSITIVE_INFINITY;

  constructor(stoppedAt: number, isClearAfter: (goals: number) => boolean) {
    const swept = new SweptPairs(robot);
    swept.update(ready, ready);
    swept.locate(swept.worst);
    const [bodyA, bodyB] = robot.pairs[swept.worst]!;
    const [nearestA, nearestB] = [vec3.create(...swept.nearestA), vec3.create(...swept.nearestB)];
    const reason = BrakeReason.predictedTouch;
    this.monitor = { phase: MonitorPhase.stopped, reason, pair: swept.worst, bodyA, bodyB, nearestA, nearestB };
    this.#stoppedAt = stoppedAt;
    this.#isClearAfter = isClearAfter;
  }

  get isStopped(): boolean {
    return this.monitor.phase === MonitorPhase.stopped;
  }

  resume(): void {
    this.monitor.phase = MonitorPhase.recovering;
  }

  offer(_: string, { tStart, ramps }: MotionPlan): HandoverOutcome {
    this.sent.push(Float64Array.from(ramps.end));
    this.motion.qd.fill(0.01);
    this.#arrival = tStart + ramps.duration;
    return HandoverOutcome.accepted;
  }

  tick(time: number): void {
    if (time < this.#arrival) return;
    this.#arrival = Number.POSITIVE_INFINITY;
    this.motion.qd.fill(0);
    for (const [i, dof] of dofs.entries()) this.motion.q[dof] = this.sent.at(-1)![i]!;
    if (this.#isClearAfter(this.sent.length)) this.monitor.phase = MonitorPhase.safe;
  }

  #postureAt(time: number): Float64Array {
    const posture = Float64Array.from(ready);
    posture[dofs[0]!] = ready[dofs[0]!]! + 0.1 * (this.#stoppedAt - time);
    return posture;
  }
}

const STOPPED_AT = 5;

function recover(isClearAfter: (goals: number) => boolean) {
  const stopped = new StoppedRobot(STOPPED_AT, isClearAfter);
  const told: string[] = [];
  const director = {
    halt: () => void told.push("halt"),
    release: () => void told.push("release"),
    fail: (reason: string) => void told.push(reason),
  };
  const recovery = new StopRecovery(robot, stopped as unknown as ControlCycle, director);
  for (let tick = 0; tick < 60_000 && recovery.stage !== "stuck" && told.at(-1) !== "release"; tick++) {
    const time = STOPPED_AT + tick / 1000;
    stopped.tick(time);
    recovery.step(Math.round(time * 1e9));
  }
  /** How long before the stop the arm was where it was sent [s]. */
  const back = stopped.sent.map((goal) => (goal[0]! - ready[dofs[0]!]!) / 0.1);
  return { told, back };
}

describe("after a stop within the margin", () => {
  it("goes back the way it came, and no farther than needed", () => {
    const { told, back } = recover((goals) => goals === 1);
    expect(told).toEqual(["halt", "release"]);
    expect(back).toHaveLength(1);
    expect(back[0]).toBeCloseTo(0.4, 6);
  });

  it("goes farther back where that has not made it clear", () => {
    const { told, back } = recover((goals) => goals === 3);
    expect(told).toEqual(["halt", "release"]);
    for (const [k, ago] of [0.4, 0.8, 1.6].entries()) expect(back[k]).toBeCloseTo(ago, 6);
  });

  it("brings apart what is too near where no way back helps, and says so where that does not either", () => {
    expect(recover((goals) => goals === 4).told).toEqual(["halt", "release"]);
    const { told, back } = recover(() => false);
    expect(back.length).toBeLessThanOrEqual(5);
    expect(told).toEqual(["halt", "no motion leads out of the safety margin"]);
  });
});
