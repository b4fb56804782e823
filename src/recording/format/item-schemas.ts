import Type, { type TProperties, type TSchema } from "typebox";
import { Handover } from "../../control/motion-execution.js";
import type { RecordedTopic } from "../recorded-messages.js";
import { exactNumber } from "./exact-json.js";

/** What stands in the messages of each topic but images, which have a schema of Foxglove's; the time is the message's own. */

const number = exactNumber;
const numbers = Type.Array(exactNumber);
const vector = Type.Array(exactNumber, { minItems: 3, maxItems: 3 });
const text = Type.String();
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const identity = Type.Integer();
const timeNs = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const timesNs = Type.Array(timeNs);

export function object<P extends TProperties>(properties: P): TSchema {
  return Type.Object(properties, { additionalProperties: false });
}

export function orNull(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()]);
}

export function oneOf(values: readonly string[]): TSchema {
  return Type.Enum([...values]);
}

const cameraSide = oneOf(["left", "right"]);
export const exposure = { camera: cameraSide, frame: count, exposureNs: timeNs, arrivalNs: timeNs };

const readings = object({
  joints: object({ time: numbers, arrivalNs: timesNs, q: numbers, qd: numbers, commanded: numbers }),
  imu: object({ time: numbers, arrivalNs: timesNs, angularVelocity: numbers, specificForce: numbers }),
});

const circles = object({ ...exposure, circles: numbers, covariance: numbers, score: numbers });

const points = object({
  frame: count,
  exposureNs: timeNs,
  arrivalNs: timeNs,
  positions: numbers,
  covariance: numbers,
});

const joints = object({ q: numbers, qd: numbers, commandedQ: numbers, commandedQd: numbers });

const headPose = object({
  time: number,
  worldFromHead: Type.Array(number, { minItems: 12, maxItems: 12 }),
  covariance: Type.Array(number, { minItems: 36, maxItems: 36 }),
});

const prediction = object({
  track: identity,
  time: number,
  position: vector,
  velocity: vector,
  drag: number,
  covariance: orNull(Type.Array(number, { minItems: 28, maxItems: 28 })),
  lastSeen: number,
  confirmed: flag,
});

const ramps = object({
  q0: numbers,
  w0: numbers,
  ab: numbers,
  tb: numbers,
  a: numbers,
  t1: numbers,
  t2: numbers,
  T: numbers,
});

const motion = object({ part: text, id: identity, tStart: number, ramps, closeHandAt: orNull(number) });

const plannedCatch = object({
  ramps,
  tCatch: number,
  arrival: number,
  objective: number,
  successProbability: orNull(number),
  position: vector,
});

const plan = object({
  arm: text,
  id: identity,
  track: identity,
  search: oneOf(["cold", "warm"]),
  askedNs: timeNs,
  tStart: number,
  catch: orNull(plannedCatch),
  reason: orNull(text),
});

const monitor = object({
  phase: oneOf(["safe", "braking", "stopped", "recovering"]),
  distance: orNull(number),
  bodies: orNull(Type.Array(text, { minItems: 2, maxItems: 2 })),
  reason: orNull(text),
});

const flight = object({ time: number, until: number, position: vector, velocity: vector, drag: number });

const drop = object({ topic: text, messages: count, bytes: count });

/** `ThrowResult` is made by the run and read by people and reports: its verdict may grow without a new version. */
const result = Type.Object({
  id: identity,
  aim: numbers,
  flightTime: number,
  speed: number,
  arm: orNull(text),
  outcome: oneOf(["caught", "missed", "no-plan"]),
  reason: orNull(text),
  reactionTime: orNull(number),
  catchTime: orNull(number),
  verdict: orNull(
    Type.Object({
      caught: flag,
      misses: Type.Array(text),
      lateral: number,
      timing: number,
      facing: number,
      handSpeed: number,
    }),
  ),
  hold: orNull(text),
  errors: orNull(object({ prediction: number, servo: number, calibration: number })),
  firstObjective: orNull(number),
  objective: orNull(number),
  searches: count,
  replans: count,
  unsolved: count,
  refused: count,
});

export const itemSchemas: Readonly<Record<Exclude<RecordedTopic, "cameras/images">, TSchema>> = {
  "truth/flights": object({
    ball: identity,
    aim: orNull(vector),
    flightTime: orNull(number),
    pieces: Type.Array(flight),
  }),
  "sensors/readings": readings,
  "cameras/circles": circles,
  points,
  "cameras/lost": object({ frame: count, exposureNs: timeNs }),
  head: headPose,
  predictions: object({ predictions: Type.Array(prediction) }),
  plans: plan,
  motions: motion,
  handovers: object({ part: text, id: identity, outcome: oneOf(Object.values(Handover)) }),
  monitor,
  states: object({ arm: text, from: text, event: text, to: text }),
  joints,
  events: object({
    severity: oneOf(["debug", "info", "warning", "error"]),
    source: text,
    code: text,
    track: identity,
    text,
  }),
  results: object({ result }),
  "recorder/drops": object({ drops: Type.Array(drop) }),
};
