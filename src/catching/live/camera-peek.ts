import type { GrayImage } from "../../camera/gray-image.js";
import type { SearchWindow } from "../../tracking/circles/detector-options.js";

/** Of a peek: nobody asks; somebody does; an image is there. */
const Stage = { idle: 0, asked: 1, shown: 2 } as const;
const Slot = { stage: 0, width: 1, height: 2, windows: 3, count: 4 } as const;
/** Windows that are told of at most. */
const MOST_WINDOWS = 8;
/** Exposure, size of the image in which windows are told, then u, v and half the side of each window. */
const NUMBERS = 2 + 3 * MOST_WINDOWS;

/** A camera's image as it was peeked at. */
export interface PeekedImage extends GrayImage {
  /** Exposure [s]. */
  readonly time: number;
  /** Where balls were looked for [px of this image]; none: everywhere. */
  readonly windows: readonly Pick<SearchWindow, "u" | "v" | "halfSize">[];
}

/**
 * Lets the main thread look at a camera's newest image now and then, in shared memory. The camera's thread copies an image
 * only when it was asked for one, and never waits: the next is not written before the last has been taken.
 */
export class CameraPeek {
  readonly #slots: Int32Array;
  readonly #numbers: Float64Array;
  readonly #pixels: Uint8Array;

  /** Memory for images of up to `pixels` pixels. */
  static memory(pixels: number): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * Slot.count + 8 * NUMBERS + pixels);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory, 0, Slot.count);
    this.#numbers = new Float64Array(memory, 4 * Slot.count, NUMBERS);
    this.#pixels = new Uint8Array(memory, 4 * Slot.count + 8 * NUMBERS);
  }

  /** Asks for the next image, if none is asked for or there. */
  ask(): void {
    Atomics.compareExchange(this.#slots, Slot.stage, Stage.idle, Stage.asked);
  }

  /** Takes the image that is there, which is overwritten only after another `ask`; null if none is. */
  take(): PeekedImage | null {
    const slots = this.#slots;
    if (Atomics.load(slots, Slot.stage) !== Stage.shown) return null;
    const [width, height] = [slots[Slot.width]!, slots[Slot.height]!];
    const [time, scale] = [this.#numbers[0]!, this.#numbers[1]!];
    const windows = Array.from({ length: slots[Slot.windows]! }, (_, k) => {
      const [u, v, halfSize] = this.#numbers.subarray(2 + 3 * k, 5 + 3 * k);
      return { u: scale * u!, v: scale * v!, halfSize: scale * halfSize! };
    });
    Atomics.store(slots, Slot.stage, Stage.idle);
    return { width, height, pixels: this.#pixels.subarray(0, width * height), time, windows };
  }

  /** Whether the camera's thread is asked for an image. */
  get isAsked(): boolean {
    return Atomics.load(this.#slots, Slot.stage) === Stage.asked;
  }

  /** The image exposed at `time` [s]; `windows` are in pixels of an image `1 / scale` times as large. */
  show(
    { width, height, pixels }: GrayImage,
    time: number,
    windows: readonly SearchWindow[] | null,
    scale: number,
  ): void {
    const slots = this.#slots;
    const count = Math.min(MOST_WINDOWS, windows?.length ?? 0);
    slots[Slot.width] = width;
    slots[Slot.height] = height;
    slots[Slot.windows] = count;
    this.#numbers[0] = time;
    this.#numbers[1] = scale;
    for (let k = 0; k < count; k++) {
      const { u, v, halfSize } = windows![k]!;
      this.#numbers.set([u, v, halfSize], 2 + 3 * k);
    }
    this.#pixels.set(pixels.subarray(0, width * height));
    Atomics.store(slots, Slot.stage, Stage.shown);
  }
}
