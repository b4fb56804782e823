import { beforeEach, describe, expect, it } from "vitest";
import { HullBodies } from "../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import { ControlCycle } from "../../src/control/control-cycle.js";
import { DriverState } from "../../src/control/driver.js";
import { HandShape } from "../../src/control/hand-motion.js";
import { HandoverOutcome } from "../../src/control/motion-execution.js";
import { Reaction } from "../../src/control/watchdog.js";
import { CommandMode } from "../../src/messages/command-mode.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { RampStatus } from "../../src/motion/ramp.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotState } from "../../src/robot/state.js";
import { BrakeReason, MonitorPhase } from "../../src/safety/monitor/monitor-words.js";
import { boxedNumbers, heapBytesPerCall } from "../support/heap.js";

const robot = loadRobot("agile-justin");
const ready = robot.postures.get("ready")!;
const period = 1e-3;
const groups = ["leftArm", "rightArm"].map((name) => robot.model.groups.find((group) => group.name === name)!);
const parts = groups.map(({ name, dofs }) => ({ name, dofs }));
const never = Number.POSITIVE_INFINITY;

/** Control on a robot that does at once what it is told. */
class Rig {
  readonly control = new ControlCycle(robot, ready, parts, { period, history: 100, monitor: {} });
  readonly state = new DriverState(robot.model.dofCount);
  ticks = 0;
  nearest = Number.POSITIVE_INFINITY;
  readonly #pose = new RobotState(robot.model);
  readonly #bodies = new HullBodies(robot.hulls);
  readonly #distance = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  constructor() {
    this.state.q.set(ready);
    this.state.time = 0;
  }

  get time(): number {
    return this.ticks / 1000;
  }

  pass(ticks: number): void {
    for (let k = 0; k < ticks; k++) {
      this.ticks++;
      this.control.tick(this.state, this.time);
      this.state.q.set(this.control.command.q);
      this.state.qd.set(this.control.command.qd);
      this.state.time = this.time;
      if (this.ticks % 10 === 0) this.#measure();
    }
  }

  /** True distance of the nearest pair as the robot stands. */
  #measure(): void {
    this.#pose.q.set(this.state.q);
    forwardKinematics(this.#pose);
    this.#bodies.placeAll(this.#pose.linkPoses);
    for (const [a, b] of robot.pairs) {
      const { points, pointCount } = this.#bodies;
      this.#memory.fill(0);
      this.#distance.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.#memory, 0);
      const gap = this.#distance.distance - robot.hulls[a]!.radius - robot.hulls[b]!.radius;
      this.nearest = Math.min(this.nearest, gap);
    }
  }

  /** Offers the right arm a motion to `ready` plus `offset` that begins in 10 ms. */
  move(offset: number[], duration: number, closeHandAt = never): HandoverOutcome {
    const { dofs } = parts[1]!;
    const q0 = new Float64Array(7);
    const w0 = new Float64Array(7);
    const tStart = this.time + 0.01;
    this.control.motion.of("rightArm").commandedAt(tStart, q0, w0);
    const q = Float64Array.from(dofs, (dof, i) => ready[dof]! + (offset[i] ?? 0));
    const limit = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
    const ramps = new JointRamps(7);
    const { maxVelocity, maxAcceleration } = robot.model;
    const status = ramps.plan(q0, w0, q, duration, limit(maxVelocity), limit(maxAcceleration));
    expect(status).toBe(RampStatus.ok);
    return this.control.offer("rightArm", { id: this.ticks, tStart, ramps, closeHandAt });
  }
}

describe("a tick of control", () => {
  let rig: Rig;
  beforeEach(() => {
    rig = new Rig();
    rig.pass(5);
  });

  it("holds until there is a plan, then follows it to the bit", () => {
    expect([...rig.state.q]).toEqual([...ready]);
    expect(rig.move([0.2, -0.1, 0.1], 0.8)).toBe(HandoverOutcome.accepted);
    rig.pass(400);
    expect(rig.control.command.mode).toBe(CommandMode.follow);
    expect(rig.control.limiter.limitedTicks).toBe(0);
    const q = new Float64Array(7);
    rig.control.motion.of("rightArm").commandedAt(rig.time, q, new Float64Array(7));
    for (const [i, dof] of parts[1]!.dofs.entries()) expect(rig.control.command.q[dof]).toBe(q[i]);
    rig.pass(600);
    expect(rig.control.monitor.brakes).toBe(0);
    expect(rig.control.history.size).toBe(100);
  });

  it("closes the hand as fast as the fingers can, and opens it with the next motion", () => {
    const hand = rig.control.hands.find(({ hand: { name } }) => name === "rightHand")!;
    rig.move([0.1], 0.6, rig.time + 0.3);
    rig.pass(309);
    expect(hand.shape).toBe(HandShape.closed);
    rig.pass(150);
    for (const [k, dof] of hand.hand.dofs.entries())
      expect(rig.control.command.q[dof]).toBeCloseTo(hand.hand.closed[k]!, 9);
    rig.pass(400);
    rig.move([0], 0.6);
    rig.pass(200);
    expect(hand.shape).toBe(HandShape.open);
    expect(rig.control.monitor.brakes).toBe(0);
  });

  it("stops a motion into the robot itself, clear of it, and takes no plan until it is let go", () => {
    // The right arm straight through the chest.
    expect(rig.move([0.9, 0.9, 0.9, 0, 0, 0, 0], 0.9)).toBe(HandoverOutcome.accepted);
    rig.pass(1500);
    expect(rig.control.monitor.reason).toBe(BrakeReason.predictedTouch);
    expect(rig.control.monitor.phase).toBe(MonitorPhase.stopped);
    expect(rig.control.command.mode).toBe(CommandMode.brake);
    expect(rig.nearest).toBeGreaterThan(0);
    expect([...rig.state.qd].every((speed) => speed === 0)).toBe(true);
    expect(rig.move([0], 2)).toBe(HandoverOutcome.stopped);
    rig.control.resume();
    rig.pass(5);
    expect(rig.move([0], 10)).toBe(HandoverOutcome.accepted);
    rig.pass(10_100);
    expect(rig.control.monitor.phase).toBe(MonitorPhase.safe);
    for (const dof of parts[1]!.dofs) expect(rig.state.q[dof]).toBeCloseTo(ready[dof]!, 9);
    expect(rig.nearest).toBeGreaterThan(0);
  });

  it("brakes when the watchdog says so, and when the robot falls silent", () => {
    rig.move([0.3, -0.2, 0.2], 1);
    rig.pass(400);
    rig.control.reaction = Reaction.brake;
    rig.pass(300);
    expect(rig.control.monitor.phase).toBe(MonitorPhase.stopped);
    expect(rig.control.monitor.reason).toBe(BrakeReason.requested);
    rig.control.monitor.requestRecovery();
    rig.pass(5);
    expect(rig.control.monitor.phase).toBe(MonitorPhase.stopped);
    rig.control.resume();
    rig.pass(2);
    expect(rig.control.isStopped).toBe(false);
    const silent = new DriverState(robot.model.dofCount);
    silent.q.set(rig.state.q);
    silent.time = rig.time;
    for (let k = 0; k < 20; k++) rig.control.tick(silent, rig.time + k / 1000);
    expect(rig.control.monitor.reason).toBe(BrakeReason.staleState);
  });

  it("takes no new plan while it only finishes the one it has", () => {
    rig.move([0.1], 0.6);
    rig.pass(100);
    rig.control.reaction = Reaction.finish;
    expect(rig.move([0.2], 0.6)).toBe(HandoverOutcome.stopped);
    rig.pass(700);
    expect(rig.state.q[parts[1]!.dofs[0]!]).toBeCloseTo(ready[parts[1]!.dofs[0]!]! + 0.1, 9);
    expect(rig.control.monitor.brakes).toBe(0);
  });

  it("leads joints by the tick where somebody else does", () => {
    const neck = robot.model.groups.find(({ kind }) => kind === "neck")!.dofs;
    const wave = {
      dofs: neck,
      follow: (time: number, _: Float64Array, q: Float64Array, qd: Float64Array) => {
        q.fill(0.2 * (1 - Math.cos(2 * time)));
        qd.fill(0.4 * Math.sin(2 * time));
      },
      rest: () => undefined,
    };
    const control = new ControlCycle(robot, ready, parts, { period, history: 10, monitor: {} }, [wave]);
    const state = new DriverState(robot.model.dofCount);
    state.q.set(ready);
    for (let k = 1; k <= 1000; k++) {
      state.time = k / 1000;
      control.tick(state, state.time);
      state.q.set(control.command.q);
      state.qd.set(control.command.qd);
    }
    for (const dof of neck) expect(control.command.q[dof]).toBeCloseTo(0.2 * (1 - Math.cos(2)), 9);
    expect(control.monitor.brakes).toBe(0);
  });

  it("allocates nothing but the numbers that are handed over while the arm moves under the monitor's eyes", () => {
    const { control, state } = rig;
    const slowly = 100;
    expect(rig.move([0.3, -0.2, 0.2, -0.3], slowly)).toBe(HandoverOutcome.accepted);
    rig.pass(20);
    const tick = () => {
      rig.ticks++;
      state.time = rig.time;
      control.tick(state, rig.time);
      state.q.set(control.command.q);
      state.qd.set(control.command.qd);
    };
    const most = 3 * boxedNumbers;
    expect(heapBytesPerCall(tick, 2000, most)).toBeLessThan(most);
    expect(control.command.qd.some((speed) => speed !== 0)).toBe(true);
    expect(control.monitor.brakes).toBe(0);
  });

  it("allocates nothing but the numbers that are handed over", () => {
    const { control, state } = rig;
    let now = rig.time;
    const tick = () => {
      now += period;
      state.time = now;
      control.tick(state, now);
    };
    const most = 3 * boxedNumbers;
    expect(heapBytesPerCall(tick, 2000, most)).toBeLessThan(most);
  });
});
