import type { CatchState } from "../../src/catching/catch-states.js";
import { defaultTimes, seconds } from "../../src/catching/catch-times.js";
import { CatchCoordinator } from "../../src/catching/coordinator.js";
import type { AfterCatch, FirstPlan } from "../../src/catching/coordinator-options.js";
import { MotionExecution, type MotionPlan } from "../../src/control/motion-execution.js";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import type { ArmPlanRequest, ArmPlanResult, CatchPlan, PlanSurroundings } from "../../src/planning/arm/arm-plan.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/problem/catch-arm.js";
import { dofsBetween } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { BallWorld } from "../../src/simulation/world/ball-world.js";
import type { Throw } from "../../src/simulation/world/throws.js";
import { DelayLine } from "./support/delay-line.js";
import { LockStepPlanner } from "./support/lock-step-planner.js";

export const MILLISECOND = 1_000_000;
export const times = defaultTimes;
const robot = loadRobot("lwr-arm");
export const arm = buildCatchArm(robot, "arm");
export const ready = Float64Array.from(arm.group.dofs, (dof) => robot.postures.get("ready")![dof]!);

/** Puts some joints of a world without forces at `q`, at rest. */
export function placeJoints(world: BallWorld, dofs: readonly number[], q: Float64Array): void {
  const all = world.q.slice();
  for (const [i, dof] of dofs.entries()) all[dof] = q[i]!;
  world.step({ q: all, qd: new Float64Array(all.length), closing: new Float64Array(0) });
}

/** An arm on a body that stands in `posture`, and nothing else moves. */
export function standing(of: CatchArm, posture: Float64Array, tStart: number): PlanSurroundings {
  const { model, frames } = of.robot;
  const dofs = dofsBetween(model, frames.world, of.group.baseLink);
  const ramps = new JointRamps(dofs.length);
  ramps.hold(Float64Array.from(dofs, (dof) => posture[dof]!));
  return {
    carrier: { ramps, start: tStart, head: null, posture },
    others: { dofs: [], ramps: new JointRamps(0) },
  };
}

/** A question about a thrown ball to an arm that stands in `posture` and may move from `tStart` on. */
export function askAbout(of: CatchArm, posture: Float64Array, thrown: Throw, tStart: number): ArmPlanRequest {
  const { dofs } = of.group;
  return {
    id: thrown.id,
    track: thrown.id,
    mode: "soft",
    tStart,
    q0: Float64Array.from(dofs, (dof) => posture[dof]!),
    w0: new Float64Array(dofs.length),
    ball: thrown.state,
    covariance: null,
    lastSeen: thrown.state.time,
    ...standing(of, posture, tStart),
    earliest: tStart + 0.05,
    latest: thrown.state.time + 1.8,
    previous: null,
    running: null,
  };
}

/** A planner without a problem: moves the arm to `ready + offset` in time for a catch at `tCatch`, or finds nothing. */
export class FakePlanner {
  readonly requests: ArmPlanRequest[] = [];
  tCatch = Number.POSITIVE_INFINITY;
  offset = 0.2;
  findsNothing = false;
  /** With nothing found: how near it comes to a catch all the same [m]; null: nowhere. */
  shortfall: number | null = null;

  plan(request: ArmPlanRequest): ArmPlanResult {
    this.requests.push(request);
    const { id } = request;
    if (!this.findsNothing) return { id, plan: this.#plan(request) };
    return { id, plan: null, reason: `no plan ${this.requests.length}`, approach: this.#approach(request) };
  }

  #approach(request: ArmPlanRequest): CatchPlan | null {
    const { shortfall } = this;
    if (shortfall === null || request.previous !== null) return null;
    return { ...this.#plan(request), shortfall, objective: Number.NaN };
  }

  #plan({ id, tStart, q0, w0 }: ArmPlanRequest): CatchPlan {
    const ramps = new JointRamps(q0.length);
    const target = ready.map((q) => q + this.offset);
    ramps.plan(q0, w0, target, this.tCatch - tStart, arm.maxVelocity, arm.maxAcceleration);
    const { tCatch } = this;
    const unknowns = Float64Array.of(...target, tCatch - tStart);
    const known = { objective: id, shortfall: 0, successProbability: null, unknowns, warmStart: new Float64Array(1) };
    return { id, tStart, ramps, tCatch, arrival: tCatch, ...known };
  }
}

/** The coordinator between a fake planner and a true motion execution, ticked by hand. */
export class Scene {
  readonly planner = new FakePlanner();
  readonly motion = new MotionExecution(ready);
  readonly coordinator: CatchCoordinator;
  /** What the way to control really takes, beyond what the coordinator reckons with [ns]. */
  extraTransportNs = 0;
  nowNs = 0;
  /** What the safety monitor would say of a way back. */
  isWayClear = true;
  readonly drop: Float64Array | null;
  readonly #plans = new DelayLine<MotionPlan>();

  constructor(
    afterCatch: AfterCatch = "return",
    firstPlan: FirstPlan = "taken at once",
    drop: Float64Array | null = null,
  ) {
    this.drop = drop;
    const control = {
      commandedAt: (t: number, q: Float64Array, qd: Float64Array) => this.motion.commandedAt(t, q, qd),
      send: (plan: MotionPlan, sentNs: number) =>
        this.#plans.put(plan, sentNs + times.transportNs + this.extraTransportNs),
    };
    const planner = new LockStepPlanner(this.planner, times);
    const [mode, latestCatch] = ["soft", 1.8] as const;
    this.coordinator = new CatchCoordinator({
      returnShare: 0.5,
      arm,
      ready,
      drop: this.drop,
      isClear: () => this.isWayClear,
      isStillClear: () => true,
      planner,
      control,
      surroundings: ({ tStart }) => standing(arm, robot.postures.get("ready")!, tStart),
      firstPlan,
      times,
      mode,
      afterCatch,
      latestCatch,
    });
    this.coordinator.start(0);
  }

  get state(): string {
    return this.coordinator.machine.state;
  }

  get lastRequest(): ArmPlanRequest {
    return this.planner.requests[this.planner.requests.length - 1]!;
  }

  see(track = 0, confirmed = true): void {
    const position = vec3.create(4, 0, 1.5);
    const ball = { time: seconds(this.nowNs) - 0.075, position, velocity: vec3.create(-6, 0, 3), drag: 0.032 };
    const prediction: BallPrediction = { track, confirmed, state: ball, covariance: null, lastSeen: ball.time };
    this.coordinator.receive(prediction, this.nowNs);
  }

  /** Lets milliseconds pass. */
  pass(milliseconds: number): void {
    for (let k = 0; k < milliseconds; k++) {
      this.nowNs += MILLISECOND;
      this.coordinator.step(this.nowNs);
      for (const plan of this.#plans.take(this.nowNs)) this.coordinator.handedOver(this.motion.offer(plan), this.nowNs);
      this.motion.tick(seconds(this.nowNs));
    }
  }

  /** Lets time pass until the machine is in `state`, or a state within it; how many milliseconds that took. */
  passUntil(state: CatchState): number {
    for (let k = 0; k < 10_000; k++) {
      if (this.coordinator.machine.isIn(state)) return k;
      this.pass(1);
    }
    throw new Error(`never ${state}, but ${this.state}`);
  }
}
