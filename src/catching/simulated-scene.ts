import type { Robot } from "../robot/robot.js";
import { BallWorld } from "../simulation/ball-world.js";
import type { CatchWorld } from "../simulation/catch-world.js";
import { type Challenges, fullChallenges } from "../simulation/head-motion/challenges.js";
import { TrueHead } from "../simulation/head-motion/true-head.js";
import { ElasticChest } from "../simulation/mujoco/elastic-chest.js";
import { PhysicsWorld } from "../simulation/mujoco/physics-world.js";
import type { TrackerEventSink } from "../tracking/events/tracker-event.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";
import type { CatchRunOptions } from "./catch-run.js";
import type { SensingObserver } from "./run-observer.js";
import type { SeeingKind } from "./seeing/simulated-eyes.js";
import { type Occlusion, SimulatedSeeing } from "./seeing/simulated-seeing.js";

/** How the world of a run is simulated: with servos, fingers and contacts, or without any force. */
export type WorldKind = "kinematic" | "physics";

/** How a run sees: it knows the truth, or has points, circles or images to make something of. */
export type PerceptionKind = "truth" | SeeingKind;

export interface SceneOptions {
  /** The robot as calibrated: what our side believes. */
  readonly robot: Robot;
  /** The robot as it is; the same by default. */
  readonly truth?: Robot;
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
  /** Balls there can be at a time. */
  readonly balls?: number;
  readonly challenges?: Challenges;
  readonly seed: number | string;
  readonly tracker?: TrackerOptions;
  /** When something stands before the cameras. */
  readonly occlusions?: readonly Occlusion[];
  /** Whether frames keep their images, for an observer; they do not by default. */
  readonly images?: "kept" | "dropped";
  readonly onEvent?: TrackerEventSink;
  readonly observer?: SensingObserver;
}

/** A world, and eyes to look at it. To be closed when done. */
export interface SimulatedScene {
  readonly world: CatchWorld;
  /** For a `CatchRun`. */
  readonly perception: NonNullable<CatchRunOptions["perception"]> | undefined;
}

/**
 * Builds what a lock-step run needs of the simulation. Bending, shaking and slipping take forces: a kinematic world is
 * stiff, whatever the challenges say.
 */
export async function createScene(options: SceneOptions): Promise<SimulatedScene> {
  const { robot, truth = robot, perception, balls = 1, challenges = fullChallenges, seed } = options;
  const isElastic = options.world === "physics" && truth.frames.chest !== undefined && truth.imu !== undefined;
  const head = isElastic ? new TrueHead(truth, { challenges, seed }) : null;
  const perturbations = head === null ? [] : [new ElasticChest(head)];
  const world =
    options.world === "physics"
      ? await PhysicsWorld.create(truth, { balls, perturbations })
      : new BallWorld(truth, truth.postures.get("ready") ?? new Float64Array(truth.model.dofCount));
  if (perception === "truth") return { world, perception: undefined };
  return {
    world,
    perception: ({ times, waiting }) =>
      new SimulatedSeeing({
        robot,
        world,
        kind: perception,
        waiting,
        challenges,
        times,
        seed,
        ...(head !== null && { head }),
        ...(options.tracker !== undefined && { tracker: options.tracker }),
        ...(options.occlusions !== undefined && { occlusions: options.occlusions }),
        ...(options.images !== undefined && { images: options.images }),
        ...(options.onEvent !== undefined && { onEvent: options.onEvent }),
        ...(options.observer !== undefined && { observer: options.observer }),
      }),
  };
}
