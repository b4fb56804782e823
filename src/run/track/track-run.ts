import { defaultTimes, timesOf } from "../../catching/catch-times.js";
import type { Ball } from "../../flight/ball.js";
import type { Event } from "../../messages/report.js";
import { RecordedSourceNode } from "../../nodes/recorded-source.js";
import { TrackerNode, type TrackerScan } from "../../nodes/tracker.js";
import { ItemFeed } from "../../recording/item-feed.js";
import { buildRecordedRobot } from "../../recording/recorded-robot.js";
import type { ItemOf, RecordedItem, Recording, RecordingHeader } from "../../recording/recording.js";
import type { Robot } from "../../robot/robot.js";
import { LockStepClock } from "../../runtime/clock.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { noChallenges } from "../../simulation/head-motion/challenges.js";
import type { DetectorSettings } from "../../tracking/circles/detector-options.js";
import { BallBelief, copyBelief } from "../../tracking/filter/ball-belief.js";
import type { TrackerOptions, TrackerSettings } from "../../tracking/hypotheses/tracker-options.js";
import type { SizeEstimate } from "../../tracking/size/ball-size-watch.js";
import { checkGraph, type Graph } from "../../transport/graph.js";
import { LockStepExecutor, type NodeWiring } from "../../transport/lock-step-executor.js";
import type { Node } from "../../transport/node.js";
import { type InPort, takeEach } from "../../transport/port.js";
import { StopLine } from "../../transport/stop-line.js";
import { mountOf, NodeBuilder } from "../build-nodes.js";
import { trackingGraph } from "../graph.js";
import { portsOf } from "../node-library.js";
import { copyOfScan, type SeenFrame } from "../replay/replay-run.js";
import type { ReplayInput } from "../replay/replay-settings.js";
import { RunParts } from "../run-parts.js";

export interface TrackRunOptions {
  /** What balls are seen by; default: as recorded. */
  readonly input?: ReplayInput | undefined;
  /** Another ball than the recording's. */
  readonly ball?: Ball | undefined;
  /** What the tracker is told beside what the recording says. */
  readonly tracker?: TrackerOptions | undefined;
  /** What the detectors know of the ball's colour; default: as recorded. */
  readonly detector?: DetectorSettings | undefined;
  /** The part of the recording to go through [ns]. */
  readonly fromNs?: number | undefined;
  readonly toNs?: number | undefined;
}

/** A confirmed ball after one scan. */
export interface FlyingScan {
  /** [s] */
  readonly time: number;
  readonly belief: BallBelief;
  /** The point that went into it [m], with its covariance [m²]; null where nothing was seen, and of circles. */
  readonly point: Float64Array | null;
  readonly covariance: Float64Array | null;
}

/** A ball that was confirmed as thrown. */
export interface TrackedBall {
  readonly track: number;
  /** When it was first seen, thrown or not, and when it was confirmed [s]. */
  readonly bornAt: number;
  readonly confirmedAt: number;
  /** The scans in which it was confirmed. */
  readonly scans: readonly FlyingScan[];
}

/** An event of the tracker and its time [s]. */
export interface TrackerNotice {
  readonly time: number;
  readonly event: Event;
}

/** What came out of following the balls of a recording. */
export interface TrackRun {
  readonly header: RecordingHeader;
  readonly problems: readonly string[];
  readonly input: ReplayInput;
  readonly ball: Ball;
  /** Of the tracker, nothing left open. */
  readonly settings: TrackerSettings;
  readonly balls: readonly TrackedBall[];
  readonly events: readonly TrackerNotice[];
  readonly frames: readonly SeenFrame[];
  readonly truth: readonly ItemOf<"truth/flights">[];
  /** Size of the balls by stereo; null where no ball was seen long enough by both cameras. */
  readonly size: SizeEstimate | null;
  /** How much of the recording was gone through [s]. */
  readonly from: number;
  readonly until: number;
}

/** Read ahead of the clock, and how much at once [ns]. */
const AHEAD_NS = 200_000_000;
const BLOCK_NS = 1_000_000_000;

/** Follows the balls of a recording, and does nothing about them: the nodes of a replay, without its robot. */
export async function trackRecording(recording: Recording, options: TrackRunOptions = {}): Promise<TrackRun> {
  const first = await new ItemFeed(recording, {}).peek();
  return new TrackingRun(recording, options, first?.timeNs ?? 0).play();
}

class TrackingRun {
  readonly #recording: Recording;
  readonly #options: TrackRunOptions;
  readonly #input: ReplayInput;
  readonly #robot: Robot | null;
  readonly #ball: Ball;
  readonly #tickNs: number;
  readonly #executor: LockStepExecutor;
  readonly #clock = new LockStepClock();
  readonly #source: RecordedSourceNode;
  readonly #tracker: TrackerNode;
  readonly #eventPort: InPort<Event>;
  readonly #balls = new Map<number, { bornAt: number; confirmedAt: number; scans: FlyingScan[] }>();
  readonly #events: TrackerNotice[] = [];
  readonly #frames: SeenFrame[] = [];
  readonly #truth: ItemOf<"truth/flights">[] = [];
  readonly #fromNs: number;

  constructor(recording: Recording, options: TrackRunOptions, beginNs: number) {
    const { header } = recording;
    this.#recording = recording;
    this.#options = options;
    this.#input = inputOf(header, options.input);
    this.#robot = header.robot === null ? null : buildRecordedRobot(header.robot);
    this.#ball = options.ball ?? header.ball;
    const times = this.#robot === null ? defaultTimes : timesOf(this.#robot);
    this.#tickNs = times.tickNs;
    this.#fromNs = Math.max(beginNs, options.fromNs ?? 0);
    const graph = trackingGraph(this.#input, this.#robot === null ? "none" : mountOf(this.#robot), times);
    checkGraph(graph, portsOf, times.tickNs);
    this.#executor = new LockStepExecutor(graph, portsOf);
    this.#clock.advanceTo(Math.floor(this.#fromNs / times.tickNs) * times.tickNs);
    this.#eventPort = this.#executor.tap("tracker.events");
    const nodes = this.#build(graph);
    this.#executor.nodes = nodes;
    this.#source = nodes.get("recording") as RecordedSourceNode;
    this.#tracker = nodes.get("tracker") as TrackerNode;
    this.#tracker.onScan = (scan) => this.#takeScan(scan);
  }

  #build(graph: Graph): ReadonlyMap<string, Node> {
    const robot = this.#robot;
    const build = robot === null ? this.#withoutRobot() : this.#withRobot(robot);
    return new Map(graph.nodes.map(({ name, kind }) => [name, build(name, kind, this.#executor.wiring(name))]));
  }

  get #told(): TrackerOptions {
    const { run, tracker } = this.#recording.header;
    return { ...run?.tracker, ...tracker, ...this.#options.tracker };
  }

  /** Points alone have no robot, and their graph has two nodes. */
  #withoutRobot(): (name: string, kind: string, wiring: NodeWiring) => Node {
    return (name, _, wiring) => {
      const ports = wiring as never;
      if (name === "tracker") return new TrackerNode(ports, null, { ball: this.#ball, tracker: this.#told });
      return new RecordedSourceNode(ports, { input: "points", readings: null, dofCount: 0, tickNs: this.#tickNs });
    };
  }

  #withRobot(robot: Robot): (name: string, kind: string, wiring: NodeWiring) => Node {
    const posture = robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount);
    const builder = new NodeBuilder({
      robot,
      truth: robot,
      perception: this.#input,
      seed: 1,
      arms: [],
      made: new RunParts(robot, posture),
      times: timesOf(robot),
      waiting: posture,
      posture,
      ball: this.#ball,
      tracker: this.#told,
      ...detectorOf(this.#recording.header, this.#options),
      challenges: noChallenges,
      simulated: null,
      clock: this.#clock,
      stopLine: new StopLine(),
      recorded: { seer: robot, readings: this.#recording.header.readings },
    });
    return (name, kind, wiring) => builder.build(name, kind, wiring);
  }

  async play(): Promise<TrackRun> {
    const { fromNs, toNs = Number.POSITIVE_INFINITY } = this.#options;
    const feed = new ItemFeed(this.#recording, { ...(fromNs !== undefined && { fromNs }), toNs: toNs + AHEAD_NS });
    for (let blockNs = this.#clock.nowNs() + BLOCK_NS; ; blockNs += BLOCK_NS) {
      await feed.read(blockNs + AHEAD_NS, (item) => this.#take(item));
      const endNs = Math.min(blockNs, toNs, feed.isExhausted ? feed.newestNs + this.#tickNs : blockNs);
      while (this.#clock.nowNs() + this.#tickNs <= endNs) await this.#tick();
      if (blockNs >= toNs || (feed.isExhausted && blockNs >= feed.newestNs + this.#tickNs)) break;
    }
    await this.#executor.close();
    return this.#outcome();
  }

  async #tick(): Promise<void> {
    this.#clock.advanceBy(this.#tickNs);
    const wait = this.#executor.step(this.#clock.nowNs());
    if (wait !== undefined) await wait;
    const time = this.#clock.nowNs() / 1e9;
    if (this.#eventPort.waiting > 0) {
      takeEach(this.#eventPort, this.#clock.nowNs(), (event) => void this.#events.push({ time, event }));
    }
  }

  #take(item: RecordedItem): void {
    switch (item.topic) {
      case "sensors/readings":
      case "cameras/circles":
      case "cameras/images":
      case "points":
        this.#source.add(item);
        break;
      case "truth/flights":
        this.#truth.push(item);
        break;
      default:
    }
  }

  /** Keeps what is known of confirmed balls. A scan that came late has changed the past, and is not kept. */
  #takeScan(scan: TrackerScan): void {
    this.#frames.push(copyOfScan(scan));
    const { tracker } = this.#tracker;
    const time = scan.exposureNs / 1e9;
    if (tracker.time !== time) return;
    for (const track of tracker.tracks.slice(0, tracker.trackCount)) {
      if (!track.confirmed) continue;
      const ball = this.#balls.get(track.id) ?? { bornAt: track.bornAt, confirmedAt: time, scans: [] };
      this.#balls.set(track.id, ball);
      const isSeen = track.lastMeasurement === time;
      const nearest = isSeen && scan.points !== null ? nearestPoint(scan.points, track.belief) : null;
      ball.scans.push({ time, belief: copyBelief(track.belief, new BallBelief()), ...(nearest ?? nothing) });
    }
  }

  #outcome(): TrackRun {
    return {
      header: this.#recording.header,
      problems: this.#recording.problems,
      input: this.#input,
      ball: this.#ball,
      settings: this.#tracker.tracker.settings,
      balls: Array.from(this.#balls, ([track, ball]) => ({ track, ...ball })).sort((a, b) => a.track - b.track),
      events: this.#events,
      frames: this.#frames,
      truth: this.#truth,
      size: this.#tracker.size.estimate,
      from: this.#fromNs / 1e9,
      until: this.#clock.nowNs() / 1e9,
    };
  }
}

const nothing = { point: null, covariance: null } as const;

/** The point that a belief was last updated with: the nearest one. */
function nearestPoint(
  { position, covariance }: NonNullable<TrackerScan["points"]>,
  { mean }: BallBelief,
): { readonly point: Float64Array; readonly covariance: Float64Array } | null {
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
  for (let k = 0; 3 * k < position.length; k++) {
    const away = Math.hypot(
      position[3 * k]! - mean[0]!,
      position[3 * k + 1]! - mean[1]!,
      position[3 * k + 2]! - mean[2]!,
    );
    if (away < least) [nearest, least] = [k, away];
  }
  if (nearest < 0) return null;
  const point = Float64Array.from(position.slice(3 * nearest, 3 * nearest + 3));
  return { point, covariance: Float64Array.from(covariance.slice(9 * nearest, 9 * nearest + 9)) };
}

function detectorOf({ run }: RecordingHeader, { detector = run?.detector }: TrackRunOptions) {
  return detector === undefined ? {} : { detector };
}

function inputOf({ perception }: RecordingHeader, wanted: ReplayInput | undefined): ReplayInput {
  const isThere = wanted === undefined || wanted === perception || (perception === "images" && wanted === "circles");
  if (perception !== "truth" && isThere) return wanted ?? perception;
  throw new FlycatcherError("FLY_REPLAY_INPUT", "the recording does not hold what balls can be followed by", {
    path: "--input",
    expected:
      perception === "images" ? "images or circles" : perception === "truth" ? "images, circles or points" : perception,
    found: wanted ?? perception,
  });
}
