import { type CatchTimes, timesOf } from "../catching/catch-times.js";
import type { CatchDirector } from "../catching/director.js";
import type { ControlCycle } from "../control/control-cycle.js";
import type { MotionPart } from "../control/robot-motion.js";
import { defaultBall } from "../flight/ball.js";
import type { TrueFlight } from "../messages/world.js";
import { CatchingNode } from "../nodes/catching.js";
import { ControlNode } from "../nodes/control.js";
import type { PlannerTimings } from "../planning/arm/timed-planner.js";
import { type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { Robot } from "../robot/robot.js";
import { LockStepClock } from "../runtime/clock.js";
import { cameraDefaults } from "../simulation/camera-settings.js";
import { type Challenges, challengesOf } from "../simulation/head-motion/challenges.js";
import { SimulatedWorld, type WorldKind } from "../simulation/simulated-world.js";
import { Thrower, throwerDefaults } from "../simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../simulation/world/throws.js";
import { checkGraph, type Graph } from "../transport/graph.js";
import { LockStepExecutor } from "../transport/lock-step-executor.js";
import type { Node } from "../transport/node.js";
import type { InPort, OutPort, Policy } from "../transport/port.js";
import type { StepMeter } from "../transport/step-meter.js";
import { StopLine } from "../transport/stop-line.js";
import { inWorld, mountOf, NodeBuilder, type NodeSettings } from "./build-nodes.js";
import { catchGraph } from "./graph.js";
import { portsOf } from "./node-library.js";
import { checkOwnNodes } from "./own-nodes.js";
import { Run, type ThrowSource } from "./run.js";
import type { RunHost } from "./run-host.js";
import { movingParts, RunParts, waitingPosture } from "./run-parts.js";

export interface LockStepOptions extends NodeSettings {
  /** The robot as calibrated: what our side believes; and as it is, the same by default. */
  readonly robot: Robot;
  readonly truth?: Robot;
  readonly world: WorldKind;
  readonly balls?: number;
  readonly challenges?: Challenges;
  readonly arms?: readonly string[] | undefined;
  readonly times?: Partial<CatchTimes>;
  readonly made?: RunParts;
  /** Where throws come from; default: the seed's series. */
  readonly throws?: ThrowSource | undefined;
  /** How long the robot stands before the first ball [ns]; by default until its head's filter has settled. */
  readonly settlingNs?: number | undefined;
  /** Memory of `StopLine`, where another thread may stop the robot, too. */
  readonly stopLine?: SharedArrayBuffer | undefined;
  /** Takes the errors of nodes; the run goes on. Left out: the first one ends it. */
  readonly onNodeError?: (node: string, error: unknown) => void;
  /** Called after every tick, with its time [ns]. */
  readonly onTick?: (nowNs: number) => void;
}

/** How long a robot that was just switched on stands before the first ball [ns]: its head's filter has to settle. */
const SETTLING_NS = 2e9;

/** A run on the simulation's clock, as fast as the machine allows: the same options give the same bits. */
export async function lockStepRun(options: LockStepOptions): Promise<Run<LockStepHost>> {
  const { robot, truth = robot, world: kind, ball = defaultBall, balls = 1, seed } = options;
  const challenges = challengesIn(options);
  const senses = options.perception === "truth" ? "none" : "head";
  return lockStepRunIn(await SimulatedWorld.create({ truth, kind, ball, balls, challenges, seed, senses }), options);
}

/** The same about a world that is there already. */
export function lockStepRunIn(world: SimulatedWorld, options: LockStepOptions): Run<LockStepHost> {
  const { robot, seed, throws, settlingNs = SETTLING_NS } = options;
  const host = new LockStepHost(world, options);
  const source = throws ?? new ThrowGenerator(throwSpaceOf(robot), seed, world.world.ball);
  const thrower = new Thrower(options.thrower ?? throwerDefaults, seed);
  const run = new Run(host, { source, settlingNs, noticeNs: 0, thrower });
  host.build();
  return run;
}

/** The challenges of a run: those it is given, or those that belong to its kind of throws. */
function challengesIn({ challenges, thrower = throwerDefaults }: LockStepOptions): Challenges {
  return challenges ?? challengesOf(thrower.kind);
}

/** All nodes of a run in the caller's thread, on a clock that is the simulation's. */
export class LockStepHost implements RunHost {
  readonly robot: Robot;
  readonly arms: readonly string[];
  readonly catchArms: readonly CatchArm[];
  readonly times: CatchTimes;
  readonly graph: Graph;
  readonly clock = new LockStepClock();
  readonly stopLine: StopLine;
  readonly timings: PlannerTimings;
  readonly #options: LockStepOptions;
  readonly #world: SimulatedWorld;
  readonly #made: RunParts;
  readonly #executor: LockStepExecutor;
  readonly #flights: OutPort<TrueFlight>;
  #nodes: ReadonlyMap<string, Node> = new Map();
  #look: (nowNs: number) => void = () => undefined;

  constructor(world: SimulatedWorld, options: LockStepOptions) {
    const { robot, perception, recorded, recorder, startNs = 0 } = options;
    this.#options = options;
    this.stopLine = new StopLine(options.stopLine);
    this.#world = world;
    this.robot = robot;
    this.#made = options.made ?? new RunParts(robot, waitingPosture(robot));
    this.timings = this.#made.timings;
    this.arms = options.arms ?? catchGroups(robot).map(({ name }) => name);
    this.catchArms = this.#made.armsOf(this.arms);
    this.times = timesOf(robot, options.times);
    this.clock.advanceTo(startNs);
    this.graph = catchGraph({
      perception,
      sources: recorded === undefined ? "simulated" : "recorded",
      arms: this.arms,
      mount: mountOf(recorded?.seer ?? robot),
      windows: (options.cameras ?? cameraDefaults).windows,
      recorder: recorder !== undefined,
      times: this.times,
    });
    checkGraph(this.graph, portsOf, this.times.tickNs);
    checkOwnNodes(options.nodes, this.graph);
    this.#executor = new LockStepExecutor(this.graph, portsOf);
    this.#executor.onError = options.onNodeError ?? null;
    this.#flights = this.feed("evaluator.flights");
  }

  /** Makes the nodes; by then all in-ports that are fed must be. */
  build(): void {
    const { world } = this.#world;
    const { waiting } = this.#made;
    const builder = new NodeBuilder({
      ...this.#options,
      truth: world.robot,
      challenges: inWorld(this.#options.world, challengesIn(this.#options)),
      arms: this.arms,
      made: this.#made,
      times: this.times,
      waiting,
      posture: waiting,
      ball: world.ball,
      simulated: this.#world,
      clock: this.clock,
      stopLine: this.stopLine,
    });
    this.#nodes = new Map(
      this.graph.nodes.map(({ name, kind }) => [name, builder.build(name, kind, this.#executor.wiring(name))]),
    );
    this.#executor.nodes = this.#nodes;
  }

  get parts(): readonly MotionPart[] {
    return movingParts(this.robot, this.catchArms);
  }

  /** A node by its name, of the class it is known to have; null if the graph has none such. */
  node<N extends Node>(name: string, kind: abstract new (...args: never[]) => N): N | null {
    const node = this.#nodes.get(name);
    return node instanceof kind ? node : null;
  }

  /** What decides, and what commands: for tests and reports. */
  get director(): CatchDirector {
    return this.node("catching", CatchingNode)!.director;
  }

  get control(): ControlCycle {
    return this.node("control", ControlNode)!.cycle;
  }

  /** Where the measured head comes from: an out-port; null where nothing measures it, or the plan is believed. */
  get headSource(): string | null {
    const edge = this.graph.edges.find(({ to }) => to === "catching.head");
    return this.#options.chest === "planned" ? null : (edge?.from ?? null);
  }

  tap<M extends object>(from: string, policy?: Policy): InPort<M> {
    return this.#executor.tap(from, policy);
  }

  /** Ends a tap. */
  untap<M extends object>(from: string, port: InPort<M>): void {
    this.#executor.untap(from, port as InPort<never>);
  }

  /** Measures the steps of all nodes from now on. */
  measure(): StepMeter {
    return this.#executor.measure();
  }

  watch<M extends object>(from: string): InPort<M> {
    return this.tap(from);
  }

  feed<M extends object>(to: string): OutPort<M> {
    return this.#executor.feed(to);
  }

  onMessages(look: (nowNs: number) => void): void {
    this.#look = look;
  }

  /** Lets the evaluator know of a ball that is in the world already. */
  announce(flight: TrueFlight): void {
    this.#flights.put(flight, this.clock.nowNs());
  }

  /** One tick; a promise where it must wait for another thread. */
  advance(): Promise<void> | undefined {
    this.clock.advanceBy(this.times.tickNs);
    const nowNs = this.clock.nowNs();
    const wait = this.#executor.step(nowNs);
    if (wait !== undefined) return wait.then(() => this.#ticked(nowNs));
    this.#ticked(nowNs);
    return undefined;
  }

  #ticked(nowNs: number): void {
    this.#look(nowNs);
    this.#options.onTick?.(nowNs);
  }

  async until(isOver: () => boolean, timeout: number): Promise<boolean> {
    const endNs = this.clock.nowNs() + timeout * 1e9;
    while (!isOver()) {
      if (this.clock.nowNs() > endNs) return false;
      const wait = this.advance();
      if (wait !== undefined) await wait;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#executor.close();
  }
}
