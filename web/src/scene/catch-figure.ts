import { Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, TorusGeometry, Vector3 } from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { RobotFigure } from "./robot-figure.js";
import type { ScenePalette } from "./scene-palette.js";

/** The posture in which a ball is to be caught. */
export interface CatchPosture {
  /** All joints [rad or m]. */
  readonly joints: ArrayLike<number>;
  /** Joints of the arm that catches, by their place. */
  readonly moving: readonly number[];
}

const zAxis = new Vector3(0, 0, 1);

/** Where the ball is to be caught: a ring about the ball's path in the hand's plane, and the arm as it will be. */
export class CatchFigure {
  /** To be shown or left out as a whole, whatever there is to show. */
  readonly object = new Group();
  readonly #shown = new Group();
  readonly #scene: RobotScene;
  readonly #ghostMaterial = new MeshStandardMaterial({
    transparent: true,
    opacity: 0.3,
    roughness: 0.6,
    depthWrite: false,
  });
  readonly #ringMaterial = new MeshBasicMaterial();
  readonly #ghost: RobotFigure;
  readonly #ring: Mesh;
  readonly #direction = new Vector3();

  constructor(scene: RobotScene) {
    this.#scene = scene;
    this.#ghost = new RobotFigure(scene, this.#ghostMaterial);
    this.#ring = new Mesh(new TorusGeometry(0.075, 0.007, 12, 48), this.#ringMaterial);
    this.#shown.add(this.#ghost.object, this.#ring);
    this.object.add(this.#shown);
    this.hide();
  }

  paint({ ghost, catch: green }: ScenePalette): void {
    this.#ghostMaterial.color.copy(ghost);
    this.#ringMaterial.color.copy(green);
  }

  show({ joints, moving }: CatchPosture): void {
    const isOfArm = this.#linksBeyond(moving);
    this.#ghost.setJoints(joints);
    this.#ghost.showOnly((link) => isOfArm[link]!);
    const hand = this.#scene.hands.find(({ catchLink }) => isOfArm[catchLink]);
    this.#ring.visible = hand !== undefined;
    if (hand !== undefined) {
      const { matrixWorld } = this.#ghost.links[hand.catchLink]!;
      this.#ring.position.setFromMatrixPosition(matrixWorld);
      this.#direction.setFromMatrixColumn(matrixWorld, 2);
      this.#ring.quaternion.setFromUnitVectors(zAxis, this.#direction);
    }
    this.#shown.visible = true;
  }

  hide(): void {
    this.#shown.visible = false;
  }

  /** Where the catch is, in the world. */
  get place(): Vector3 {
    return this.#ring.position;
  }

  /** For each link whether it hangs on one of the joints, directly or not. */
  #linksBeyond(joints: readonly number[]): boolean[] {
    const moved = new Set(joints);
    const isBeyond: boolean[] = [];
    for (const { parent, joint } of this.#scene.links) {
      const isMoved = joint?.terms.some(({ dof }) => moved.has(dof)) ?? false;
      isBeyond.push(isMoved || (isBeyond[parent] ?? false));
    }
    return isBeyond;
  }
}
