import { describe, expect, it } from "vitest";
import { LevelImage } from "../../../src/tracking/circles/level-image.js";
import { OutlineShape } from "../../../src/tracking/circles/outline-shape.js";
import { WiderCircle } from "../../../src/tracking/circles/wider-circle.js";

const SIZE = 40;
const DARK = 60;
const LIGHT = 160;
const shape = new OutlineShape(null);

/** A disc about (u, v), with soft edges. */
function discImage(u: number, v: number, r: number): LevelImage {
  const pixels = new Uint8Array(SIZE * SIZE);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const inside = Math.min(1, Math.max(0, 0.5 * (r + 1 - Math.hypot(x - u, y - v))));
      pixels[y * SIZE + x] = DARK + (LIGHT - DARK) * inside;
    }
  }
  const image = new LevelImage(pixels);
  image.set(0, SIZE, SIZE, SIZE);
  return image;
}

describe("the larger circle that a circle is a part of", () => {
  it("is found on each side of it", () => {
    for (let side = 0; side < 8; side++) {
      const [cos, sin] = [Math.cos((side * Math.PI) / 4), Math.sin((side * Math.PI) / 4)];
      const wider = new WiderCircle();
      wider.search(discImage(20 + 1.6 * cos, 20 + 1.6 * sin, 5.6), 20, 20, 4, 0.6, 20, shape, 8);
      expect(wider.isFound).toBe(true);
      expect(Math.hypot(wider.u - 20 - 1.6 * cos, wider.v - 20 - 1.6 * sin, wider.r - 5.6)).toBeLessThan(0.1);
    }
  });

  it("is none where there is no outline around it, nor beyond the greatest radius", () => {
    const wider = new WiderCircle();
    wider.search(discImage(20, 20, 7), 20, 20, 7, 0.95, 20, shape, 8);
    expect(wider.isFound).toBe(false);
    wider.search(discImage(21.6, 20, 5.6), 20, 20, 4, 0.6, 4.7, shape, 8);
    expect(wider.isFound).toBe(false);
  });

  it("is fitted a level further up where it is too large for its own", () => {
    const wider = new WiderCircle();
    wider.search(discImage(22.4, 20, 8.4), 20, 20, 6, 0.6, 20, shape, 8);
    expect(wider.r).toBeCloseTo(8.4, 9);
    expect(wider.levelOf(1, 4)).toBe(2);
    expect(wider.levelOf(3, 4)).toBe(3);
  });
});
