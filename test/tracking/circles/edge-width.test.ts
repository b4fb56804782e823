import { describe, expect, test } from "vitest";
import { EDGE_VARIANCE, EdgeWidth } from "../../../src/tracking/circles/edge-width.js";
import { RimEdges } from "../../../src/tracking/circles/rim-edges.js";

const LENS = 0.8;
const MOTION = [5, 2] as const;
const RAYS = 32;

/** Variance of the edge across the direction (cos, sin): the lens's, and a box's as wide as the motion. */
function varianceAt(cos: number, sin: number): number {
  return LENS + (MOTION[0] * cos + MOTION[1] * sin) ** 2 / 12;
}

/** Rays that see the true width against what `width` has. */
function seenBy(width: EdgeWidth): RimEdges {
  const edges = new RimEdges();
  edges.count = RAYS;
  for (let k = 0; k < RAYS; k++) {
    const [cos, sin] = [Math.cos((2 * Math.PI * k) / RAYS), Math.sin((2 * Math.PI * k) / RAYS)];
    edges.cos[k] = cos;
    edges.sin[k] = sin;
    edges.half[k] = width.halfAt(cos, sin);
    edges.growth[k] = Math.sqrt(varianceAt(cos, sin) / EDGE_VARIANCE) - edges.half[k]!;
    edges.growthWeight[k] = 1;
  }
  return edges;
}

describe("the width of an edge", () => {
  test("is found for every direction from rays that see it", () => {
    const width = new EdgeWidth();
    width.reset(1);
    for (let round = 0; round < 6; round++) width.update(seenBy(width), 40);
    for (let angle = 0; angle < 3; angle += 0.3) {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const half = Math.sqrt(varianceAt(cos, sin) / EDGE_VARIANCE);
      expect(Math.abs(width.halfAt(cos, sin) - half) / half).toBeLessThan(0.03);
    }
  });

  test("an edge blurred by motion recedes on its sides as a moved disc's does", () => {
    const width = new EdgeWidth();
    width.reset(1);
    for (let round = 0; round < 6; round++) width.update(seenBy(width), 40);
    const speed = Math.hypot(...MOTION);
    // Beside the motion: where a disc of radius 40 covers a place half of the time, and the lens does the same to it.
    const covered = (distance: number): number => {
      let sum = 0;
      for (let n = 0; n < 2000; n++) sum += Math.hypot(distance, speed * ((n + 0.5) / 2000 - 0.5)) - 40;
      return sum / 2000;
    };
    let [low, high] = [39, 41];
    while (high - low > 1e-6) {
      const middle = 0.5 * (low + high);
      if (covered(middle) < 0) low = middle;
      else high = middle;
    }
    const sag = width.sagAt(-MOTION[1] / speed, MOTION[0] / speed, 40);
    expect(Math.abs(40 - low + LENS / 80 - sag)).toBeLessThan(0.004);
  });

  test("rays that see nothing leave it as it is", () => {
    const width = new EdgeWidth();
    width.reset(2);
    const edges = seenBy(width);
    edges.growthWeight.fill(0);
    width.update(edges, 40);
    expect(width.halfAt(1, 0)).toBeCloseTo(Math.sqrt(2 / EDGE_VARIANCE), 9);
  });
});
