import { maxCircles } from "../../messages/parts.js";
import { MAX_BALLS } from "../../messages/prediction.js";
import { MAX_POINTS } from "../../messages/sensing.js";
import { type RampArrays, restoreEnds } from "../../motion/ramp.js";
import type { ItemOf, RecordedItem } from "../recording.js";
import type { Migration, OldMessage } from "./migrations.js";

/**
 * Version 1 described its messages itself: circles in one list, half of each covariance, of plans and motions what a replay is
 * compared by, of states no reason. What it did not hold is set to fixed values here.
 */

/** A number of version 1: one that JSON does not have stands as its text. */
type OldNumber = number | string;
type OldNumbers = readonly OldNumber[];

export const fromVersion1: Migration = {
  items: {
    "cameras/images": (image) => ({ ...image, scale: 1, windows: [] }),
    "cameras/circles": circles,
    points: ({ positions, covariance, ...points }) => ({
      ...points,
      position: (positions as OldNumbers).slice(0, 3 * MAX_POINTS),
      covariance: (covariance as OldNumbers).slice(0, 9 * MAX_POINTS),
    }),
    head: (head) => ({ ...head, twist: new Array<number>(6).fill(Number.NaN) }),
    predictions: ({ predictions }) => ({ balls: (predictions as OldMessage[]).slice(0, MAX_BALLS).map(prediction) }),
    plans: plan,
    motions: ({ ramps, ...motion }) => ({
      ...motion,
      ramps: rampsWithEnds(ramps as OldMessage),
      ...withoutMotionFacts,
    }),
    handovers: (handover, timeNs) => ({ ...handover, timeNs }),
    monitor: ({ bodies, ...monitor }) => ({ ...monitor, bodies: pair(bodies as readonly string[] | null) }),
    states: (state, timeNs) => ({ ...state, reason: NO_REASON, timeNs }),
    results: ({ result }) => outcome(result as OldMessage),
  },
};

/** What version 1 did not say of a motion, of a plan, of a state. */
const withoutMotionFacts = { track: -1, tCatch: null, objective: null, isInjected: false };
const NO_REASON = "";
const NOT_SEEN = Number.NaN;

function circles({ circles: found, covariance, score, ...exposure }: OldMessage): OldMessage {
  const count = Math.min((score as OldNumbers).length, maxCircles);
  const column = (k: number) => Array.from({ length: count }, (_, i) => (found as OldNumbers)[3 * i + k]!);
  return {
    ...exposure,
    u: column(0),
    v: column(1),
    r: column(2),
    covariance: (covariance as OldNumbers).slice(0, 9 * count),
    score: (score as OldNumbers).slice(0, count),
  };
}

function prediction({ time, position, velocity, drag, covariance, ...ball }: OldMessage): OldMessage {
  return {
    ...ball,
    state: { time, position, velocity, drag },
    covariance: covariance === null ? null : symmetric(covariance as OldNumbers),
  };
}

/** Of position, velocity and drag. */
const STATE_SIZE = 7;

/** The whole of a symmetric matrix from its lower triangle, row by row. */
function symmetric(half: OldNumbers): OldNumber[] {
  const full = new Array<OldNumber>(STATE_SIZE * STATE_SIZE);
  let k = 0;
  for (let r = 0; r < STATE_SIZE; r++) {
    for (let c = 0; c <= r; c++) full[STATE_SIZE * r + c] = full[STATE_SIZE * c + r] = half[k++]!;
  }
  return full;
}

function plan({ catch: found, ...answer }: OldMessage, timeNs: number): OldMessage {
  const unknown = { ...answer, tSeen: NOT_SEEN, answeredNs: timeNs, approach: null };
  if (found === null) return { ...unknown, plan: null, position: null };
  const { ramps, position, ...planned } = found as OldMessage;
  const { id, tStart } = answer;
  const state = { shortfall: 0, unknowns: [], warmStart: [] };
  return {
    ...unknown,
    plan: { id, tStart, ramps: rampsWithEnds(ramps as OldMessage), ...planned, ...state },
    position,
  };
}

/** Where ramps end follows from the rest of them. */
function rampsWithEnds(ramps: OldMessage): OldMessage {
  const arrays = Object.fromEntries(
    Object.entries(ramps).map(([name, values]) => [name, Float64Array.from(values as OldNumbers, Number)]),
  );
  return { ...ramps, end: Array.from(endsOf(arrays as unknown as RampArrays)) };
}

function endsOf(ramps: Omit<RampArrays, "end">): Float64Array {
  const end = new Float64Array(ramps.q0.length);
  restoreEnds({ ...ramps, end }, end.length);
  return end;
}

function pair(bodies: readonly string[] | null): OldMessage | null {
  return bodies === null ? null : { a: bodies[0], b: bodies[1] };
}

/** Results of version 1 may hold more than they need to. */
function outcome({ verdict, ...result }: OldMessage): OldMessage {
  if (verdict === null) return { ...result, verdict };
  const { caught, misses, lateral, timing, facing, handSpeed } = verdict as OldMessage;
  return { ...result, verdict: { caught, misses, lateral, timing, facing, handSpeed } };
}

/** The same message as if version 1 had held it: for comparisons with what it did hold. */
export function asInVersion1(item: RecordedItem): RecordedItem {
  switch (item.topic) {
    case "plans":
      return planAsInVersion1(item);
    case "motions":
      return { ...item, ...withoutMotionFacts, ramps: { ...columnsOf(item.ramps), end: endsOf(item.ramps) } };
    case "states":
      return { ...item, reason: NO_REASON };
    default:
      return item;
  }
}

function planAsInVersion1(item: ItemOf<"plans">): ItemOf<"plans"> {
  const none = new Float64Array(0);
  const { plan: planned } = item;
  const ramps = planned === null ? null : { ...columnsOf(planned.ramps), end: endsOf(planned.ramps) };
  const kept = ramps === null ? null : { ...planned!, ramps, shortfall: 0, unknowns: none, warmStart: none };
  return { ...item, tSeen: NOT_SEEN, answeredNs: item.timeNs, approach: null, plan: kept };
}

function columnsOf({ q0, w0, ab, tb, a, t1, t2, T }: Omit<RampArrays, "end">): Omit<RampArrays, "end"> {
  return { q0, w0, ab, tb, a, t1, t2, T };
}
