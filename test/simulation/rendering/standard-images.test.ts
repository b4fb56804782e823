import { describe, expect, it } from "vitest";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import { SphereOutline } from "../../../src/camera/sphere-outline.js";
import { defaultBall } from "../../../src/flight/ball.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { ImageEye } from "../../../src/simulation/eyes/image-eyes.js";
import type { TrueBall } from "../../../src/simulation/eyes/stereo-rig.js";
import {
  type Challenges,
  challengesOf,
  imageChallengeNames,
  noChallenges,
} from "../../../src/simulation/head-motion/challenges.js";
import { createRigidMotion } from "../../../src/simulation/head-motion/elastic-chain.js";
import { Codec } from "../../../src/simulation/rendering/codec.js";
import { KernelMemory } from "../../../src/simulation/rendering/kernel-memory.js";
import { Room } from "../../../src/simulation/rendering/room.js";
import { HandPath } from "../../../src/simulation/world/hand-motion.js";
import { Thrower } from "../../../src/simulation/world/thrower.js";
import { ThrowGenerator, throwSpaceOf } from "../../../src/simulation/world/throws.js";
import { haveEqualBytes } from "./scenes.js";

const robot = loadRobot("agile-justin");
const room = new Room(1);
const ballRadius = defaultBall.diameter / 2;
const throws = new ThrowGenerator(throwSpaceOf(robot), 1);
const thrower = new Thrower({ kind: "standard", fakes: 0, handOvers: 0 }, 1);
const head = createRigidMotion();
head.worldFromBody.set([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.5]);

function eyeOf(challenges: Partial<Challenges> = {}): ImageEye {
  return new ImageEye(robot, "left", room, { seed: 1, ballRadius, challenges: { ...noChallenges, ...challenges } });
}

function imageOf(eye: ImageEye, balls: readonly TrueBall[], frame = 3): GrayImage {
  const image = createImage(eye.rig.camera.width, eye.rig.camera.height);
  eye.see(head, balls, frame, image);
  return image;
}

/** Throw `id` so long before its release, standing still. */
function heldBall(id: number, before: number): TrueBall {
  const { state, hand } = thrower.prepare(throws.make(id, 0));
  const path = new HandPath(state, hand!);
  const position = path.position(-before, vec3.create());
  return { id, position, velocity: vec3.create(), hand: path.handAt(-before) };
}

const flying: TrueBall = { id: 2, position: vec3.create(3, 0.2, 1.5), velocity: vec3.create(-4, 0, 1) };

describe("a ball in a hand on an image", () => {
  it("is hidden in part, and by at most a third", () => {
    const eye = eyeOf();
    const shares: number[] = [];
    for (let id = 0; id < 40; id++) {
      const { hand: _, ...bare } = heldBall(id, 0.35);
      const circle = circleOf(eye, bare.position);
      if (circle === null) continue;
      const [without, held] = [imageOf(eye, [bare]), imageOf(eye, [heldBall(id, 0.35)])];
      shares.push(changedShare(without, held, circle));
    }
    expect(shares.length).toBeGreaterThan(25);
    expect(Math.max(...shares)).toBeLessThan(1 / 3);
    expect(Math.max(...shares)).toBeGreaterThan(0.1);
  });
});

/** A ball's outline on the image; null if it is not wholly on it. */
function circleOf({ rig }: ImageEye, position: vec3.Vec3): Float64Array | null {
  const worldFromCamera = pose.compose(head.worldFromBody, rig.headFromCamera, pose.create());
  const centre = pose.transformPointInverse(worldFromCamera, position, vec3.create());
  const circle = new Float64Array(3);
  const hasImage = new SphereOutline(rig.camera, ballRadius).measure(centre, circle);
  return hasImage && rig.camera.isInside(circle[0]!, circle[1]!, circle[2]!) ? circle : null;
}

/** Share of a circle's pixels that differ by more than noise would let them: they have the same noise. */
function changedShare(a: GrayImage, b: GrayImage, [u, v, r]: Float64Array): number {
  let [inside, changed] = [0, 0];
  for (let row = Math.floor(v! - r!); row <= v! + r!; row++) {
    for (let column = Math.floor(u! - r!); column <= u! + r!; column++) {
      if (Math.hypot(column - u!, row - v!) > r! - 1) continue;
      inside++;
      if (Math.abs(a.pixels[row * a.width + column]! - b.pixels[row * a.width + column]!) > 3) changed++;
    }
  }
  return changed / inside;
}

describe("images as hard as photographs", () => {
  const plain = imageOf(eyeOf(), [flying]);

  it("are plain where every challenge is off, and differ by each that is on", () => {
    expect(haveEqualBytes(imageOf(eyeOf(challengesOf("clean")), [flying]).pixels, plain.pixels)).toBe(true);
    for (const name of imageChallengeNames) {
      const eye = eyeOf({ [name]: 1 });
      const hard = imageOf(eye, [flying]);
      expect(haveEqualBytes(hard.pixels, plain.pixels)).toBe(false);
      imageOf(eye, [flying], 4);
      expect(haveEqualBytes(imageOf(eye, [flying]).pixels, hard.pixels)).toBe(true);
    }
  });

  it("have the same bytes in a region as in the whole", () => {
    const eye = eyeOf(challengesOf("standard"));
    const held = heldBall(1, 0.4);
    head.twist.set([0, 0, 0, 0, 0.3, 0.2]);
    const whole = imageOf(eye, [flying, held]);
    const part = createImage(whole.width, whole.height);
    const regions = [
      { left: 321, top: 203, width: 77, height: 91 },
      { left: 0, top: 555, width: 45, height: 45 },
    ];
    eye.see(head, [flying, held], 3, part, regions);
    head.twist.fill(0);
    for (const { left, top, width, height } of regions) {
      for (let row = top; row < top + height; row++) {
        const at = row * whole.width + left;
        expect(part.pixels.subarray(at, at + width)).toEqual(whole.pixels.subarray(at, at + width));
      }
    }
  });

  it("change with challenges that change during a run", () => {
    const challenges = { ...noChallenges, vignetting: 0 };
    const eye = new ImageEye(robot, "left", room, { seed: 1, ballRadius, challenges });
    const before = imageOf(eye, [flying]);
    challenges.vignetting = 1;
    const after = imageOf(eye, [flying]);
    const middle = 300 * 800 + 400;
    expect(Math.abs(after.pixels[middle]! - before.pixels[middle]!)).toBeLessThan(3);
    expect(cornerOf(after) / cornerOf(before)).toBeGreaterThan(0.6);
    expect(cornerOf(after) / cornerOf(before)).toBeLessThan(0.7);
  });

  it("have noise whose variance grows with the light", () => {
    const variances = (eye: ImageEye) => {
      const frames = Array.from({ length: 24 }, (_, frame) => imageOf(eye, [flying], frame));
      const [dark, bright] = [varianceBelow(frames, 60), varianceBelow(frames, 255, 180)];
      return { dark, bright };
    };
    const [before, after] = [variances(eyeOf()), variances(eyeOf({ shotNoise: 3 }))];
    expect(before.bright / before.dark).toBeLessThan(1.3);
    expect(after.bright / after.dark).toBeGreaterThan(1.6);
  });

  it("have balls with something on them, and with highlights", () => {
    const circle = circleOf(eyeOf(), vec3.create(1.2, 0, 1.5))!;
    const near: TrueBall = { ...flying, position: vec3.create(1.2, 0, 1.5), velocity: vec3.create() };
    const spread = (challenges: Partial<Challenges>, id: number) =>
      spreadInside(imageOf(eyeOf(challenges), [{ ...near, id }]), circle);
    const ids = Array.from({ length: 12 }, (_, id) => id);
    const base = spread({}, 0);
    expect(ids.filter((id) => spread({ ballTexture: 1 }, id) > 1.3 * base).length).toBeGreaterThan(3);
    expect(ids.filter((id) => spread({ ballGloss: 1 }, id) > 1.2 * base).length).toBeGreaterThan(5);
  });
});

function cornerOf({ pixels, width }: GrayImage): number {
  let sum = 0;
  for (let row = 0; row < 8; row++) for (let column = 0; column < 8; column++) sum += pixels[row * width + column]!;
  return sum / 64;
}

/** Mean variance over frames of pixels whose mean is in a range, in the middle of the image. */
function varianceBelow(frames: readonly GrayImage[], greatest: number, least = 0): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < frames[0]!.pixels.length; i += 37) {
    const values = frames.map(({ pixels }) => pixels[i]!);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    if (mean < least || mean > greatest || values.some((value) => value === 255 || value === 0)) continue;
    sum += values.reduce((a, b) => a + (b - mean) ** 2, 0) / (values.length - 1);
    count++;
  }
  expect(count).toBeGreaterThan(20);
  return sum / count;
}

/** Standard deviation of the gray values within a circle. */
function spreadInside({ pixels, width }: GrayImage, [u, v, r]: Float64Array): number {
  const values: number[] = [];
  const reach = Math.floor(0.6 * r!);
  for (let row = -reach; row <= reach; row++) {
    for (let column = -reach; column <= reach; column++) {
      values.push(pixels[(Math.round(v!) + row) * width + Math.round(u!) + column]!);
    }
  }
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length);
}

describe("the codec", () => {
  const [width, height] = [40, 24];

  function make(seed: number) {
    const memory = new KernelMemory();
    const pixels = memory.allocate(width * height);
    const random = new Random(seed);
    for (let i = 0; i < width * height; i++) memory.bytes[pixels + i] = random.integer(256);
    const codec = new Codec(memory, width, height, pixels);
    const bytes = () => memory.bytes.slice(pixels, pixels + width * height);
    const fill = (value: (column: number) => number) => {
      for (let i = 0; i < width * height; i++) memory.bytes[pixels + i] = value(i % width);
    };
    return { codec, bytes, fill };
  }

  it("quantises the cosine transform of each block: against a plain transform", () => {
    const { codec, bytes } = make(1);
    const before = bytes();
    codec.apply(3, { left: 8, top: 8, width: 8, height: 8 });
    const expected = reference(before, 8, 8, 3);
    const found = bytes();
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const [value, wanted] = [found[(8 + row) * width + 8 + column]!, expected[8 * row + column]!];
        expect(Math.abs(value - Math.min(255, Math.max(0, wanted)))).toBeLessThanOrEqual(0.51);
      }
    }
    expect(found.subarray(0, 8 * width)).toEqual(before.subarray(0, 8 * width));
  });

  it("smooths faint borders between blocks, and leaves strong ones", () => {
    const step = (difference: number): number[] => {
      const { codec, bytes, fill } = make(2);
      fill((column) => 100 + (column < 16 ? 0 : difference));
      codec.apply(0.5, { left: 0, top: 0, width, height });
      return Array.from(bytes().subarray(8 * width + 14, 8 * width + 18));
    };
    const [, left, right] = step(8);
    expect(left).toBeGreaterThan(100);
    expect(right).toBeLessThan(108);
    expect(step(96)).toEqual([100, 100, 196, 196]);
  });

  it("asks for whole blocks, and one more on each side", () => {
    const { codec } = make(3);
    expect(codec.regionFor({ left: 9, top: 9, width: 2, height: 2 })).toEqual({
      left: 0,
      top: 0,
      width: 24,
      height: 24,
    });
    expect(codec.regionFor({ left: 0, top: 0, width, height })).toEqual({ left: 0, top: 0, width, height });
  });

  /** Forward transform, rounding to steps and back, by the definition, of the block at (left, top). */
  function reference(pixels: Uint8Array, left: number, top: number, strength: number): number[] {
    const basis = (i: number, k: number) =>
      Math.cos((Math.PI * i * (2 * k + 1)) / 16) * (i === 0 ? Math.sqrt(1 / 8) : 0.5);
    const range = Array.from({ length: 8 }, (_, i) => i);
    const firstRow = [16, 11, 10, 16, 24, 40, 51, 61];
    const out: number[] = new Array(64).fill(128);
    for (const i of range) {
      for (const j of range) {
        let coefficient = 0;
        for (const y of range) {
          for (const x of range) {
            coefficient += basis(i, y) * basis(j, x) * (pixels[(top + y) * width + left + x]! - 128);
          }
        }
        const step = Math.max(1, strength * (i === 0 ? firstRow[j]! : STEPS[8 * i + j]!));
        const kept = step * Math.round(coefficient / step);
        for (const y of range) for (const x of range) out[8 * y + x]! += kept * basis(i, y) * basis(j, x);
      }
    }
    return out;
  }
});

/** JPEG's luminance steps at quality 50, once more. */
const STEPS = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
].flat();
