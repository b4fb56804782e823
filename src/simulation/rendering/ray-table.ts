import type { CameraModel } from "../../camera/camera-model.js";
import * as vec3 from "../../math/vec3.js";

/** Pixels along the edge of the squares an image is cast in. */
export const BLOCK_SIZE = 16;

/**
 * Where the rays through the corners of a camera's pixels meet the plane z = 1, distortion undone. Node (i, j) is the
 * corner at pixel coordinates (i − ½, j − ½). The table is padded to whole blocks.
 */
export class RayTable {
  readonly camera: CameraModel;
  /** Blocks in a row and in a column. */
  readonly blockColumns: number;
  readonly blockRows: number;
  /** Nodes in a row. */
  readonly stride: number;
  readonly rows: number;
  /** Pixels in a row and in a column of whole blocks. */
  readonly pixelStride: number;
  readonly pixelRows: number;
  /** [rows × stride] */
  readonly x: Float32Array;
  readonly y: Float32Array;

  constructor(camera: CameraModel) {
    this.camera = camera;
    this.blockColumns = Math.ceil(camera.width / BLOCK_SIZE);
    this.blockRows = Math.ceil(camera.height / BLOCK_SIZE);
    this.pixelStride = this.blockColumns * BLOCK_SIZE;
    this.pixelRows = this.blockRows * BLOCK_SIZE;
    this.stride = this.pixelStride + 1;
    this.rows = this.pixelRows + 1;
    this.x = new Float32Array(this.stride * this.rows);
    this.y = new Float32Array(this.stride * this.rows);
    const ray = vec3.create();
    for (let j = 0, node = 0; j < this.rows; j++) {
      for (let i = 0; i < this.stride; i++, node++) this.#set(node, i - 0.5, j - 0.5, ray);
    }
  }

  /** Where the lens model has no ray (far corners of strong lenses), the pinhole's is taken. */
  #set(node: number, u: number, v: number, ray: vec3.Vec3): void {
    const { camera } = this;
    if (camera.ray(u, v, ray)) {
      this.x[node] = ray[0] / ray[2];
      this.y[node] = ray[1] / ray[2];
    } else {
      this.x[node] = (u - camera.cx) / camera.fx;
      this.y[node] = (v - camera.cy) / camera.fy;
    }
  }
}
