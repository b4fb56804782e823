import type { FlightPath } from "../flight/ball.js";
import * as vec3 from "../math/vec3.js";
import { type JointRamps, rampFields } from "../motion/joint-ramps.js";
import { type ItemOf, itemsOf, type RecordedItem } from "../recording/recording.js";
import type { ReplayedGrasp } from "../run/replay/grasp-log.js";
import type { AnsweredQuestion, Replay } from "../run/replay/replay-run.js";
import type { ReplaySettings } from "../run/replay/replay-settings.js";
import { flyingBallOf } from "../simulation/true-flight.js";
import type { FlyingBall } from "../simulation/world/catch-world.js";
import { PredictionErrors, triple } from "./prediction-errors.js";
import type { FlightReport, ModeReport, PlanReport, PredictionReport, ThrowReport } from "./report-types.js";
import { FlightSmoother, type SmoothedFlight, type TimeSpan } from "./smoothed-flight.js";
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
  return thrownBalls(replay.truth, histories).map((thrown) => throwReport(replay, file, thrown, modes));
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

function throwReport(
  replay: Replay,
  file: string,
  { ball, truth, tracks }: Thrown,
  modes: ModeComparison,
): ThrowReport {
  const { settings, header, toNs } = replay;
  const ids = new Set(tracks.map(({ track }) => track));
  const plans = planReports(replay.made, ids);
  const grasp = graspOf(replay, ids, truth);
  /** The track that the smoothed flight is of. */
  const main = tracks.find(({ track }) => track === grasp?.track) ?? tracks.at(-1) ?? null;
  const smoothed =
    main === null
      ? null
      : new FlightSmoother(header.ball, settings.run.tracker.gravity).smooth(
          replay.seen,
          lastState(main),
          seenSpan(main),
        );
  const known = tracks.flatMap(({ predictions }) => predictions).sort((a, b) => a.knownNs - b.knownNs);
  const firstSeen = known[0]?.prediction.state.time ?? null;
  const begun = plans.find(({ handover }) => handover === "accepted");
  const lastPlan = plans.findLast(({ tCatch }) => tCatch !== null);
  const referenceTime = grasp?.time ?? lastPlan?.tCatch ?? main?.predictions.at(-1)?.prediction.lastSeen ?? null;
  const question = modes === "compared" ? questionOf(replay, ids, grasp) : undefined;
  const flights = { main, smoothed: smoothed?.flight ?? null, truth: truth?.path ?? null };
  return {
    file,
    ball,
    labels: header.labels,
    tracks: tracks.map(({ track }) => track),
    firstSeen,
    lastSeen: known.at(-1)?.prediction.lastSeen ?? null,
    referenceTime,
    arm: grasp?.arm ?? null,
    verdict: throwVerdict(settings.robot, grasp, judgingFlight(truth, smoothed), plans, toNs / 1e9),
    recordedOutcome: recordedOutcome(replay.recorded, ball),
    smoothed: smoothed === null ? null : flightReport(smoothed, drawnSpan(seenSpan(main!), truth)),
    truth: truth === null ? null : { path: pathPoints(truth.path, { from: truth.released, until: truth.lands }) },
    smoothedError: referenceTime === null ? null : distanceAt(referenceTime, flights.smoothed, flights.truth),
    predictions:
      referenceTime === null ? [] : predictionReports(tracks, referenceTime, flights, settings.run.tracker.gravity),
    plans,
    modes: question === undefined ? [] : compareModes(question, settings),
    reaction: begun === undefined || firstSeen === null ? null : begun.known - firstSeen,
    grasp: grasp === null ? null : graspReport(grasp),
  };
}

function graspOf({ grasps, header }: Replay, tracks: ReadonlySet<number>, truth: FlyingBall | null) {
  const grasp = grasps.find(({ track }) => tracks.has(track)) ?? null;
  // Without forces the hand is where the joints say, and a true flight is in the same world.
  const isExact = truth !== null && header.world === "kinematic";
  return grasp !== null && isExact ? { ...grasp, worldFromHand: grasp.told } : grasp;
}

/** The first question about the ball: to the arm that grasped, if it did. */
function questionOf({ questions }: Replay, tracks: ReadonlySet<number>, grasp: ReplayedGrasp | null) {
  const own = questions.filter(({ track }) => tracks.has(track));
  return own.find(({ arm }) => arm === grasp?.arm) ?? own[0];
}

function judgingFlight(truth: FlyingBall | null, smoothed: SmoothedFlight | null): JudgingFlight | null {
  if (truth !== null) return { source: "truth", ball: truth };
  if (smoothed === null) return null;
  const { flight } = smoothed;
  return { source: "smoothed", ball: { path: flight, released: flight.begin, lands: flight.end } };
}

function drawnSpan({ from, until }: TimeSpan, truth: FlyingBall | null): TimeSpan {
  return { from: Math.max(from, truth?.released ?? from), until: until + DRAWN_BEYOND };
}

function distanceAt(time: number, a: FlightPath | null, b: FlightPath | null): number | null {
  if (a === null || b === null) return null;
  return vec3.distance(a.position(time, vec3.create()), b.position(time, vec3.create()));
}

function predictionReports(
  tracks: readonly TrackHistory[],
  time: number,
  { main, smoothed, truth }: { main: TrackHistory | null; smoothed: FlightPath | null; truth: FlightPath | null },
  down: vec3.Vec3 | undefined,
): PredictionReport[] {
  const errors = new PredictionErrors(down);
  return tracks
    .flatMap((history) =>
      history.predictions.map((known) => errors.judge(known, time, history === main ? smoothed : null, truth)),
    )
    .sort((a, b) => a.known - b.known);
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

function flightReport(smoothed: SmoothedFlight, span: TimeSpan): FlightReport {
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

function pathPoints(path: FlightPath, { from, until }: TimeSpan): FlightReport["path"] {
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

/** The modes of the thesis' Fig. 3.9. */
const shownModes = ["soft", "latest", "cool"] as const;

/** How the arm would go about the first catch found in each of three modes, everything else the same. */
export function compareModes(question: AnsweredQuestion, { robot, run, parts }: ReplaySettings): ModeReport[] {
  const arm = parts.arm(question.arm);
  const planner = parts.planner(question.arm, run.planner);
  return shownModes.flatMap((mode): ModeReport[] => {
    const { plan } = planner.plan({ ...question.request, mode, previous: null });
    if (plan === null) return [];
    const joints = arm.group.dofs.map((dof) => robot.model.dofNames[dof] ?? String(dof));
    const { tStart, tCatch, objective, ramps } = plan;
    return [{ mode, joints, ramps: rampNumbers(ramps), tStart, tCatch, objective }];
  });
}

function rampNumbers(ramps: JointRamps): ModeReport["ramps"] {
  const entries = rampFields.map((field) => [field, Array.from(ramps[field], (value) => value + 0)]);
  return Object.fromEntries(entries) as ModeReport["ramps"];
}
