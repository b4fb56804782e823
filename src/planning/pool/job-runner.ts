import { Random } from "../../math/random.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { CatchPlanner } from "../arm/arm-planner.js";
import { MotionPlanner } from "../motions/motion-planner.js";
import { buildCatchArm, catchGroups } from "../problem/catch-arm.js";
import { catchModes } from "../problem/objectives.js";
import { exampleRequest } from "../request/example-request.js";
import { LoadedRobots } from "../request/loaded-robots.js";
import { Planner } from "../request/plan-catch.js";
import type { PlannerSettings } from "../request/planner-settings.js";
import type { PlanRequest } from "../request/request.js";
import type { RobotSource } from "../request/resolve-request.js";
import type { JobResults, PlannerJob } from "./jobs.js";

/** An arm that `arm` jobs name by its index, as plain data. */
export interface JobArm {
  /** Name of a robot, or path of its robot.json. */
  readonly robot: string;
  readonly group: string;
  /** Where the robot waits: a position for every dof. Default: its ready posture. */
  readonly waiting?: Float64Array;
  /** Starts of a global search. */
  readonly starts?: number;
  /** From an answer to control [s]: an answer is in time if it is given so long before its motion begins. Default: no deadline. */
  readonly transport?: number;
}

/** What a planner of jobs is made of, as plain data. */
export interface JobRunnerInput {
  /** Robots to load at once; others are loaded when a request names them. */
  readonly robots?: readonly string[];
  readonly arms?: readonly JobArm[];
  /** Folder of the robots; default: that of the shipped ones. */
  readonly root?: string;
  /** What a request means that leaves something unsaid. */
  readonly settings?: Partial<PlannerSettings>;
  /** Rounds of warm-up, so that the first plans are as fast as later ones. */
  readonly warmUpRounds?: number;
}

/**
 * Does planning jobs, one after the other, in one thread. What it keeps between two of them is memory and what follows
 * from the robots alone, so any runner gives the same bits.
 */
export class JobRunner {
  readonly #robots: RobotSource;
  readonly #planner: Planner;
  readonly #motions: MotionPlanner;
  readonly #arms: readonly CatchPlanner[];

  /** `isCancelled` is read before each iteration of a search: true ends it. */
  constructor(input: JobRunnerInput, clock: () => number, isCancelled?: () => boolean) {
    const { root, settings = {}, robots = [], arms = [], warmUpRounds = 0 } = input;
    this.#robots = new LoadedRobots(root);
    const options = { robots: this.#robots, clock, settings, ...(isCancelled && { isCancelled }) };
    this.#planner = new Planner(options);
    this.#motions = new MotionPlanner(options);
    this.#arms = arms.map((arm) => createPlanner(this.#robots.get(arm.robot), arm, clock));
    for (const robot of robots) this.#planner.load(robot);
    warmUp(
      this.#planner,
      robots.map((name) => this.#robots.get(name)),
      warmUpRounds,
    );
  }

  run<J extends PlannerJob>(job: J): JobResults[J["kind"]] {
    return this.#run(job) as JobResults[J["kind"]];
  }

  #run(job: PlannerJob): JobResults[keyof JobResults] {
    switch (job.kind) {
      case "plan":
        return this.#planner.plan(job.request, job.times);
      case "search":
        return this.#planner.search(job.request, job.arm, job.part, job.times);
      case "answer":
        return this.#planner.answer(job.request, job.found, job.times);
      case "move":
        return this.#motions.plan(job.request, job.times);
      case "arm":
        return this.#arm(job.arm).plan(job.request);
    }
  }

  #arm(index: number): CatchPlanner {
    const planner = this.#arms[index];
    if (planner === undefined) throw unknownArm(index, this.#arms.length);
    return planner;
  }
}

/** A job for an arm that there is not. */
export function unknownArm(found: number, count: number): FlycatcherError {
  return new FlycatcherError("FLY_POOL_ARM_UNKNOWN", "The planner does not have this arm", {
    path: "arm",
    expected: count === 0 ? "a planner with arms" : `0 to ${count - 1}`,
    found: String(found),
  });
}

function createPlanner(robot: Robot, { group, waiting, starts, transport }: JobArm, clock: () => number): CatchPlanner {
  const posture = waiting ?? robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount);
  return new CatchPlanner(buildCatchArm(robot, group, posture), posture, {
    ...(starts !== undefined && { starts }),
    ...(transport !== undefined && { deadline: { clock, transport } }),
  });
}

/** How far the velocity of a warm-up throw may differ from that of the robot's example [m/s]. */
const SPREAD = 0.3;

/**
 * Plans throws at the robots in turn, in all modes, so that the first real request finds compiled code: a search with and
 * without the body's help, and a solve from its catch.
 */
export function warmUp(planner: Planner, robots: readonly Robot[], rounds: number): void {
  const examples = robots.filter((robot) => catchGroups(robot).length > 0).map(exampleRequest);
  if (examples.length === 0) return;
  const random = new Random("warm-up");
  for (let round = 0; round < rounds; round++) {
    const turn = Math.floor(round / examples.length);
    const request = varied(examples[round % examples.length]!, random);
    const body = turn % 2 === 0 ? "none" : "rule";
    const mode = catchModes[turn % catchModes.length]!;
    const { group, catch: caught } = planner.plan({ ...request, mode, body });
    if (caught === undefined) continue;
    const near = { joints: caught.joints, time: caught.time };
    planner.plan({ ...request, mode, body, group, near });
  }
}

function varied(request: PlanRequest, random: Random): PlanRequest {
  const { state } = request.ball;
  if (state === undefined) return request;
  const velocity = state.velocity.map((component) => component + random.uniformIn(-SPREAD, SPREAD));
  return { ...request, ball: { ...request.ball, state: { ...state, velocity } } };
}
