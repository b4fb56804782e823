import type { RobotFault, RobotMode } from "../../control/udp/robot-session.js";
import type { Ball, BallState } from "../../flight/ball.js";
import type { BallFate, Grasp, TrueFlight } from "../../messages/world.js";
import type { PaceChange } from "../../runtime/clock-pace.js";
import { type Challenges, challengeNames } from "../head-motion/challenges.js";
import type { GeometricVerdict } from "../verdict.js";
import type { HoldOutcome } from "../world/catch-world.js";
import type { ThrowMotion } from "../world/hand-motion.js";
import type { Throw } from "../world/throws.js";

/**
 * What passes between the simulated robot's process and ours beside the robot's own protocol: a line of JSON each way, over
 * TCP on loopback. All times are on the machine's monotonic clock, which its processes share [s], changed in pace as `pace` says. A connection that says
 * `stream` gets a `welcome` line and then nothing but packets of `TrueWorld`, one a step, as bytes.
 */
export type WorldRequest =
  | { readonly type: "stream" }
  | { readonly type: "throw"; readonly ball: Throw }
  | { readonly type: "remove"; readonly id: number }
  /** Cuts the wire of the robot's own protocol for a while [s]. */
  | { readonly type: "cut"; readonly duration: number }
  /** Sets the clock by which the robot stamps its states on, or back, by `offset` [s]. */
  | { readonly type: "clock"; readonly offset: number }
  /** The world's clock goes on at another speed, from a time on [ns since the monotonic clock's zero]. */
  | { readonly type: "pace"; readonly change: PaceChange }
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
  | { readonly type: "released"; readonly ball: number; readonly time: number; readonly lands: number }
  | {
      readonly type: "verdict";
      readonly ball: number;
      readonly hand: string | null;
      readonly time: number | null;
      readonly verdict: GeometricVerdict | null;
      readonly hold: HoldOutcome | null;
    };

/** JSON has no infinity and no typed arrays. */
export function encodeLine(message: WorldRequest | WorldMessage): string {
  return `${JSON.stringify(message, (_, value: unknown) => {
    if (value === Number.POSITIVE_INFINITY) return "Infinity";
    return value instanceof Float64Array ? Array.from(value) : value;
  })}\n`;
}

/** What a line says; null if it is not one of ours. */
export function decodeRequest(line: string): WorldRequest | null {
  const message = parse(line) as WorldRequest | null;
  switch (message?.type) {
    case "stream":
      return message;
    case "throw":
      return isThrow(message.ball) ? { type: "throw", ball: withArrays(message.ball) } : null;
    case "remove":
      return Number.isSafeInteger(message.id) ? message : null;
    case "cut":
      return message.duration >= 0 ? message : null;
    case "pace":
      return isPaceChange(message.change) ? message : null;
    case "clock":
      return Number.isFinite(message.offset) ? message : null;
    case "challenges":
      return areChallenges(message.challenges) ? message : null;
    default:
      return null;
  }
}

function isPaceChange(change: PaceChange | undefined): boolean {
  const isTime = (timeNs: number | undefined) => Number.isFinite(timeNs);
  return isTime(change?.fromNs) && isTime(change?.atNs) && change!.speed > 0 && change!.speed <= 1;
}

function areChallenges(challenges: Partial<Challenges> | undefined): boolean {
  if (typeof challenges !== "object" || challenges === null) return false;
  const isKnown = (name: string) => (challengeNames as readonly string[]).includes(name);
  return Object.entries(challenges).every(
    ([name, strength]) => isKnown(name) && Number.isFinite(strength) && strength >= 0,
  );
}

export function decodeMessage(line: string): WorldMessage | null {
  const message = parse(line) as WorldMessage | null;
  const isKnown = ["welcome", "flight", "grasp", "fate", "mode", "released", "verdict"].includes(String(message?.type));
  return isKnown ? message : null;
}

function parse(line: string): { readonly type?: unknown } | null {
  try {
    const value: unknown = JSON.parse(line, (_, entry: unknown) =>
      entry === "Infinity" ? Number.POSITIVE_INFINITY : entry,
    );
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function isThrow(ball: Throw | undefined): ball is Throw {
  const state = ball?.state;
  if (ball === undefined || state === undefined || !Number.isSafeInteger(ball.id)) return false;
  const numbers = [state.time, state.drag, ball.flightTime, ...state.position, ...state.velocity, ...ball.aim];
  if (numbers.length !== 12 || !numbers.every((value) => Number.isFinite(value))) return false;
  return ball.hand === undefined || isThrowMotion(ball.hand);
}

/** As it comes out of JSON: nothing in it is known to be there. */
function isThrowMotion(hand: Partial<ThrowMotion> | null): boolean {
  const { stops, walk, towardsCentre, swing, radius, ...rest } = hand ?? {};
  const isPlace = (stop: Partial<ThrowMotion["stops"][number]> | null) =>
    isVector(stop?.position) && areNumbers([stop!.arrive, stop!.leave]) && stop!.arrive! <= stop!.leave!;
  const areStops = Array.isArray(stops) && stops.length > 0 && stops.every(isPlace);
  const isArc = swing! >= 0 && radius! > 0 && isVector(towardsCentre);
  const numbers = [swing, radius, rest.sway, rest.tremor, rest.phase, rest.grip];
  return areStops && isArc && isVector(walk) && areNumbers(numbers);
}

function isVector(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && areNumbers(value);
}

function areNumbers(values: readonly unknown[]): boolean {
  return values.every((value) => Number.isFinite(value));
}

function handWithArrays({ stops, walk, towardsCentre, ...rest }: ThrowMotion): ThrowMotion {
  const vector = (numbers: Iterable<number>) => Float64Array.from(numbers) as unknown as BallState["position"];
  return {
    ...rest,
    walk: vector(walk),
    towardsCentre: vector(towardsCentre),
    stops: stops.map((stop) => ({ ...stop, position: vector(stop.position) })),
  };
}

function withArrays({ state, aim, hand, ...rest }: Throw): Throw {
  const position = Float64Array.from(state.position) as BallState["position"];
  const velocity = Float64Array.from(state.velocity) as BallState["velocity"];
  return {
    ...rest,
    aim: Float64Array.from(aim) as Throw["aim"],
    state: { ...state, position, velocity },
    ...(hand !== undefined && { hand: handWithArrays(hand) }),
  };
}

/** Cuts what arrives over a connection into lines. */
export class LineReader {
  #rest = "";

  take(bytes: Buffer): string[] {
    const lines = (this.#rest + bytes.toString("utf8")).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => line.length > 0);
  }
}
