import type { RobotFault, RobotMode } from "../../control/udp/robot-session.js";
import type { Ball } from "../../flight/ball.js";
import { type BallFate, type Grasp, ThrowBall, type TrueFlight } from "../../messages/world.js";
import type { PaceChange } from "../../runtime/clock-pace.js";
import { fromJson, toJson } from "../../transport/message-json.js";
import { type ControllerEvent, controllerEvents } from "../controllers/robot-end.js";
import { type Challenges, challengeNames } from "../head-motion/challenges.js";
import { throwMessage, throwOf } from "../true-flight.js";
import type { GeometricVerdict } from "../verdict.js";
import type { HoldOutcome } from "../world/catch-world.js";
import type { Throw } from "../world/throws.js";

/**
 * What passes between the simulated robot's process and ours beside the robot's own protocol: a line of JSON each way, over
 * TCP on loopback. All times are on the machine's monotonic clock, which its processes share [s], changed in pace as `pace` says.
 * A connection begins with `open` and the run's secret, and is ended if it begins with anything else; the answer is `welcome`. One
 * that says `stream` then gets nothing but packets of `TrueWorld`, one a step, as bytes.
 */
export type WorldRequest =
  | { readonly type: "open"; readonly secret: string }
  | { readonly type: "stream" }
  | { readonly type: "throw"; readonly ball: Throw }
  | { readonly type: "remove"; readonly id: number }
  /** Cuts the wire of the robot's own protocol for a while [s]. */
  | { readonly type: "cut"; readonly duration: number }
  /** Sets the clock by which the robot stamps its states on, or back, by `offset` [s]. */
  | { readonly type: "clock"; readonly offset: number }
  /** The world's clock goes on at another speed, from a time on [ns since the monotonic clock's zero]. */
  | { readonly type: "pace"; readonly change: PaceChange }
  /** Something happens at the robot's controller. */
  | { readonly type: "controller"; readonly event: ControllerEvent }
  /** How strong challenges are from now on. */
  | { readonly type: "challenges"; readonly challenges: Partial<Challenges> };

export type WorldMessage =
  | {
      readonly type: "welcome";
      readonly robot: string;
      readonly ball: Ball;
      readonly balls: number;
      readonly udpPort: number;
    }
  /** How a ball will fly, and what becomes of it. */
  | { readonly type: "flight"; readonly flight: TrueFlight }
  | { readonly type: "grasp"; readonly grasp: Grasp }
  | { readonly type: "fate"; readonly fate: BallFate }
  | {
      /** What the robot does about its client, when that changes; all its joints stand, or not. */
      readonly type: "mode";
      readonly mode: keyof typeof RobotMode;
      readonly fault: keyof typeof RobotFault;
      readonly isStanding: boolean;
      readonly time: number;
    }
  /** A ball that cannot be thrown, and why. */
  | { readonly type: "dropped"; readonly ball: number; readonly reason: string }
  | { readonly type: "released"; readonly ball: number; readonly time: number; readonly lands: number }
  | {
      readonly type: "verdict";
      readonly ball: number;
      readonly hand: string | null;
      readonly time: number | null;
      readonly verdict: GeometricVerdict | null;
      readonly hold: HoldOutcome | null;
    };

/** Longest line of a request [bytes]: a throw from a hand that makes all its stops has some 2 kB. */
export const MAX_LINE = 16_384;
/** Faults last for an hour at most; clocks are set by less than the age of the machine [s]. */
const LONGEST_CUT = 3600;
const FARTHEST_CLOCK = 1e9;
const STRONGEST_CHALLENGE = 100;
/** No number of a throw is larger: not its time on the machine's clock, nor any place or speed. */
const LARGEST = 1e12;

/** JSON has no infinity and no typed arrays. */
export function encodeLine(message: WorldRequest | WorldMessage): string {
  if (message.type === "throw") {
    return `${JSON.stringify({ type: "throw", ball: toJson(ThrowBall, throwMessage(message.ball)) })}\n`;
  }
  return `${JSON.stringify(message, (_, value: unknown) => {
    if (value === Number.POSITIVE_INFINITY) return "Infinity";
    return value instanceof Float64Array ? Array.from(value) : value;
  })}\n`;
}

/** What a line asks for; null if it is not a request. */
export function decodeRequest(line: string): WorldRequest | null {
  const message = parse(line);
  switch (message?.type) {
    case "open":
      return typeof message.secret === "string" ? { type: "open", secret: message.secret } : null;
    case "stream":
      return { type: "stream" };
    case "throw":
      return throwRequest(message.ball);
    case "remove":
      return Number.isSafeInteger(message.id) ? { type: "remove", id: message.id as number } : null;
    case "cut":
      return isWithin(message.duration, 0, LONGEST_CUT) ? { type: "cut", duration: message.duration } : null;
    case "pace":
      return paceRequest(message.change);
    case "clock":
      return isWithin(message.offset, -FARTHEST_CLOCK, FARTHEST_CLOCK)
        ? { type: "clock", offset: message.offset }
        : null;
    case "controller":
      return controllerRequest(message.event);
    case "challenges":
      return challengesRequest(message.challenges);
    default:
      return null;
  }
}

function throwRequest(json: unknown): WorldRequest | null {
  if (!areBounded(json)) return null;
  try {
    const ball = throwOf(fromJson(ThrowBall, json));
    return canBeThrown(ball) ? { type: "throw", ball } : null;
  } catch {
    return null;
  }
}

/** Whether a hand has places to be at, one after the other, and swings on an arc. */
function canBeThrown({ hand }: Throw): boolean {
  if (hand === undefined) return true;
  const { stops, swing, radius } = hand;
  return stops.length > 0 && stops.every(({ arrive, leave }) => arrive <= leave) && swing >= 0 && radius > 0;
}

function paceRequest(json: unknown): WorldRequest | null {
  if (!isRecord(json)) return null;
  const { fromNs, atNs, speed } = json;
  const areTimes = isWithin(fromNs, -1e18, 1e18) && isWithin(atNs, -1e18, 1e18);
  return areTimes && isWithin(speed, 1e-3, 1) ? { type: "pace", change: { fromNs, atNs, speed } } : null;
}

function controllerRequest(json: unknown): WorldRequest | null {
  const event = controllerEvents.find((known) => known === json);
  return event === undefined ? null : { type: "controller", event };
}

function challengesRequest(json: unknown): WorldRequest | null {
  if (!isRecord(json)) return null;
  const isKnown = (name: string) => (challengeNames as readonly string[]).includes(name);
  const entries = Object.entries(json);
  if (!entries.every(([name, strength]) => isKnown(name) && isWithin(strength, 0, STRONGEST_CHALLENGE))) return null;
  return { type: "challenges", challenges: Object.fromEntries(entries) };
}

export function decodeMessage(line: string): WorldMessage | null {
  const message = parse(line) as WorldMessage | null;
  const isKnown = ["welcome", "flight", "grasp", "fate", "mode", "dropped", "released", "verdict"].includes(
    String(message?.type),
  );
  return isKnown ? message : null;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line, (_, entry: unknown) =>
      entry === "Infinity" ? Number.POSITIVE_INFINITY : entry,
    );
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWithin(value: unknown, least: number, greatest: number): value is number {
  return typeof value === "number" && value >= least && value <= greatest;
}

/** Whether all numbers in a JSON value are finite and no larger than any throw's; texts stand for numbers that are not. */
function areBounded(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) <= LARGEST;
  if (typeof value === "string") return value === "-0";
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(areBounded);
}

/** Cuts what arrives over a connection into lines. */
export class LineReader {
  readonly #maxLine: number;
  readonly #pieces: Buffer[] = [];
  #waiting = 0;

  /** `maxLine`: longest line [bytes]; left out: any. */
  constructor(maxLine = Number.POSITIVE_INFINITY) {
    this.#maxLine = maxLine;
  }

  /** The lines that have come to an end; null once one is too long. */
  take(bytes: Buffer): string[] | null {
    const lines: string[] = [];
    let begin = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, begin)) {
      if (!this.#add(bytes.subarray(begin, end))) return null;
      if (this.#waiting > 0) lines.push(Buffer.concat(this.#pieces).toString("utf8"));
      this.#pieces.length = 0;
      this.#waiting = 0;
      begin = end + 1;
    }
    return this.#add(bytes.subarray(begin)) ? lines : null;
  }

  #add(piece: Buffer): boolean {
    this.#waiting += piece.length;
    if (piece.length > 0) this.#pieces.push(piece);
    return this.#waiting <= this.#maxLine;
  }
}

const LINE_END = 0x0a;
