/** How a simulated camera works at present. */
export interface FrameQuality {
  /** Of the images' width and height against the camera's own. */
  readonly scale: number;
  /** Every so many frames one is taken. */
  readonly divisor: number;
}

/** From best to least; each costs about a quarter, or half, of the one before. */
export const frameQualities: readonly FrameQuality[] = [
  { scale: 1, divisor: 1 },
  { scale: 0.5, divisor: 1 },
  { scale: 0.5, divisor: 2 },
];

/** Frames looked back upon. */
const MEMORY = 6;

/**
 * Decides what a camera can keep up: as soon as its frames take longer than there is time for, it goes on with less. It
 * does not go back by itself: a camera that changes its mind in every throw is of no use.
 */
export class FramePace {
  readonly #share: number;
  readonly #framePeriod: number;
  readonly #recent: number[] = [];
  #level = 0;

  /** A frame may take `share` of the time until the next is due, `framePeriod` [s]. */
  constructor(framePeriod: number, share: number) {
    this.#framePeriod = framePeriod;
    this.#share = share;
  }

  get quality(): FrameQuality {
    return frameQualities[this.#level]!;
  }

  /** Begins with the best quality of which a frame does not take too long; `durationAt` tells how long, by scale [s]. */
  begin(durationAt: (scale: number) => number): void {
    const fitting = frameQualities.findIndex(({ scale, divisor }) => this.#fits(durationAt(scale), divisor));
    this.#level = fitting < 0 ? frameQualities.length - 1 : fitting;
  }

  #fits(duration: number, divisor: number): boolean {
    return duration <= this.#share * this.#framePeriod * divisor;
  }

  /** A frame took so long [s]; true if the quality was lowered for it. */
  took(duration: number): boolean {
    this.#recent.push(duration);
    if (this.#recent.length > MEMORY) this.#recent.shift();
    const middle = this.#recent.toSorted((a, b) => a - b)[this.#recent.length >> 1]!;
    if (
      this.#fits(middle, this.quality.divisor) ||
      this.#recent.length < MEMORY ||
      this.#level + 1 >= frameQualities.length
    )
      return false;
    this.#level++;
    this.#recent.length = 0;
    return true;
  }
}
