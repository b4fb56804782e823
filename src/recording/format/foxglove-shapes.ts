import type * as pose from "../../math/pose.js";
import * as quat from "../../math/quat.js";
import { type FoxgloveTime, foxgloveTime } from "./foxglove-schemas.js";

/** A message for Foxglove's panels. */
export interface FoxgloveMessage {
  readonly topic: string;
  readonly json: object;
}

/** x, y, z [m]. */
export type Coordinates = Iterable<number>;

/** Red, green, blue, opacity, 0 to 1. */
export type Rgba = readonly [r: number, g: number, b: number, a: number];

/** Of balls: one that is tracked, one that is not sure yet. */
export const TRACKED: Rgba = [0.95, 0.6, 0.1, 1];
export const UNSURE: Rgba = [0.6, 0.6, 0.6, 0.6];
/** How long a ball stays without news [s]. */
export const BALL_LIFETIME = 0.3;

export function colour([r, g, b, a]: Rgba): object {
  return { r, g, b, a };
}

export function point([x = 0, y = 0, z = 0]: Coordinates): object {
  return { x, y, z };
}

const scratch = quat.create();

/** Pictures need no more than a micrometre, and a third of the digits. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Position and orientation, as Foxglove names them. */
export function poseObject(p: pose.Pose): { readonly position: object; readonly orientation: object } {
  const [x, y, z, w] = quat.fromMat3(p, scratch);
  const orientation = { x: rounded(x), y: rounded(y), z: rounded(z), w: rounded(w) };
  return { position: { x: rounded(p[9]), y: rounded(p[10]), z: rounded(p[11]) }, orientation };
}

/** A pose without rotation. */
export function poseAt(position: Coordinates): object {
  return { position: point(position), orientation: { x: 0, y: 0, z: 0, w: 1 } };
}

export function sphere(position: Coordinates, diameter: number, rgba: Rgba): object {
  return { pose: poseAt(position), size: point([diameter, diameter, diameter]), color: colour(rgba) };
}

/** A line from point to point; its thickness is in pixels, whatever the distance. */
export function lineStrip(points: readonly Coordinates[], rgba: Rgba): object {
  return {
    type: 0,
    pose: poseAt([0, 0, 0]),
    thickness: 2,
    scale_invariant: true,
    points: points.map(point),
    color: colour(rgba),
    colors: [],
    indices: [],
  };
}

/** What an entity may be made of. */
export interface Primitives {
  readonly cubes?: readonly object[];
  readonly spheres?: readonly object[];
  readonly cylinders?: readonly object[];
  readonly lines?: readonly object[];
}

export interface EntityPlace {
  readonly id: string;
  /** Frame its primitives are in. */
  readonly frame: string;
  readonly timeNs: number;
  /** How long it stays [s]; 0: until it is replaced. */
  readonly lifetime: number;
}

/** Something in Foxglove's 3D panel; an entity of the same id replaces it. */
export function entity({ id, frame, timeNs, lifetime }: EntityPlace, primitives: Primitives): object {
  const { cubes = [], spheres = [], cylinders = [], lines = [] } = primitives;
  const timestamp: FoxgloveTime = foxgloveTime(timeNs);
  return {
    timestamp,
    frame_id: frame,
    id,
    lifetime: foxgloveTime(1e9 * lifetime),
    frame_locked: true,
    metadata: [],
    arrows: [],
    cubes,
    spheres,
    cylinders,
    lines,
    triangles: [],
    texts: [],
    models: [],
  };
}

const logLevels = { debug: 1, info: 2, warning: 3, error: 4 } as const;

/** Log, its level the `foxglove.LogLevel` of a severity. */
export function logEntry(timeNs: number, severity: keyof typeof logLevels, name: string, message: string): object {
  return { timestamp: foxgloveTime(timeNs), file: "", line: 0, level: logLevels[severity], message, name };
}

export function sceneUpdate(entities: readonly object[]): object {
  return { deletions: [], entities };
}
