import { describe, expect, it } from "vitest";
import { ColourDiscriminant, LEARNT_CONTRAST } from "../../src/camera/colour-discriminant.js";
import { type ColourImage, ColourProjector, luma } from "../../src/camera/colour-projection.js";
import { Random } from "../../src/math/random.js";

const [width, height] = [160, 120];
type Colour = readonly [red: number, green: number, blue: number];

/** A disc of one colour before patches of others, with noise. */
function draw(
  ball: { u: number; v: number; r: number },
  colour: Colour,
  patches: readonly Colour[],
  seed: string,
): ColourImage {
  const random = new Random(seed);
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isBall = Math.hypot(x - ball.u, y - ball.v) < ball.r;
      // The light on the ball falls off downwards; patches are bright or dark.
      const shade = isBall ? 1 - (0.3 * (y - ball.v)) / ball.r : 0.5 + ((x >> 3) % 3) * 0.25;
      const base = isBall ? colour : patches[(x >> 4) % patches.length]!;
      for (let c = 0; c < 3; c++) {
        const value = shade * base[c]! + 4 * random.normal();
        pixels[3 * (y * width + x) + c] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  return { width, height, order: "rgb", pixels };
}

function means(image: ColourImage, ball: { u: number; v: number; r: number }, learner: ColourDiscriminant) {
  const { pixels } = new ColourProjector(width, height, learner.projection()).project(image);
  const sums = { inside: 0, insideCount: 0, outside: 0, outsideCount: 0, squares: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x - ball.u, y - ball.v) / ball.r;
      const value = pixels[y * width + x]!;
      if (distance < 0.7) {
        sums.inside += value;
        sums.insideCount++;
      } else if (distance > 1.5) {
        sums.outside += value;
        sums.squares += value * value;
        sums.outsideCount++;
      }
    }
  }
  const outside = sums.outside / sums.outsideCount;
  const spread = Math.sqrt(sums.squares / sums.outsideCount - outside * outside);
  return { inside: sums.inside / sums.insideCount, outside, spread };
}

const yellow: Colour = [200, 180, 40];
const surroundings: readonly Colour[] = [
  [40, 150, 70],
  [220, 220, 220],
  [60, 60, 60],
];

describe("linear discriminant of colours", () => {
  it("makes a yellow ball bright before green, white and black, and those alike", () => {
    const ball = { u: 80, v: 60, r: 20 };
    const image = draw(ball, yellow, surroundings, "yellow");
    const learner = new ColourDiscriminant();
    learner.addFrame(image, [ball]);
    const { red, blue } = learner.projection();
    expect(red).toBeGreaterThan(0.3);
    expect(blue).toBeLessThan(-0.3);
    const { inside, outside, spread } = means(image, ball, learner);
    expect(Math.abs(inside - outside - LEARNT_CONTRAST)).toBeLessThan(10);
    expect(spread).toBeLessThan(0.35 * LEARNT_CONTRAST);
  });

  it("holds for other images than those it learnt from, from one small ball on", () => {
    const learner = new ColourDiscriminant();
    const small = { u: 40, v: 30, r: 4 };
    learner.addFrame(draw(small, yellow, surroundings, "small"), [small]);
    const ball = { u: 100, v: 70, r: 15 };
    const { inside, outside, spread } = means(draw(ball, yellow, surroundings, "other"), ball, learner);
    expect(inside - outside).toBeGreaterThan(2 * spread);
  });

  it("is the same whatever the order of bytes", () => {
    const ball = { u: 80, v: 60, r: 20 };
    const image = draw(ball, yellow, surroundings, "order");
    const swapped = image.pixels.slice();
    for (let k = 0; k < swapped.length; k += 3) {
      swapped[k] = image.pixels[k + 2]!;
      swapped[k + 2] = image.pixels[k]!;
    }
    const [one, other] = [new ColourDiscriminant(), new ColourDiscriminant()];
    one.addFrame(image, [ball]);
    other.addFrame({ ...image, order: "bgr", pixels: swapped }, [ball]);
    expect(other.projection()).toEqual(one.projection());
  });

  it("is luma without a ball, and where ball and background have one colour", () => {
    expect(new ColourDiscriminant().projection()).toBe(luma);
    const gray = { width, height, order: "rgb", pixels: new Uint8Array(3 * width * height).fill(90) } as const;
    const learner = new ColourDiscriminant();
    learner.addFrame(gray, [{ u: 80, v: 60, r: 10 }]);
    expect(learner.projection()).toBe(luma);
  });
});
