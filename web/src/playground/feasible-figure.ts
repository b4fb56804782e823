import { Group, MeshBasicMaterial } from "three";
import { PathTube } from "../scene/path-tube.js";
import type { ScenePalette } from "../scene/scene-palette.js";
import type { BallPath } from "./ball-path.js";
import type { FeasibleWindow } from "./plan-client.js";

const MOST_WINDOWS = 40;
const WINDOW_POINTS = 12;
const FEASIBLE_RADIUS = 0.02;
const OTHER_RADIUS = 0.007;

/** The stretches of a ball's path where it can be caught, thick and green, and where it cannot, thin and orange. */
export class FeasibleFigure {
  readonly object = new Group();
  readonly #can = new MeshBasicMaterial({ transparent: true, opacity: 0.85 });
  readonly #cannot = new MeshBasicMaterial({ transparent: true, opacity: 0.5 });
  readonly #tubes = Array.from({ length: MOST_WINDOWS }, () => new PathTube(WINDOW_POINTS, this.#can));

  constructor() {
    this.object.add(...this.#tubes.map(({ mesh }) => mesh));
  }

  paint({ catch: green, warning }: ScenePalette): void {
    this.#can.color.copy(green);
    this.#cannot.color.copy(warning);
  }

  show(windows: readonly FeasibleWindow[], path: BallPath): void {
    for (const [k, tube] of this.#tubes.entries()) {
      const window = windows[k];
      if (window === undefined) {
        tube.hide();
        continue;
      }
      const isFeasible = window.answer.catch !== undefined;
      tube.mesh.material = isFeasible ? this.#can : this.#cannot;
      tube.set(path.points(window.from, window.to), () => (isFeasible ? FEASIBLE_RADIUS : OTHER_RADIUS));
    }
  }
}
