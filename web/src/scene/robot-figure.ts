import {
  Color,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  Vector3,
} from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { setPose } from "./pose-matrix.js";
import { geometryOf } from "./shape-geometry.js";

type Link = RobotScene["links"][number];

/** A shape without a colour of its own. */
const plainColor = [0.72, 0.74, 0.76, 1];

/** What the figure is made of: the robot itself, or a see-through likeness of where it will be. */
export type FigureMaterial = "solid" | Material;

/** A robot drawn from its scene: one group a link, moved by the joint positions. */
export class RobotFigure {
  readonly object = new Group();
  readonly links: readonly Object3D[];
  readonly #scene: RobotScene;
  readonly #materials = new Map<string, MeshStandardMaterial>();
  /** Where each link is with its joint at zero. */
  readonly #rest: readonly Matrix4[];
  readonly #axes: readonly Vector3[];
  readonly #quaternion = new Quaternion();
  readonly #motion = new Matrix4();

  constructor(scene: RobotScene, material: FigureMaterial = "solid") {
    this.#scene = scene;
    this.links = scene.links.map((link) => this.#createLink(link, material));
    this.#rest = scene.links.map(({ parentFromLink }) => setPose(new Matrix4(), parentFromLink));
    this.#axes = scene.links.map(
      ({ joint }) => new Vector3(...((joint?.axis ?? [0, 0, 1]) as [number, number, number])),
    );
    for (const [index, { parent }] of scene.links.entries()) {
      (parent < 0 ? this.object : this.links[parent]!).add(this.links[index]!);
    }
    this.setJoints(scene.postures.ready ?? []);
  }

  /** Positions in the order of `scene.joints` [rad or m]. */
  setJoints(positions: ArrayLike<number>): void {
    for (const [index, { joint }] of this.#scene.links.entries()) {
      const link = this.links[index]!;
      link.matrix.copy(this.#rest[index]!);
      if (joint === null) continue;
      let position = joint.offset;
      for (const { dof, factor } of joint.terms) position += factor * (positions[dof] ?? 0);
      link.matrix.multiply(this.#jointMotion(joint.kind, this.#axes[index]!, position));
    }
    this.object.updateMatrixWorld(true);
  }

  /** Shows the links for which `isShown` holds, and no others. */
  showOnly(isShown: (link: number) => boolean): void {
    for (const [index, link] of this.links.entries()) {
      for (const part of link.children) if (part instanceof Mesh) part.visible = isShown(index);
    }
  }

  #jointMotion(kind: "revolute" | "prismatic", axis: Vector3, position: number): Matrix4 {
    if (kind === "prismatic")
      return this.#motion.makeTranslation(axis.x * position, axis.y * position, axis.z * position);
    return this.#motion.makeRotationFromQuaternion(this.#quaternion.setFromAxisAngle(axis, position));
  }

  #createLink({ name, visuals }: Link, material: FigureMaterial): Object3D {
    const group = new Group();
    group.name = name;
    group.matrixAutoUpdate = false;
    for (const { geometry, origin, color } of visuals) {
      const mesh = new Mesh(geometryOf(geometry), material === "solid" ? this.#materialOf(color) : material);
      mesh.matrixAutoUpdate = false;
      setPose(mesh.matrix, origin);
      mesh.castShadow = material === "solid";
      mesh.receiveShadow = material === "solid";
      group.add(mesh);
    }
    return group;
  }

  #materialOf(color: readonly number[] | null): MeshStandardMaterial {
    const [red = 0, green = 0, blue = 0, alpha = 1] = color ?? plainColor;
    const key = `${red} ${green} ${blue} ${alpha}`;
    const known = this.#materials.get(key);
    if (known !== undefined) return known;
    const made = new MeshStandardMaterial({
      color: new Color().setRGB(red, green, blue, "srgb"),
      roughness: 0.46,
      metalness: 0.12,
      transparent: alpha < 1,
      opacity: alpha,
    });
    this.#materials.set(key, made);
    return made;
  }
}
