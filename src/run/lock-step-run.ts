import type { BodyUse } from "../catching/body-helper.js";
import { type CatchTimes, seconds, timesOf } from "../catching/catch-times.js";
import { type Commitment, defaultCommitment } from "../catching/commitment.js";
import type { AfterCatch } from "../catching/coordinator-options.js";
import type { InlinePlannerOptions, PlannerTimings } from "../catching/inline-arm-planner.js";
import { movingParts } from "../catching/moving-parts.js";
import { RunParts } from "../catching/run-parts.js";
import type { ThrowResult } from "../catching/run-summary.js";
import { waitingPosture } from "../catching/waiting-posture.js";
import type { MotionPart } from "../control/robot-motion.js";
import type { ControlState, OperatorCommand } from "../messages/control.js";
import type { ArmStates } from "../messages/report.js";
import type { RemoveBall, ThrowBall, TrueFlight } from "../messages/world.js";
import { CatchingNode } from "../nodes/catching.js";
import { ControlNode } from "../nodes/control.js";
import { DetectorNode } from "../nodes/detector.js";
import { EvaluatorNode } from "../nodes/evaluator.js";
import { HeadPoseNode } from "../nodes/head-pose.js";
import { PlannerNode, type PlanningArm } from "../nodes/planner.js";
import { type Occlusion, SimulatedCameraNode } from "../nodes/simulated-camera.js";
import { SimulatedImuNode } from "../nodes/simulated-imu.js";
import { SimulatedPointsNode } from "../nodes/simulated-points.js";
import { SimulatedRobotNode } from "../nodes/simulated-robot.js";
import { TrackerNode } from "../nodes/tracker.js";
import { TruePerceptionNode } from "../nodes/true-perception.js";
import { carriedDofs } from "../planning/body/carried-dofs.js";
import { type CatchArm, catchGroups } from "../planning/problem/catch-arm.js";
import type { CatchMode } from "../planning/request/request.js";
import type { Robot } from "../robot/robot.js";
import { LockStepClock } from "../runtime/clock.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type Challenges, fullChallenges } from "../simulation/head-motion/challenges.js";
import { SimulatedWorld, type WorldKind, withStiffness } from "../simulation/simulated-world.js";
import { LATEST_CATCH, throwSpaceOf } from "../simulation/throw-space.js";
import { type Throw, ThrowGenerator } from "../simulation/throws.js";
import type { TrackerOptions } from "../tracking/hypotheses/tracker-options.js";
import { HeadViews } from "../tracking/pose/head-views.js";
import { checkGraph, type Graph } from "../transport/graph.js";
import { LockStepExecutor } from "../transport/lock-step-executor.js";
import type { Node } from "../transport/node.js";
import { type InPort, type OutPort, takeEach, takeNewest } from "../transport/port.js";
import { catchGraph, leastBudgetNs, type PerceptionKind } from "./graph.js";
import { nodePorts } from "./node-library.js";
import { ThrowRecord } from "./throw-record.js";

export interface LockStepRunOptions {
  /** The robot as calibrated: what our side believes; and as it is, the same by default. */
  readonly robot: Robot;
  readonly truth?: Robot;
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
  readonly balls?: number;
  readonly challenges?: Challenges;
  readonly seed: number | string;
  readonly tracker?: TrackerOptions;
  readonly occlusions?: readonly Occlusion[];
  readonly arms?: readonly string[];
  readonly body?: BodyUse;
  readonly chest?: "measured" | "planned";
  readonly mode?: CatchMode;
  readonly afterCatch?: AfterCatch;
  readonly latestCatch?: number;
  readonly commitment?: Commitment;
  readonly times?: Partial<CatchTimes>;
  readonly planner?: InlinePlannerOptions;
  readonly parts?: RunParts;
  readonly throws?: Pick<ThrowGenerator, "make">;
  /** How long the robot stands before the first ball [ns]; by default until its head's filter has settled. */
  readonly settlingNs?: number;
}

/** When a throw is over: when the robot waits for the next one, or as soon as every ball was grasped at or is on the floor. */
export type ThrowEnd = "robot waits again" | "balls are over";

/** Ticks of control kept for the time something goes wrong. */
const HISTORY = 1000;
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
  readonly #executor: LockStepExecutor;
  readonly #generator: Pick<ThrowGenerator, "make">;
  readonly #settlingNs: number;
  readonly #throws: OutPort<ThrowBall>;
  readonly #removals: readonly OutPort<RemoveBall>[];
  readonly #operator: OutPort<OperatorCommand>;
  readonly #states: InPort<ArmStates>;
  readonly #control: InPort<ControlState>;
  readonly #flights: InPort<TrueFlight>;
  readonly #record: ThrowRecord;
  #isWaiting = false;
  #isNeckResting = false;
  #lands = new Map<number, number>();

  static async create(options: LockStepRunOptions): Promise<LockStepRun> {
    const { robot, truth = robot, world: kind, balls = 1, challenges = fullChallenges, seed } = options;
    return new LockStepRun(options, await SimulatedWorld.create({ truth, kind, balls, challenges, seed }));
  }

  private constructor(options: LockStepRunOptions, world: SimulatedWorld) {
    const { robot, perception } = options;
    const waiting = waitingPosture(robot);
    const made = options.parts ?? new RunParts(robot, waiting);
    this.arms = (options.arms ?? catchGroups(robot).map(({ name }) => name)).map((name) => made.arm(name));
    this.times = timesOf(robot, options.times);
    this.timings = made.timings;
    this.#settlingNs = options.settlingNs ?? SETTLING_NS;
    this.#generator = options.throws ?? new ThrowGenerator(throwSpaceOf(robot), options.seed);
    const arms = this.arms.map(({ group }) => group.name);
    this.graph = catchGraph({ perception, sources: "simulated", arms, hasHead: hasHead(robot), times: this.times });
    const portsOf = (kind: string) => nodePorts[kind] ?? { in: {}, out: {} };
    checkGraph(this.graph, portsOf, this.times.tickNs);
    this.#executor = new LockStepExecutor(this.graph, portsOf);
    this.#throws = this.#executor.feed("robot.throws");
    this.#removals = [this.#executor.feed("robot.removals"), this.#executor.feed("evaluator.removals")];
    this.#operator = this.#executor.feed("control.operator");
    this.#states = this.#executor.tap("catching.states");
    this.#control = this.#executor.tap("control.control");
    this.#flights = this.#executor.tap("robot.flights");
    this.#record = new ThrowRecord({
      grasps: this.#executor.tap("evaluator.grasps"),
      fates: this.#executor.tap("evaluator.fates"),
      attempts: this.#executor.tap("catching.attempts"),
    });
    const builder = new NodeBuilder(options, world, this.arms, made, this.times, waiting, this.#executor);
    this.#executor.nodes = new Map(this.graph.nodes.map(({ name, kind }) => [name, builder.build(name, kind)]));
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

/** Builds the nodes of a lock-step run. */
class NodeBuilder {
  readonly #options: LockStepRunOptions;
  readonly #world: SimulatedWorld;
  readonly #arms: readonly CatchArm[];
  readonly #made: RunParts;
  readonly #times: CatchTimes;
  readonly #waiting: Float64Array;
  readonly #parts: readonly MotionPart[];
  readonly #executor: LockStepExecutor;

  constructor(
    options: LockStepRunOptions,
    world: SimulatedWorld,
    arms: readonly CatchArm[],
    made: RunParts,
    times: CatchTimes,
    waiting: Float64Array,
    executor: LockStepExecutor,
  ) {
    this.#options = options;
    this.#world = world;
    this.#arms = arms;
    this.#made = made;
    this.#times = times;
    this.#waiting = waiting;
    this.#executor = executor;
    this.#parts = movingParts(options.robot, arms);
  }

  build(name: string, kind: string): Node {
    const { robot, seed, occlusions = [] } = this.#options;
    const { framePeriodNs, cameraNs, tickNs, framesToConfirm } = this.#times;
    const ports = this.#executor.wiring(name) as never;
    const { world, head } = this.#world;
    const truth = world.robot;
    const ballRadius = world.ball.diameter / 2;
    const given = this.#options.challenges ?? fullChallenges;
    const challenges = this.#options.world === "physics" ? given : withStiffness(given);
    const side = name.endsWith("left") ? "left" : "right";
    switch (kind) {
      case "camera": {
        const gives = this.#options.perception === "images" ? "images" : "circles";
        const camera = { side, gives, framePeriodNs, cameraNs, ballRadius, seed, challenges, occlusions } as const;
        return new SimulatedCameraNode(ports, truth, this.#world, camera);
      }
      case "points":
        return new SimulatedPointsNode(ports, truth, this.#world, {
          framePeriodNs,
          cameraNs,
          seed,
          challenges,
          occlusions,
        });
      case "imu":
        return new SimulatedImuNode(ports, truth, head!, { challenges, seed, tickNs });
      case "detector":
        return new DetectorNode(ports, new HeadViews(robot)[side].camera, ballRadius);
      case "true-perception": {
        const carried = hasHead(robot) ? carriedDofs(robot) : null;
        return new TruePerceptionNode(ports, this.#world, { framePeriodNs, framesToConfirm, tickNs, carried });
      }
      case "head-pose":
        return new HeadPoseNode(ports, robot, carriedDofs(robot));
      case "tracker":
        return new TrackerNode(ports, robot, { ball: world.ball, tracker: this.#options.tracker ?? {} });
      case "robot":
        return new SimulatedRobotNode(ports, this.#world, { tickNs, challenges, seed, posture: this.#waiting });
      case "control":
        return this.#control(ports);
      case "catching":
        return this.#catching(ports);
      case "evaluator":
        return new EvaluatorNode(ports, world, this.#arms);
      default:
        return this.#planner(name.slice("planner-".length), ports);
    }
  }

  #control(ports: never): Node {
    const { robot } = this.#options;
    return new ControlNode(ports, robot, {
      tickNs: this.#times.tickNs,
      waiting: this.#waiting,
      posture: this.#waiting,
      parts: this.#parts,
      history: HISTORY,
      monitor: {},
      idleMonitor: null,
      neck: hasNeck(robot) ? "follows" : "stands",
      gentleNeck: false,
      watched: [],
      takeBeat: () => false,
    });
  }

  #catching(ports: never): Node {
    const { robot, body = "rule", chest = "measured", mode = "soft", afterCatch = "return" } = this.#options;
    const { latestCatch = LATEST_CATCH, commitment = defaultCommitment } = this.#options;
    return new CatchingNode(ports, robot, {
      arms: this.#arms.map((arm) => ({ arm, clearance: this.#made.clearance(arm.group.name) })),
      parts: this.#parts,
      waiting: this.#waiting,
      posture: this.#waiting,
      body,
      chest,
      times: this.#times,
      mode,
      afterCatch,
      latestCatch,
      commitment,
      startNs: 0,
    });
  }

  #planner(arm: string, ports: never): Node {
    const inline = this.#made.planner(arm, this.#options.planner ?? {});
    const planner: PlanningArm = {
      plan(request) {
        inline.submit(request, 0);
        return inline.collect()!;
      },
    };
    const { coldBudgetNs: coldNs, warmBudgetNs: warmNs } = this.#times;
    return new PlannerNode(ports, planner, { arm, budgets: { coldNs, warmNs, edgeNs: leastBudgetNs(this.#times) } });
  }
}

function hasHead({ frames }: Robot): boolean {
  return frames.head !== undefined && frames.chest !== undefined;
}

function hasNeck({ model, frames, stereo }: Robot): boolean {
  return frames.head !== undefined && stereo !== undefined && model.groups.some(({ kind }) => kind === "neck");
}
