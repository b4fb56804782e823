import { parseMotionObstacles } from "../../collision/making/obstacle-parts.js";
import { robotAmong } from "../../robot/loading/obstacles.js";
import type { JointGroup, Robot } from "../../robot/robot.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { LoadedRobots } from "../request/loaded-robots.js";
import type { PlanTimes } from "../request/plan-catch.js";
import { type PlannerSettings, standardSettings } from "../request/planner-settings.js";
import type { RobotSource } from "../request/resolve-request.js";
import { motionAnswer } from "./describe-motion.js";
import type { MotionAnswer } from "./motion-answer.js";
import type { MotionRequest } from "./motion-request.js";
import { MotionSearch } from "./motion-search.js";
import { MotionWorkspace } from "./motion-workspace.js";
import { resolveMotion } from "./resolve-motion.js";

export interface MotionPlannerOptions {
  readonly robots?: RobotSource;
  /** The time [s]; default: the machine's. Null: none, and only samples count. */
  readonly clock?: (() => number) | null;
  readonly settings?: Partial<PlannerSettings>;
  /** Read now and then: true ends the search. */
  readonly isCancelled?: () => boolean;
}

/** Scenes of obstacles that are kept, and workspaces of one robot. */
const MOST_SCENES = 8;

const machineClock = () => performance.now() / 1000;

/**
 * Plans motions in the calling thread: to joints, a pose or something that moves, as soon as possible or at a time, from rest
 * or from motion, among obstacles. It keeps what it builds for a robot and a scene; no answer depends on an earlier request.
 *
 * @example
 * const planner = new MotionPlanner();
 * const { motion } = planner.plan({ robot: "panda", goal: { position: [0.5, 0.2, 0.4] }, when: { at: 1.2 } });
 */
export class MotionPlanner {
  readonly #robots: RobotSource;
  readonly #clock: (() => number) | null;
  readonly #settings: PlannerSettings;
  readonly #isCancelled: () => boolean;
  readonly #workspaces = new WeakMap<Robot, Map<string, MotionWorkspace>>();
  readonly #scenes = new Map<string, { readonly bare: Robot; readonly robot: Robot }>();

  constructor(options: MotionPlannerOptions = {}) {
    this.#robots = options.robots ?? new LoadedRobots();
    this.#clock = options.clock === undefined ? machineClock : options.clock;
    this.#settings = { ...standardSettings, ...options.settings };
    this.#isCancelled = options.isCancelled ?? (() => false);
  }

  /** The motion that `request` asks for, or why there is none. Throws if the request is wrong. */
  plan(request: MotionRequest, times?: PlanTimes): MotionAnswer {
    const taken = this.#clock?.() ?? 0;
    const resolved = resolveMotion(request, this.#robots, this.#settings, this.#among, this.#startOf);
    const workspace = this.#workspaceOf(resolved.robot, resolved.dofs, resolved.groups);
    const ready = this.#clock?.() ?? 0;
    const own = resolved.milliseconds === null ? Number.POSITIVE_INFINITY : ready + resolved.milliseconds / 1000;
    const deadline = times?.deadline ?? own;
    const isOver = () => this.#isCancelled() || (this.#clock !== null && this.#clock() > deadline);
    const search = new MotionSearch(resolved, workspace, isOver);
    const outcome = search.run();
    const started = times?.started ?? taken;
    const milliseconds = this.#clock === null ? 0 : 1000 * (this.#clock() - started);
    return motionAnswer(resolved, workspace, outcome, milliseconds);
  }

  /** Builds what requests for a robot need before the first of them. */
  load(name: string): void {
    this.#robots.get(name);
  }

  readonly #startOf = (robot: Robot, dofs: readonly number[], groups: readonly JointGroup[]) =>
    this.#workspaceOf(robot, dofs, groups).start;

  #workspaceOf(robot: Robot, dofs: readonly number[], groups: readonly JointGroup[]): MotionWorkspace {
    const ofRobot = getOrCreate(this.#workspaces, robot, () => new Map<string, MotionWorkspace>());
    const names = groups.map(({ name }) => name).join(" ");
    const parts = groups.map((group) => group.dofs);
    return getOrCreate(ofRobot, names, () => new MotionWorkspace(robot, dofs, parts));
  }

  /** Each cut of a mesh is a sign of life of the thread, as each look at the clock is. */
  #parse(obstacles: NonNullable<MotionRequest["obstacles"]>) {
    return parseMotionObstacles(obstacles, "/obstacles", () => void this.#isCancelled());
  }

  readonly #among = (bare: Robot, obstacles: NonNullable<MotionRequest["obstacles"]>): Robot => {
    if (obstacles.length === 0) return bare;
    const key = JSON.stringify([bare.name, obstacles]);
    const known = this.#scenes.get(key);
    const robot = known?.bare === bare ? known.robot : robotAmong(bare, this.#parse(obstacles));
    this.#scenes.delete(key);
    this.#scenes.set(key, { bare, robot });
    for (const oldest of this.#scenes.keys()) {
      if (this.#scenes.size <= MOST_SCENES) break;
      this.#scenes.delete(oldest);
    }
    return robot;
  };
}

/** Plans one motion; see `MotionPlanner`, which spares loading the robot again. */
export function planMotion(request: MotionRequest, options: MotionPlannerOptions = {}): MotionAnswer {
  return new MotionPlanner(options).plan(request);
}
