import { type CatchTimes, seconds } from "../catching/catch-times.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { ControlState, OperatorCommand } from "../messages/control.js";
import type { CatchSetting, Gaze } from "../messages/planning.js";
import type { BallColour } from "../messages/sensing.js";
import type { RemoveBall, ThrowBall, ThrowOutcome, TrueFlight } from "../messages/world.js";
import type { PlannerTimings } from "../planning/arm/timed-planner.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { outcomeOf } from "../recording/throw-outcome.js";
import type { Robot } from "../robot/robot.js";
import type { RunClock } from "../runtime/clock.js";
import { throwMessage } from "../simulation/true-flight.js";
import { longestLead, type Thrower } from "../simulation/world/thrower.js";
import type { Throw, ThrowGenerator } from "../simulation/world/throws.js";
import type { Graph } from "../transport/graph.js";
import { type InPort, type OutPort, type Policy, takeEach, takeNewest } from "../transport/port.js";
import { portsOf } from "./node-library.js";
import type { RunHost } from "./run-host.js";
import { type FalseAlarm, ThrowRecord } from "./throw-record.js";

/** What makes throws: `ThrowGenerator`. */
export type ThrowSource = Pick<ThrowGenerator, "make">;

/** When a throw is over: when the robot waits for the next one, or as soon as every ball was grasped at or is on the floor. */
export type ThrowEnd = "robot waits again" | "balls are over";

/** How balls are thrown in a run. */
export interface Throwing {
  readonly source: ThrowSource;
  /** When the first ball is thrown at the earliest [ns]. */
  readonly settlingNs: number;
  /** A throw is announced at least so long before its release [ns]; a ball that begins in a hand, when it is first seen. */
  readonly noticeNs: number;
  /** Gives balls the hand that throws them. */
  readonly thrower: Thrower;
}

/** Throws are over so long after their release, whatever happens [s]: flight, grasp, hold and return take some four seconds. */
const LONGEST_THROW = 30;
/** What is older than this of what catching is about no longer counts [ns]: it is published more often. */
const STALE_NS = 500e6;

/**
 * A run of the graph, live, in lock-step or of a recording: the same for all, but for the host that executes it.
 *
 * @example
 * const run = await lockStepRun({ robot: loadRobot("agile-justin"), world: "physics", perception: "images", seed: 1 });
 * const [result] = await run.throwBalls([0]);
 * await run.close();
 */
export class Run<Host extends RunHost = RunHost> {
  readonly host: Host;
  readonly #throwing: Throwing;
  readonly #throws: OutPort<ThrowBall>;
  readonly #removals: readonly OutPort<RemoveBall>[];
  readonly #operator: OutPort<OperatorCommand>;
  readonly #settings: OutPort<CatchSetting>;
  readonly #colours: readonly OutPort<BallColour>[];
  readonly #results: OutPort<ThrowOutcome> | null;
  readonly #gazePort: InPort<Gaze>;
  readonly #controlPort: InPort<ControlState>;
  readonly #flights: InPort<TrueFlight>;
  readonly #drops: InPort<RemoveBall>;
  readonly #record: ThrowRecord;
  readonly #released = new Map<number, number>();
  readonly #lands = new Map<number, number>();
  /** Balls that the world could not throw. */
  readonly #dropped = new Set<number>();
  readonly #falseAlarms: FalseAlarm[] = [];
  #gaze: Gaze | null = null;
  #gazeNs = Number.NEGATIVE_INFINITY;
  #control: ControlState | null = null;
  #ballColour: BallColour | null = null;

  constructor(host: Host, throwing: Throwing) {
    this.host = host;
    this.#throwing = throwing;
    const { nodes } = host.graph;
    const into = (port: string): string[] =>
      nodes.flatMap(({ name, kind }) => (portsOf(kind).in[port] === undefined ? [] : [`${name}.${port}`]));
    const outOf = (port: string): string[] =>
      nodes.flatMap(({ name, kind }) => (portsOf(kind).out[port] === undefined ? [] : [`${name}.${port}`]));
    this.#throws = host.feed(into("throws")[0]!);
    this.#removals = into("removals").map((port) => host.feed(port));
    this.#operator = host.feed("control.operator");
    this.#settings = host.feed("catching.settings");
    this.#colours = into("colour").map((port) => host.feed(port));
    this.#results = nodes.some(({ name }) => name === "recorder") ? host.feed("recorder.results") : null;
    this.#gazePort = host.watch("catching.gaze");
    this.#controlPort = host.watch("control.control");
    this.#flights = host.watch(outOf("flights")[0]!);
    this.#drops = host.watch(outOf("dropped")[0]!);
    this.#record = new ThrowRecord({
      grasps: host.watch(outOf("grasps")[0]!),
      fates: host.watch(outOf("fates")[0]!),
      attempts: host.watch("catching.attempts"),
    });
    host.onMessages((nowNs) => this.#look(nowNs));
  }

  get robot(): Robot {
    return this.host.robot;
  }

  get arms(): readonly string[] {
    return this.host.arms;
  }

  /** What of the robot gets motions of its own. */
  get parts(): readonly MotionPart[] {
    return this.host.parts;
  }

  get times(): CatchTimes {
    return this.host.times;
  }

  get graph(): Graph {
    return this.host.graph;
  }

  get clock(): RunClock {
    return this.host.clock;
  }

  get timings(): PlannerTimings {
    return this.host.timings;
  }

  get nowNs(): number {
    return this.host.clock.nowNs();
  }

  /** The newest state of control; null before the first. */
  get control(): ControlState | null {
    return this.#control;
  }

  /** Motions that began before the ball was released, of all throws so far. */
  get falseAlarms(): readonly FalseAlarm[] {
    return this.#falseAlarms;
  }

  /** What an out-port puts from now on. */
  tap<M extends object>(from: string, policy?: Policy): InPort<M> {
    return this.host.tap(from, policy);
  }

  /** What the next plans optimise. */
  setMode(mode: CatchMode): void {
    this.#settings.put({ mode }, this.nowNs);
  }

  /** How balls stand out, if that was set during the run. */
  get ballColour(): BallColour | null {
    return this.#ballColour;
  }

  /** How balls stand out in colour images, for all detectors from their next image on. */
  setBallColour(colour: BallColour): void {
    this.#ballColour = colour;
    for (const port of this.#colours) port.put(colour, this.nowNs);
  }

  /** Stops the robot at once, as a person would; gives the number for `held`. */
  hold(): number {
    return this.host.stopLine.ask();
  }

  /** When a braking command left for that hold, on the run's clock [s]; null if none does within `timeout` [s]. */
  async held(number: number, timeout = 1): Promise<number | null> {
    const isHeld = () => this.#control !== null && this.#control.hold >= number;
    return (await this.host.until(isHeld, timeout)) ? this.#control!.holdTime : null;
  }

  /** Lets the robot move again after a hold; after a stop from which control does not recover by itself, too. */
  release(): void {
    this.host.stopLine.release();
    this.#operator.put({ action: "resume" }, this.nowNs);
  }

  #look(nowNs: number): void {
    this.#record.take(nowNs);
    const gaze = takeNewest(this.#gazePort, nowNs);
    if (gaze !== null) {
      this.#gaze = gaze;
      this.#gazeNs = nowNs;
    }
    this.#control = takeNewest(this.#controlPort, nowNs) ?? this.#control;
    if (this.#flights.waiting > 0) takeEach(this.#flights, nowNs, this.#noteFlight);
    if (this.#drops.waiting > 0) takeEach(this.#drops, nowNs, ({ id }) => this.#dropped.add(id));
  }

  readonly #noteFlight = ({ ball, pieces }: TrueFlight): void => {
    this.#released.set(ball, pieces[0]!.time);
    this.#lands.set(ball, pieces.at(-1)!.until);
  };

  /** Whether every arm waits for a ball, the robot can be led and its head looks to where balls come from. */
  get isWaiting(): boolean {
    const isFresh = this.nowNs - this.#gazeNs < STALE_NS;
    const control = this.#control;
    return isFresh && this.#gaze?.isBusy === false && control?.isReady === true && control.isNeckResting;
  }

  /** Settles when the robot waits for balls; false if it does not come to that in `timeout` [s]. */
  waits(timeout = LONGEST_THROW): Promise<boolean> {
    return this.host.until(() => this.isWaiting, timeout);
  }

  /** Throws balls of the seed's series, all at once, at the waiting robot, and sees them through. */
  throwBalls(ids: readonly number[], end?: ThrowEnd): Promise<ThrowResult[]> {
    return this.throwAll(
      ids.map((id) => this.#throwing.source.make(id, 0)),
      end,
    );
  }

  /** The same with balls of one's own; when they are released is decided here. */
  async throwAll(balls: readonly Throw[], end: ThrowEnd = "robot waits again"): Promise<ThrowResult[]> {
    const { settlingNs } = this.#throwing;
    const { host } = this;
    await host.until(() => this.nowNs >= settlingNs, Number.POSITIVE_INFINITY);
    if (end === "robot waits again") await this.waits();
    this.#record.forget();
    this.#released.clear();
    this.#lands.clear();
    this.#dropped.clear();
    const thrown = this.#release(balls.map((ball) => this.#throwing.thrower.prepare(ball)));
    // A robot that was stopped does not wait for balls; what is known by then is the result.
    await host.until(() => this.#isOver(thrown, end), longestLead(thrown) + LONGEST_THROW);
    const results = thrown.map((ball) => this.#resultOf(ball));
    this.#falseAlarms.push(...this.#alarmsBefore(thrown));
    for (const result of results) this.#results?.put(outcomeOf(result), this.nowNs);
    for (const { id } of balls) for (const port of this.#removals) port.put({ id }, this.nowNs);
    host.afterThrow?.();
    return results;
  }

  /** Balls are let go somewhere between two frames; where, belongs to the throw. All of them in the same frame period. */
  #release(balls: readonly Throw[]): readonly Throw[] {
    const { framePeriodNs, tickNs } = this.times;
    const { nowNs } = this;
    const noticeNs = Math.max(this.#throwing.noticeNs, 1e9 * longestLead(balls));
    const frameNs = Math.ceil((nowNs + tickNs + noticeNs) / framePeriodNs) * framePeriodNs;
    return balls.map((ball) => {
      const ticks = Math.floor((ball.framePhase * framePeriodNs) / tickNs);
      const thrown = { ...ball, state: { ...ball.state, time: seconds(frameNs + ticks * tickNs) } };
      this.#throws.put(throwMessage(thrown), nowNs);
      return thrown;
    });
  }

  /** Motions to catch balls that were still in a hand: a fake, or a swing that was taken for a flight. */
  #alarmsBefore(balls: readonly Throw[]): FalseAlarm[] {
    const inHand = balls.filter(({ hand }) => hand !== undefined).map((ball) => this.#withTrueRelease(ball));
    if (inHand.length === 0) return [];
    const released = Math.min(...inHand.map(({ state }) => state.time));
    return this.#record.motionsBetween(released - longestLead(inHand), released);
  }

  /** The robot waits again, and every ball was dealt with or is on the floor. */
  #isOver(balls: readonly Throw[], end: ThrowEnd): boolean {
    const now = seconds(this.nowNs);
    const isReady = end === "balls are over" || this.isWaiting;
    const isDealtWith = ({ id }: Throw) =>
      this.#dropped.has(id) || this.#record.isGrasped(id) || now > (this.#lands.get(id) ?? now);
    return isReady && balls.every(isDealtWith);
  }

  /** A robot apart lets a ball go when it can. */
  #resultOf(ball: Throw): ThrowResult {
    const result = this.#record.result(this.#withTrueRelease(ball));
    return this.#dropped.has(ball.id) ? { ...result, reason: "it could not be thrown" } : result;
  }

  #withTrueRelease(ball: Throw): Throw {
    const time = this.#released.get(ball.id) ?? ball.state.time;
    return { ...ball, state: { ...ball.state, time } };
  }

  close(): Promise<void> {
    return this.host.close();
  }
}
