/** How a simulated camera works at present. */
interface FrameQuality {
  /** Of the images' width and height against the camera's own. */
  readonly scale: number;
  /** Every so many frames one is taken. */
  readonly divisor: number;
}

/** What became of the quality. */
export const FrameChange = { none: 0, lowered: 1, raised: 2 } as const;
export type FrameChange = (typeof FrameChange)[keyof typeof FrameChange];

/**
 * From best to least; each costs about two thirds of the one before. Smaller images than three quarters are of no use: a ball
 * six metres away would have less than four pixels.
 */
export const frameQualities: readonly FrameQuality[] = [
  { scale: 1, divisor: 1 },
  { scale: 0.75, divisor: 1 },
  { scale: 1, divisor: 2 },
  { scale: 0.75, divisor: 2 },
];

/** Frames looked back upon: those of a throw, so that a moment in which others worked does not count. */
const MEMORY = 20;
/** So many frames after a change at the earliest a better quality is tried again; twice as many each time, up to a bound. */
const CALM = 20;
const LONGEST_CALM = 80;
/** A better quality is tried if it would take no more than this part of what there is time for. */
const EASY = 0.85;

/**
 * Decides what a camera can keep up: as soon as its frames take longer than there is time for, it goes on with less. When
 * it was the machine that was busy for a while, it goes back step by step; each time that proves to be too early it waits
 * twice as long, up to a bound. What an image takes goes with its area.
 */
export class FramePace {
  readonly #share: number;
  readonly #framePeriod: number;
  readonly #recent: number[] = [];
  #level = 0;
  /** Frames since the last change, and how many there must be before a better quality is tried. */
  #frames = 0;
  #wanted = CALM;

  /** A frame may take `share` of the time until the next is due, `framePeriod` [s]. */
  constructor(framePeriod: number, share: number) {
    this.#framePeriod = framePeriod;
    this.#share = share;
  }

  get quality(): FrameQuality {
    return frameQualities[this.#level]!;
  }

  /**
   * Begins with the best quality of which a frame does not take too long; `durationAt` tells how long, by scale [s]. While a
   * run starts everything is slow, so it begins no lower than one step.
   */
  begin(durationAt: (scale: number) => number): void {
    const { scale, divisor } = frameQualities[0]!;
    this.#level = this.#fits(durationAt(scale), divisor) ? 0 : 1;
  }

  #fits(duration: number, divisor: number): boolean {
    return duration <= this.#share * this.#framePeriod * divisor;
  }

  /** A frame took so long [s]; whether the quality was changed for it. */
  took(duration: number): FrameChange {
    this.#frames++;
    this.#recent.push(duration);
    if (this.#recent.length > MEMORY) this.#recent.shift();
    if (this.#recent.length < MEMORY) return FrameChange.none;
    const middle = this.#recent.toSorted((a, b) => a - b)[MEMORY >> 1]!;
    const isTooSlow = !this.#fits(middle, this.quality.divisor);
    if (isTooSlow && this.#level + 1 < frameQualities.length) return this.#change(+1, FrameChange.lowered);
    if (this.#frames < this.#wanted || !this.#leavesRoom(middle)) return FrameChange.none;
    this.#wanted = Math.min(2 * this.#wanted, LONGEST_CALM);
    return this.#change(-1, FrameChange.raised);
  }

  /** Whether a frame of the next better quality would fit, too; there is none beyond the best. */
  #leavesRoom(duration: number): boolean {
    const better = frameQualities[this.#level - 1];
    if (better === undefined) return false;
    const growth = (better.scale / this.quality.scale) ** 2;
    return this.#fits((duration * growth) / EASY, better.divisor);
  }

  #change(step: number, change: FrameChange): FrameChange {
    this.#level += step;
    this.#recent.length = 0;
    this.#frames = 0;
    return change;
  }
}
