import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, Mesh, MeshStandardMaterial } from "three";
import { makeSupportDirections } from "../../../src/view/support-directions.js";
import { SWEPT_UNIT, type SweptPacket } from "../../../src/view/swept-packet.js";
import type { ScenePalette } from "./scene-palette.js";

/** From here on two bodies count as near, and as well apart [m]. */
const NEAR = 0.02;
const APART = 0.2;

interface SweptFigure {
  readonly positions: BufferAttribute;
  readonly material: MeshStandardMaterial;
}

/**
 * What the bodies can sweep through until the robot stands, coloured by the least distance on the way: orange near, blue well
 * apart. Each is a sphere of directions whose corners are put where the body reaches farthest that way; their memory is
 * made once and filled again.
 */
export class SweptFigures {
  readonly object = new Group();
  readonly #directions = makeSupportDirections();
  readonly #figures: readonly SweptFigure[];
  readonly #near = new Color();
  readonly #apart = new Color();

  constructor(bodies: number) {
    this.#figures = Array.from({ length: bodies }, () => this.#add());
    this.object.visible = false;
  }

  #add(): SweptFigure {
    const { vectors, triangles } = this.#directions;
    const geometry = new BufferGeometry();
    const positions = new BufferAttribute(new Float32Array(vectors.length), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", positions);
    // A convex body's normal at its farthest point in a direction is that direction.
    geometry.setAttribute("normal", new BufferAttribute(vectors, 3));
    geometry.setIndex(new BufferAttribute(triangles, 1));
    const material = new MeshStandardMaterial({ transparent: true, opacity: 0.42, roughness: 0.8, depthWrite: false });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.object.add(mesh);
    return { positions, material };
  }

  paint({ warning, ghost }: ScenePalette): void {
    this.#near.copy(warning);
    this.#apart.copy(ghost);
    for (const { material } of this.#figures) material.color.copy(ghost);
  }

  show({ distances, points }: SweptPacket): void {
    const count = this.#directions.vectors.length;
    for (const [body, { positions, material }] of this.#figures.entries()) {
      const { array } = positions;
      for (let k = 0; k < count; k++) array[k] = SWEPT_UNIT * points[body * count + k]!;
      positions.needsUpdate = true;
      const share = Math.max(0, Math.min(1, (distances[body]! - NEAR) / (APART - NEAR)));
      material.color.copy(this.#near).lerp(this.#apart, share);
    }
    this.object.visible = true;
  }
}
