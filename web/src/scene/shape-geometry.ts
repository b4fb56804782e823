import { BufferAttribute, BufferGeometry, CapsuleGeometry, LatheGeometry, SphereGeometry, Vector2 } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { RobotScene } from "../../../src/service/robot-scene.js";

export type ShapeGeometry = RobotScene["links"][number]["visuals"][number]["geometry"];

/** Edges are rounded so far [m]: light then runs along them, and a box looks made rather than drawn. */
const EDGE = 0.012;
const ROUND_SEGMENTS = 40;

/** The shape of a visual, centred on its origin; cylinder and capsule along z, as in URDF. */
export function geometryOf(shape: ShapeGeometry): BufferGeometry {
  switch (shape.type) {
    case "box": {
      const [x = 0, y = 0, z = 0] = shape.size;
      return new RoundedBoxGeometry(x, y, z, 3, Math.min(EDGE, 0.25 * Math.min(x, y, z)));
    }
    case "sphere":
      return new SphereGeometry(shape.radius, ROUND_SEGMENTS, ROUND_SEGMENTS / 2);
    case "capsule":
      return new CapsuleGeometry(shape.radius, shape.length, 8, ROUND_SEGMENTS).rotateX(Math.PI / 2);
    case "cylinder":
      return roundedCylinder(shape.radius, shape.length);
    case "mesh":
      return meshGeometry(shape.positions, shape.triangles);
  }
}

/** Triangles with a normal each, so that edges of machined parts stay sharp. */
function meshGeometry(positions: string, triangles: string): BufferGeometry {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new BufferAttribute(new Float32Array(bytesOf(positions)), 3));
  indexed.setIndex(new BufferAttribute(new Uint32Array(bytesOf(triangles)), 1));
  const flat = indexed.toNonIndexed();
  indexed.dispose();
  flat.computeVertexNormals();
  return flat;
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}

/** Turned from its outline, with a quarter circle at each edge. */
function roundedCylinder(radius: number, length: number): BufferGeometry {
  const edge = Math.min(EDGE, 0.3 * radius, 0.3 * length);
  const outline = [new Vector2(0, -length / 2)];
  for (const [side, from] of [
    [-1, -Math.PI / 2],
    [1, 0],
  ] as const) {
    for (let k = 0; k <= 4; k++) {
      const angle = from + (k / 4) * (Math.PI / 2);
      const height = side * (length / 2 - edge) + edge * Math.sin(angle);
      outline.push(new Vector2(radius - edge + edge * Math.cos(angle), height));
    }
  }
  outline.push(new Vector2(0, length / 2));
  return new LatheGeometry(outline, ROUND_SEGMENTS).rotateX(Math.PI / 2);
}
