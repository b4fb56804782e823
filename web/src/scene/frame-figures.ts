import { AxesHelper, type Object3D } from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import type { RobotFigure } from "./robot-figure.js";

/** Axes of the frames that have a role: world, base, chest, head and those in which balls are caught. x, y, z: red, green, blue. */
export class FrameFigures {
  readonly #axes: readonly AxesHelper[];

  constructor({ frames, hands }: RobotScene, figure: RobotFigure) {
    const links = new Set([...Object.values(frames), ...hands.map(({ catchLink }) => catchLink)]);
    this.#axes = [...links].map((link) => {
      const axes = new AxesHelper(0.2);
      figure.links[link]!.add(axes as Object3D);
      return axes;
    });
  }

  set visible(isVisible: boolean) {
    for (const axes of this.#axes) axes.visible = isVisible;
  }
}
