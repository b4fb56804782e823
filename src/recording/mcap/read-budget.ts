import { FlycatcherError } from "../../runtime/errors.js";

/** How much work reading a file may be. A recording has tens of channels and names; its chunks unpack to a few times its size. */
export interface ReadLimits {
  /** Channels, and records of names and texts. */
  readonly records: number;
  /** Chunks read, each as often as it is. */
  readonly chunks: number;
  /** What chunks unpack to [bytes]. */
  readonly unpackedBytes: number;
}

/** For files of one's own: nothing but records, of which more than these are no recording. */
export const fileLimits: ReadLimits = {
  records: 10_000,
  chunks: Number.POSITIVE_INFINITY,
  unpackedBytes: Number.POSITIVE_INFINITY,
};

/** Counts the work of reading one file. */
export class ReadBudget {
  readonly #limits: ReadLimits;
  #records = 0;
  #chunks = 0;
  #unpackedBytes = 0;

  constructor(limits: ReadLimits = fileLimits) {
    this.#limits = limits;
  }

  takeRecord(): void {
    if (++this.#records > this.#limits.records) throw exceeded(`${this.#limits.records} channels and texts`);
  }

  takeChunk(unpackedBytes: number): void {
    this.#unpackedBytes += unpackedBytes;
    if (++this.#chunks > this.#limits.chunks) throw exceeded(`${this.#limits.chunks} chunks`);
    const most = this.#limits.unpackedBytes;
    if (this.#unpackedBytes > most) throw exceeded(`${most} bytes when unpacked`);
  }
}

function exceeded(most: string): FlycatcherError {
  return new FlycatcherError("FLY_RECORDING_BUDGET", "The recording takes too much work to read", {
    expected: `at most ${most}`,
  });
}
