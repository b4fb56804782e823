import { gravity } from "../../../src/flight/ball.js";
import type { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import type { ArmPlanRequest, CatchPlan } from "../../../src/planning/arm/arm-plan.js";
import type { JobArm } from "../../../src/planning/pool/job-runner.js";
import type { PlannerJob } from "../../../src/planning/pool/jobs.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import { exampleRequest } from "../../../src/planning/request/example-request.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import type { MergedSolution } from "../../../src/planning/search/merged-solution.js";
import { dofsBetween, forwardKinematics } from "../../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../../src/robot/state.js";
import { robots } from "../../planning/request/requests.js";

/** A throw that lwr-arm catches. */
export const easy: PlanRequest = exampleRequest(robots.get("lwr-arm"));

export const planOf = (request: PlanRequest) => ({ kind: "plan", request }) as const satisfies PlannerJob;

/** Random throws at a robot, as requests. */
export function randomRequest(robot: string, random: Random, mode: CatchMode): PlanRequest {
  const example = exampleRequest(robots.get(robot));
  const state = example.ball.state!;
  const velocity = state.velocity.map((component) => component + random.uniformIn(-0.4, 0.4));
  return { ...example, mode, ball: { ...example.ball, state: { ...state, velocity } } };
}

/** Random throws at an arm that waits, as a live run asks about them. */
export class ArmRequestMaker {
  readonly #arm;
  readonly #posture: Float64Array;
  readonly #hand = vec3.create();
  #ids = 0;

  constructor({ robot: name, group }: JobArm) {
    const robot = robots.get(name);
    this.#arm = buildCatchArm(robot, group);
    this.#posture = robot.postures.get("ready")!;
    const state = new RobotState(robot.model);
    state.q.set(this.#posture);
    forwardKinematics(state);
    const hand = state.worldFromLink[this.#arm.group.tipLink]!;
    vec3.set(hand[9], hand[10], hand[11], this.#hand);
  }

  make(random: Random, mode: CatchMode, previous: CatchPlan | null = null): ArmPlanRequest {
    const { robot, group } = this.#arm;
    const pick = (dofs: readonly number[]) => Float64Array.from(dofs, (dof) => this.#posture[dof]!);
    const body = dofsBetween(robot.model, robot.frames.world, group.baseLink);
    const [ramps, still] = [new JointRamps(body.length), new JointRamps(0)];
    ramps.hold(pick(body));
    const tStart = 5;
    return {
      id: ++this.#ids,
      track: 1,
      mode,
      tStart,
      q0: pick(group.dofs),
      w0: new Float64Array(group.dofs.length),
      ball: { time: tStart - 0.25, drag: 0.032, ...this.#throw(random) },
      covariance: null,
      lastSeen: tStart - 0.1,
      earliest: tStart + 0.1,
      latest: tStart + 1.5,
      previous,
      running: previous,
      carrier: { ramps, start: tStart, head: null, posture: this.#posture },
      others: { dofs: [], ramps: still },
    };
  }

  #throw(random: Random) {
    const [hand, duration] = [this.#hand, random.uniformIn(0.9, 1.1)];
    const aim = vec3.create(hand[0], hand[1] + random.uniformIn(-0.2, 0.2), hand[2] + random.uniformIn(-0.1, 0.2));
    const position = vec3.create(hand[0] + random.uniformIn(4, 5), random.uniformIn(-0.4, 0.4), 1.5);
    const velocity = vec3.scale(vec3.subtract(aim, position, vec3.create()), 1 / duration, vec3.create());
    vec3.addScaled(velocity, gravity(), -duration / 2, velocity);
    return { position, velocity: vec3.scale(velocity, 1.08, velocity) };
  }
}

/** Every number of a solution, for comparing two of them bit by bit. */
export function bitsOf({ ramps, ...numbers }: MergedSolution): object {
  return { ...numbers, ramps: { ...ramps } };
}
