import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { Canvas, KernelMemory } from "./kernel-memory.js";
import { BLOCK_SIZE, type RayTable } from "./ray-table.js";
import { FACES, type Room } from "./room.js";

/** Pixels by which a box's bounds on the image are widened, for what the lens bends. */
const BOUNDS_MARGIN = 16;
/** Nearer than this to the camera's plane [m], a box may be anywhere on the image. */
const NEAR = 0.1;
/** Sizes of the kernels' records and where some of their fields are, in words: see kernels/room.as. */
const VIEW_WORDS = 14;
const CAST_WORDS = 10;
const CAST_VERTICES = 9;
const SOLID_WORDS = 11;
const SOLID_SCALE = 6;
const SOLID_BOUNDS = 7;
const LEVEL_WORDS = 2;

/** The functions of kernels/room.as. */
interface RoomKernels {
  scratchBytes(castCount: number, solidCount: number): number;
  castRoom(view: number): void;
}

/**
 * Casts the rays of a camera into a room. An image is cast in blocks of 16 × 16 pixels: where the rays through a block's
 * four corners meet the same face, its texture coordinates are interpolated between them, for over so small an angle
 * they are as good as bilinear; else the block is quartered, down to single pixels, which are sampled more densely. The
 * casting itself is in kernels/room.as; here its memory is laid out, and boxes are found on the image.
 */
export class RoomCaster {
  readonly #memory: KernelMemory;
  readonly #kernels: RoomKernels;
  readonly #rays: RayTable;
  readonly #maxCasts: number;
  #room!: Room;
  /** Addresses. */
  readonly #view: number;
  readonly #vertices: number;
  readonly #wanted: number;
  /** Of all that depends on the room: see `enter`. */
  #casts = 0;
  #capacity = 0;
  /** Columns and rows of nodes within which the box at hand is seen: first and last. */
  readonly #bounds = new Int32Array(4);
  readonly #point = vec3.create();
  readonly #pixel = new Float64Array(2);

  /** Casts from at most `maxCasts` poses at once. */
  constructor(canvas: Canvas, maxCasts: number, room: Room) {
    const { memory, rays, raysX, raysY, light } = canvas;
    const blocks = rays.blockColumns * rays.blockRows;
    this.#memory = memory;
    this.#kernels = memory.load("room");
    this.#rays = rays;
    this.#maxCasts = maxCasts;
    this.#view = memory.allocate(4 * VIEW_WORDS);
    this.#vertices = memory.allocate(maxCasts * blocks);
    this.#wanted = memory.allocate(blocks);
    const { width, height } = rays.camera;
    memory.words.set([width, height, rays.blockColumns, rays.blockRows, raysX, raysY], this.#view / 4);
    memory.words.set([light, this.#wanted], this.#view / 4 + 6);
    this.enter(room);
  }

  /** Casts into this room from now on. */
  enter(room: Room): void {
    if (room === this.#room) return;
    this.#room = room;
    const solids = 1 + room.boxes.length;
    const castBytes = 4 * (CAST_WORDS + SOLID_WORDS * solids);
    const levels = room.faces.flatMap((face) => face.levels);
    const texels = levels.reduce((sum, { pairs }) => sum + pairs.length, 0);
    // Casts, then scratch memory, levels and texels; a texel's word may reach beyond the last one.
    const scratchFrom = this.#maxCasts * castBytes;
    const levelsFrom = scratchFrom + this.#kernels.scratchBytes(this.#maxCasts, solids);
    const texelsFrom = levelsFrom + 4 * LEVEL_WORDS * levels.length;
    this.#reserve(texelsFrom + 2 * texels);
    const { bytes, words } = this.#memory;
    const table = this.#casts + levelsFrom;
    let target = this.#casts + texelsFrom;
    levels.forEach(({ stride, pairs }, i) => {
      words.set([target, stride], table / 4 + LEVEL_WORDS * i);
      bytes.set(new Uint8Array(pairs.buffer, pairs.byteOffset, pairs.byteLength), target);
      target += pairs.byteLength;
    });
    words.set([this.#casts, castBytes, solids, table, this.#casts + scratchFrom], this.#view / 4 + 9);
  }

  /** Whether a block is wanted: 1 or 0. [blockRows × blockColumns] */
  get wanted(): Uint8Array {
    const { blockColumns, blockRows } = this.#rays;
    return this.#memory.bytes.subarray(this.#wanted, this.#wanted + blockColumns * blockRows);
  }

  /** Prepares cast number k, of the view from a pose. */
  place(k: number, worldFromCamera: pose.Pose): void {
    const { bytes, words, floats } = this.#memory;
    const { extent, boxes, faces } = this.#room;
    const blocks = this.#rays.blockColumns * this.#rays.blockRows;
    const vertices = this.#vertices + k * blocks;
    bytes.fill(0, vertices, vertices + blocks);
    const cast = this.#casts / 4 + k * (CAST_WORDS + SOLID_WORDS * (1 + boxes.length));
    for (let i = 0; i < 9; i++) floats[cast + i] = worldFromCamera[i]!;
    words[cast + CAST_VERTICES] = vertices;
    for (let n = 0; n <= boxes.length; n++) {
      const { min, max } = n === 0 ? extent : boxes[n - 1]!;
      const solid = cast + CAST_WORDS + SOLID_WORDS * n;
      for (let axis = 0; axis < 3; axis++) {
        floats[solid + axis] = min[axis]! - worldFromCamera[9 + axis]!;
        floats[solid + 3 + axis] = max[axis]! - worldFromCamera[9 + axis]!;
      }
      floats[solid + SOLID_SCALE] = faces[FACES * n]!.texelsPerMetre;
      if (n === 0) continue;
      this.#findBounds(worldFromCamera, n - 1, vertices);
      words.set(this.#bounds, solid + SOLID_BOUNDS);
    }
  }

  /** Sets the wanted blocks of the light to the mean gray value of the first `count` casts. */
  cast(count: number): void {
    this.#memory.words[this.#view / 4 + 8] = count;
    this.#kernels.castRoom(this.#view);
  }

  /** A place for the casts and textures: where they were, if that is large enough. */
  #reserve(byteLength: number): void {
    if (byteLength <= this.#capacity) return;
    this.#casts = this.#memory.allocate(byteLength);
    this.#capacity = byteLength;
  }

  /** Where a box is seen, to `#bounds`; marks the blocks in which its vertices are, where an edge may end. */
  #findBounds(worldFromCamera: pose.Pose, box: number, vertices: number): void {
    const bounds = this.#bounds;
    bounds[0] = this.#rays.stride;
    bounds[1] = -1;
    bounds[2] = this.#rays.rows;
    bounds[3] = -1;
    for (let vertex = 0; vertex < 8; vertex++) this.#includeVertex(worldFromCamera, box, vertex, vertices);
  }

  /** Widens a box's bounds by one of its vertices. */
  #includeVertex(worldFromCamera: pose.Pose, box: number, vertex: number, vertices: number): void {
    const { camera, stride, rows, blockColumns } = this.#rays;
    const point = this.#point;
    const pixel = this.#pixel;
    const bounds = this.#bounds;
    const { min, max } = this.#room.boxes[box]!;
    point[0] = (vertex & 1 ? max : min)[0];
    point[1] = (vertex & 2 ? max : min)[1];
    point[2] = (vertex & 4 ? max : min)[2];
    pose.transformPointInverse(worldFromCamera, point, point);
    if (point[2] < NEAR || !camera.project(point, pixel)) {
      // Off the image, but its edges may cross it.
      bounds[0] = 0;
      bounds[1] = stride;
      bounds[2] = 0;
      bounds[3] = rows;
      return;
    }
    const u = pixel[0]!;
    const v = pixel[1]!;
    bounds[0] = Math.min(bounds[0]!, u - BOUNDS_MARGIN);
    bounds[1] = Math.max(bounds[1]!, u + BOUNDS_MARGIN);
    bounds[2] = Math.min(bounds[2]!, v - BOUNDS_MARGIN);
    bounds[3] = Math.max(bounds[3]!, v + BOUNDS_MARGIN);
    if (!camera.isInside(u, v, 0)) return;
    const block = Math.floor((v + 0.5) / BLOCK_SIZE) * blockColumns + Math.floor((u + 0.5) / BLOCK_SIZE);
    this.#memory.bytes[vertices + block] = 1;
  }
}
