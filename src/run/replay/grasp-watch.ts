import { closingLead } from "../../control/hand-closing.js";
import type { RobotMotion } from "../../control/robot-motion.js";
import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import * as vec3 from "../../math/vec3.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";
import type { CatchArm } from "../../planning/problem/catch-arm.js";
import { dofsBetween, forwardKinematics, relativePose } from "../../robot/kinematics/kinematics.js";
import { RobotState } from "../../robot/state.js";
import type { CatchWorld } from "../../simulation/catch-world.js";

/** How a hand was when it closed. */
export interface ReplayedGrasp {
  /** Group of the arm. */
  readonly arm: string;
  /** Ball it was about; −1 if nobody knows. */
  readonly track: number;
  /** When the fingers closed about the middle of the hand's mouth [s]. */
  readonly time: number;
  /** The catch frame, in the world: by the joints alone, and by what the measured head says of the chest. */
  readonly told: Pose;
  readonly worldFromHand: Pose;
  /** Velocity of its origin [m/s]. */
  readonly velocity: Vec3;
}

/**
 * Notes where each hand is when it closes: by the joints, and where the head was measured by what that says of the chest,
 * which bends and slips.
 */
export class GraspWatch {
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

  /** To be called after each tick. */
  watch(
    time: number,
    motion: RobotMotion,
    world: CatchWorld,
    head: () => HeadMeasurement | null,
    track: () => number,
  ): void {
    const { group, hand } = this.#arm;
    const closedAt = motion.of(group.name).handClosedAt;
    const graspTime = closedAt + closingLead(hand.closingTime);
    if (!(time >= graspTime) || closedAt === this.#seenAt) return;
    this.#seenAt = closedAt;
    this.grasps.push({
      arm: group.name,
      track: track(),
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
  #place(q: Float64Array, head: HeadMeasurement | null): Pose {
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
