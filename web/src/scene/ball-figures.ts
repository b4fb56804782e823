import { Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, SphereGeometry } from "three";
import type { BallTrail } from "../live/ball-trail.js";
import { disposeTree } from "./dispose.js";
import { PathTube } from "./path-tube.js";
import type { ScenePalette } from "./scene-palette.js";

interface BallFigure {
  readonly ball: Mesh;
  readonly trail: PathTube;
}

/** Points of a trail that are drawn. */
const TRAIL_POINTS = 90;

/** Balls, each with the way it came. */
export class BallFigures {
  readonly object = new Group();
  readonly #figures = new Map<number, BallFigure>();
  readonly #palette: () => ScenePalette;
  #radius = 0.0425;

  constructor(palette: () => ScenePalette) {
    this.#palette = palette;
  }

  set radius(radius: number) {
    this.#radius = radius;
  }

  /** Where the first ball is; null without one. */
  get first(): Mesh | null {
    for (const { ball } of this.#figures.values()) if (ball.visible) return ball;
    return null;
  }

  /** Balls that are there now, by number, and the trails of all that were. */
  show(
    balls: readonly { readonly id: number; readonly position: readonly [number, number, number] }[],
    trails: ReadonlyMap<number, BallTrail>,
  ): void {
    for (const id of this.#figures.keys()) if (!trails.has(id)) this.#remove(id);
    for (const [id, trail] of trails) {
      const figure = this.#figureOf(id);
      const present = balls.find((ball) => ball.id === id);
      figure.ball.visible = present !== undefined;
      if (present !== undefined) figure.ball.position.set(...present.position);
      figure.trail.set(trail.points, (point, count) => this.#trailRadius(point, count));
    }
  }

  #trailRadius(point: number, count: number): number {
    const age = (count - 1 - point) / TRAIL_POINTS;
    return 0.42 * this.#radius * Math.max(0, 1 - age);
  }

  #figureOf(id: number): BallFigure {
    const known = this.#figures.get(id);
    if (known !== undefined) return known;
    const { ball: color } = this.#palette();
    const ball = new Mesh(
      new SphereGeometry(this.#radius, 32, 20),
      new MeshStandardMaterial({ color, roughness: 0.55, emissive: color, emissiveIntensity: 0.18 }),
    );
    ball.castShadow = true;
    const material = new MeshBasicMaterial({ color, transparent: true, opacity: 0.45, depthWrite: false });
    const trail = new PathTube(TRAIL_POINTS, material);
    this.object.add(ball, trail.mesh);
    const made = { ball, trail };
    this.#figures.set(id, made);
    return made;
  }

  #remove(id: number): void {
    const figure = this.#figures.get(id);
    if (figure === undefined) return;
    disposeTree(figure.ball);
    disposeTree(figure.trail.mesh);
    this.#figures.delete(id);
  }
}
