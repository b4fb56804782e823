import { ArmSurroundings } from "../catching/arm-surroundings.js";
import { closingLead } from "../control/hand-motion.js";
import { RobotMotion } from "../control/robot-motion.js";
import * as pose from "../math/pose.js";
import type { ArmPlanRequest, ArmPlanResult, CatchPlan, PlanSurroundings } from "../planning/arm/arm-plan.js";
import { carriedDofs } from "../planning/body/carried-dofs.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import { buildCatchArm, type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import type { Robot } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { LATEST_CATCH, ThrowGenerator, throwSpaceOf } from "../simulation/world/throws.js";
import { movingParts } from "./run-parts.js";

/** When the first plan for a practice ball begins, counted from its release [s]. */
const FIRST_START = 0.3;
/** Between two plans for a ball [s]: a camera frame. */
const FRAME = 0.04;
/** Standard deviations of a prediction's position, velocity and drag [m, m/s, 1/m]. */
const DEVIATIONS = [0.01, 0.01, 0.01, 0.05, 0.05, 0.05, 0.002] as const;

/**
 * What the planner of an arm is asked when balls are thrown at the waiting robot: a search for each, and then a solve from
 * the plan before at each camera frame until the catch, from an arm that moves, on a body that moves.
 */
export class PlannerWarmUp {
  readonly #arm: CatchArm;
  readonly #mode: CatchMode;
  readonly #waiting: Float64Array;
  readonly #throws: ThrowGenerator;
  readonly #helper: ArmSurroundings;
  readonly #covariance = covarianceOf(DEVIATIONS);
  #ids = 0;

  constructor(arm: CatchArm, waiting: Float64Array, mode: CatchMode) {
    const { robot } = arm;
    this.#arm = arm;
    this.#mode = mode;
    this.#waiting = waiting;
    this.#throws = new ThrowGenerator(throwSpaceOf(robot), "practice");
    const head = headOf(robot, waiting);
    this.#helper = new ArmSurroundings(arm, new RobotMotion(waiting, partsOf(robot, waiting)), () => head, waiting);
  }

  /** Asks for throw `id` from first search to catch; whether there was one. */
  play(id: number, ask: (request: ArmPlanRequest) => ArmPlanResult): boolean {
    const { group } = this.#arm;
    const q = Float64Array.from(group.dofs, (dof) => this.#waiting[dof]!);
    const qd = new Float64Array(q.length);
    let tStart = FIRST_START;
    let plan: CatchPlan | null = null;
    do {
      const answer: ArmPlanResult = ask(this.#question(id, tStart, q, qd, plan));
      if (answer.plan === null) return plan !== null;
      plan = answer.plan;
      tStart += FRAME;
      plan.ramps.evaluate(tStart - plan.tStart, q, qd, new Float64Array(q.length));
    } while (tStart < plan.arrival);
    return true;
  }

  #question(id: number, tStart: number, q: Float64Array, qd: Float64Array, previous: CatchPlan | null): ArmPlanRequest {
    const { state: ball } = this.#throws.make(id, 0);
    const earliest = tStart + closingLead(this.#arm.hand);
    const occasion = {
      ball,
      tStart,
      earliest,
      latest: LATEST_CATCH,
      kind: previous === null ? "first" : "again",
    } as const;
    const surroundings: PlanSurroundings = this.#helper.surroundings(occasion, "rule");
    return {
      id: ++this.#ids,
      track: id,
      mode: this.#mode,
      tStart,
      q0: Float64Array.from(q),
      w0: Float64Array.from(qd),
      ball,
      covariance: this.#covariance,
      lastSeen: tStart - FRAME,
      earliest,
      latest: LATEST_CATCH,
      previous,
      running: previous,
      ...surroundings,
    };
  }
}

function partsOf(robot: Robot, waiting: Float64Array) {
  return movingParts(
    robot,
    catchGroups(robot).map(({ name }) => buildCatchArm(robot, name, waiting)),
  );
}

/** A head measured exactly where it is in `posture`; null for a robot without one. */
function headOf(robot: Robot, posture: Float64Array): HeadMeasurement | null {
  const { head, chest } = robot.frames;
  if (head === undefined || chest === undefined) return null;
  const { neck, body } = carriedDofs(robot);
  const state = new RobotState(robot.model);
  state.q.set(posture);
  forwardKinematics(state);
  const pick = (dofs: readonly number[]) => Float64Array.from(dofs, (dof) => posture[dof]!);
  return { worldFromHead: pose.copy(state.worldFromLink[head]!, pose.create()), neck: pick(neck), body: pick(body) };
}

function covarianceOf(deviations: readonly number[]): Float64Array {
  const size = deviations.length;
  const covariance = new Float64Array(size * size);
  for (const [i, deviation] of deviations.entries()) covariance[i * size + i] = deviation * deviation;
  return covariance;
}
