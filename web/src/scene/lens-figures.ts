import { CylinderGeometry, Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { setPose } from "./pose-matrix.js";
import type { RobotFigure } from "./robot-figure.js";

const RADIUS = 0.032;
const LENGTH = 0.03;

/** Gives the robot eyes: a lens where each camera is, so that one sees where it looks. */
export function addLenses({ cameras, frames }: RobotScene, figure: RobotFigure): void {
  if (cameras === null || frames.head === undefined) return;
  const barrel = new MeshStandardMaterial({ color: "#1b1e21", roughness: 0.35, metalness: 0.3 });
  const glass = new MeshStandardMaterial({ color: "#0b2942", roughness: 0.08, metalness: 0.4 });
  for (const { headFromCamera } of [cameras.left, cameras.right]) {
    const lens = new Mesh(new CylinderGeometry(RADIUS, RADIUS, LENGTH, 32).rotateX(Math.PI / 2), barrel);
    const front = new Mesh(
      new SphereGeometry(0.72 * RADIUS, 24, 12).scale(1, 1, 0.35).translate(0, 0, LENGTH / 2),
      glass,
    );
    lens.add(front);
    lens.matrixAutoUpdate = false;
    setPose(lens.matrix, headFromCamera);
    figure.links[frames.head]!.add(lens);
  }
}
