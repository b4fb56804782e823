import type { ArmPlanAnswer } from "../../catching/arm-planner.js";
import * as pose from "../../math/pose.js";
import type { PlanQuestion, PlanReply } from "../../messages/planning.js";
import { RecordedSourceNode } from "../../nodes/recorded-source.js";
import { TrackerNode, type TrackerScan } from "../../nodes/tracker.js";
import type { ArmPlanRequest } from "../../planning/arm/arm-plan.js";
import { planOf, requestOf } from "../../planning/arm/plan-messages.js";
import type { PlannerTimings } from "../../planning/arm/timed-planner.js";
import { ItemFeed } from "../../recording/item-feed.js";
import { MemoryRecording } from "../../recording/memory-recording.js";
import type { ItemOf, RecordedItem, Recording, RecordingHeader } from "../../recording/recording.js";
import { assertNearInTime } from "../../recording/time-limits.js";
import { SimulatedWorld } from "../../simulation/simulated-world.js";
import { flyingBallOf } from "../../simulation/true-flight.js";
import type { CameraView } from "../../tracking/filter/scan.js";
import { type InPort, takeEach } from "../../transport/port.js";
import { type LockStepHost, lockStepRunIn } from "../lock-step-host.js";
import type { Run } from "../run.js";
import { type Clearance, ClearanceWatch } from "./clearance-watch.js";
import { GraspLog, type ReplayedGrasp } from "./grasp-log.js";
import { type ReplayOptions, type ReplaySettings, replaySettings } from "./replay-settings.js";
import { ReplayWorld } from "./replay-world.js";

/** A question to a planner that had an answer. */
export interface AnsweredQuestion {
  readonly arm: string;
  /** Ball it is about. */
  readonly track: number;
  readonly askedNs: number;
  readonly request: ArmPlanRequest;
  readonly answer: ArmPlanAnswer;
}

/** A frame as it was understood: kept for the smoothed trajectory. */
export type SeenFrame = TrackerScan;

/** How a replay goes about its work; none of it changes what comes out. */
export interface ReplayPace {
  /** Share of the recording's own speed, 1 for real time; as fast as can be by default. */
  readonly speed?: number | undefined;
  /** Told how far it is [ns] of the recording. */
  readonly onProgress?: (nowNs: number) => void;
  readonly signal?: AbortSignal;
  /** Wall clock [ms], for the times of planning and for `speed`. */
  readonly stopwatch?: () => number;
}

/** What came out of a replay. */
export interface Replay {
  readonly header: RecordingHeader;
  /** Version of the format of the recording, which tells what its messages hold. */
  readonly writtenVersion: number;
  readonly problems: readonly string[];
  readonly settings: ReplaySettings;
  /** What the pipeline made now: predictions, plans, motions, handovers, states, monitor, events. */
  readonly made: readonly RecordedItem[];
  /** The same, and results, as recorded then. */
  readonly recorded: readonly RecordedItem[];
  readonly truth: readonly ItemOf<"truth/flights">[];
  readonly seen: readonly SeenFrame[];
  readonly grasps: readonly ReplayedGrasp[];
  /** From when on the recording has something [ns]. */
  readonly beginNs: number;
  /** How much of it was replayed [ns]. */
  readonly fromNs: number;
  readonly toNs: number;
  /** How long that took, and planning in it [ms]; zero without a stopwatch. */
  readonly wallMs: number;
  readonly timings: PlannerTimings;
  readonly imagesSearched: number;
  /** From exposure to arrival of each frame [ms]. */
  readonly frameDelaysMs: readonly number[];
  /** The first question about each ball that had an answer, by arm. */
  readonly questions: readonly AnsweredQuestion[];
  /** Least distances between the robot's bodies while it moved; empty where they were not measured. */
  readonly clearances: readonly Clearance[];
}

/** The run goes on in blocks of this length, and the recording is read ahead by more than readings lag behind [ns]. */
const BLOCK_NS = 50_000_000;
const AHEAD_NS = 150_000_000;
/** A catch under way is over by then [ns]. */
const LONGEST_END_NS = 2_000_000_000;
/** What is sensed. */
const sensedTopics = ["sensors/readings", "cameras/images", "cameras/circles", "points", "truth/flights"] as const;
/** Sensors of the head are heard for so long before the first frame that counts [ns]. */
const WARM_UP_NS = 500_000_000;

/**
 * Runs tracker, planner and safety on a recording, in lock-step: readings and frames come at the ticks at which they came
 * then, and everything after them is the pipeline of a live run. With nothing changed the same bits come out; with
 * something changed the robot follows its new plans, and head and cameras move as they did.
 *
 * @example
 * const replay = await replayRecording(recording, { changes: { mode: "latest" } });
 */
export async function replayRecording(
  recording: Recording,
  options: ReplayOptions = {},
  pace: ReplayPace = {},
): Promise<Replay> {
  const run = new ReplayRun(recording, options, pace, await beginOf(recording));
  return run.play();
}

/** A live run's clock has run for some time when somebody begins to record it; before that there is nothing to replay. */
async function beginOf(recording: Recording): Promise<number> {
  if (recording.header.clock !== "real-time") return 0;
  const first = new ItemFeed(recording, { topics: sensedTopics });
  return (await first.peek())?.timeNs ?? 0;
}

/** What the pipeline is asked while it replays, and what it answers. */
class QuestionLog {
  /** The first question about each ball that had an answer, by arm. */
  readonly answered: AnsweredQuestion[] = [];
  readonly #open = new Map<string, PlanQuestion>();

  take(nowNs: number, questions: InPort<PlanQuestion>, answers: readonly InPort<PlanReply>[]): void {
    for (const port of answers) if (port.waiting > 0) takeEach(port, nowNs, (answer) => this.#answer(answer));
    if (questions.waiting === 0) return;
    takeEach(questions, nowNs, (question) => void this.#open.set(`${question.arm} ${question.id}`, question));
  }

  #answer({ arm, id, track, askedNs, answeredNs, plan }: PlanReply): void {
    const question = this.#open.get(`${arm} ${id}`);
    this.#open.delete(`${arm} ${id}`);
    const isKnown = this.answered.some((other) => other.arm === arm && other.track === track);
    if (question === undefined || plan === null || isKnown) return;
    const answer = { id, plan: planOf(plan), answeredNs };
    this.answered.push({ arm, track, askedNs, request: requestOf(question), answer });
  }
}

class ReplayRun {
  readonly #recording: Recording;
  readonly #settings: ReplaySettings;
  readonly #pace: ReplayPace;
  readonly #feed: ItemFeed;
  readonly #made: MemoryRecording;
  readonly #recorded: RecordedItem[] = [];
  readonly #truth: ItemOf<"truth/flights">[] = [];
  readonly #unreleased: ItemOf<"truth/flights">[] = [];
  readonly #world: ReplayWorld;
  readonly #source: RecordedSourceNode | null;
  readonly #run: Run<LockStepHost>;
  readonly #grasps: GraspLog;
  readonly #clearance: ClearanceWatch | null;
  readonly #questions = new QuestionLog();
  readonly #questionPort: InPort<PlanQuestion>;
  readonly #answerPorts: readonly InPort<PlanReply>[];
  readonly #seen: SeenFrame[] = [];
  readonly #frameDelays = new Map<number, number>();
  readonly #beginNs: number;
  readonly #fromNs: number;
  readonly #startNs: number;
  readonly #toNs: number;

  /** `beginNs` is the time from which on there is something in the recording. */
  constructor(recording: Recording, options: ReplayOptions, pace: ReplayPace, beginNs: number) {
    const { header } = recording;
    this.#recording = recording;
    this.#pace = pace;
    this.#settings = replaySettings(header, options);
    const { robot, run } = this.#settings;
    const { tickNs } = run.times;
    this.#beginNs = beginNs;
    this.#fromNs = Math.max(options.fromNs ?? 0, beginNs);
    this.#startNs = Math.floor(Math.max(beginNs, this.#fromNs - WARM_UP_NS) / tickNs) * tickNs;
    this.#toNs = options.toNs ?? Number.POSITIVE_INFINITY;
    this.#feed = new ItemFeed(recording, { fromNs: this.#startNs, toNs: this.#toNs + AHEAD_NS });
    this.#made = new MemoryRecording(header);
    const { waiting, timings } = this.#settings.parts;
    for (const times of [timings.coldMs, timings.fruitlessMs, timings.warmMs]) times.length = 0;
    this.#world = new ReplayWorld(robot, waiting, header.ball, tickNs, this.#startNs);
    this.#run = this.#createRun();
    this.#source = this.#run.host.node("recording", RecordedSourceNode);
    this.#questionPort = this.#run.tap("catching.questions");
    this.#answerPorts = run.arms.map((arm) => this.#run.tap(`planner-${arm}.answers`));
    this.#clearance = options.clearance === "measured" && robot.pairs.length > 0 ? new ClearanceWatch(robot) : null;
    this.#grasps = new GraspLog(this.#run.host, this.#world);
    const tracker = this.#run.host.node("tracker", TrackerNode);
    if (tracker !== null) tracker.onScan = (scan) => void this.#seen.push(copyOfScan(scan));
  }

  #createRun(): Run<LockStepHost> {
    const { robot, seer, run, monitor, input, parts } = this.#settings;
    const { header } = this.#recording;
    const { stopwatch } = this.#pace;
    return lockStepRunIn(SimulatedWorld.without(this.#world), {
      ...run,
      robot,
      world: "kinematic",
      perception: input,
      seed: 1,
      planner: { ...run.planner, ...(stopwatch !== undefined && { stopwatch }) },
      // Only the head of the robot that catches says anything of its hands.
      chest: input !== "truth" && seer !== robot ? "planned" : "measured",
      guard: monitor === "full" ? "monitor" : "motions",
      made: parts,
      startNs: this.#startNs,
      recorder: { sink: this.#made, header: { readings: null, jointPeriodNs: null } },
      ...(input !== "truth" && { recorded: { seer, readings: header.readings } }),
    });
  }

  async play(): Promise<Replay> {
    const stopwatch = this.#pace.stopwatch ?? (() => 0);
    const begun = stopwatch();
    const { tickNs } = this.#settings.run.times;
    for (let blockNs = this.#startNs + BLOCK_NS; ; blockNs += BLOCK_NS) {
      await this.#feed.read(blockNs + AHEAD_NS, (item) => this.#take(item));
      const next = await this.#feed.peek();
      if (next !== null) assertNearInTime(this.#startNs, this.#run.nowNs, next.timeNs);
      const endNs = Math.min(blockNs, this.#toNs, this.#feed.isExhausted ? this.#feed.newestNs : blockNs);
      while (this.#run.nowNs + tickNs <= endNs) this.#tick();
      this.#pace.signal?.throwIfAborted();
      this.#pace.onProgress?.(this.#run.nowNs);
      await this.#keepPace(begun);
      if (blockNs >= this.#toNs || (this.#feed.isExhausted && blockNs >= this.#feed.newestNs)) break;
    }
    const endNs = this.#run.nowNs;
    if (this.#toNs === Number.POSITIVE_INFINITY) this.#seeThrough(endNs + LONGEST_END_NS);
    return this.#outcome(endNs, stopwatch() - begun);
  }

  /** A hand that is on its way when the recording ends gets there all the same: the ball flies on as predicted. */
  #seeThrough(untilNs: number): void {
    const { director } = this.#run.host;
    const isUnderWay = (): boolean =>
      Array.from(director.coordinators.values()).some(
        ({ machine }) => machine.state === "reaching" || machine.state === "grasping",
      );
    while (this.#run.nowNs < untilNs && isUnderWay()) this.#tick();
  }

  /** Waits until the wall clock has come as far as the recording's. */
  async #keepPace(begun: number): Promise<void> {
    const { speed, stopwatch } = this.#pace;
    if (speed === undefined || stopwatch === undefined) return;
    const due = begun + (this.#run.nowNs - this.#startNs) / 1e6 / speed;
    const wait = due - stopwatch();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  #take(item: RecordedItem): void {
    switch (item.topic) {
      case "sensors/readings":
        this.#source?.add(item);
        break;
      case "cameras/circles":
      case "cameras/images":
      case "points":
        if (item.exposureNs < this.#fromNs) break;
        this.#source?.add(item);
        this.#frameDelays.set(item.exposureNs, (item.arrivalNs - item.exposureNs) / 1e6);
        break;
      case "truth/flights":
        this.#truth.push(item);
        if (this.#settings.input === "truth") this.#unreleased.push(item);
        break;
      case "joints":
        if (this.#repeatsJoints) this.#world.addJoints(item);
        break;
      default:
        if (item.timeNs <= this.#toNs) this.#recorded.push(item);
    }
  }

  /** Whether the robot is put where it was found to be: its joints were recorded at every tick, and nothing is changed. */
  get #repeatsJoints(): boolean {
    const { isUnchanged, run } = this.#settings;
    return isUnchanged && this.#recording.header.jointPeriodNs === run.times.tickNs;
  }

  /**
   * Lets the balls go whose time has come, if they are seen as they are. A world without forces judges grasps as it did
   * then: a ball that was caught flies no longer.
   */
  #release(): void {
    while (this.#unreleased.length > 0 && this.#unreleased[0]!.timeNs <= this.#run.nowNs) {
      const flight = this.#unreleased.shift()!;
      this.#world.put(flyingBallOf(flight));
      this.#run.host.announce(flight);
    }
  }

  #tick(): void {
    this.#release();
    this.#run.host.advance();
    const { nowNs } = this.#run;
    this.#questions.take(nowNs, this.#questionPort, this.#answerPorts);
    this.#grasps.take(nowNs);
    this.#clearance?.watch(nowNs, this.#world);
  }

  #outcome(toNs: number, wallMs: number): Replay {
    return {
      header: this.#recording.header,
      writtenVersion: this.#recording.writtenVersion,
      problems: this.#recording.problems,
      settings: this.#settings,
      made: Array.from(this.#made.items()),
      recorded: this.#recorded,
      truth: this.#truth,
      seen: this.#seen,
      grasps: this.#grasps.grasps.toSorted((a, b) => a.time - b.time),
      beginNs: this.#beginNs,
      fromNs: this.#fromNs,
      toNs,
      wallMs,
      timings: structuredClone(this.#run.timings),
      imagesSearched: this.#source?.images ?? 0,
      frameDelaysMs: Array.from(this.#frameDelays.values()),
      questions: this.#questions.answered,
      clearances: this.#clearance?.clearances ?? [],
    };
  }
}

/** A scan in memory of its own: the tracker uses its memory of the cameras again. */
export function copyOfScan({ exposureNs, left, right, points }: TrackerScan): SeenFrame {
  const copy = (image: TrackerScan["left"]) => (image === null ? null : { ...image, view: duplicate(image.view) });
  return { exposureNs, left: copy(left), right: copy(right), points };
}

function duplicate({ camera, time, worldFromCamera, covariance }: CameraView): CameraView {
  return { camera, time, worldFromCamera: pose.copy(worldFromCamera, pose.create()), covariance: covariance.slice() };
}
