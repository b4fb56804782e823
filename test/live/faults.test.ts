import { describe, expect, it, vi } from "vitest";
import { HullBodies } from "../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { HandoverOutcome } from "../../src/control/motion-execution.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { type LockStepHost, lockStepRun } from "../../src/run/lock-step-host.js";
import type { Run } from "../../src/run/run.js";
import { deep } from "../support/deep.js";

vi.setConfig({ testTimeout: deep(60_000, 600_000) });

const robot = loadRobot("agile-justin");
const never = Number.POSITIVE_INFINITY;

/** Least distance of any two checked bodies over all ticks looked at. */
class Nearest {
  distance = Number.POSITIVE_INFINITY;
  readonly #state = new RobotState(robot.model);
  readonly #bodies = new HullBodies(robot.hulls);
  readonly #hulls = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  look(q: Float64Array): void {
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#bodies.placeAll(this.#state.linkPoses);
    const { points, pointCount } = this.#bodies;
    for (const [a, b] of robot.pairs) {
      this.#memory.fill(0);
      this.#hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.#memory, 0);
      const gap = this.#hulls.distance - robot.hulls[a]!.radius - robot.hulls[b]!.radius;
      this.distance = Math.min(this.distance, gap);
    }
  }
}

/** A run that is interfered with once, `at` seconds after it began. */
async function disturbedRun(at: number, disturb: (run: Run<LockStepHost>, time: number) => void) {
  const nearest = new Nearest();
  let tick = 0;
  let isDone = false;
  const onTick = (nowNs: number): void => {
    const time = nowNs / 1e9;
    if (tick++ % 20 === 0) nearest.look(run.host.control.command.q);
    if (isDone || time < at) return;
    isDone = true;
    disturb(run, time);
  };
  const run: Run<LockStepHost> = await lockStepRun({
    robot,
    world: "kinematic",
    perception: "truth",
    seed: 1,
    onTick,
  });
  return { run, nearest };
}

/** A motion of the left arm into the robot's own chest, as fast as it can. */
function sendIntoChest(run: Run<LockStepHost>, time: number): HandoverOutcome {
  const motion = run.host.control.motion.of("leftArm");
  const { dofs } = run.host.control.motion.parts.find(({ name }) => name === "leftArm")!;
  const [q0, w0] = [new Float64Array(7), new Float64Array(7)];
  const tStart = time + 0.002;
  motion.commandedAt(tStart, q0, w0);
  const pick = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
  const target = q0.map((q, i) => q + ([0.9, 0.9, 0.9][i] ?? 0));
  const limits = [pick(robot.model.maxVelocity), pick(robot.model.maxAcceleration)] as const;
  const ramps = new JointRamps(7);
  const T = ramps.minimalTimes(q0, w0, target, ...limits, new Float64Array(7));
  ramps.plan(q0, w0, target, 1.01 * T, ...limits);
  return run.host.control.offer("leftArm", { id: 99, tStart, ramps, closeHandAt: never });
}

describe("a motion that would hit the robot itself, sent behind the planner's back", () => {
  it("is stopped clear of it, and the next ball is caught again", async () => {
    const { run, nearest } = await disturbedRun(0.3, (own, time) => {
      expect(sendIntoChest(own, time)).toBe(HandoverOutcome.accepted);
    });
    await run.throwBalls([0]);
    expect(run.host.control.monitor.brakes).toBeGreaterThan(0);
    expect(nearest.distance).toBeGreaterThan(0);
    const [next] = await run.throwBalls([1]);
    expect(next!.outcome).toBe("caught");
    expect(nearest.distance).toBeGreaterThan(0);
  });
});

describe("a plan with NaN in it", () => {
  it("is refused, and the ball is caught all the same", async () => {
    let handover: HandoverOutcome | null = null;
    const { run } = await disturbedRun(0.5, (own, time) => {
      const ramps = new JointRamps(7);
      ramps.q0.fill(Number.NaN);
      handover = own.host.control.offer("rightArm", { id: 99, tStart: time + 0.002, ramps, closeHandAt: never });
    });
    const [result] = await run.throwBalls([0]);
    expect(handover).toBe(HandoverOutcome.invalid);
    expect(result!.outcome).toBe("caught");
    expect(run.host.control.monitor.brakes).toBe(0);
  });
});
