import type { CameraModel } from "../../../src/camera/camera-model.js";
import type { GrayImage } from "../../../src/camera/gray-image.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { SensorOptions } from "../../../src/simulation/rendering/render-scene.js";
import type { Extent, Room } from "../../../src/simulation/rendering/room.js";

/** What a ray meets first: the face's number, where on it [m], and how far away. */
export interface Meeting {
  readonly face: number;
  readonly s: number;
  readonly t: number;
  readonly distance: number;
}

interface Texture {
  readonly width: number;
  readonly height: number;
  at(s: number, t: number): number;
}

const BLOCK = 16;

/**
 * What the kernels of src/simulation/rendering compute, once more, plainly and in double precision: blocks of 16 × 16
 * pixels, interpolated where their corners meet one face and hold no vertex, else quartered.
 */
export class RoomReference {
  readonly #camera: CameraModel;
  readonly #room: Room;
  readonly #textures: readonly (readonly Texture[])[];
  #worldFromCamera = pose.create();
  #vertices: readonly (readonly [number, number])[] = [];
  #image = new Float64Array(0);
  /** Pixels across which an edge runs in any of the casts: rounding may decide differently there. */
  readonly edges = new Set<number>();

  constructor(camera: CameraModel, room: Room) {
    this.#camera = camera;
    this.#room = room;
    this.#textures = room.faces.map(({ levels }) => levels.map(({ stride, pairs }) => plainTexture(stride, pairs)));
  }

  /** Mean of the gray values seen from these poses. */
  cast(poses: readonly pose.Pose[]): Float64Array {
    this.edges.clear();
    const { width, height } = this.#camera;
    const sum = new Float64Array(width * height);
    for (const worldFromCamera of poses) {
      this.#worldFromCamera = worldFromCamera;
      this.#vertices = this.#seeVertices();
      this.#image = new Float64Array(width * height);
      for (let j = 0; j < height; j += BLOCK) {
        for (let i = 0; i < width; i += BLOCK) this.#castSquare(i, j, BLOCK, this.#holdsVertex(i, j));
      }
      for (const [i, value] of this.#image.entries()) sum[i] = sum[i]! + value / poses.length;
    }
    return sum;
  }

  /** What the ray through (u, v) meets first, by trying all faces. */
  meet(worldFromCamera: pose.Pose, u: number, v: number): Meeting {
    const ray = vec3.create();
    this.#camera.ray(u, v, ray);
    pose.rotateVector(worldFromCamera, ray, ray);
    const origin = pose.getTranslation(worldFromCamera, vec3.create());
    let nearest: Meeting = { face: -1, s: 0, t: 0, distance: Number.POSITIVE_INFINITY };
    [this.#room.extent, ...this.#room.boxes].forEach((solid, n) => {
      for (let side = 0; side < 6; side++) {
        // From outside a box one sees the faces that look back; from inside the room, the others.
        const looksBack = ray[side >> 1]! > 0 === (side % 2 === 0);
        if (looksBack !== n > 0) continue;
        const at = meetFace(solid, side, origin, ray);
        if (at !== undefined && at.distance < nearest.distance) nearest = { face: 6 * n + side, ...at };
      }
    });
    return nearest;
  }

  #castSquare(i: number, j: number, size: number, isSplit: boolean): void {
    const { width, height } = this.#camera;
    if (i >= width || j >= height) return;
    const corners = [
      [i, j],
      [i + size, j],
      [i, j + size],
      [i + size, j + size],
    ].map(([u, v]) => this.meet(this.#worldFromCamera, u! - 0.5, v! - 0.5));
    // An edge may end within a block that holds a vertex.
    if (isOneFace(corners) && (!isSplit || size === 1)) this.#fill(i, j, size, corners);
    else if (size === 1) this.#sample(i, j);
    else {
      for (const v of [j, j + size / 2]) for (const u of [i, i + size / 2]) this.#castSquare(u, v, size / 2, isSplit);
    }
  }

  #holdsVertex(i: number, j: number): boolean {
    return this.#vertices.some(
      ([u, v]) => Math.floor((u + 0.5) / BLOCK) * BLOCK === i && Math.floor((v + 0.5) / BLOCK) * BLOCK === j,
    );
  }

  #fill(i: number, j: number, size: number, corners: readonly Meeting[]): void {
    const { width, height } = this.#camera;
    const { face } = corners[0]!;
    const { texelsPerMetre } = this.#room.faces[face]!;
    const s = corners.map((corner) => corner.s * texelsPerMetre);
    const t = corners.map((corner) => corner.t * texelsPerMetre);
    const across = Math.abs(s[1]! - s[0]!) + Math.abs(t[1]! - t[0]!);
    const down = Math.abs(s[2]! - s[0]!) + Math.abs(t[2]! - t[0]!);
    const texels = Math.sqrt(across * down) / size;
    const level = [1.5, 3, 6].filter((limit) => texels > limit).length;
    const texture = this.#textures[face]![level]!;
    for (let v = j; v < Math.min(j + size, height); v++) {
      for (let u = i; u < Math.min(i + size, width); u++) {
        const mix = (at: readonly number[]): number => bilinear(at, (u - i + 0.5) / size, (v - j + 0.5) / size);
        this.#image[v * width + u] = interpolate(texture, mix(s) / 2 ** level, mix(t) / 2 ** level);
      }
    }
  }

  #sample(i: number, j: number): void {
    let sum = 0;
    for (const dv of [-0.25, 0.25]) {
      for (const du of [-0.25, 0.25]) {
        const { face, s, t } = this.meet(this.#worldFromCamera, i + du, j + dv);
        const { texelsPerMetre } = this.#room.faces[face]!;
        sum += this.#textures[face]![0]!.at(Math.floor(s * texelsPerMetre), Math.floor(t * texelsPerMetre));
      }
    }
    this.#image[j * this.#camera.width + i] = sum / 4;
    this.edges.add(j * this.#camera.width + i);
  }

  #seeVertices(): [number, number][] {
    const pixel = new Float64Array(2);
    return this.#room.boxes.flatMap(({ min, max }) =>
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((vertex): [number, number][] => {
        const at = [0, 1, 2].map((k) => ((vertex >> k) & 1 ? max : min)[k]!);
        const point = vec3.create(at[0], at[1], at[2]);
        pose.transformPointInverse(this.#worldFromCamera, point, point);
        if (!(point[2] > 0 && this.#camera.project(point, pixel))) return [];
        return this.#camera.isInside(pixel[0]!, pixel[1]!, 0) ? [[pixel[0]!, pixel[1]!]] : [];
      }),
    );
  }
}

function isOneFace(meetings: readonly Meeting[]): boolean {
  return meetings.every(({ face }) => face === meetings[0]!.face);
}

/** Blur, gradient, noise and rounding of light, in double precision. */
export function exposeReference(
  light: Float64Array,
  { width, height }: CameraModel,
  options: SensorOptions,
  seed: number | string,
  frame: number | string,
): GrayImage {
  const blurred = blur(blur(light, width, height, 1, options.defocus), width, height, width, options.defocus);
  const normal = new Random(seed).fork("sensor noise");
  const noise = Float32Array.from({ length: 1 << 16 }, () => normal.normal());
  const random = new Random(`${frame}`).fork("rows");
  const pixels = new Uint8Array(width * height);
  for (let v = 0; v < height; v++) {
    const offset = random.bits() & 0xffff;
    const gain = 1 + options.gradientDown * ((v + 0.5) / height - 0.5);
    for (let u = 0; u < width; u++) {
      const lit = blurred[v * width + u]! * (gain + options.gradientAcross * ((u + 0.5) / width - 0.5));
      const value = lit + options.noise * noise[(offset + u) & 0xffff]!;
      pixels[v * width + u] = Math.max(0, Math.min(255, Math.floor(value + 0.5)));
    }
  }
  return { width, height, pixels };
}

/** Along rows (step 1) or columns (step `width`); the outermost pixels go on beyond the border. */
function blur(light: Float64Array, width: number, height: number, step: number, sigma: number): Float64Array {
  if (sigma === 0) return light;
  const reach = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)));
  const sum = weights.reduce((a, b) => a + b);
  return light.map((_, i) => {
    const place = step === 1 ? i % width : Math.floor(i / width);
    const last = step === 1 ? width - 1 : height - 1;
    return weights.reduce((total, weight, k) => {
      const at = Math.max(0, Math.min(last, place + k - reach));
      return total + (weight / sum) * light[i + (at - place) * step]!;
    }, 0);
  });
}

/** The texels themselves; the last column, which is there twice, is left out. */
function plainTexture(stride: number, pairs: Uint16Array): Texture {
  const [width, height] = [stride - 1, pairs.length / stride];
  return { width, height, at: (s, t) => pairs[Math.min(t, height - 1) * stride + Math.min(s, width - 1)]! & 0xff };
}

/** In steps of 1/256 texel, as the kernels do. */
function interpolate(texture: Texture, s: number, t: number): number {
  const [left, top] = [Math.floor(s), Math.floor(t)];
  const corners = [
    texture.at(left, top),
    texture.at(left + 1, top),
    texture.at(left, top + 1),
    texture.at(left + 1, top + 1),
  ];
  return bilinear(corners, Math.floor(256 * (s - left)) / 256, Math.floor(256 * (t - top)) / 256);
}

function bilinear(corners: readonly number[], a: number, b: number): number {
  return (1 - b) * ((1 - a) * corners[0]! + a * corners[1]!) + b * ((1 - a) * corners[2]! + a * corners[3]!);
}

function meetFace(
  { min, max }: Extent,
  side: number,
  origin: vec3.Vec3,
  ray: vec3.Vec3,
): { distance: number; s: number; t: number } | undefined {
  const axis = side >> 1;
  const distance = ((side % 2 === 0 ? min : max)[axis]! - origin[axis]!) / ray[axis]!;
  if (!(distance > 0)) return undefined;
  const at = [0, 1, 2].map((k) => origin[k]! + distance * ray[k]!);
  const isOn = [0, 1, 2].every((k) => k === axis || (at[k]! >= min[k]! && at[k]! <= max[k]!));
  const [along, down] = axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [1, 0];
  return isOn ? { distance, s: at[along!]! - min[along!]!, t: at[down!]! - min[down!]! } : undefined;
}
