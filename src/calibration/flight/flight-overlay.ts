import Type, { type Static } from "typebox";
import type { Ball } from "../../flight/ball.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { readJsonFile } from "../../runtime/json-file.js";
import { findProblems, SchemaError } from "../../runtime/schema-problems.js";
import { type TrackerOptions, trackerDefaults } from "../../tracking/hypotheses/tracker-options.js";
import type { Estimate, FlightIdentification } from "./identify-flights.js";

const estimate = Type.Object(
  { value: Type.Number(), sigma: Type.Number({ minimum: 0 }) },
  { additionalProperties: false },
);

/** How balls fly in a room, as `flycatcher identify` writes it: each number with its standard deviation. */
export const flightOverlaySchema = Type.Object(
  {
    kind: Type.Literal("flight"),
    version: Type.Literal(1),
    date: Type.String(),
    software: Type.String(),
    recordings: Type.Array(Type.String(), { maxItems: 100_000 }),
    flights: Type.Integer({ minimum: 1 }),
    gravity: Type.Array(estimate, { minItems: 3, maxItems: 3 }),
    drag: estimate,
    lift: estimate,
    accelerationNoise: estimate,
    accelerationNoiseWithoutLift: estimate,
    noiseScale: estimate,
    diameter: Type.Optional(estimate),
  },
  { additionalProperties: false },
);

export type FlightOverlay = Static<typeof flightOverlaySchema>;

/** What an overlay is made of beside the identification. */
export interface OverlayFacts {
  readonly date: string;
  readonly software: string;
  readonly recordings: readonly string[];
  readonly diameter: Estimate | null;
}

export function flightOverlay(found: FlightIdentification, facts: OverlayFacts): FlightOverlay {
  const { flights, gravity, drag, lift, accelerationNoise, accelerationNoiseWithoutLift, noiseScale } = found;
  const { date, software, recordings, diameter } = facts;
  return {
    kind: "flight",
    version: 1,
    ...{ date, software, flights, drag, lift, accelerationNoise, accelerationNoiseWithoutLift, noiseScale },
    recordings: [...recordings],
    gravity: [...gravity],
    ...(diameter !== null && { diameter }),
  };
}

/** Reads and checks an overlay. */
export function readFlightOverlay(path: string): FlightOverlay {
  const content = readJsonFile(path);
  const problems = findProblems(flightOverlaySchema, content);
  if (problems.length === 0) return content as FlightOverlay;
  throw new SchemaError("FLY_FLIGHT_OVERLAY", `${path} is no overlay of a flight`, problems);
}

/** The ball with what the overlay knows of it. */
export function overlaidBall(ball: Ball, { drag, diameter }: FlightOverlay): Ball {
  return { ...ball, ...(diameter !== undefined && { diameter: diameter.value }), drag: drag.value };
}

/**
 * What the tracker is told: gravity, how well drag is known, and the acceleration noise that belongs to its model. A tracker
 * that does not estimate lift has it as noise.
 */
export function overlaidTracker(overlay: FlightOverlay): TrackerOptions {
  const { gravity, drag, lift, accelerationNoise, accelerationNoiseWithoutLift } = overlay;
  const [x, y, z] = gravity.map(({ value }) => value) as [number, number, number];
  const knowsLift = "liftSigma" in trackerDefaults;
  return {
    gravity: vec3.create(x, y, z),
    dragSigma: drag.sigma,
    accelerationNoise: (knowsLift ? accelerationNoise : accelerationNoiseWithoutLift).value,
    ...(knowsLift && { liftSigma: lift.value }),
  };
}

/** Refused: there is too little to learn from. */
export function tooFewFlights(found: number, least: number): FlycatcherError {
  return new FlycatcherError("FLY_IDENTIFY_FEW", "there are too few flights to learn from", {
    expected: `at least ${least} flights of 0.25 s, to different sides`,
    found: String(found),
  });
}
