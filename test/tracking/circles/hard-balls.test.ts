import { describe, expect, it } from "vitest";
import { createImage, type GrayImage } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";
import { CircleDetector } from "../../../src/tracking/circles/circle-detector.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";

const [width, height] = [240, 180];
const radii = { minRadius: 4, maxRadius: 42 };
const CONTRAST = 128;
const byShape = new CircleDetector(width, height, radii);
const byColour = new CircleDetector(width, height, { ...radii, contrast: CONTRAST });
const circles = new CircleSet();
const ROUNDS = 12;
const SUBSAMPLES = 4;

interface Ball {
  readonly u: number;
  readonly v: number;
  readonly r: number;
}

/** Gray value at a place of the image, or of the unit disc of a ball. */
type Paint = (x: number, y: number) => number;

/** A ball by supersampling, with what may lie before it; background and noise as in a room. */
function draw(ball: Ball, surface: Paint, seed: string, before: Paint = () => Number.NaN): GrayImage {
  const random = new Random(seed);
  const image = createImage(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = 0; k < SUBSAMPLES ** 2; k++) {
        const px = x + ((k % SUBSAMPLES) + 0.5) / SUBSAMPLES - 0.5;
        const py = y + (Math.floor(k / SUBSAMPLES) + 0.5) / SUBSAMPLES - 0.5;
        const [dx, dy] = [(px - ball.u) / ball.r, (py - ball.v) / ball.r];
        const front = before(dx, dy);
        const isBall = dx * dx + dy * dy < 1;
        sum += Number.isNaN(front) ? (isBall ? surface(dx, dy) : 60 + 0.05 * px) : front;
      }
      const value = sum / SUBSAMPLES ** 2 + 2 * random.normal();
      image.pixels[y * width + x] = Math.max(0, Math.min(255, Math.round(value)));
    }
  }
  return image;
}

const matt: Paint = (x, y) => 150 + 40 * Math.sqrt(Math.max(0, 1 - x * x - y * y)) - 15 * y;
const surfaces: Readonly<Record<string, Paint>> = {
  "a highlight": (x, y) => matt(x, y) + 60 * Math.exp(-((x + 0.3) ** 2 + (y + 0.35) ** 2) / 0.02),
  "a print": (x, y) => (Math.abs(x) < 0.35 && Math.abs(y - 0.1) < 0.08 ? 130 : matt(x, y)),
  "a seam": (x, y) => (Math.abs(y - 0.4 * x * x) < 0.04 ? 120 : matt(x, y)),
  "strong shading": (x, y) => 150 + 30 * Math.sqrt(Math.max(0, 1 - x * x - y * y)) - 45 * y,
};

function randomBall(random: Random): Ball {
  return { u: random.uniformIn(60, 180), v: random.uniformIn(50, 130), r: random.uniformIn(9, 30) };
}

/** The best circle's index if it is the ball: centre within a fifth of the radius, and the radius within a fifth. */
function findBall(detector: CircleDetector, image: GrayImage, { u, v, r }: Ball): number {
  detector.detect(image, circles);
  for (let n = 0; n < circles.count; n++) {
    const isThere = Math.hypot(circles.u[n]! - u, circles.v[n]! - v) < 0.2 * r;
    if (isThere && Math.abs(circles.r[n]! - r) < 0.2 * r) return n;
  }
  return -1;
}

function countFound(detector: CircleDetector, label: string, surface: Paint, before?: Paint): number {
  const random = new Random(label);
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const ball = randomBall(random);
    if (findBall(detector, draw(ball, surface, `${label} ${round}`, before), ball) === 0) found++;
  }
  return found;
}

describe("balls that are not evenly lit discs", () => {
  it.each(Object.keys(surfaces))("are found by their outline with %s, by shape and by colour", (name) => {
    expect(countFound(byShape, name, surfaces[name]!)).toBeGreaterThanOrEqual(ROUNDS - 1);
    expect(countFound(byColour, name, surfaces[name]!)).toBeGreaterThanOrEqual(ROUNDS - 1);
  });

  it("are found by colour though a dark hand hides a third", () => {
    const hand: Paint = (x, y) => (x > 0.5 && x < 3 && Math.abs(y) < 3 ? 30 : Number.NaN);
    expect(countFound(byColour, "hand", matt, hand)).toBeGreaterThanOrEqual(ROUNDS - 2);
  });

  it("are often found by shape where the border cuts a quarter off, and by colour where it leaves a cap", () => {
    const random = new Random("border");
    let cut = 0;
    let caps = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const r = random.uniformIn(29, 38);
      const u = random.uniformIn(60, 180);
      const low = { u, v: height - 0.6 * r, r };
      if (findBall(byShape, draw(low, matt, `cut ${round}`), low) >= 0) cut++;
      const cap = { u, v: height + 0.2 * r, r };
      if (findBall(byColour, draw(cap, matt, `cap ${round}`), cap) >= 0) caps++;
    }
    expect(cut).toBeGreaterThanOrEqual(ROUNDS / 2);
    expect(caps).toBeGreaterThanOrEqual(ROUNDS / 2);
  });

  it("have a covariance of some pixels, not of the whole image, whatever is on them", () => {
    const random = new Random("covariance");
    let squares = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ball = randomBall(random);
      const n = findBall(byColour, draw(ball, surfaces["a print"]!, `covariance ${round}`), ball);
      expect(n).toBe(0);
      const variance = (circles.covariance[0]! + circles.covariance[4]!) / 2;
      expect(Math.sqrt(variance)).toBeGreaterThan(0.5);
      expect(Math.sqrt(variance)).toBeLessThan(0.3 * ball.r);
      squares += ((circles.u[0]! - ball.u) ** 2 + (circles.v[0]! - ball.v) ** 2) / (2 * variance);
    }
    expect(squares / ROUNDS).toBeLessThan(2);
  });
});

/** A ball of eight panels of two tones, turned somehow, whose darker ones are hardly brighter than the background. */
function panels(random: Random): Paint {
  const [a, b] = [random.uniformIn(0.3, 1.2), random.uniformIn(0, 2 * Math.PI)];
  return (x, y) => {
    const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
    const [px, py] = [x * Math.cos(b) - y * Math.sin(b), x * Math.sin(b) + y * Math.cos(b)];
    const [qx, qz] = [px * Math.cos(a) - z * Math.sin(a), px * Math.sin(a) + z * Math.cos(a)];
    return (qx * py * qz > 0 ? 110 : 74) + 8 * z - 6 * y;
  };
}

describe("a ball of panels", () => {
  it("is found at its own size, not at that of its brighter panels, in a window and in the whole image", () => {
    const random = new Random("panels");
    let whole = 0;
    let expected = 0;
    const rounds = 2 * ROUNDS;
    for (let round = 0; round < rounds; round++) {
      const { u, v, r } = randomBall(random);
      const image = draw({ u, v, r }, panels(random), `panels ${round}`);
      const isNear = () =>
        circles.count > 0 && Math.hypot(circles.u[0]! - u, circles.v[0]! - v, circles.r[0]! - r) < 0.07 * r;
      byShape.detect(image, circles);
      if (isNear()) whole++;
      byShape.detectIn(image, [{ u: u + 3, v: v - 2, halfSize: 12, minRadius: 0.75 * r, maxRadius: 1.3 * r }], circles);
      if (isNear()) expected++;
    }
    expect(whole).toBeGreaterThanOrEqual(ROUNDS - 1);
    expect(expected).toBeGreaterThanOrEqual(rounds - 3);
  });
});

describe("a ball that is clipped on one side and as dark as the wall on the other", () => {
  it("is placed by the rest of its outline, and says how well", () => {
    const random = new Random("dark side");
    let errors = 0;
    let squares = 0;
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ball = randomBall(random);
      const turn = random.uniformIn(0, 2 * Math.PI);
      const surface: Paint = (x, y) => {
        const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
        return Math.min(255, 165 + 50 * z + 100 * (x * Math.cos(turn) + y * Math.sin(turn)));
      };
      const n = findBall(byShape, draw(ball, surface, `dark side ${round}`), ball);
      if (n < 0) continue;
      found++;
      const variance = (circles.covariance[9 * n]! + circles.covariance[9 * n + 4]!) / 2;
      const error = (circles.u[n]! - ball.u) ** 2 + (circles.v[n]! - ball.v) ** 2;
      errors += error / ball.r ** 2;
      squares += error / (2 * variance);
    }
    expect(found).toBeGreaterThanOrEqual(ROUNDS - 1);
    expect(Math.sqrt(errors / found)).toBeLessThan(0.01);
    expect(squares / found).toBeLessThan(1.5);
  });
});

describe("what is no ball", () => {
  const lamp = { u: 60, v: 60, r: 14 };
  const ball = { u: 170, v: 120, r: 14 };
  const glare: Paint = () => 255;

  it("ranks lower if it glares like a lamp", () => {
    const image = draw(ball, matt, "lamp");
    const bright = draw(lamp, glare, "lamp");
    for (let y = 0; y < height; y++) image.pixels.set(bright.pixels.subarray(y * width, y * width + 110), y * width);
    expect(findBall(byShape, image, ball)).toBe(0);
    expect(findBall(byShape, image, lamp)).toBe(1);
  });

  it("is not found by colour if it is darker than its surroundings, or hardly brighter", () => {
    for (const [label, gray] of [
      ["dark", 20],
      ["faint", 78],
    ] as const) {
      const image = draw(ball, () => gray, label);
      expect(findBall(byShape, image, ball)).toBe(0);
      expect(findBall(byColour, image, ball)).toBe(-1);
    }
  });
});
