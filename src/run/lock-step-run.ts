import { type CatchTimes, seconds, timesOf } from "../catching/catch-times.js";
import type { CatchDirector } from "../catching/director.js";
import type { PlannerTimings } from "../catching/inline-arm-planner.js";
import { movingParts, RunParts, waitingPosture } from "../catching/run-parts.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { ControlCycle } from "../control/control-cycle.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { ControlState, OperatorCommand } from "../messages/control.js";
import type { CatchSetting } from "../messages/planning.js";
import type { ArmStates } from "../messages/report.js";
import type { RemoveBall, ThrowBall, ThrowOutcome, TrueFlight } from "../messages/world.js";
import { CatchingNode } from "../nodes/catching.js";
import { ControlNode } from "../nodes/control.js";
import { type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import { outcomeOf } from "../recording/throw-outcome.js";
import type { Robot } from "../robot/robot.js";
import { LockStepClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type Challenges, fullChallenges } from "../simulation/head-motion/challenges.js";
import { SimulatedWorld, type WorldKind } from "../simulation/simulated-world.js";
import { throwSpaceOf } from "../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../simulation/throws.js";
import { checkGraph, type Graph } from "../transport/graph.js";
import { LockStepExecutor } from "../transport/lock-step-executor.js";
import type { Node } from "../transport/node.js";
import { type InPort, type OutPort, type Policy, takeEach, takeNewest } from "../transport/port.js";
import { challengesIn, hasHead, NodeBuilder, type NodeSettings } from "./build-nodes.js";
import { catchGraph } from "./graph.js";
import { nodePorts } from "./node-library.js";
import { ThrowRecord } from "./throw-record.js";

export interface LockStepRunOptions extends NodeSettings {
  /** The robot as calibrated: what our side believes; and as it is, the same by default. */
  readonly robot: Robot;
  readonly truth?: Robot;
  readonly world: WorldKind;
  readonly balls?: number;
  readonly challenges?: Challenges;
  readonly arms?: readonly string[];
  readonly times?: Partial<CatchTimes>;
  readonly parts?: RunParts;
  /** Where throws come from; default: the seed's series. */
  readonly throws?: ThrowSource;
  /** How long the robot stands before the first ball [ns]; by default until its head's filter has settled. */
  readonly settlingNs?: number;
  /** Called after every tick, with its time [ns]. */
  readonly onTick?: (nowNs: number) => void;
}

/** What makes throws: `ThrowGenerator`. */
export type ThrowSource = Pick<ThrowGenerator, "make">;

/** When a throw is over: when the robot waits for the next one, or as soon as every ball was grasped at or is on the floor. */
export type ThrowEnd = "robot waits again" | "balls are over";

/** Throws are over by then, whatever happens [ns]: flight, grasp, hold and return take some four seconds. */
const LONGEST_THROW_NS = 30e9;
/** How long a robot that was just switched on stands before the first ball [ns]: its head's filter has to settle. */
const SETTLING_NS = 2e9;

/** A run on the simulation's clock. */
export class LockStepRun {
  readonly arms: readonly CatchArm[];
  readonly times: CatchTimes;
  readonly graph: Graph;
  readonly timings: PlannerTimings;
  readonly #clock = new LockStepClock();
  readonly #options: LockStepRunOptions;
  readonly #executor: LockStepExecutor;
  readonly #generator: Pick<ThrowGenerator, "make">;
  readonly #settlingNs: number;
  readonly #throws: OutPort<ThrowBall>;
  readonly #removals: readonly OutPort<RemoveBall>[];
  readonly #operator: OutPort<OperatorCommand>;
  readonly #flightsIn: OutPort<TrueFlight>;
  readonly #settings: OutPort<CatchSetting>;
  readonly #results: OutPort<ThrowOutcome> | null;
  readonly #states: InPort<ArmStates>;
  readonly #control: InPort<ControlState>;
  readonly #flights: InPort<TrueFlight>;
  readonly #record: ThrowRecord;
  #isWaiting = false;
  #isNeckResting = false;
  #lands = new Map<number, number>();
  readonly #nodes: ReadonlyMap<string, Node>;

  /** About a world that is there already. */
  static around(options: LockStepRunOptions, world: SimulatedWorld): LockStepRun {
    return new LockStepRun(options, world);
  }

  static async create(options: LockStepRunOptions): Promise<LockStepRun> {
    const { robot, truth = robot, world: kind, balls = 1, challenges = fullChallenges, seed } = options;
    return new LockStepRun(options, await SimulatedWorld.create({ truth, kind, balls, challenges, seed }));
  }

  private constructor(options: LockStepRunOptions, world: SimulatedWorld) {
    const { robot, perception } = options;
    this.#options = options;
    const waiting = waitingPosture(robot);
    const made = options.parts ?? new RunParts(robot, waiting);
    this.arms = (options.arms ?? catchGroups(robot).map(({ name }) => name)).map((name) => made.arm(name));
    this.times = timesOf(robot, options.times);
    this.timings = made.timings;
    this.#settlingNs = options.settlingNs ?? SETTLING_NS;
    this.#generator = options.throws ?? new ThrowGenerator(throwSpaceOf(robot), options.seed);
    const arms = this.arms.map(({ group }) => group.name);
    const seer = options.recorded?.seer ?? robot;
    this.graph = catchGraph({
      perception,
      sources: options.recorded === undefined ? "simulated" : "recorded",
      arms,
      hasHead: hasHead(seer),
      recorder: options.recorder !== undefined,
      times: this.times,
    });
    this.#clock.advanceTo(options.startNs ?? 0);
    const portsOf = (kind: string) => nodePorts[kind] ?? { in: {}, out: {} };
    checkGraph(this.graph, portsOf, this.times.tickNs);
    this.#executor = new LockStepExecutor(this.graph, portsOf);
    this.#throws = this.#executor.feed("robot.throws");
    this.#removals = [this.#executor.feed("robot.removals"), this.#executor.feed("evaluator.removals")];
    this.#operator = this.#executor.feed("control.operator");
    this.#settings = this.#executor.feed("catching.settings");
    this.#flightsIn = this.#executor.feed("evaluator.flights");
    this.#results = options.recorder === undefined ? null : this.#executor.feed("recorder.results");
    this.#states = this.#executor.tap("catching.states");
    this.#control = this.#executor.tap("control.control");
    this.#flights = this.#executor.tap("robot.flights");
    this.#record = new ThrowRecord({
      grasps: this.#executor.tap("evaluator.grasps"),
      fates: this.#executor.tap("evaluator.fates"),
      attempts: this.#executor.tap("catching.attempts"),
    });
    const builder = new NodeBuilder({
      ...options,
      truth: world.world.robot,
      challenges: challengesIn(options.world, options.challenges),
      arms,
      made,
      times: this.times,
      waiting,
      posture: waiting,
      ball: world.world.ball,
      simulated: world,
    });
    this.#nodes = new Map(
      this.graph.nodes.map(({ name, kind }) => [name, builder.build(name, kind, this.#executor.wiring(name))]),
    );
    this.#executor.nodes = this.#nodes;
  }

  /** A node by its name, of the class it is known to have; null if the graph has none such. */
  node<N extends Node>(name: string, kind: abstract new (...args: never[]) => N): N | null {
    const node = this.#nodes.get(name);
    return node instanceof kind ? node : null;
  }

  /** Where the measured head comes from: an out-port; null where nothing measures it, or the plan is believed. */
  get headSource(): string | null {
    const edge = this.graph.edges.find(({ to }) => to === "catching.head");
    return this.#options.chest === "planned" ? null : (edge?.from ?? null);
  }

  /** What decides, and what commands: for tests and reports. */
  get director(): CatchDirector {
    return this.node("catching", CatchingNode)!.director;
  }

  get control(): ControlCycle {
    return this.node("control", ControlNode)!.cycle;
  }

  /** What an out-port puts from now on, without latency. */
  tap<M extends object>(from: string, policy?: Policy): InPort<M> {
    return this.#executor.tap(from, policy);
  }

  /** Lets the evaluator know of a ball that is in the world already. */
  announce(flight: TrueFlight): void {
    this.#flightsIn.put(flight, this.nowNs);
  }

  get nowNs(): number {
    return this.#clock.nowNs();
  }

  /** Stops the robot at once, as a person would. */
  hold(): void {
    this.#operator.put({ action: "hold", number: 1 }, this.nowNs);
  }

  /** Lets the robot move again. */
  letGo(): void {
    this.#operator.put({ action: "release", number: 0 }, this.nowNs);
  }

  /** What the next plans optimise. */
  setMode(mode: CatchMode): void {
    this.#settings.put({ mode }, this.nowNs);
  }

  /** What of the robot gets motions of its own. */
  get parts(): readonly MotionPart[] {
    return movingParts(this.#options.robot, this.arms);
  }

  /** One tick. */
  advance(): Promise<void> | undefined {
    this.#clock.advanceBy(this.times.tickNs);
    const nowNs = this.nowNs;
    const wait = this.#executor.step(nowNs);
    if (wait === undefined) return this.#look(nowNs);
    return wait.then(() => this.#look(nowNs));
  }

  #look(nowNs: number): undefined {
    this.#record.take(nowNs);
    const states = takeNewest(this.#states, nowNs);
    if (states !== null) this.#isWaiting = states.isWaiting;
    const control = takeNewest(this.#control, nowNs);
    if (control !== null) this.#isNeckResting = control.isNeckResting;
    takeEach(this.#flights, nowNs, ({ ball, pieces }) => void this.#lands.set(ball, pieces.at(-1)!.until));
    this.#options.onTick?.(nowNs);
    return undefined;
  }

  /** Throws balls of the seed's series, all at once, at the waiting robot, and sees them through. */
  async throwBalls(ids: readonly number[], end: ThrowEnd = "robot waits again"): Promise<ThrowResult[]> {
    while (this.nowNs < this.#settlingNs) await this.#tick();
    const releases = ids.map((id) => this.#nextRelease(id));
    this.#record.forget();
    this.#lands.clear();
    for (const release of releases) this.#throws.put({ ...release, bounce: release.bounce ?? null }, this.nowNs);
    const endNs = this.nowNs + LONGEST_THROW_NS;
    do {
      const wait = this.advance();
      if (wait !== undefined) await wait;
      if (this.nowNs > endNs) throw new FlycatcherError("FLY_INTERNAL", `throw ${ids.join(", ")} does not end`);
    } while (!this.#isOver(ids, end));
    const results = releases.map((release) => this.#record.result(release));
    for (const result of results) this.#results?.put(outcomeOf(result), this.nowNs);
    for (const id of ids) for (const port of this.#removals) port.put({ id }, this.nowNs);
    return results;
  }

  async #tick(): Promise<void> {
    const wait = this.advance();
    if (wait !== undefined) await wait;
  }

  /** Balls are let go somewhere between two frames; where, belongs to the throw. */
  #nextRelease(id: number): Throw {
    const { framePeriodNs, tickNs } = this.times;
    const frameNs = Math.ceil((this.nowNs + tickNs) / framePeriodNs) * framePeriodNs;
    const { framePhase } = this.#generator.make(id, 0);
    const ticks = Math.floor((framePhase * framePeriodNs) / tickNs);
    return this.#generator.make(id, seconds(frameNs + ticks * tickNs));
  }

  /** The robot waits again, and every ball was dealt with or is on the floor. */
  #isOver(ids: readonly number[], end: ThrowEnd): boolean {
    const now = seconds(this.nowNs);
    const isReady = end === "balls are over" || (this.#isWaiting && this.#isNeckResting);
    return isReady && ids.every((id) => this.#record.isGrasped(id) || now > (this.#lands.get(id) ?? 0));
  }

  async close(): Promise<void> {
    await this.#executor.close();
  }
}
