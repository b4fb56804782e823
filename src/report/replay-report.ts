import { rateOf, spread } from "../catching/run-summary.js";
import type { Quantiles } from "../messages/session.js";
import { itemsOf } from "../recording/recording.js";
import type { Replay } from "../run/replay/replay-run.js";
import { packageVersion } from "../runtime/package-root.js";
import { compareOutputs } from "./identity.js";
import { compareWithRealTime } from "./real-time-comparison.js";
import {
  type FileReport,
  REPORT_VERSION,
  type ReplayReport,
  type ReplaySummary,
  type SafetyReport,
  type StageLatencies,
  type ThrowReport,
} from "./report-types.js";
import { type ModeComparison, throwReports } from "./throw-report.js";

/** How long before the catch a prediction is taken for the summary [s]: then the arm must be on its way. */
const SUMMARY_LEAD = 0.3;

/** All there is to say of one replayed recording. `file` is how it is called in the report. */
export function fileReport(replay: Replay, file: string, modes: ModeComparison): FileReport {
  const { header, settings, problems, recorded, made, toNs, writtenVersion } = replay;
  const isWhole = settings.isUnchanged && replay.fromNs === replay.beginNs;
  const isLockStep = header.clock === "lock-step";
  return {
    file,
    title: header.title,
    robot: settings.robot.name,
    input: settings.input,
    clock: header.clock,
    problems,
    duration: (replay.toNs - replay.fromNs) / 1e9,
    identity: isWhole && isLockStep ? compareOutputs(recorded, made, toNs, writtenVersion) : null,
    realTime: isWhole && !isLockStep ? compareWithRealTime(recorded, made, toNs) : null,
    latencies: stageLatencies(replay),
    safety: safetyReport(replay),
    throws: throwReports(replay, file, modes),
  };
}

function stageLatencies({ made, timings, frameDelaysMs, settings }: Replay): StageLatencies {
  const plans = itemsOf(made, "plans");
  const handovers = itemsOf(made, "handovers");
  const transports = handovers.flatMap(({ part, id, timeNs }) => {
    const plan = plans.findLast((item) => item.arm === part && item.id === id && item.timeNs <= timeNs);
    return plan === undefined ? [] : [(timeNs - plan.timeNs) / 1e6];
  });
  const hasPredictions = made.some(({ topic }) => topic === "predictions");
  return {
    camera: spread(frameDelaysMs),
    tracking: hasPredictions ? spread([settings.run.times.trackingNs / 1e6]) : null,
    planning: spread(plans.map(({ timeNs, askedNs }) => (timeNs - askedNs) / 1e6)),
    transport: spread(transports),
    planningHere: spread([...timings.coldMs, ...timings.fruitlessMs, ...timings.warmMs].filter((ms) => ms > 0)),
  };
}

function safetyReport({ made, settings, clearances }: Replay): SafetyReport {
  const monitored = itemsOf(made, "monitor");
  const measured = clearances.map(({ time, distance }) => [time, distance] as const);
  const nearest = clearances.reduce<(typeof clearances)[number] | null>(
    (least, next) => (least === null || next.distance < least.distance ? next : least),
    null,
  );
  const changes = monitored.filter((item, k) => item.phase === "braking" && monitored[k - 1]?.phase !== "braking");
  return {
    monitor: settings.monitor,
    distance: nearest?.distance ?? null,
    bodies: nearest?.bodies ?? null,
    time: nearest?.time ?? null,
    distances: measured,
    brakes: changes.length,
    refused: itemsOf(made, "handovers").filter(({ outcome }) => outcome !== "accepted").length,
  };
}

/** What a replay of several recordings comes to. */
export function replayReport(
  files: readonly FileReport[],
  rest: Pick<ReplayReport, "settings" | "failures" | "wallClock">,
): ReplayReport {
  const { settings, failures, wallClock } = rest;
  const sorted = files.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  return {
    version: REPORT_VERSION,
    software: `flycatcher ${packageVersion}`,
    settings,
    files: sorted,
    failures,
    summary: summarizeReplay(sorted),
    wallClock,
  };
}

function summarizeReplay(files: readonly FileReport[]): ReplaySummary {
  const throws = files.flatMap((file) => file.throws);
  const count = (outcome: string) => throws.filter(({ verdict }) => verdict.outcome === outcome).length;
  const caught = count("caught");
  const reachable = caught + count("missed");
  const compared = files.flatMap(({ identity }) => (identity === null ? [] : [identity]));
  return {
    throws: throws.length,
    caught: rateOf(caught, throws.length),
    reachable: rateOf(reachable, throws.length),
    caughtOfReachable: rateOf(caught, reachable),
    lateralMm: spreadOf(throws, ({ verdict }) => verdict.lateral, 1e3),
    timingMs: spreadOf(throws, timingError, 1e3),
    predictionMm: spreadOf(throws, earlyError, 1e3),
    replans: spreadOf(throws, replanCount, 1),
    identical: compared.length === 0 ? null : compared.filter(({ isIdentical }) => isIdentical).length,
  };
}

function spreadOf(
  throws: readonly ThrowReport[],
  value: (report: ThrowReport) => number | null,
  factor: number,
): Quantiles | null {
  return spread(throws.map(value).flatMap((number) => (number === null ? [] : [factor * number])));
}

/** Error of the last prediction that was known early enough before the catch to matter [m]. */
export function earlyError({ predictions, referenceTime }: ThrowReport): number | null {
  if (referenceTime === null) return null;
  const early = predictions.findLast(({ known, confirmed }) => confirmed && known <= referenceTime - SUMMARY_LEAD);
  return early?.error ?? early?.trueError ?? null;
}

/** How far the grasp was off in time, early or late [s]. */
export function timingError({ verdict }: ThrowReport): number | null {
  return verdict.timing === null ? null : Math.abs(verdict.timing);
}

/** Plans that were taken after the first. */
export function replanCount({ plans }: ThrowReport): number | null {
  const taken = plans.filter(({ handover }) => handover === "accepted").length;
  return taken === 0 ? null : taken - 1;
}
