import { AnytimePairs } from "../../collision/pairs/anytime-pairs.js";
import type { PairTable } from "../../collision/pairs/pair-table.js";
import { SweptPairs } from "../../collision/pairs/swept-pairs.js";
import * as vec3 from "../../math/vec3.js";
import { robotAmong } from "../../robot/loading/obstacles.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { BrakingBox } from "./braking-box.js";
import { BrakingRamp } from "./braking-ramp.js";
import { CommandWindow } from "./command-window.js";
import { InputCheck, type MonitoredCommand, type MonitoredState } from "./monitor-input.js";
import { completeNumbers, type MonitorNumbers, type MonitorOptions } from "./monitor-options.js";
import { BrakeReason, MonitorAction, MonitorPhase } from "./monitor-words.js";
import { RecoveryRule } from "./recovery-rule.js";

const NONE = -1;

/**
 * The guard of the robot, run once a tick on the command about to be sent: lets it pass if the robot, having followed it,
 * could still come to rest clear of itself, and brakes now if not. It trusts nobody: what it is given may be wrong, old or
 * not a number, and every doubt is a brake.
 *
 * **The invariant.** A command that passed has a *box*: intervals of all dofs that hold every configuration between now and
 * standstill, if the robot follows the command and then brakes at any moment of the reaction time; and in the box every
 * pair is farther apart than the margin. So when a later command does not pass, braking from the last that did stays in
 * that command's box, and is free. Induction needs no more than the first passed command: each tick either passes, with a
 * box of its own, or brakes within the last one. It holds as long as the robot keeps to the box: follows commands to within
 * the position error, brakes as well as assumed, and has not been pushed.
 *
 * What the command claims of its velocity is not believed alone: the box also holds the brake from the velocity that its
 * change of position implies, and from the state as measured, up to the sensors' errors. Of a robot that follows its commands
 * late, by a known delay, it holds the commands that the robot has not come to, too.
 *
 * Nothing is allocated after construction (V8 may box `now`), and no input throws.
 *
 * @example
 * const monitor = new SelfCollisionMonitor(robot, { margin: 0.005 });
 * monitor.step(state, command, now); // each tick
 * if (monitor.action !== MonitorAction.withhold) driver.send(monitor.command);
 */
export class SelfCollisionMonitor {
  /** What to send, as `action` says. */
  readonly command: MonitoredCommand;
  phase: MonitorPhase = MonitorPhase.safe;
  action: MonitorAction = MonitorAction.withhold;
  /** Why the monitor brakes, or braked last. */
  reason: BrakeReason = BrakeReason.none;
  /** The pair that could touch, at the brake begun last, and its bodies; −1 if the reason was another. */
  pair = NONE;
  bodyA = NONE;
  bodyB = NONE;
  /** Where they are nearest [m]: points of the swept hulls without their radii, in world. */
  readonly nearestA = vec3.create();
  readonly nearestB = vec3.create();
  /** Brakes so far. */
  brakes = 0;

  readonly margin: number;
  /** Bounds of all pairs, as of the last tick. */
  readonly pairs: PairTable;

  readonly #numbers: MonitorNumbers;
  readonly #input: InputCheck;
  readonly #box: BrakingBox;
  readonly #recovery: RecoveryRule;
  /** The motion commanded last, whoever commanded it. */
  readonly #motion: BrakingRamp;
  /** What was commanded since the joints were where they are; null for a robot that follows at once. */
  readonly #window: CommandWindow | null;
  /** The measured positions at the present time, and the velocity that the command's positions imply. */
  readonly #measured: Float64Array;
  readonly #implied: Float64Array;
  /** Times: of the last tick, of the brake begun last, when it will be over. */
  readonly #times = new Float64Array([Number.NaN, Number.NaN, Number.NaN]);
  #hasMotion = false;
  #isRecoveryRequested = false;
  #isBrakeRequested = false;

  constructor(robot: Robot, options: MonitorOptions = {}) {
    const whole = robotAmong(robot, options.obstacles ?? []);
    if (whole.hulls.length === 0) throw unguarded(robot);
    this.#numbers = completeNumbers(options);
    const { margin, hysteresis, recoverySpeedShare } = this.#numbers;
    const detail = margin + hysteresis;
    this.margin = margin;
    this.pairs =
      options.anytime === undefined
        ? new SweptPairs(whole, { detail })
        : new AnytimePairs(whole, { ...options.anytime, margin: detail });
    this.#box = new BrakingBox(whole, options.braking);
    this.#motion = new BrakingRamp(this.#box.deceleration);
    this.command = this.#motion;
    const window = new CommandWindow(whole, this.#numbers.tickPeriod);
    this.#window = window.delay > 0 ? window : null;
    this.#input = new InputCheck(whole.model, this.#numbers);
    this.#recovery = new RecoveryRule(whole, this.#input, margin, recoverySpeedShare);
    this.#measured = new Float64Array(whole.model.dofCount);
    this.#implied = new Float64Array(whole.model.dofCount);
  }

  /** Least distance of two bodies until standstill [m], as of the last tick; a certified bound. */
  get distance(): number {
    return this.pairs.minimum;
  }

  /** The pair of that distance; −1 without pairs. */
  get nearestPair(): number {
    return this.pairs.worst;
  }

  /** When the last brake began, and when the robot is to stand [s]; NaN before the first. */
  get brakeTime(): number {
    return this.#times[BRAKE]!;
  }
  get standstillTime(): number {
    return this.#times[STANDSTILL]!;
  }

  /**
   * Asks for leave to move again; for operator and coordinator. It is heard only from a robot that stands: at the next tick
   * with sound input the monitor is `safe` again, or `recovering` if a distance or limit is still violated.
   */
  requestRecovery(): void {
    this.#isRecoveryRequested = this.phase === MonitorPhase.stopped;
  }

  /**
   * Asks for a brake at the next tick, whatever is commanded then; for watchdog and operator. While it is asked for at each
   * tick, a robot that stands is not let go.
   */
  requestBrake(): void {
    this.#isBrakeRequested = true;
  }

  /** Judges a tick at `now` [s]; the result is in the fields. */
  step(state: MonitoredState, command: MonitoredCommand, now: number): void {
    const stateFault = this.#input.judgeState(state, now);
    const fault = stateFault === BrakeReason.none ? this.#judgeRequest(command) : stateFault;
    if (stateFault === BrakeReason.none) this.#takeState(state, now);
    this.#leaveStandstill(fault, state);
    switch (this.phase) {
      case MonitorPhase.safe:
        this.#judge(fault === BrakeReason.none ? this.#judgeSafe(state, command, now) : fault, command, now);
        break;
      case MonitorPhase.recovering:
        this.#judge(fault === BrakeReason.none ? this.#judgeRecovery(state, command, now) : fault, command, now);
        break;
      default:
        this.#goOnBraking();
    }
    this.#times[TICK] = now;
    if (this.#hasMotion) this.#window?.add(this.#motion.q);
  }

  /** What is wrong with a command, or asked for instead of it. */
  #judgeRequest(command: MonitoredCommand): BrakeReason {
    const isRequested = this.#isBrakeRequested;
    this.#isBrakeRequested = false;
    return isRequested ? BrakeReason.requested : this.#input.judgeCommand(command);
  }

  /** Where the robot is by now if it went on as measured; the first plausible time also where commands begin. */
  #takeState(state: MonitoredState, now: number): void {
    const age = now - state.time;
    for (let i = 0; i < this.#measured.length; i++) this.#measured[i] = state.q[i]! + age * state.qd[i]!;
    if (this.#hasMotion || !this.#input.isPlausible(state)) return;
    this.#hasMotion = true;
    this.#implied.fill(0);
    this.#motion.set(this.#measured, state.qd, this.#implied);
    this.#window?.begin(this.#measured);
    // Once, so that a table with a time budget need not begin with nothing.
    this.#box.set(this.#measured, state.qd, this.#implied);
    this.pairs.updateAll(this.#box.low, this.#box.high);
  }

  /** Ends a stop for which recovery was requested. */
  #leaveStandstill(fault: BrakeReason, state: MonitoredState): void {
    if (this.phase !== MonitorPhase.stopped || !this.#isRecoveryRequested || fault !== BrakeReason.none) return;
    this.#isRecoveryRequested = false;
    this.#box.set(this.#motion.q, this.#motion.qd, this.#motion.qdd);
    this.#updatePairs();
    this.phase = this.#isClear(state) ? MonitorPhase.safe : MonitorPhase.recovering;
  }

  #isClear(state: MonitoredState): boolean {
    const { margin, hysteresis } = this.#numbers;
    return this.pairs.minimum > margin + hysteresis && this.#input.isWithinLimits(state.q);
  }

  #judgeSafe(state: MonitoredState, command: MonitoredCommand, now: number): BrakeReason {
    if (!this.#input.isWithinLimits(state.q)) return BrakeReason.outsideLimits;
    const reason = this.#sweep(state, command, now);
    if (reason !== BrakeReason.none) return reason;
    return this.pairs.minimum > this.margin ? BrakeReason.none : BrakeReason.predictedTouch;
  }

  #judgeRecovery(state: MonitoredState, command: MonitoredCommand, now: number): BrakeReason {
    let reason = this.#sweep(state, command, now);
    if (reason !== BrakeReason.none) return reason;
    reason = this.#recovery.judge(this.#motion, command, this.#numbers.tickPeriod, this.pairs);
    if (reason === BrakeReason.none && this.#isClear(state)) this.phase = MonitorPhase.safe;
    return reason;
  }

  /** Bounds the pairs for all that can happen if the command is sent; says why if that makes no sense. */
  #sweep(state: MonitoredState, command: MonitoredCommand, now: number): BrakeReason {
    if (!(this.#hasMotion && this.#isFollowing())) return BrakeReason.notFollowing;
    this.#findImpliedVelocity(command, now);
    const isAttainable = this.#input.isAttainable(this.#implied) && this.#input.isAttainable(command.qd);
    if (!isAttainable) return BrakeReason.unattainableCommand;
    const box = this.#box;
    box.set(command.q, command.qd, command.qdd);
    box.join(command.q, this.#implied, command.qdd);
    box.joinMeasured(this.#measured, state.qd, this.#motion.qdd);
    box.include(this.#motion.q);
    this.#updatePairs();
    return BrakeReason.none;
  }

  #isFollowing(): boolean {
    const q = this.#window?.due ?? this.#motion.q;
    const tolerance = this.#numbers.trackingTolerance;
    for (let i = 0; i < q.length; i++) if (!(Math.abs(this.#measured[i]! - q[i]!) <= tolerance)) return false;
    return true;
  }

  /** The velocity that takes the robot from the last command to this one. */
  #findImpliedVelocity(command: MonitoredCommand, now: number): void {
    const { tickPeriod } = this.#numbers;
    // A late tick has let the robot move for longer, but not longer than it takes to brake by itself.
    const since = now - this.#times[TICK]!;
    const longest = MOST_PERIODS * tickPeriod;
    const period = since > tickPeriod ? (since < longest ? since : longest) : tickPeriod;
    for (let i = 0; i < this.#implied.length; i++) {
      this.#implied[i] = (command.q[i]! - this.#motion.q[i]!) / period;
    }
  }

  #updatePairs(): void {
    this.#window?.widen(this.#box.low, this.#box.high);
    this.pairs.update(this.#box.low, this.#box.high);
  }

  /** Passes the command on, or begins a brake for a reason. */
  #judge(reason: BrakeReason, command: MonitoredCommand, now: number): void {
    if (reason === BrakeReason.none) {
      this.action = MonitorAction.pass;
      this.#motion.set(command.q, command.qd, command.qdd);
      return;
    }
    this.phase = MonitorPhase.braking;
    this.reason = reason;
    this.brakes++;
    this.#blame(reason);
    this.#times[BRAKE] = now;
    this.#times[STANDSTILL] = now + this.#motion.remaining + (this.#window?.delay ?? 0);
    this.#advance();
  }

  #blame(reason: BrakeReason): void {
    const concernsPairs = reason === BrakeReason.predictedTouch || reason === BrakeReason.recoveryNotLeaving;
    const pair = concernsPairs && !(this.pairs.minimum > this.margin) ? this.pairs.worst : NONE;
    this.pair = pair;
    this.bodyA = pair === NONE ? NONE : this.pairs.bodyA[pair]!;
    this.bodyB = pair === NONE ? NONE : this.pairs.bodyB[pair]!;
    if (pair === NONE) return;
    this.pairs.locate(pair);
    for (let k = 0; k < 3; k++) {
      this.nearestA[k] = this.pairs.nearestA[k]!;
      this.nearestB[k] = this.pairs.nearestB[k]!;
    }
  }

  /** The next step of a brake, or holding where it ended; keeps the bounds up to date for those who watch. */
  #goOnBraking(): void {
    this.#advance();
    if (!this.#hasMotion) return;
    this.#box.set(this.#motion.q, this.#motion.qd, this.#motion.qdd);
    this.#updatePairs();
  }

  #advance(): void {
    this.action = this.#hasMotion ? MonitorAction.brake : MonitorAction.withhold;
    this.#motion.advance(this.#numbers.tickPeriod);
    this.phase = this.#hasMotion && this.#motion.isStanding ? MonitorPhase.stopped : MonitorPhase.braking;
  }
}

const TICK = 0;
const BRAKE = 1;
const STANDSTILL = 2;
/** Ticks after which a late command counts as a jump. */
const MOST_PERIODS = 4;

function unguarded(robot: Robot): FlycatcherError {
  return new FlycatcherError("FLY_MONITOR_INVALID", "the robot has no collision bodies to guard", {
    path: `${robot.name}/collision/hulls`,
    expected: "one body or more",
    found: "none",
  });
}
