import { BufferAttribute, BufferGeometry, DynamicDrawUsage, type Material, Mesh, Vector3 } from "three";

const SIDES = 10;

/**
 * A tube along a path, thin or thick from point to point: trails, predicted paths and their uncertainty. Its memory is
 * made once and filled again, so that drawing a new path every frame leaves nothing behind.
 */
export class PathTube {
  readonly mesh: Mesh;
  readonly #mostPoints: number;
  readonly #positions: BufferAttribute;
  readonly #normals: BufferAttribute;
  readonly #geometry = new BufferGeometry();
  readonly #tangent = new Vector3();
  readonly #side = new Vector3();
  readonly #over = new Vector3();

  constructor(mostPoints: number, material: Material) {
    this.#mostPoints = mostPoints;
    this.#positions = new BufferAttribute(new Float32Array(3 * SIDES * mostPoints), 3).setUsage(DynamicDrawUsage);
    this.#normals = new BufferAttribute(new Float32Array(3 * SIDES * mostPoints), 3).setUsage(DynamicDrawUsage);
    this.#geometry.setAttribute("position", this.#positions);
    this.#geometry.setAttribute("normal", this.#normals);
    this.#geometry.setIndex(triangles(mostPoints));
    this.#geometry.setDrawRange(0, 0);
    this.mesh = new Mesh(this.#geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** `points` are x, y, z [m]; `radiusOf` is asked for every point [m]. Of too long a path the end is drawn. */
  set(points: ArrayLike<number>, radiusOf: (point: number, count: number) => number): void {
    const all = Math.floor(points.length / 3);
    const count = Math.min(all, this.#mostPoints);
    const first = all - count;
    for (let k = 0; k < count; k++) this.#ring(points, first + k, all, k, radiusOf(first + k, all));
    this.#geometry.setDrawRange(0, Math.max(0, count - 1) * SIDES * 6);
    this.#positions.needsUpdate = true;
    this.#normals.needsUpdate = true;
    this.mesh.visible = count > 1;
  }

  hide(): void {
    this.mesh.visible = false;
  }

  #ring(points: ArrayLike<number>, at: number, all: number, ring: number, radius: number): void {
    const before = 3 * Math.max(0, at - 1);
    const after = 3 * Math.min(all - 1, at + 1);
    const tangent = this.#tangent.set(
      points[after]! - points[before]!,
      points[after + 1]! - points[before + 1]!,
      points[after + 2]! - points[before + 2]!,
    );
    // A flight stays in an upright plane: what is level and across it never turns.
    const side = this.#side.set(-tangent.y, tangent.x, 0);
    if (side.lengthSq() < 1e-12) side.set(0, 1, 0);
    side.normalize();
    const over = this.#over.crossVectors(tangent, side).normalize();
    for (let s = 0; s < SIDES; s++) {
      const angle = (2 * Math.PI * s) / SIDES;
      const u = Math.cos(angle);
      const v = Math.sin(angle);
      const vertex = ring * SIDES + s;
      const [nx, ny, nz] = [u * side.x + v * over.x, u * side.y + v * over.y, u * side.z + v * over.z];
      this.#normals.setXYZ(vertex, nx, ny, nz);
      this.#positions.setXYZ(
        vertex,
        points[3 * at]! + radius * nx,
        points[3 * at + 1]! + radius * ny,
        points[3 * at + 2]! + radius * nz,
      );
    }
  }
}

function triangles(rings: number): number[] {
  const indices: number[] = [];
  for (let ring = 0; ring + 1 < rings; ring++) {
    for (let s = 0; s < SIDES; s++) {
      const a = ring * SIDES + s;
      const b = ring * SIDES + ((s + 1) % SIDES);
      indices.push(a, a + SIDES, b, b, a + SIDES, b + SIDES);
    }
  }
  return indices;
}
