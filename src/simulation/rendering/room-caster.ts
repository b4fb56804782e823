import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { BLOCK_SIZE, type RayTable } from "./ray-table.js";
import { FACES, type Room } from "./room.js";

/** Pixels by which a box's bounds on the image are widened, for what the lens bends. */
const BOUNDS_MARGIN = 16;
/** Nearer than this to the camera's plane [m], a box may be anywhere on the image. */
const NEAR = 0.1;
/** Samples of a pixel across which an edge runs, at (±¼, ±¼). */
const EDGE_SAMPLES = 4;

/**
 * Casts the rays of a camera into a room. An image is cast in blocks of 16 × 16 pixels: where the rays through a block's
 * four corners meet the same face, its texture coordinates are interpolated between them, for over so small an angle
 * they are as good as bilinear; else the block is quartered, down to single pixels, which are sampled more densely.
 */
export class RoomCaster {
  readonly #rays: RayTable;
  #room!: Room;
  /** Face each node's ray meets and the texture coordinates [texel] there, valid where `#stamp` is the current one. */
  readonly #face: Int16Array;
  readonly #s: Float32Array;
  readonly #t: Float32Array;
  readonly #stamp: Uint32Array;
  #currentStamp = 0;
  /** Columns and rows of nodes within which each box is seen: first and last. [boxes × 4] */
  #bounds = new Int32Array(0);
  /** Blocks that hold a box's vertex, where an edge may end between the corners. */
  readonly #holdsVertex: Uint8Array;
  /** Corners of all solids: min x y z, max x y z. [solids × 6] */
  #corners = new Float64Array(0);
  readonly #rotation = new Float64Array(9);
  readonly #origin = vec3.create();
  readonly #point = vec3.create();
  readonly #pixel = new Float64Array(2);
  /** Where the ray to cast meets the plane z = 1, and the point it meets, in the world frame. */
  readonly #plane = new Float64Array(2);
  readonly #meeting = vec3.create();
  /** Face, s and t of the ray cast last. */
  readonly #hit = new Float64Array(3);

  constructor(rays: RayTable, room: Room) {
    this.#rays = rays;
    const nodes = rays.stride * rays.rows;
    this.#face = new Int16Array(nodes);
    this.#s = new Float32Array(nodes);
    this.#t = new Float32Array(nodes);
    this.#stamp = new Uint32Array(nodes);
    this.#holdsVertex = new Uint8Array(rays.blockColumns * rays.blockRows);
    this.enter(room);
  }

  /** Casts into this room from now on. */
  enter(room: Room): void {
    this.#room = room;
    this.#bounds = new Int32Array(4 * room.boxes.length);
    this.#corners = Float64Array.from([room.extent, ...room.boxes].flatMap(({ min, max }) => [...min, ...max]));
  }

  /** Adds `weight` times the gray value of each pixel to `light` [width × height]. */
  cast(worldFromCamera: Pose, weight: number, light: Float32Array): void {
    this.#rotation.set(worldFromCamera.subarray(0, 9));
    pose.getTranslation(worldFromCamera, this.#origin);
    this.#currentStamp++;
    this.#holdsVertex.fill(0);
    this.#findBounds(worldFromCamera);
    const { blockColumns, blockRows } = this.#rays;
    for (let row = 0; row < blockRows; row++) {
      for (let column = 0; column < blockColumns; column++) {
        const isSplit = this.#holdsVertex[row * blockColumns + column]!;
        this.#castBlock(column * BLOCK_SIZE, row * BLOCK_SIZE, BLOCK_SIZE, isSplit, weight, light);
      }
    }
  }

  #castBlock(i: number, j: number, size: number, isSplit: number, weight: number, light: Float32Array): void {
    const { camera, stride } = this.#rays;
    if (i >= camera.width || j >= camera.height) return;
    const node = j * stride + i;
    const face = this.#castNode(i, j, node);
    const isEven =
      this.#castNode(i + size, j, node + size) === face &&
      this.#castNode(i, j + size, node + size * stride) === face &&
      this.#castNode(i + size, j + size, node + size * stride + size) === face;
    if (isEven && (isSplit === 0 || size === 1)) {
      this.#fill(i, j, size, node, weight, light);
    } else if (size === 1) {
      light[j * camera.width + i] = light[j * camera.width + i]! + weight * this.#sampleEdge(node);
    } else {
      const half = size >> 1;
      this.#castBlock(i, j, half, isSplit, weight, light);
      this.#castBlock(i + half, j, half, isSplit, weight, light);
      this.#castBlock(i, j + half, half, isSplit, weight, light);
      this.#castBlock(i + half, j + half, half, isSplit, weight, light);
    }
  }

  /** Gray values of a block within one face, texture coordinates and texels interpolated bilinearly. */
  #fill(i: number, j: number, size: number, node: number, weight: number, light: Float32Array): void {
    const { width, height } = this.#rays.camera;
    const below = node + size * this.#rays.stride;
    const s = this.#s;
    const t = this.#t;
    const step = 1 / size;
    const { levels } = this.#room.faces[this.#face[node]!]!;
    const level = this.#chooseLevel(node, below, size, levels.length);
    const { quads, width: texels } = levels[level]!;
    // Texture coordinates of the level, in parts of 2¹⁶.
    const toLevel = 0x10000 / (1 << level);
    const lastRow = Math.min(j + size, height);
    const lastColumn = Math.min(i + size, width);
    const scale = weight / 0x10000;
    for (let row = j; row < lastRow; row++) {
      const b = (row - j + 0.5) * step;
      const leftS = s[node]! + b * (s[below]! - s[node]!);
      const leftT = t[node]! + b * (t[below]! - t[node]!);
      const rightS = s[node + size]! + b * (s[below + size]! - s[node + size]!);
      const rightT = t[node + size]! + b * (t[below + size]! - t[node + size]!);
      const stepS = ((rightS - leftS) * step * toLevel) | 0;
      const stepT = ((rightT - leftT) * step * toLevel) | 0;
      let atS = ((leftS * toLevel) | 0) + (stepS >> 1);
      let atT = ((leftT * toLevel) | 0) + (stepT >> 1);
      const end = row * width + lastColumn;
      for (let target = row * width + i; target < end; target++) {
        const quad = quads[Math.imul(atT >> 16, texels) + (atS >> 16)]!;
        const x = (atS >> 8) & 0xff;
        const y = (atT >> 8) & 0xff;
        // Upper and lower pair are mixed at once, in the two halves of a word.
        const mixed = (Math.imul(quad & 0xff00ff, 256 - x) + Math.imul((quad >>> 8) & 0xff00ff, x)) | 0;
        const gray = Math.imul(mixed & 0xffff, 256 - y) + Math.imul(mixed >>> 16, y);
        light[target] = light[target]! + scale * gray;
        atS = (atS + stepS) | 0;
        atT = (atT + stepT) | 0;
      }
    }
  }

  /** The level at which a step of one pixel is about one texel. */
  #chooseLevel(node: number, below: number, size: number, count: number): number {
    const s = this.#s;
    const t = this.#t;
    const across = Math.abs(s[node + size]! - s[node]!) + Math.abs(t[node + size]! - t[node]!);
    const down = Math.abs(s[below]! - s[node]!) + Math.abs(t[below]! - t[node]!);
    const texels = Math.sqrt(across * down) / size;
    let level = 0;
    for (let coarser = 1.5; coarser < texels && level < count - 1; coarser *= 2) level++;
    return level;
  }

  /** Mean of some rays within the pixel whose top left node is given. */
  #sampleEdge(node: number): number {
    const { x, y, stride } = this.#rays;
    const hit = this.#hit;
    let sum = 0;
    for (let sample = 0; sample < EDGE_SAMPLES; sample++) {
      const a = sample & 1 ? 0.75 : 0.25;
      const b = sample & 2 ? 0.75 : 0.25;
      const below = node + stride;
      this.#plane[0] =
        (1 - b) * ((1 - a) * x[node]! + a * x[node + 1]!) + b * ((1 - a) * x[below]! + a * x[below + 1]!);
      this.#plane[1] =
        (1 - b) * ((1 - a) * y[node]! + a * y[node + 1]!) + b * ((1 - a) * y[below]! + a * y[below + 1]!);
      this.#castRay(node % stride, (node / stride) | 0);
      const level = this.#room.faces[hit[0]!]!.levels[0]!;
      sum += level.quads[(hit[2]! | 0) * level.width + (hit[1]! | 0)]! & 0xff;
    }
    return sum / EDGE_SAMPLES;
  }

  #castNode(i: number, j: number, node: number): number {
    if (this.#stamp[node] !== this.#currentStamp) {
      this.#stamp[node] = this.#currentStamp;
      this.#plane[0] = this.#rays.x[node]!;
      this.#plane[1] = this.#rays.y[node]!;
      this.#castRay(i, j);
      this.#face[node] = this.#hit[0]!;
      this.#s[node] = this.#hit[1]!;
      this.#t[node] = this.#hit[2]!;
    }
    return this.#face[node]!;
  }

  /** What the ray of `#plane` at node (i, j) meets, to `#hit`. Numbers go through arrays, so that V8 need not box them. */
  #castRay(i: number, j: number): void {
    const r = this.#rotation;
    const o = this.#origin;
    const corners = this.#corners;
    const planeX = this.#plane[0]!;
    const planeY = this.#plane[1]!;
    const wx = r[0]! * planeX + r[1]! * planeY + r[2]!;
    const wy = r[3]! * planeX + r[4]! * planeY + r[5]!;
    const wz = r[6]! * planeX + r[7]! * planeY + r[8]!;
    const px = 1 / wx;
    const py = 1 / wy;
    const pz = 1 / wz;
    // Offsets of the corner a ray going this way leaves by; the opposite one is where it enters.
    const outX = wx > 0 ? 3 : 0;
    const outY = wy > 0 ? 4 : 1;
    const outZ = wz > 0 ? 5 : 2;
    const leaveX = (corners[outX]! - o[0]) * px;
    const leaveY = (corners[outY]! - o[1]) * py;
    const leaveZ = (corners[outZ]! - o[2]) * pz;
    let reach = leaveX < leaveY ? (leaveX < leaveZ ? leaveX : leaveZ) : leaveY < leaveZ ? leaveY : leaveZ;
    let face = reach === leaveX ? (wx > 0 ? 1 : 0) : reach === leaveY ? (wy > 0 ? 3 : 2) : wz > 0 ? 5 : 4;
    const bounds = this.#bounds;
    for (let b = 0, c = 6; b < bounds.length; b += 4, c += 6) {
      if (i < bounds[b]! || i > bounds[b + 1]! || j < bounds[b + 2]! || j > bounds[b + 3]!) continue;
      const enterX = (corners[c + 3 - outX]! - o[0]) * px;
      const enterY = (corners[c + 5 - outY]! - o[1]) * py;
      const enterZ = (corners[c + 7 - outZ]! - o[2]) * pz;
      const enter = enterX > enterY ? (enterX > enterZ ? enterX : enterZ) : enterY > enterZ ? enterY : enterZ;
      if (!(enter > 0 && enter < reach)) continue;
      const isMissed =
        enter >= (corners[c + outX]! - o[0]) * px ||
        enter >= (corners[c + outY]! - o[1]) * py ||
        enter >= (corners[c + outZ]! - o[2]) * pz;
      if (isMissed) continue;
      reach = enter;
      face = c + (enter === enterX ? (wx > 0 ? 0 : 1) : enter === enterY ? (wy > 0 ? 2 : 3) : wz > 0 ? 4 : 5);
    }
    this.#meeting[0] = o[0] + reach * wx;
    this.#meeting[1] = o[1] + reach * wy;
    this.#meeting[2] = o[2] + reach * wz;
    this.#locate(face);
  }

  /** Texture coordinates of the meeting point on a face. */
  #locate(face: number): void {
    const hit = this.#hit;
    const at = this.#meeting;
    const axis = (face % FACES) >> 1;
    // As many faces as numbers a solid: its corners begin at its first face's number.
    const c = face - (face % FACES);
    const corners = this.#corners;
    const { texelsPerMetre } = this.#room.faces[face]!;
    const s = axis === 1 ? at[0] - corners[c]! : at[1] - corners[c + 1]!;
    const t = axis === 2 ? at[0] - corners[c]! : at[2] - corners[c + 2]!;
    hit[0] = face;
    // Rounding may put a point on an edge just outside.
    hit[1] = s > 0 ? s * texelsPerMetre : 0;
    hit[2] = t > 0 ? t * texelsPerMetre : 0;
  }

  #findBounds(worldFromCamera: Pose): void {
    for (let box = 0; box < this.#room.boxes.length; box++) {
      const b = 4 * box;
      this.#bounds[b] = this.#rays.stride;
      this.#bounds[b + 1] = -1;
      this.#bounds[b + 2] = this.#rays.rows;
      this.#bounds[b + 3] = -1;
      for (let vertex = 0; vertex < 8; vertex++) this.#includeVertex(worldFromCamera, box, vertex);
    }
  }

  /** Widens a box's bounds by one of its vertices. */
  #includeVertex(worldFromCamera: Pose, box: number, vertex: number): void {
    const { camera, stride, rows, blockColumns } = this.#rays;
    const point = this.#point;
    const pixel = this.#pixel;
    const bounds = this.#bounds;
    const b = 4 * box;
    const c = 6 + 6 * box;
    point[0] = this.#corners[c + (vertex & 1 ? 3 : 0)]!;
    point[1] = this.#corners[c + (vertex & 2 ? 4 : 1)]!;
    point[2] = this.#corners[c + (vertex & 4 ? 5 : 2)]!;
    pose.transformPointInverse(worldFromCamera, point, point);
    if (point[2] < NEAR || !camera.project(point, pixel)) {
      // Off the image, but its edges may cross it.
      bounds[b] = 0;
      bounds[b + 1] = stride;
      bounds[b + 2] = 0;
      bounds[b + 3] = rows;
      return;
    }
    const u = pixel[0]!;
    const v = pixel[1]!;
    bounds[b] = Math.min(bounds[b]!, u - BOUNDS_MARGIN);
    bounds[b + 1] = Math.max(bounds[b + 1]!, u + BOUNDS_MARGIN);
    bounds[b + 2] = Math.min(bounds[b + 2]!, v - BOUNDS_MARGIN);
    bounds[b + 3] = Math.max(bounds[b + 3]!, v + BOUNDS_MARGIN);
    if (!camera.isInside(u, v, 0)) return;
    const block = Math.floor((v + 0.5) / BLOCK_SIZE) * blockColumns + Math.floor((u + 0.5) / BLOCK_SIZE);
    this.#holdsVertex[block] = 1;
  }
}
