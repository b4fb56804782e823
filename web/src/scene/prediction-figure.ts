import { Group, MeshBasicMaterial } from "three";
import type { PredictionMessage } from "../../../src/messages/page.js";
import { PathTube } from "./path-tube.js";
import type { ScenePalette } from "./scene-palette.js";

const MOST_POINTS = 64;
/** Earlier predictions that are still to be seen, fainter and fainter. */
const EARLIER = 8;
const LINE_RADIUS = 0.007;
const EARLIER_RADIUS = 0.0035;
/** The tube is drawn at two sigma: in nineteen of twenty cases the ball is inside. */
const SIGMAS = 2;
/** A tube thicker than this says only that nothing is known yet [m]. */
const THICKEST = 0.45;

/** Where balls are believed to fly: the newest path in its tube of two sigma, and the ones before it. */
export class PredictionFigure {
  readonly object = new Group();
  readonly #lineMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.95 });
  readonly #tubeMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.14, depthWrite: false });
  readonly #lines: PathTube[];
  readonly #tubes: PathTube[];
  readonly #earlier: readonly { readonly tube: PathTube; readonly material: MeshBasicMaterial }[];

  /** `tracks`: how many balls are drawn at a time. */
  constructor(tracks = 2) {
    this.#lines = Array.from({ length: tracks }, () => this.#add(new PathTube(MOST_POINTS, this.#lineMaterial)));
    this.#tubes = Array.from({ length: tracks }, () => this.#add(new PathTube(MOST_POINTS, this.#tubeMaterial)));
    this.#earlier = Array.from({ length: EARLIER }, (_, age) => {
      const material = new MeshBasicMaterial({
        transparent: true,
        opacity: 0.32 * (1 - age / EARLIER),
        depthWrite: false,
      });
      return { tube: this.#add(new PathTube(MOST_POINTS, material)), material };
    });
  }

  paint({ prediction }: ScenePalette): void {
    this.#lineMaterial.color.copy(prediction);
    this.#tubeMaterial.color.copy(prediction);
    for (const { material } of this.#earlier) material.color.copy(prediction);
  }

  /** The predictions of a throw, oldest first. */
  show(predictions: readonly PredictionMessage[]): void {
    const tracks = [...new Set(predictions.filter(({ confirmed }) => confirmed).map(({ track }) => track))];
    for (const [k, line] of this.#lines.entries()) {
      const track = tracks.at(-1 - k);
      const newest = track === undefined ? undefined : predictions.findLast((one) => one.track === track);
      if (newest === undefined) {
        line.hide();
        this.#tubes[k]!.hide();
        continue;
      }
      const points = pointsOf(newest);
      line.set(points, () => LINE_RADIUS);
      this.#tubes[k]!.set(points, (point) => Math.min(THICKEST, SIGMAS * newest.path[point]![4]));
    }
    const before = predictions.slice(-1 - EARLIER, -1).reverse();
    for (const [age, { tube }] of this.#earlier.entries()) {
      const prediction = before[age];
      if (prediction === undefined) tube.hide();
      else tube.set(pointsOf(prediction), () => EARLIER_RADIUS);
    }
  }

  #add(tube: PathTube): PathTube {
    this.object.add(tube.mesh);
    return tube;
  }
}

function pointsOf({ path }: PredictionMessage): number[] {
  return path.flatMap(([, x, y, z]) => [x, y, z]);
}
