import type { FlightPath } from "../flight/ball.js";
import * as vec3 from "../math/vec3.js";
import { type ItemOf, itemsOf, type RecordedItem } from "../recording/recording.js";
import type { ReplayedGrasp } from "../run/replay/grasp-log.js";
import type { Replay } from "../run/replay/replay-run.js";
import { flyingBallOf } from "../simulation/true-flight.js";
import type { FlyingBall } from "../simulation/world/catch-world.js";
import { compareModes } from "./compare-modes.js";
import { PredictionErrors, triple } from "./prediction-errors.js";
import type { FlightReport, PlanReport, ThrowReport } from "./report-types.js";
import { FlightSmoother, type SmoothedFlight } from "./smoothed-flight.js";
import { lastState, seenSpan, type TrackHistory, thrownTracks, trackHistories, tracksOf } from "./throw-tracks.js";
import { type JudgingFlight, throwVerdict } from "./throw-verdict.js";

/** Whether the motions of the three modes are worked out too, which takes three searches a throw. */
export type ModeComparison = "compared" | "left out";

/** A throw, before it is reported on: which ball, and which tracks are of it. */
interface Thrown {
  readonly ball: number;
  readonly truth: FlyingBall | null;
  readonly tracks: readonly TrackHistory[];
}

/** Points along a flight in pictures. */
const PATH_POINTS = 40;
/** How far beyond what was seen of it a flight is drawn [s]. */
const DRAWN_BEYOND = 0.12;

/** What can be said of each throw of a replay. */
export function throwReports(replay: Replay, file: string, modes: ModeComparison): ThrowReport[] {
  const histories = trackHistories(replay.made);
  return thrownBalls(replay.truth, histories).map((thrown) => new ThrowAnalysis(replay, file, thrown).report(modes));
}

function thrownBalls(truth: readonly ItemOf<"truth/flights">[], histories: readonly TrackHistory[]): Thrown[] {
  if (truth.length === 0) {
    return thrownTracks(histories).map((history) => ({ ball: history.track, truth: null, tracks: [history] }));
  }
  return truth.map((item) => {
    const ball = flyingBallOf(item);
    return { ball: item.ball, truth: ball, tracks: tracksOf(ball, histories) };
  });
}

class ThrowAnalysis {
  readonly #replay: Replay;
  readonly #file: string;
  readonly #thrown: Thrown;
  readonly #plans: readonly PlanReport[];
  readonly #grasp: ReplayedGrasp | null;
  readonly #smoothed: SmoothedFlight | null;
  /** The track that the smoothed flight is of. */
  readonly #main: TrackHistory | null;

  constructor(replay: Replay, file: string, thrown: Thrown) {
    this.#replay = replay;
    this.#file = file;
    this.#thrown = thrown;
    const ids = new Set(thrown.tracks.map(({ track }) => track));
    this.#plans = planReports(replay.made, ids);
    const grasp = replay.grasps.find(({ track }) => ids.has(track)) ?? null;
    // Without forces the hand is where the joints say, and a true flight is in the same world.
    const isExact = thrown.truth !== null && replay.header.world === "kinematic";
    this.#grasp = grasp !== null && isExact ? { ...grasp, worldFromHand: grasp.told } : grasp;
    this.#main = thrown.tracks.find(({ track }) => track === this.#grasp?.track) ?? thrown.tracks.at(-1) ?? null;
    this.#smoothed = this.#smooth();
  }

  #smooth(): SmoothedFlight | null {
    if (this.#main === null) return null;
    const smoother = new FlightSmoother(this.#replay.header.ball);
    return smoother.smooth(this.#replay.seen, lastState(this.#main), seenSpan(this.#main));
  }

  report(modes: ModeComparison): ThrowReport {
    const { tracks, truth, ball } = this.#thrown;
    const { settings, toNs } = this.#replay;
    const referenceTime = this.#referenceTime();
    const known = tracks.flatMap(({ predictions }) => predictions).sort((a, b) => a.knownNs - b.knownNs);
    const firstSeen = known[0]?.prediction.state.time ?? null;
    const begun = this.#plans.find(({ handover }) => handover === "accepted");
    return {
      file: this.#file,
      ball,
      labels: this.#replay.header.labels,
      tracks: tracks.map(({ track }) => track),
      firstSeen,
      lastSeen: known.at(-1)?.prediction.lastSeen ?? null,
      referenceTime,
      arm: this.#grasp?.arm ?? null,
      verdict: throwVerdict(settings.robot, this.#grasp, this.#judgingFlight(), this.#plans, toNs / 1e9),
      recordedOutcome: recordedOutcome(this.#replay.recorded, ball),
      smoothed: this.#smoothed === null ? null : flightReport(this.#smoothed, this.#drawnSpan()),
      truth: truth === null ? null : { path: pathPoints(truth.path, { from: truth.released, until: truth.lands }) },
      smoothedError: this.#smoothedError(referenceTime),
      predictions: referenceTime === null ? [] : this.#predictions(referenceTime),
      plans: this.#plans,
      modes: modes === "compared" ? this.#modes() : [],
      reaction: begun === undefined || firstSeen === null ? null : begun.known - firstSeen,
      grasp: this.#grasp === null ? null : graspReport(this.#grasp),
    };
  }

  #referenceTime(): number | null {
    const lastPlan = this.#plans.findLast(({ tCatch }) => tCatch !== null);
    return this.#grasp?.time ?? lastPlan?.tCatch ?? this.#main?.predictions.at(-1)?.prediction.lastSeen ?? null;
  }

  #judgingFlight(): JudgingFlight | null {
    const { truth } = this.#thrown;
    if (truth !== null) return { source: "truth", ball: truth };
    if (this.#smoothed === null) return null;
    const { flight } = this.#smoothed;
    return { source: "smoothed", ball: { path: flight, released: flight.begin, lands: flight.end } };
  }

  #predictions(time: number) {
    const errors = new PredictionErrors();
    const truth = this.#thrown.truth?.path ?? null;
    const { tracks } = this.#thrown;
    return tracks
      .flatMap((history) => {
        const smoothed = history === this.#main ? (this.#smoothed?.flight ?? null) : null;
        return history.predictions.map((known) => errors.judge(known, time, smoothed, truth));
      })
      .sort((a, b) => a.known - b.known);
  }

  #smoothedError(time: number | null): number | null {
    const { truth } = this.#thrown;
    if (time === null || truth === null || this.#smoothed === null) return null;
    const here = this.#smoothed.flight.position(time, vec3.create());
    return vec3.distance(here, truth.path.position(time, vec3.create()));
  }

  #drawnSpan() {
    const { from, until } = seenSpan(this.#main!);
    return { from: Math.max(from, this.#thrown.truth?.released ?? from), until: until + DRAWN_BEYOND };
  }

  #modes() {
    const ids = this.#thrown.tracks.map(({ track }) => track);
    const own = this.#replay.questions.filter(({ track }) => ids.includes(track));
    const question = own.find(({ arm }) => arm === this.#grasp?.arm) ?? own[0];
    return question === undefined ? [] : compareModes(question, this.#replay.settings);
  }
}

/** The planner's answers about some tracks, with what became of them. */
function planReports(made: readonly RecordedItem[], tracks: ReadonlySet<number>): PlanReport[] {
  const handovers = itemsOf(made, "handovers");
  const answers = itemsOf(made, "plans").filter(({ track }) => tracks.has(track));
  let taken: PlanReport | null = null;
  return answers.map((item) => {
    const handover = handovers.find(
      ({ part, id, timeNs }) => part === item.arm && id === item.id && timeNs >= item.timeNs,
    );
    const report = planReport(item, handover ?? null, taken);
    if (handover?.outcome === "accepted") taken = report;
    return report;
  });
}

function planReport(
  item: ItemOf<"plans">,
  handover: ItemOf<"handovers"> | null,
  before: PlanReport | null,
): PlanReport {
  const { arm, id, askedNs, timeNs, search, plan, reason } = item;
  const position = item.position === null ? null : triple(item.position);
  const moved =
    position === null || before === null || before.position === null
      ? null
      : {
          distance: Math.hypot(...position.map((value, k) => value - before.position![k]!)),
          time: plan!.tCatch - before.tCatch!,
        };
  return {
    arm,
    id,
    asked: askedNs / 1e9,
    known: timeNs / 1e9,
    search,
    tCatch: plan?.tCatch ?? null,
    position,
    objective: plan?.objective ?? null,
    successProbability: plan?.successProbability ?? null,
    reason,
    handover: handover?.outcome ?? null,
    moved,
  };
}

function recordedOutcome(recorded: readonly RecordedItem[], ball: number): string | null {
  return itemsOf(recorded, "results").find(({ id }) => id === ball)?.outcome ?? null;
}

function flightReport(smoothed: SmoothedFlight, span: { from: number; until: number }): FlightReport {
  const { state, covariance, samples, chiSquare, degreesOfFreedom, flight } = smoothed;
  return {
    time: state.time,
    position: triple(state.position),
    velocity: triple(state.velocity),
    drag: state.drag,
    sigma: Math.sqrt(covariance[0]! + covariance[8]! + covariance[16]!),
    samples,
    chiSquare,
    degreesOfFreedom,
    path: pathPoints(flight, span),
  };
}

function pathPoints(path: FlightPath, { from, until }: { from: number; until: number }): FlightReport["path"] {
  const position = vec3.create();
  return Array.from({ length: PATH_POINTS + 1 }, (_, k) => {
    const time = from + ((until - from) * k) / PATH_POINTS;
    path.position(time, position);
    return [time, position[0], position[1], position[2]] as const;
  });
}

/** The catch frame's z axis looks against the ball. */
function graspReport({ time, worldFromHand: hand }: ReplayedGrasp): ThrowReport["grasp"] {
  return { time, position: [hand[9], hand[10], hand[11]], axis: [hand[2], hand[5], hand[8]] };
}
