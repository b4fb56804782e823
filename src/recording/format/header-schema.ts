import Type, { type TProperties, type TSchema } from "typebox";
import { catchModes } from "../../planning/problem/objectives.js";
import { exactNumber } from "./exact-json.js";

function object(properties: TProperties): TSchema {
  return Type.Object(properties, { additionalProperties: false });
}

function orNull(schema: TSchema): TSchema {
  return Type.Union([schema, Type.Null()]);
}

function oneOf(values: readonly string[]): TSchema {
  return Type.Enum([...values]);
}

const text = Type.String();
const indices = Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000 });
const anything = Type.Object({}, { additionalProperties: true });
const ball = object({
  diameter: exactNumber,
  mass: exactNumber,
  drag: exactNumber,
  dragSigma: Type.Optional(exactNumber),
  liftSigma: Type.Optional(exactNumber),
  colour: Type.Optional(text),
});
/** How colour images become gray ones. */
const projection = object({ red: exactNumber, green: exactNumber, blue: exactNumber, offset: exactNumber });
/** By name: what was given, of options of which more come with each version. */
const options = Type.Record(
  Type.String(),
  Type.Union([exactNumber, Type.Array(exactNumber, { maxItems: 1000 }), ball]),
);

const robot = object({
  name: text,
  urdf: Type.String({ description: "the URDF as text" }),
  sidecar: Type.Object({}, { additionalProperties: true, description: "what the URDF does not say: robot.json" }),
  calibration: orNull(anything),
});

const run = object({
  mode: oneOf(catchModes),
  arms: Type.Array(text, { maxItems: 100 }),
  body: oneOf(["rule", "stand"]),
  afterCatch: oneOf(["return", "stay"]),
  latestCatch: exactNumber,
  commitment: object({ sigma: exactNumber, sigmaOfSeveral: Type.Optional(exactNumber), hurry: exactNumber }),
  times: Type.Record(Type.String(), Type.Integer()),
  planner: Type.Record(Type.String(), Type.Integer()),
  tracker: options,
  returnShare: Type.Optional(exactNumber),
  neck: Type.Optional(
    Type.Record(Type.String(), Type.Union([exactNumber, Type.Boolean(), Type.Null()]), {
      description: "how the neck follows balls",
    }),
  ),
  cameras: Type.Optional(
    object({ windows: Type.Boolean(), scale: orNull(exactNumber), colour: Type.Optional(Type.Boolean()) }),
  ),
  budget: Type.Optional(oneOf(["fixed", "adaptive"])),
  detector: Type.Optional(object({ contrast: exactNumber, projection: Type.Optional(projection) })),
});

/** The first message of a recording: all that a replay needs. */
export const headerSchema = object({
  formatVersion: Type.Integer({ minimum: 1 }),
  software: object({ name: text, version: text }),
  startedAt: orNull(text),
  clock: oneOf(["lock-step", "real-time"]),
  title: text,
  labels: Type.Array(text, { maxItems: 1000 }),
  robot: orNull(robot),
  perception: oneOf(["images", "circles", "points", "truth"]),
  world: oneOf(["kinematic", "physics", "real"]),
  seed: Type.Union([Type.Number(), text, Type.Null()]),
  ball,
  run: orNull(run),
  configuration: orNull(anything),
  readings: orNull(object({ q: indices, qd: indices, commanded: indices })),
  jointPeriodNs: orNull(Type.Integer({ minimum: 1 })),
  tracker: Type.Optional(options),
});
