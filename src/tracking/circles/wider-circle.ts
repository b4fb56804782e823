import { outlineEvidence } from "./ball-tests.js";
import type { LevelImage } from "./level-image.js";
import { OutlinePurity } from "./outline-purity.js";
import type { OutlineShape } from "./outline-shape.js";

/** Radii that are tried, relative to that of the circle. */
const GROWTH = [1.2, 1.4, 1.65] as const;
/** To how many sides the circle is grown. */
const SIDES = 8;
/** Where the samples are this coarse a circle has so much of its purity, and of its evidence against the smaller one. */
const LEAST_PURITY = 0.42;
const LEAST_EVIDENCE = 0.7;
/** Greatest radius that is fitted on a level [px]. */
const MOST_RADIUS = 7.2;

/**
 * The larger circle of which a circle may be but a part: a bright panel, the lit side or a highlight of a ball touches the ball's
 * outline from within. So circles are tried that have one side in common with it.
 */
export class WiderCircle {
  isFound = false;
  /** On the level that was searched [px]. */
  u = 0;
  v = 0;
  r = 0;
  readonly #purity = new OutlinePurity();

  /** @param purity Of the circle (u, v, r); `mostRadius` [px] and `noiseVariance` are those of the level. */
  search(
    image: LevelImage,
    u: number,
    v: number,
    r: number,
    purity: number,
    mostRadius: number,
    shape: OutlineShape,
    noiseVariance: number,
  ): void {
    let most = LEAST_EVIDENCE * outlineEvidence(r, purity);
    for (const growth of GROWTH) {
      const wide = growth * r;
      if (wide > mostRadius) return;
      for (let side = 0; side < SIDES; side++) {
        const wideU = u + (wide - r) * cosines[side]!;
        const wideV = v + (wide - r) * sines[side]!;
        const own = this.#purity.measure(image, wideU, wideV, wide, shape, noiseVariance);
        const evidence = outlineEvidence(wide, own);
        if (!(own > LEAST_PURITY && evidence > most)) continue;
        most = evidence;
        this.#take(wideU, wideV, wide);
      }
    }
  }

  #take(u: number, v: number, r: number): void {
    this.isFound = true;
    this.u = u;
    this.v = v;
    this.r = r;
  }

  /** The level on which to fit it, if `level` was searched. */
  levelOf(level: number, count: number): number {
    return this.r > MOST_RADIUS ? Math.min(level + 1, count - 1) : level;
  }
}

const cosines = Float64Array.from({ length: SIDES }, (_, k) => Math.cos((2 * Math.PI * k) / SIDES));
const sines = Float64Array.from({ length: SIDES }, (_, k) => Math.sin((2 * Math.PI * k) / SIDES));
