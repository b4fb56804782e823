import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Matrix4 } from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { setPose } from "./pose-matrix.js";
import type { RobotFigure } from "./robot-figure.js";
import type { ScenePalette } from "./scene-palette.js";

type Camera = NonNullable<RobotScene["cameras"]>["left"];

/** How far the views are drawn [m]. */
const DEPTH = 1.2;

/** What the two cameras see: the edges of their views, from the head. */
export class FrustumFigures {
  readonly #material = new LineBasicMaterial({ transparent: true, opacity: 0.6 });
  readonly #lines: readonly LineSegments[];

  constructor({ cameras, frames }: RobotScene, figure: RobotFigure) {
    const head = frames.head;
    const both = cameras === null || head === undefined ? [] : [cameras.left, cameras.right];
    this.#lines = both.map((camera) => {
      const lines = new LineSegments(edges(camera), this.#material);
      lines.matrixAutoUpdate = false;
      setPose(lines.matrix, camera.headFromCamera);
      figure.links[head!]!.add(lines);
      return lines;
    });
  }

  set visible(isVisible: boolean) {
    for (const lines of this.#lines) lines.visible = isVisible;
  }

  paint({ ghost }: ScenePalette): void {
    this.#material.color.copy(ghost);
  }
}

/** Optical frame: z forward, x right, y down. */
function edges({ width, height, fx, fy, cx, cy }: Camera): BufferGeometry {
  const corner = (u: number, v: number): number[] => [((u - cx) / fx) * DEPTH, ((v - cy) / fy) * DEPTH, DEPTH];
  const corners = [corner(0, 0), corner(width, 0), corner(width, height), corner(0, height)];
  const points = corners.flatMap((point, k) => [0, 0, 0, ...point, ...point, ...corners[(k + 1) % 4]!]);
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
}

/** Turns an optical frame into one that three.js looks along: −z forward, y up. */
export const lookFromOptical = new Matrix4().makeScale(1, -1, -1);
