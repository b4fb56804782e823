import { Color, Mesh, MeshStandardMaterial, type Object3D, SphereGeometry, Vector3 } from "three";
import { ConvexGeometry } from "three/examples/jsm/geometries/ConvexGeometry.js";
import type { SafetyMessage } from "../../../src/messages/page.js";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { disposeTree } from "./dispose.js";
import type { RobotFigure } from "./robot-figure.js";
import type { ScenePalette } from "./scene-palette.js";

type Hull = RobotScene["hulls"][number];

/** From here on two bodies count as near, and as well apart [m]. */
const NEAR = 0.02;
const APART = 0.2;

/** The bodies of the safety monitor, coloured by their distance to the nearest other: orange near, blue well apart. */
export class HullFigures {
  readonly #hulls: readonly { readonly name: string; readonly mesh: Mesh; readonly material: MeshStandardMaterial }[];
  readonly #near = new Color();
  readonly #apart = new Color();

  constructor({ hulls }: RobotScene, figure: RobotFigure) {
    this.#hulls = hulls.map((hull) => {
      const material = new MeshStandardMaterial({
        transparent: true,
        opacity: 0.34,
        roughness: 0.8,
        depthWrite: false,
      });
      const mesh = new Mesh(hullGeometry(hull), material);
      figure.links[hull.link]!.add(mesh as Object3D);
      return { name: hull.name, mesh, material };
    });
  }

  set visible(isVisible: boolean) {
    for (const { mesh } of this.#hulls) mesh.visible = isVisible;
  }

  paint({ warning, ghost }: ScenePalette): void {
    this.#near.copy(warning);
    this.#apart.copy(ghost);
    for (const { material } of this.#hulls) material.color.copy(ghost);
  }

  show({ pairs }: SafetyMessage): void {
    for (const { name, material } of this.#hulls) {
      const own = pairs.filter(({ a, b }) => a === name || b === name).map(({ distance }) => distance);
      const nearest = Math.min(APART, ...own);
      const share = Math.max(0, Math.min(1, (nearest - NEAR) / (APART - NEAR)));
      material.color.copy(this.#near).lerp(this.#apart, share);
    }
  }

  dispose(): void {
    for (const { mesh } of this.#hulls) disposeTree(mesh);
  }
}

/** The hull of small spheres about the points: as exact as the eye. */
function hullGeometry({ points, radius }: Hull): ConvexGeometry {
  const sphere = new SphereGeometry(Math.max(radius, 1e-3), 12, 8);
  const around = sphere.getAttribute("position");
  const all = points.flatMap(([x = 0, y = 0, z = 0]) =>
    Array.from(
      { length: around.count },
      (_, k) => new Vector3(x + around.getX(k), y + around.getY(k), z + around.getZ(k)),
    ),
  );
  sphere.dispose();
  return new ConvexGeometry(all);
}
