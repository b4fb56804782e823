import { describe, expect, test } from "vitest";
import { DetectorScenes } from "../../../bench/tracking/detector-scenes.js";
import { createImage } from "../../../src/camera/gray-image.js";
import { Random } from "../../../src/math/random.js";
import { CircleDetector } from "../../../src/tracking/circles/circle-detector.js";
import { CircleSet } from "../../../src/tracking/circles/circle-set.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { type Disc, drawDiscs } from "./disc-image.js";

const width = 320;
const height = 240;
const options = { minRadius: 4, maxRadius: 42 };
const detector = new CircleDetector(width, height, options);
const circles = new CircleSet();

function draw(discs: readonly Disc[], noise: number, seed: string, background = 100) {
  return drawDiscs({ width, height, background, discs, noise }, new Random(seed));
}

function randomDisc(random: Random, contrast: number): Disc {
  const r = 4.2 * 9 ** random.uniform();
  return { u: random.uniformIn(60, 260), v: random.uniformIn(60, 180), r, contrast };
}

/** Mean of eᵀ C⁻¹ e by Cramer's rule. */
function normalisedError(set: CircleSet, n: number, disc: Disc): number {
  const [a, b, c, , d, e, , , f] = set.covariance.subarray(9 * n, 9 * n + 9) as unknown as number[];
  const x = set.u[n]! - disc.u;
  const y = set.v[n]! - disc.v;
  const z = set.r[n]! - disc.r;
  const determinant = a! * (d! * f! - e! * e!) - b! * (b! * f! - e! * c!) + c! * (b! * e! - d! * c!);
  const xx = d! * f! - e! * e!;
  const xy = c! * e! - b! * f!;
  const xz = b! * e! - c! * d!;
  const yy = a! * f! - c! * c!;
  const yz = b! * c! - a! * e!;
  const zz = a! * d! - b! * b!;
  return (x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz)) / determinant;
}

describe("circle detector", () => {
  test("centre and radius to a twentieth of a pixel, with an honest covariance", () => {
    const random = new Random("accuracy");
    const rounds = deep(60, 600);
    let squaredCentre = 0;
    let squaredRadius = 0;
    let normalised = 0;
    for (let round = 0; round < rounds; round++) {
      const disc = randomDisc(random, (round % 2 === 0 ? 1 : -1) * random.uniformIn(15, 80));
      detector.detect(draw([disc], 2, `accuracy ${round}`), circles);
      expect(circles.count).toBe(1);
      squaredCentre += (circles.u[0]! - disc.u) ** 2 + (circles.v[0]! - disc.v) ** 2;
      squaredRadius += (circles.r[0]! - disc.r) ** 2;
      normalised += normalisedError(circles, 0, disc) / 3;
    }
    expect(Math.sqrt(squaredCentre / rounds)).toBeLessThan(0.06);
    expect(Math.sqrt(squaredRadius / rounds)).toBeLessThan(0.05);
    // Of χ²₃ / 3 the mean of 60 has a standard deviation of 0.1.
    expect(normalised / rounds).toBeGreaterThan(0.7);
    expect(normalised / rounds).toBeLessThan(1.3);
  });

  test("motion blur shifts neither centre nor radius", () => {
    const random = new Random("blur");
    let meanU = 0;
    let meanR = 0;
    const rounds = deep(20, 200);
    for (let round = 0; round < rounds; round++) {
      const r = random.uniformIn(10, 30);
      const disc = { u: random.uniformIn(70, 250), v: random.uniformIn(70, 170), r, contrast: 50 };
      detector.detect(draw([{ ...disc, blur: [0.25 * r, 0.1 * r] }], 2, `blur ${round}`), circles);
      expect(circles.count).toBe(1);
      meanU += (circles.u[0]! - disc.u) / rounds;
      meanR += (circles.r[0]! - disc.r) / rounds;
    }
    expect(Math.abs(meanU)).toBeLessThan(0.03);
    expect(Math.abs(meanR)).toBeLessThan(0.05);
  });

  test("contrast and brightness make no difference as long as there is no noise", () => {
    const disc = { u: 151.3, v: 118.8, r: 13.4, contrast: 0 };
    const scores = [12, 40, 120].flatMap((contrast) =>
      [20, 60, 110].map((background) => {
        detector.detect(draw([{ ...disc, contrast }], 0, "still", background), circles);
        expect(circles.count).toBe(1);
        return circles.score[0]!;
      }),
    );
    for (const score of scores) expect(Math.abs(score - scores[0]!)).toBeLessThan(0.06);
  });

  test("several discs, dark and bright, best first and each once", () => {
    const discs: Disc[] = [
      { u: 60, v: 60, r: 5, contrast: 40 },
      { u: 160, v: 70, r: 20, contrast: -40 },
      { u: 260, v: 120, r: 9, contrast: 25 },
      { u: 120, v: 170, r: 35, contrast: 60 },
    ];
    detector.detect(draw(discs, 2, "several"), circles);
    expect(circles.count).toBe(discs.length);
    for (const { u, v, r } of discs) {
      const near = Array.from({ length: circles.count }, (_, n) => n).filter(
        (n) => Math.hypot(circles.u[n]! - u, circles.v[n]! - v) < 0.5 && Math.abs(circles.r[n]! - r) < 0.5,
      );
      expect(near).toHaveLength(1);
    }
    for (let n = 1; n < circles.count; n++) expect(circles.score[n]!).toBeLessThanOrEqual(circles.score[n - 1]!);
  });

  test("windows find what lies in them, as the whole search does, and nothing else", () => {
    const discs: Disc[] = [
      { u: 70, v: 80, r: 8, contrast: 40 },
      { u: 230, v: 150, r: 25, contrast: -35 },
    ];
    const image = draw(discs, 2, "windows");
    for (const { u, v, r } of discs) {
      const window = { u: u + 4, v: v - 3, halfSize: 12, minRadius: 0.8 * r, maxRadius: 1.25 * r };
      detector.detectIn(image, [window], circles);
      expect(circles.count).toBe(1);
      expect(Math.hypot(circles.u[0]! - u, circles.v[0]! - v)).toBeLessThan(0.3);
      detector.detectIn(image, [window, window], circles);
      expect(circles.count).toBe(1);
      detector.detectIn(image, [{ ...window, u: u + 60 }], circles);
      expect(circles.count).toBe(0);
    }
    const outside = { u: -500, v: 9000, halfSize: 10, minRadius: 5, maxRadius: 10 };
    const broken = { u: Number.NaN, v: 5, halfSize: 10, minRadius: 5, maxRadius: 10 };
    detector.detectIn(image, [outside, broken], circles);
    expect(circles.count).toBe(0);
  });

  test("black, white, even and pure noise images have no circles", () => {
    const image = createImage(width, height);
    for (const value of [0, 128, 255]) {
      image.pixels.fill(value);
      detector.detect(image, circles);
      expect(circles.count).toBe(0);
    }
    for (const noise of [1, 3, 12]) {
      detector.detect(draw([], noise, `noise ${noise}`), circles);
      expect(circles.count).toBe(0);
    }
  });

  test("the same image gives the same bits, whatever was seen before", () => {
    const image = draw([randomDisc(new Random("bits"), 30)], 2, "bits");
    detector.detect(image, circles);
    const first = [...circles.u, ...circles.covariance, ...circles.score].slice(0, 30);
    detector.detect(draw([], 20, "rubbish"), circles);
    detector.detectIn(image, [{ u: 100, v: 100, halfSize: 50, minRadius: 5, maxRadius: 30 }], circles);
    detector.detect(image, circles);
    expect([...circles.u, ...circles.covariance, ...circles.score].slice(0, 30)).toEqual(first);
    const other = new CircleSet();
    new CircleDetector(width, height, options).detect(image, other);
    expect(other.u[0]).toBe(circles.u[0]);
  });

  test("balls in rendered rooms", () => {
    const scenes = new DetectorScenes("detector test", { width: 800, height: 600, contrast: [0.15, 1] });
    const { camera } = scenes;
    const finder = new CircleDetector(800, 600, { minRadius: 4, maxRadius: 48, camera });
    const image = createImage(800, 600);
    let asked = 0;
    let found = 0;
    let extra = 0;
    const images = deep(4, 60);
    for (let index = 0; index < images; index++) {
      const { balls } = scenes.render(index, image);
      finder.detect(image, circles);
      const hits = balls.filter(({ u, v, r }) =>
        Array.from({ length: circles.count }, (_, n) => n).some(
          (n) => Math.hypot(circles.u[n]! - u, circles.v[n]! - v) < Math.max(2, 0.25 * r),
        ),
      ).length;
      asked += balls.length;
      found += hits;
      extra += circles.count - hits;
    }
    expect(found / asked).toBeGreaterThan(0.9);
    // Clocks and portraits: the outline decides, not what is inside.
    expect(extra / images).toBeLessThan(2);
  });

  test("allocates nothing but boxed numbers", () => {
    const small = new CircleDetector(160, 120, options);
    const image = drawDiscs(
      { width: 160, height: 120, background: 90, discs: [{ u: 80, v: 60, r: 15, contrast: 40 }], noise: 2 },
      new Random("heap"),
    );
    const windows = [{ u: 78, v: 61, halfSize: 10, minRadius: 10, maxRadius: 20 }];
    // Some numbers are boxed on their way into functions that V8 does not inline: for all rays of all fits together less
    // than one typed array of their length would cost.
    const most = 24 * boxedNumbers;
    // The window first, and often: what runs once for each ball must have run some thousand times to be compiled.
    expect(heapBytesPerCall(() => small.detectIn(image, windows, circles), 1000, most)).toBeLessThan(most);
    expect(heapBytesPerCall(() => small.detect(image, circles), 300, most)).toBeLessThan(most);
  });

  test("options and images that cannot be are refused", () => {
    const bad = (width: number, height: number, change: object): void => {
      expect(() => new CircleDetector(width, height, { ...options, ...change })).toThrow(/expected/);
    };
    bad(8, 240, {});
    bad(320, Number.NaN, {});
    bad(320, 240, { minRadius: 1 });
    bad(320, 240, { minRadius: Number.NaN });
    bad(320, 240, { maxRadius: 3 });
    bad(320, 240, { leastPurity: 0 });
    bad(320, 240, { leastPurity: Number.NaN });
    expect(() => detector.detect(createImage(160, 120), circles)).toThrow(/another size/);
  });
});
