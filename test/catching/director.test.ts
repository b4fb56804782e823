import { beforeEach, describe, expect, it } from "vitest";
import { defaultActionThreshold } from "../../src/catching/action-threshold.js";
import { BODY } from "../../src/catching/arm-surroundings.js";
import { defaultTimes, seconds } from "../../src/catching/catch-times.js";
import { CatchDirector } from "../../src/catching/director.js";
import type { MotionPlan } from "../../src/control/motion-execution.js";
import { RobotMotion } from "../../src/control/robot-motion.js";
import * as vec3 from "../../src/math/vec3.js";
import type { BallPrediction } from "../../src/messages/prediction.js";
import type { ArmPlanRequest, ArmPlanResult, CatchPlan } from "../../src/planning/arm/arm-plan.js";
import { TimedPlanner } from "../../src/planning/arm/timed-planner.js";
import { buildCatchArm, type CatchArm } from "../../src/planning/problem/catch-arm.js";
import { dofsBetween } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { ThrowGenerator, type ThrowSpace, throwSpaceOf } from "../../src/simulation/world/throws.js";
import { MILLISECOND } from "./scene.js";
import { DelayLine } from "./support/delay-line.js";
import { LockStepPlanner } from "./support/lock-step-planner.js";

const robot = loadRobot("agile-justin");
const waiting = robot.postures.get("ready")!;
const arms = ["leftArm", "rightArm"].map((name) => buildCatchArm(robot, name, waiting));
const bodyDofs = dofsBetween(robot.model, robot.frames.world, arms[0]!.group.baseLink);
const times = defaultTimes;
const space = throwSpaceOf(robot);

/** Balls aimed at a place `aside` of the robot's middle. */
function ballAt(aside: number, track: number): BallPrediction {
  const there: ThrowSpace = { ...space, target: { ...space.target, aside: [aside, aside], height: [1.2, 1.3] } };
  const { state } = new ThrowGenerator(there, 5).make(track, 0.1);
  return { track, state, covariance: null, lastSeen: state.time, confirmed: true };
}

/** Something round that was seen once. */
function newcomer(track: number): BallPrediction {
  const state = { time: 0.25, position: vec3.create(4.5, 0.3, 1.6), velocity: vec3.create(), drag: 0.03 };
  const covariance = new Float64Array(49);
  for (let i = 3; i < 6; i++) covariance[8 * i] = 100;
  return { track, state, covariance, lastSeen: 0.25, confirmed: false };
}

/** A planner that can be made to find no catch, but a motion that ends so far from one [m]. */
class MoodyPlanner {
  shortfall = 0;
  #last: CatchPlan | null = null;
  readonly #planner: TimedPlanner;

  constructor(arm: CatchArm) {
    this.#planner = new TimedPlanner(arm, waiting, { starts: 4 });
  }

  plan(request: ArmPlanRequest): ArmPlanResult {
    const answer = this.#planner.plan(request);
    this.#last = answer.plan ?? this.#last;
    const { shortfall } = this;
    if (shortfall === 0 || this.#last === null) return answer;
    const approach = { ...this.#last, shortfall, objective: Number.NaN };
    return { id: answer.id, plan: null, reason: "a bad mood", approach };
  }
}

/** Director, planners and motion, ticked by hand. */
class Robot {
  readonly planners = arms.map((arm) => new MoodyPlanner(arm));
  readonly motion = new RobotMotion(waiting, [
    ...arms.map(({ group }) => ({ name: group.name, dofs: group.dofs })),
    { name: BODY, dofs: bodyDofs },
  ]);
  readonly director: CatchDirector;
  readonly #sent = new DelayLine<{ part: string; plan: MotionPlan }>();
  nowNs = 0;

  constructor() {
    this.director = new CatchDirector({
      robot,
      arms: arms.map((arm, k) => ({ arm, planner: new LockStepPlanner(this.planners[k]!, times) })),
      motion: this.motion,
      send: (part, plan, sentNs) => this.#sent.put({ part, plan }, sentNs + times.transportNs),
      head: () => null,
      waiting,
      body: "rule",
      times,
      mode: "soft",
      afterCatch: "return",
      latestCatch: 1.8,
      commitment: defaultActionThreshold,
    });
    this.director.start(0);
    this.pass(250);
  }

  pass(milliseconds: number): void {
    for (let k = 0; k < milliseconds; k++) {
      this.nowNs += MILLISECOND;
      this.director.step(this.nowNs);
      for (const { part, plan } of this.#sent.take(this.nowNs)) {
        this.director.handedOver(part, this.motion.of(part).offer(plan), this.nowNs);
      }
      this.motion.tick(seconds(this.nowNs));
    }
  }

  see(...balls: BallPrediction[]): void {
    this.director.receive(balls, this.nowNs);
  }

  stateOf(name: string): string {
    return this.director.coordinators.get(name)!.machine.state;
  }
}

describe("the director", () => {
  let justin: Robot;
  beforeEach(() => {
    justin = new Robot();
  });

  it("gives a ball to the arm on its side, and lets the body help it", () => {
    justin.see(ballAt(-0.5, 1));
    justin.pass(80);
    expect(justin.stateOf("rightArm")).toBe("reaching");
    expect(justin.stateOf("leftArm")).toBe("watching");
    expect(justin.director.coordinatorOf(1)).toBe(justin.director.coordinators.get("rightArm"));
    expect(justin.motion.of(BODY).running).toBeGreaterThanOrEqual(0);
    justin.see(ballAt(-0.5, 1));
    justin.pass(40);
    expect(justin.director.coordinatorOf(1)!.attempt).toMatchObject({ taken: 2, searches: 1 });
  });

  it("gives two balls to the arms on their sides, and keeps the body still", () => {
    justin.see(ballAt(-0.4, 1), ballAt(0.4, 2));
    justin.pass(80);
    expect(justin.director.coordinatorOf(1)).toBe(justin.director.coordinators.get("rightArm"));
    expect(justin.director.coordinatorOf(2)).toBe(justin.director.coordinators.get("leftArm"));
    expect(justin.motion.of(BODY).running).toBe(-1);
  });

  it("looks for another arm for a ball that comes later", () => {
    justin.see(ballAt(-0.5, 1));
    justin.pass(120);
    justin.see(ballAt(-0.5, 1), ballAt(0.5, 2));
    justin.pass(120);
    expect(justin.director.coordinatorOf(2)).toBe(justin.director.coordinators.get("leftArm"));
    expect(justin.director.coordinatorOf(1)).toBe(justin.director.coordinators.get("rightArm"));
  });

  it("lets the body stand while another ball may have been thrown", () => {
    justin.see(ballAt(0.2, 1), newcomer(2));
    justin.pass(80);
    expect(justin.director.coordinatorOf(1)).not.toBeNull();
    expect(justin.motion.of(BODY).running).toBe(-1);
  });

  it("lets two arms exchange their balls when the second turns out to be on the side of the arm that has the first", () => {
    const [left, right] = [justin.director.coordinators.get("leftArm")!, justin.director.coordinators.get("rightArm")!];
    justin.see(ballAt(0.15, 1), newcomer(2));
    justin.pass(60);
    expect(justin.director.coordinatorOf(1)).toBe(left);
    justin.see(ballAt(0.15, 1), ballAt(0.6, 2));
    justin.pass(60);
    expect(justin.director.coordinatorOf(1)).toBe(right);
    expect(justin.director.coordinatorOf(2)).toBe(left);
    expect([justin.stateOf("leftArm"), justin.stateOf("rightArm")]).toEqual(["reaching", "reaching"]);
    // Both plan on from there, and from the command of the arm that turned: no plan is refused.
    for (let frame = 0; frame < 3; frame++) {
      justin.see(ballAt(0.15, 1), ballAt(0.6, 2));
      justin.pass(40);
    }
    expect(left.attempt).toMatchObject({ track: 2, refused: 0 });
    expect(right.attempt).toMatchObject({ track: 1, refused: 0 });
    expect(left.attempt!.taken).toBeGreaterThan(1);
  });

  it("lets an arm without a catch go towards a ball, and does not take it from it for less than a catch", () => {
    const [left, right] = [justin.director.coordinators.get("leftArm")!, justin.director.coordinators.get("rightArm")!];
    const [ofLeft, ofRight] = justin.planners as [MoodyPlanner, MoodyPlanner];
    ofLeft.shortfall = 0.3;
    ofRight.shortfall = 0.1;
    const look = (frames: number): void => {
      for (let frame = 0; frame < frames; frame++) {
        justin.see(ballAt(-0.1, 1));
        justin.pass(40);
      }
    };
    look(2);
    expect(justin.director.coordinatorOf(1)).toBe(right);
    expect(right.attempt?.plan?.shortfall).toBe(0.1);
    ofLeft.shortfall = 0.01;
    look(3);
    expect(right.attempt?.isLost).toBe(true);
    expect(justin.director.coordinatorOf(1)).toBe(right);
    expect(justin.stateOf("leftArm")).toBe("watching");
    expect(left.attempt?.plan ?? null).toBeNull();
  });

  it("does not ask another arm about a ball whose plan is on its way to control", () => {
    justin.see(ballAt(-0.2, 1));
    // The planners take 30 ms, the way to control 17 ms.
    justin.pass(35);
    const [left, right] = [justin.director.coordinators.get("leftArm")!, justin.director.coordinators.get("rightArm")!];
    expect(right.offered ?? left.offered).not.toBeNull();
    justin.see(ballAt(-0.2, 1));
    expect([left.isAsking, right.isAsking]).toEqual([false, false]);
  });

  it("is waiting again when arms and body are back", () => {
    expect(justin.director.isWaiting).toBe(true);
    justin.see(ballAt(-0.5, 1));
    justin.pass(100);
    expect(justin.director.isWaiting).toBe(false);
    justin.pass(6000);
    expect(justin.director.isWaiting).toBe(true);
    for (const [dof, q] of justin.motion.q.entries()) expect(q).toBe(waiting[dof]);
  });

  it("does nothing about a ball that is not confirmed, nor about one out of reach", () => {
    justin.see({ ...ballAt(-0.5, 1), confirmed: false });
    justin.see(ballAt(4, 2));
    justin.pass(100);
    expect(justin.stateOf("rightArm")).toBe("watching");
    expect(justin.stateOf("leftArm")).toBe("watching");
    expect(justin.director.isWaiting).toBe(true);
  });
});
