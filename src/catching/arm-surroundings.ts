import type { MotionExecution, MotionPlan } from "../control/motion-execution.js";
import type { RobotMotion } from "../control/robot-motion.js";
import { copyBallState, FlightStatus, gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import { JointRamps } from "../motion/joint-ramps.js";
import type { OtherMotions, PlanSurroundings } from "../planning/arm/arm-plan.js";
import { MovingObstacleClearance } from "../planning/arm/moving-obstacle-clearance.js";
import { BodyRule } from "../planning/body/body-rule.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { CatchArm } from "../planning/problem/catch-arm.js";
import { dofsBetween } from "../robot/kinematics/kinematics.js";
import type { PlanOccasion } from "./coordinator-options.js";

/** Name of the part of the robot that carries the arms. */
export const BODY = "body";

/** The newest measured head; null where nothing measures it. */
export type HeadSource = () => HeadMeasurement | null;

/** Whether torso and platform may move for a ball. */
export type BodyUse = "rule" | "stand";

/**
 * Knows, for one arm, what carries it and what moves beside it: the motion in execution of torso and platform or, for the
 * first plan for a ball, the motion by which they would help. Which of the helping motions is carried out is not its
 * business.
 */
export class ArmSurroundings {
  /** Dofs that carry the arm. */
  readonly dofs: readonly number[];
  /** What the body was to do for the last first plan; null: nothing new. */
  proposal: JointRamps | null = null;
  readonly #motion: RobotMotion;
  readonly #own: MotionExecution | null;
  readonly #head: HeadSource;
  readonly #rule: BodyRule | null;
  readonly #otherParts: readonly string[];
  readonly #waiting: Float64Array;
  readonly #underway: (part: string) => MotionPlan | null;
  readonly #clearance: MovingObstacleClearance | null;
  readonly #flight = new Flight();

  /**
   * `waiting` is the posture for which the arm's planner knows what stands about it; `underway` tells of the motions that
   * are on their way to control; `clearance` takes long to make and may be shared.
   */
  constructor(
    arm: CatchArm,
    motion: RobotMotion,
    head: HeadSource,
    waiting: Float64Array,
    underway: (part: string) => MotionPlan | null = () => null,
    clearance = createClearance(arm, waiting),
  ) {
    const { robot, group } = arm;
    this.#waiting = waiting;
    this.#underway = underway;
    this.#clearance = clearance;
    this.dofs = dofsBetween(robot.model, robot.frames.world, group.baseLink);
    this.#motion = motion;
    this.#head = head;
    this.#rule = BodyRule.of(robot, group);
    const hasBody = motion.parts.some(({ name }) => name === BODY);
    this.#own = hasBody ? motion.of(BODY) : null;
    this.#otherParts = motion.parts.map(({ name }) => name).filter((name) => name !== group.name);
  }

  /** What surrounds the arm for a plan; `use` says whether the body may do something about the ball. */
  surroundings(occasion: PlanOccasion, use: BodyUse): PlanSurroundings {
    const { tStart } = occasion;
    const posture = Float64Array.from(this.#motion.q);
    const rates = new Float64Array(posture.length);
    this.#motion.commandedAt(tStart, posture, rates);
    this.proposal = use === "rule" && occasion.kind === "first" ? this.#help(occasion, posture, rates) : null;
    const ramps = this.proposal ?? this.#running(tStart);
    const carrier = { ramps, start: tStart, head: this.#head(), posture };
    return { carrier, others: this.#others(tStart, ramps) };
  }

  /** Whether the safety monitor would let a motion of the arm from `tStart` on pass, all else moving as it does. */
  isClear(ramps: JointRamps, tStart: number): boolean {
    if (this.#clearance === null) return true;
    const posture = Float64Array.from(this.#motion.q);
    this.#motion.commandedAt(tStart, posture, new Float64Array(posture.length));
    this.#clearance.surround(posture, this.#others(tStart, this.#running(tStart)));
    return this.#clearance.isMotionFree(ramps);
  }

  /** What the body will be doing at `tStart`, counted from there. */
  #running(tStart: number): JointRamps {
    const ramps = new JointRamps(this.dofs.length);
    this.#own?.remainderAt(tStart, ramps);
    return ramps;
  }

  #help({ ball, tStart, earliest, latest }: PlanOccasion, q: Float64Array, qd: Float64Array): JointRamps | null {
    if (this.#rule === null || this.#own === null) return null;
    const state = copyBallState(ball, ball.time - tStart);
    const status = this.#flight.reset(state, gravity(), Math.min(0, state.time), latest - tStart);
    if (status !== FlightStatus.ok) return null;
    const decision = this.#rule.decide({ q, qd }, this.#flight, earliest - tStart, latest - tStart);
    return decision.moves ? decision.ramps : null;
  }

  /** All parts but the arm itself, the body by `bodyRamps`; none if they all stand as the planner believes. */
  #others(tStart: number, bodyRamps: JointRamps): OtherMotions {
    const others = this.#otherParts.map((name): OtherMotions => {
      const { dofs } = this.#motion.parts.find((part) => part.name === name)!;
      if (name === BODY) return { dofs, ramps: bodyRamps };
      return { dofs, ramps: this.#remainder(name, dofs.length, tStart) };
    });
    return others.every((other) => this.#isWaiting(other)) ? { dofs: [], ramps: new JointRamps(0) } : joined(others);
  }

  /** What a part will be doing from `tStart` on, as decided so far, whether control knows of it yet or not. */
  #remainder(name: string, count: number, tStart: number): JointRamps {
    const ramps = new JointRamps(count);
    const sent = this.#underway(name);
    if (sent !== null && sent.tStart <= tStart) ramps.continueFrom(sent.ramps, tStart - sent.tStart);
    else this.#motion.of(name).remainderAt(tStart, ramps);
    return ramps;
  }

  #isWaiting({ dofs, ramps }: OtherMotions): boolean {
    return ramps.duration === 0 && dofs.every((dof, i) => ramps.q0[i] === this.#waiting[dof]);
  }
}

function createClearance(arm: CatchArm, waiting: Float64Array): MovingObstacleClearance | null {
  return arm.robot.hulls.length === 0 ? null : new MovingObstacleClearance(arm, waiting);
}

/** Several motions as one. */
function joined(motions: readonly OtherMotions[]): OtherMotions {
  const dofs = motions.flatMap((motion) => motion.dofs);
  return { dofs, ramps: new JointRamps(dofs.length).join(motions.map(({ ramps }) => ramps)) };
}
