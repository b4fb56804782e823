import { MeshStandardMaterial } from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { disposeTree } from "./dispose.js";
import { RobotFigure } from "./robot-figure.js";
import type { SceneView } from "./scene-view.js";

/** A second run of the same robot, see-through beside the first. */
export class CompanionFigure {
  readonly #figure: RobotFigure;
  readonly #view: SceneView;

  constructor(scene: RobotScene, view: SceneView) {
    const material = new MeshStandardMaterial({ transparent: true, opacity: 0.4, roughness: 0.6, depthWrite: false });
    material.color.copy(view.palette.launch);
    this.#figure = new RobotFigure(scene, material);
    this.#view = view;
    view.scene.add(this.#figure.object);
  }

  setJoints(positions: ArrayLike<number>): void {
    this.#figure.setJoints(positions);
    this.#view.invalidate();
  }

  dispose(): void {
    disposeTree(this.#figure.object);
    this.#view.invalidate();
  }
}
