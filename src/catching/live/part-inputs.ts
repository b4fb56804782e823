import { availableParallelism } from "node:os";
import type { RealTimeClock } from "../../runtime/clock.js";
import type { RobotAddress } from "../../simulation/robot-sim/robot-process.module.js";
import type { CatchTimes } from "../catch-times.js";
import type { CameraInput } from "./camera.module.js";
import type { CoordinatorInput } from "./coordinator.module.js";
import type { LiveHandles } from "./live-channels.module.js";
import type { LiveRobotLink } from "./live-control.module.js";
import { type LiveOptions, liveFavours, livePriorities } from "./live-options.js";
import type { SeeingInput } from "./seeing.module.js";
import type { CameraSide } from "./simulated-camera.js";
import type { TruthSeeingInput } from "./truth-seeing.module.js";
import type { WorldLinkInput } from "./world-link.module.js";

/** What the parts of a run have in common. */
export interface SharedInputs {
  readonly options: LiveOptions;
  readonly arms: readonly string[];
  readonly clock: RealTimeClock;
  readonly channels: LiveHandles;
  readonly times: CatchTimes;
  /** See `InjectedFaults`. */
  readonly faults: SharedArrayBuffer;
  /** See `SharedChallenges`. */
  readonly challenges: SharedArrayBuffer;
  /** See `CameraPeek`. */
  readonly peeks: Readonly<Record<CameraSide, SharedArrayBuffer>>;
}

/** What each thread of a run is started with. */
export class PartInputs {
  readonly #shared: SharedInputs;

  constructor(shared: SharedInputs) {
    this.#shared = shared;
  }

  get isRealTime(): boolean {
    return this.#shared.options.scheduling === "real-time";
  }

  /** Real-time priority of a part; 0: none. */
  priority(part: keyof typeof livePriorities): number {
    return this.isRealTime ? livePriorities[part] : 0;
  }

  #nice(part: keyof typeof liveFavours): number {
    return this.isRealTime ? liveFavours[part] : 0;
  }

  worldLink(address: RobotAddress): WorldLinkInput {
    const { options, clock, channels, faults, challenges } = this.#shared;
    const { robot, seed } = options;
    return {
      robot,
      address,
      clock: clock.origin,
      channels,
      faults,
      challenges,
      seed,
      priority: this.priority("world"),
    };
  }

  truthSeeing({ heartbeats }: LiveRobotLink): TruthSeeingInput {
    const { clock, channels, times } = this.#shared;
    return { clock: clock.origin, channels, heartbeats, times, priority: this.priority("seeing") };
  }

  camera(side: CameraSide): CameraInput {
    const { options, clock, channels, faults, challenges, peeks, times } = this.#shared;
    const { robot, seed } = options;
    const { origin } = clock;
    return {
      robot,
      side,
      clock: origin,
      channels,
      faults,
      peek: peeks[side],
      challenges,
      times,
      seed,
      share: cameraShare(),
      nice: this.#nice("camera"),
    };
  }

  seeing({ udp, heartbeats }: LiveRobotLink): SeeingInput {
    const { options, clock, channels } = this.#shared;
    const { robot } = options;
    const priority = this.priority("seeing");
    return { robot, clock: clock.origin, channels, states: udp.states.handle, heartbeats, priority };
  }

  coordinator({ udp, posture, panel, heartbeats, gaze }: LiveRobotLink): CoordinatorInput {
    const { options, arms, clock, channels, times } = this.#shared;
    const { robot, mode, body, afterCatch, latestCatch, starts, perception } = options;
    return {
      robot,
      arms,
      posture,
      clock: clock.origin,
      channels,
      states: udp.states.handle,
      commands: udp.commands.handle,
      panel,
      heartbeats,
      gaze,
      times,
      mode,
      body,
      afterCatch,
      latestCatch,
      starts,
      chest: perception === "images" ? "measured" : "planned",
      priority: this.priority("coordinator"),
      plannerNice: this.#nice("planner"),
    };
  }
}

/**
 * Share of a frame's period that a simulated camera may take for rendering and detecting: with two cores control, robot and
 * tracker need theirs of each.
 */
function cameraShare(): number {
  return availableParallelism() >= 6 ? 0.9 : 0.45;
}
