import type { WebGLRenderer } from "three";

/** Steps from the best picture to the cheapest. */
const levels = [
  { pixelRatio: 2, shadows: "soft" },
  { pixelRatio: 1, shadows: "soft" },
  { pixelRatio: 1, shadows: "none" },
  { pixelRatio: 0.6, shadows: "none" },
] as const;

/** Pictures that come one after the other are looked at so many at a time. */
const LOOKED_AT = 20;
/** Slower than this, a picture is too dear [ms]; pictures further apart than that were not asked for in a row. */
const TOO_SLOW_MS = 34;
const IN_A_ROW_MS = 400;

/** Makes the picture cheaper, step by step, until the machine draws it smoothly. */
export class DrawingQuality {
  readonly #renderer: WebGLRenderer;
  #level = 0;
  #last = Number.NEGATIVE_INFINITY;
  #sum = 0;
  #count = 0;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
  }

  get pixelRatio(): number {
    return Math.min(levels[this.#level]!.pixelRatio, devicePixelRatio);
  }

  /** A picture was drawn at `now` [ms]. */
  drawn(now: number): "lowered" | "kept" {
    const gap = now - this.#last;
    this.#last = now;
    if (gap > IN_A_ROW_MS) return "kept";
    this.#sum += gap;
    this.#count++;
    if (this.#count < LOOKED_AT) return "kept";
    const isTooSlow = this.#sum / this.#count > TOO_SLOW_MS;
    this.#sum = 0;
    this.#count = 0;
    return isTooSlow && this.#level + 1 < levels.length ? this.#lower() : "kept";
  }

  #lower(): "lowered" {
    this.#level++;
    const isShadowed = levels[this.#level]!.shadows !== "none";
    if (this.#renderer.shadowMap.enabled !== isShadowed) {
      this.#renderer.shadowMap.enabled = isShadowed;
      this.#renderer.shadowMap.needsUpdate = true;
    }
    return "lowered";
  }
}
