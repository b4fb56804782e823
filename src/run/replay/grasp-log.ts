import { closingLead } from "../../control/hand-motion.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { JointCommand } from "../../messages/control.js";
import type { Attempt } from "../../messages/report.js";
import type { HeadState } from "../../messages/sensing.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { CatchArm } from "../../planning/problem/catch-arm.js";
import { dofsBetween, forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import type { CatchWorld } from "../../simulation/world/catch-world.js";
import { NO_TRACK } from "../../tracking/events/tracker-event.js";
import { type InPort, takeEach, takeNewest } from "../../transport/port.js";
import type { LockStepHost } from "../lock-step-host.js";

/** How a hand was when it closed. */
export interface ReplayedGrasp {
  /** Group of the arm. */
  readonly arm: string;
  /** Ball it was about; −1 if nobody knows. */
  readonly track: number;
  /** When the fingers closed about the middle of the hand's mouth [s]. */
  readonly time: number;
  /** The catch frame, in the world: by the joints alone, and by what the measured head says of the chest. */
  readonly told: pose.Pose;
  readonly worldFromHand: pose.Pose;
  /** Velocity of its origin [m/s]. */
  readonly velocity: vec3.Vec3;
}

/**
 * Notes where each hand is when it closes: by the joints, and where the head was measured by what that says of the chest,
 * which bends and slips.
 */
class HandLog {
  readonly grasps: ReplayedGrasp[] = [];
  readonly #arm: CatchArm;
  readonly #state: RobotState;
  readonly #body: readonly number[];
  readonly #neck: readonly number[];
  readonly #correction = pose.create();
  #seenAt = Number.NaN;

  constructor(arm: CatchArm) {
    const { robot, group } = arm;
    const { model, frames } = robot;
    this.#arm = arm;
    this.#state = new RobotState(model);
    this.#body = dofsBetween(model, frames.world, group.baseLink);
    this.#neck = frames.head === undefined ? [] : dofsBetween(model, frames.head, group.baseLink);
  }

  /** After each tick: the hand was told to close at `closedAt` [s], NaN while it is open. */
  watch(time: number, closedAt: number, world: CatchWorld, head: () => HeadMeasurement | null, track: number): void {
    const { group, hand } = this.#arm;
    const graspTime = closedAt + closingLead(hand);
    if (!(time >= graspTime) || closedAt === this.#seenAt) return;
    this.#seenAt = closedAt;
    this.grasps.push({
      arm: group.name,
      track,
      time: graspTime,
      told: this.#place(world.q, null),
      worldFromHand: this.#place(world.q, head()),
      velocity: world.linkVelocity(hand.catchLink, vec3.create()),
    });
  }

  /**
   * The hand at joint positions `q`. What head and neck say of the base is compared with what joints that did as told
   * would have made of it at the same moment; the difference is still there now.
   */
  #place(q: Float64Array, head: HeadMeasurement | null): pose.Pose {
    const { robot, group } = this.#arm;
    const state = this.#state;
    const correction = pose.copy(pose.create(), this.#correction);
    const headLink = robot.frames.head;
    if (head !== null && headLink !== undefined) {
      state.q.set(q);
      for (const [i, dof] of this.#body.entries()) state.q[dof] = head.body[i]!;
      for (const [i, dof] of this.#neck.entries()) state.q[dof] = head.neck[i]!;
      forwardKinematics(state);
      const headFromBase = relativePose(state, headLink, group.baseLink, pose.create());
      pose.compose(head.worldFromHead, headFromBase, correction);
      const told = pose.invert(state.worldFromLink[group.baseLink]!, pose.create());
      pose.compose(correction, told, correction);
    }
    state.q.set(q);
    forwardKinematics(state);
    return pose.compose(correction, state.worldFromLink[group.tipLink]!, pose.create());
  }
}

/** Notes how every hand of a run is when it closes, and which ball it is about. */
export class GraspLog {
  readonly #world: CatchWorld;
  readonly #arms: readonly { readonly name: string; readonly hand: number; readonly log: HandLog }[];
  readonly #commands: InPort<JointCommand>;
  readonly #attempts: InPort<Attempt>;
  readonly #heads: InPort<HeadState> | null;
  readonly #tracks = new Map<string, number>();
  #head: HeadState | null = null;
  #nowNs = 0;

  constructor(run: LockStepHost, world: CatchWorld) {
    this.#world = world;
    this.#arms = run.catchArms.map((arm) => ({
      name: arm.group.name,
      hand: arm.robot.hands.findIndex(({ name }) => name === arm.hand.name),
      log: new HandLog(arm),
    }));
    this.#commands = run.tap("control.commands");
    this.#attempts = run.tap("catching.attempts");
    const source = run.headSource;
    this.#heads = source === null ? null : run.tap(source, "newest");
  }

  get grasps(): readonly ReplayedGrasp[] {
    return this.#arms.flatMap(({ log }) => log.grasps);
  }

  readonly #newestHead = (): HeadState | null => {
    if (this.#heads !== null) this.#head = takeNewest(this.#heads, this.#nowNs) ?? this.#head;
    return this.#head;
  };

  /** After each tick. */
  take(nowNs: number): void {
    this.#nowNs = nowNs;
    if (this.#attempts.waiting > 0) {
      takeEach(this.#attempts, nowNs, ({ arm, track, isDropped }) => {
        this.#tracks.set(arm, isDropped ? NO_TRACK : track);
      });
    }
    for (let command = this.#commands.take(nowNs); command !== null; command = this.#commands.take(nowNs)) {
      const { time, closedAt } = command;
      for (const { name, hand, log } of this.#arms) {
        const track = this.#tracks.get(name) ?? NO_TRACK;
        log.watch(time, closedAt[hand]!, this.#world, this.#newestHead, track);
      }
    }
  }
}
