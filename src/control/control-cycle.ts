import { CommandMode } from "../messages/command-mode.js";
import type { Robot } from "../robot/robot.js";
import type { MonitorOptions } from "../safety/monitor/monitor-options.js";
import { MonitorAction, MonitorPhase } from "../safety/monitor/monitor-words.js";
import { SelfCollisionMonitor } from "../safety/monitor/self-collision-monitor.js";
import { DriverCommand, DriverState } from "./driver.js";
import { HandMotion } from "./hand-motion.js";
import { HistoryRing } from "./history-ring.js";
import { JointLimiter } from "./joint-limiter.js";
import type { HandoverOutcome, MotionExecution, MotionPlan } from "./motion-execution.js";
import { type MotionPart, RobotMotion } from "./robot-motion.js";
import { Reaction } from "./watchdog.js";

interface ControlOptions {
  /** Period of the loop [s]. */
  readonly period: number;
  /** Ticks kept for the time something goes wrong. */
  readonly history: number;
  readonly monitor: MonitorOptions;
  /**
   * Who looks at each command: a safety monitor, by default; or nobody, where no robot is moved and whole motions are
   * checked instead (offline replay). Then a monitor is there all the same, and idle.
   */
  readonly guard?: "monitor" | { readonly idle: SelfCollisionMonitor };
}

/** Joints that somebody leads tick by tick instead of by plans: the neck, which follows a ball. */
export interface FollowedJoints {
  readonly dofs: readonly number[];
  /**
   * The command of the tick at `time` [s]: position and velocity, in the order of `dofs`. `command` is where all other
   * joints will be, in model order.
   */
  follow(time: number, command: Float64Array, outQ: Float64Array, outQd: Float64Array): void;
  /** They were stopped where `q` has them, an array of all joints. */
  rest(q: Float64Array): void;
  /** Whether the command of the last tick is that of the tick at `time` [s], too; without it, it never is for sure. */
  isAtRest?(time: number): boolean;
}

/**
 * One tick of control, without clock and driver: plans → ramps → limiter → safety monitor → finite check → command. What
 * leaves it can be followed by every joint and lets the robot stop without hitting itself, whatever the planner says.
 *
 * Once the monitor brakes, all motions are forgotten and no plan is taken, until somebody lets the robot go on (`resume`).
 * Fingers are told to the monitor as commanded, not as measured: about a ball they stop on the way, and the hand's
 * collision body holds all its shapes. Memory is made by the constructor alone.
 */
export class ControlCycle {
  readonly motion: RobotMotion;
  readonly monitor: SelfCollisionMonitor;
  readonly limiter: JointLimiter;
  readonly history: HistoryRing;
  /** What to send after `tick`. */
  readonly command: DriverCommand;
  readonly hands: readonly HandMotion[];
  /** Ticks so far. */
  cycle = 0;
  /** Whether the last tick's command is that of the tick before, but for its time. */
  isUnchanged = false;
  /** What the watchdog, or an operator, calls for: applied from the next tick on. */
  reaction: Reaction = Reaction.none;
  /** The motions that close each hand; null for a hand on no part. */
  readonly #handMotions: readonly (MotionExecution | null)[];
  readonly #isGuarded: boolean;
  readonly #isFinger: Uint8Array;
  readonly #seen: DriverState;
  /** Where the joints were sent to last. */
  readonly #sent: Float64Array;
  readonly #followed: readonly FollowedJoints[];
  readonly #followedQ: readonly Float64Array[];
  readonly #followedQd: readonly Float64Array[];
  /** Whether all but the followed joints stay as they were commanded in the last tick, unless a plan comes. */
  #isAtRest = false;

  /** Begins at rest in `posture`. */
  constructor(
    robot: Robot,
    posture: Float64Array,
    parts: readonly MotionPart[],
    options: ControlOptions,
    followed: readonly FollowedJoints[] = [],
  ) {
    const { model, hands } = robot;
    const { period, history, monitor, guard = "monitor" } = options;
    this.#isGuarded = guard === "monitor";
    this.motion = new RobotMotion(posture, parts, period);
    this.monitor =
      guard === "monitor" ? new SelfCollisionMonitor(robot, { ...monitor, tickPeriod: period }) : guard.idle;
    this.limiter = new JointLimiter(model, posture, period);
    this.history = new HistoryRing(history, model.dofCount);
    this.command = new DriverCommand(model.dofCount);
    this.command.q.set(posture);
    this.hands = hands.map((hand) => new HandMotion(robot, hand, posture, period));
    this.#handMotions = hands.map(({ name }) => {
      const part = partOfHand(robot, name, parts);
      return part === null ? null : this.motion.of(part);
    });
    this.#isFinger = new Uint8Array(model.dofCount);
    for (const { dofs } of hands) for (const dof of dofs) this.#isFinger[dof] = 1;
    this.#seen = new DriverState(model.dofCount);
    this.#sent = Float64Array.from(posture);
    this.#followed = followed;
    this.#followedQ = followed.map(({ dofs }) => new Float64Array(dofs.length));
    this.#followedQd = followed.map(({ dofs }) => new Float64Array(dofs.length));
  }

  /** Whether the robot has been stopped, or is being stopped, by the monitor. */
  get isStopped(): boolean {
    return this.monitor.phase === MonitorPhase.braking || this.monitor.phase === MonitorPhase.stopped;
  }

  /** Whether there is no command to send: the monitor has never seen a sound state. */
  get isWithheld(): boolean {
    return this.#isGuarded && this.monitor.action === MonitorAction.withhold;
  }

  /** Tick at which hand `h` was last told to close [s]; NaN while it is open. */
  handClosedAt(h: number): number {
    return this.#handMotions[h]?.handClosedAt ?? Number.NaN;
  }

  /** Offers a motion to a part, before the tick about to come. */
  offer(part: string, plan: MotionPlan): HandoverOutcome {
    const execution = this.motion.of(part);
    this.#isAtRest = false;
    return this.isStopped || this.reaction !== Reaction.none ? execution.refuse() : execution.offer(plan);
  }

  /** Lets a robot that stands go on: motions begin where it stands. */
  resume(): void {
    if (this.monitor.phase !== MonitorPhase.stopped) return;
    this.reaction = Reaction.none;
    this.monitor.requestRecovery();
  }

  /** The command for the tick at `time` [s], the robot being as in `state`; to `command`. */
  tick(state: DriverState, time: number): void {
    const { motion, limiter, command } = this;
    this.cycle++;
    this.isUnchanged = this.#isAtRest && this.reaction === Reaction.none && this.#followedRest(time);
    if (this.isUnchanged) {
      motion.pass(time);
      command.time = time;
      command.cycle = this.cycle;
      return;
    }
    motion.tick(time);
    // A robot that is stopped, or creeps out of the margin, keeps fingers and neck still.
    if (this.monitor.phase === MonitorPhase.safe) {
      this.#follow(time);
      this.#moveHands();
    }
    limiter.limit(motion.q, motion.qd);
    command.q.set(limiter.q);
    command.qd.set(limiter.qd);
    command.qdd.set(motion.qdd);
    if (this.reaction === Reaction.brake) this.monitor.requestBrake();
    if (this.#isGuarded) this.#guard(state, time);
    else this.#leaveUnguarded(time);
    this.#sent.set(command.q);
    command.time = time;
    command.cycle = this.cycle;
    this.history.add(time, this.cycle, command.mode, state.q, state.qd, command.q, command.qd);
  }

  /**
   * Nobody looks at the command. If it will not change until something new comes, the ticks until then need not compute it
   * again.
   */
  #leaveUnguarded(time: number): void {
    this.command.mode = CommandMode.follow;
    const isUnseen = this.history.capacity === 0 && this.limiter.limited === 0;
    this.#isAtRest = isUnseen && this.motion.isAtRest && this.#handsRest() && this.#followedRest(time);
  }

  #handsRest(): boolean {
    for (let h = 0; h < this.hands.length; h++) if (!this.hands[h]!.isAtRest) return false;
    return true;
  }

  #followedRest(time: number): boolean {
    for (let k = 0; k < this.#followed.length; k++) if (!this.#followed[k]!.isAtRest?.(time)) return false;
    return true;
  }

  #follow(time: number): void {
    for (let k = 0; k < this.#followed.length; k++) {
      const { dofs } = this.#followed[k]!;
      const q = this.#followedQ[k]!;
      const qd = this.#followedQd[k]!;
      this.#followed[k]!.follow(time, this.motion.q, q, qd);
      for (let i = 0; i < dofs.length; i++) {
        this.motion.q[dofs[i]!] = q[i]!;
        this.motion.qd[dofs[i]!] = qd[i]!;
      }
    }
  }

  #moveHands(): void {
    for (let h = 0; h < this.hands.length; h++) {
      const motion = this.#handMotions[h]!;
      const hand = this.hands[h]!;
      if (motion !== null) hand.shape = motion.hand;
      hand.tick(this.motion.q, this.motion.qd);
    }
  }

  /** Lets the monitor look at the command, and sends what it says instead if it does not pass. */
  #guard(state: DriverState, time: number): void {
    const { monitor, command, limiter } = this;
    const seen = this.#seen;
    seen.time = state.time;
    for (let i = 0; i < seen.q.length; i++) {
      const isFinger = this.#isFinger[i] === 1;
      seen.q[i] = isFinger ? this.#sent[i]! : state.q[i]!;
      seen.qd[i] = isFinger ? 0 : state.qd[i]!;
    }
    const before = monitor.phase;
    monitor.step(seen, command, time);
    if (monitor.action === MonitorAction.pass) {
      command.mode = CommandMode.follow;
      return;
    }
    const { q, qd, qdd } = monitor.command;
    command.mode = CommandMode.brake;
    command.q.set(q);
    command.qd.set(qd);
    command.qdd.set(qdd);
    limiter.reset(q, qd);
    if (monitor.phase === MonitorPhase.stopped && before !== MonitorPhase.stopped) this.#rest(q);
  }

  /** All that leads joints begins anew where they stopped. */
  #rest(q: Float64Array): void {
    this.motion.rest(q);
    for (let h = 0; h < this.hands.length; h++) this.hands[h]!.rest(q);
    for (let k = 0; k < this.#followed.length; k++) this.#followed[k]!.rest(q);
  }
}

function partOfHand({ model }: Robot, hand: string, parts: readonly MotionPart[]): string | null {
  const group = model.groups.find((candidate) => candidate.hand === hand);
  return parts.find(({ name }) => name === group?.name)?.name ?? null;
}
