import { type BallState, FlightStatus, gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import * as vec3 from "../../math/vec3.js";
import type { BallPrediction } from "../../messages/prediction.js";
import type { ItemOf } from "../recording.js";
import { WORLD } from "./foxglove-robot.js";
import {
  BALL_LIFETIME,
  type Coordinates,
  entity,
  lineStrip,
  type Rgba,
  sceneUpdate,
  sphere,
  TRACKED,
  UNSURE,
} from "./foxglove-shapes.js";

const AHEAD: Rgba = [0.95, 0.8, 0.2, 0.7];
const TRUTH: Rgba = [0.2, 0.7, 0.3, 0.7];
const POINT: Rgba = [0.3, 0.5, 0.95, 1];
const CATCH: Rgba = [0.9, 0.2, 0.3, 0.8];

/** How far ahead a prediction is drawn [s], and at which steps. */
const HORIZON = 1;
const STEP = 0.04;
/** Places of a track that are drawn as its path. */
const PATH_LENGTH = 60;
/** A ball that was not seen for so long begins a new path [s]. */
const PATH_BREAK = 0.5;

/** Pictures of balls: where they are, were, and will be; where they are to be caught. */
export class FoxgloveBalls {
  readonly #diameter: number;
  readonly #flight = new Flight();
  readonly #paths = new Map<number, { lastNs: number; readonly points: Coordinates[] }>();

  constructor(diameter: number) {
    this.#diameter = diameter;
  }

  /** SceneUpdate: each ball with the path behind and the flight before it. */
  predictions({ balls, timeNs }: ItemOf<"predictions">): object {
    const entities = balls.filter(isDrawable).map(({ track, state, confirmed }) => {
      const ahead = this.#sample(state, timeNs / 1e9, timeNs / 1e9 + HORIZON);
      const path = this.#extend(track, timeNs, ahead[0] ?? state.position);
      const spheres = [sphere(path.at(-1)!, this.#diameter, confirmed ? TRACKED : UNSURE)];
      const lines = [lineStrip(path, TRACKED), ...(confirmed ? [lineStrip(ahead, AHEAD)] : [])];
      return entity(place(`track/${track}`, timeNs, BALL_LIFETIME), { spheres, lines });
    });
    return sceneUpdate(entities);
  }

  #extend(track: number, timeNs: number, position: Coordinates): readonly Coordinates[] {
    const known = this.#paths.get(track);
    const isNew = known === undefined || timeNs - known.lastNs > 1e9 * PATH_BREAK;
    const path = isNew ? { lastNs: timeNs, points: [] } : known;
    path.lastNs = timeNs;
    path.points.push(position);
    if (path.points.length > PATH_LENGTH) path.points.shift();
    this.#paths.set(track, path);
    return path.points;
  }

  /** SceneUpdate: how balls truly flew. */
  truth({ ball, pieces, timeNs }: ItemOf<"truth/flights">): object {
    const points = pieces.flatMap((piece) => this.#sample(piece, piece.time, piece.until));
    return sceneUpdate([entity(place(`truth/${ball}`, timeNs, 3), { lines: [lineStrip(points, TRUTH)] })]);
  }

  /** SceneUpdate: what motion capture measured. */
  points({ position, timeNs }: ItemOf<"points">): object {
    const triples = Array.from({ length: position.length / 3 }, (_, k) => position.subarray(3 * k, 3 * k + 3));
    const spheres = triples
      .filter((triple) => triple.every(Number.isFinite))
      .map((p) => sphere(p, this.#diameter, POINT));
    return sceneUpdate([entity(place("points", timeNs, BALL_LIFETIME), { spheres })]);
  }

  /** SceneUpdate: where a ball is to be caught; null for an answer without a catch. */
  plan({ arm, position, timeNs }: ItemOf<"plans">): object | null {
    if (position === null) return null;
    const spheres = [sphere(position, this.#diameter / 2, CATCH)];
    return sceneUpdate([entity(place(`catch/${arm}`, timeNs, HORIZON), { spheres })]);
  }

  /** Places of a flight from one time to another [s]; none of one that cannot be computed. */
  #sample(state: BallState, from: number, to: number): Coordinates[] {
    const begin = Math.min(from, state.time);
    if (this.#flight.reset(state, gravity(), begin, Math.max(to, state.time)) !== FlightStatus.ok) return [];
    const count = Math.max(1, Math.ceil((to - from) / STEP));
    return Array.from({ length: count + 1 }, (_, k) => [
      ...this.#flight.position(from + ((to - from) * k) / count, vec3.create()),
    ]);
  }
}

function place(id: string, timeNs: number, lifetime: number): Parameters<typeof entity>[0] {
  return { id, frame: WORLD, timeNs, lifetime };
}

function isDrawable({ state }: BallPrediction): boolean {
  return vec3.isFinite(state.position) && vec3.isFinite(state.velocity);
}
