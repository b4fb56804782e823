/** How a simulated camera works at present. */
export interface FrameQuality {
  /** Of the images' width and height against the camera's own. */
  readonly scale: number;
  /** Every so many frames one is taken. */
  readonly divisor: number;
}

/** What became of the quality. */
export const FrameChange = { none: 0, lowered: 1, raised: 2 } as const;
export type FrameChange = (typeof FrameChange)[keyof typeof FrameChange];

/** From best to least; each costs about a quarter, or half, of the one before. */
export const frameQualities: readonly FrameQuality[] = [
  { scale: 1, divisor: 1 },
  { scale: 0.5, divisor: 1 },
  { scale: 0.5, divisor: 2 },
];

/** Frames looked back upon. */
const MEMORY = 6;
/** Frames in a row that must have taken less than `EASY` of their time before all frames are taken again. */
const CALM = 30;
const EASY = 0.5;

/**
 * Decides what a camera can keep up: as soon as its frames take longer than there is time for, it goes on with less. When
 * it was the machine that was busy for a while, every frame is taken again; each time that proves to be too early it waits
 * twice as long. Larger images are not tried again: what they would take is not known.
 */
export class FramePace {
  readonly #share: number;
  readonly #framePeriod: number;
  readonly #recent: number[] = [];
  #level = 0;
  /** Easy frames in a row, and how many are wanted. */
  #easy = 0;
  #wanted = CALM;

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

  /** A frame took so long [s]; whether the quality was changed for it. */
  took(duration: number): FrameChange {
    this.#recent.push(duration);
    if (this.#recent.length > MEMORY) this.#recent.shift();
    if (this.#isTooSlow()) return this.#change(+1, FrameChange.lowered);
    this.#easy = duration <= EASY * this.#share * this.#framePeriod ? this.#easy + 1 : 0;
    if (this.#easy < this.#wanted || !this.#isHalved()) return FrameChange.none;
    this.#wanted *= 2;
    return this.#change(-1, FrameChange.raised);
  }

  #isTooSlow(): boolean {
    if (this.#recent.length < MEMORY || this.#level + 1 >= frameQualities.length) return false;
    const middle = this.#recent.toSorted((a, b) => a - b)[MEMORY >> 1]!;
    return !this.#fits(middle, this.quality.divisor);
  }

  /** Whether it is only in the number of frames that the quality before was better. */
  #isHalved(): boolean {
    return this.#level > 0 && frameQualities[this.#level - 1]!.scale === this.quality.scale;
  }

  #change(step: number, change: FrameChange): FrameChange {
    this.#level += step;
    this.#recent.length = 0;
    this.#easy = 0;
    return change;
  }
}
