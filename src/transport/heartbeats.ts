/** Signs of life of the parts of a run, in shared memory: each part counts up, the watchdog looks who has not. */
export class Heartbeats {
  readonly #beats: Int32Array;
  readonly #seen: Int32Array;

  static memory(parts: number): SharedArrayBuffer {
    return new SharedArrayBuffer(parts * Int32Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#beats = new Int32Array(memory);
    this.#seen = new Int32Array(this.#beats.length);
  }

  beat(part: number): void {
    Atomics.add(this.#beats, part, 1);
  }

  /** Whether a part has given a sign of life since this was asked last. */
  takeBeat(part: number): boolean {
    const beats = Atomics.load(this.#beats, part);
    const isAlive = beats !== this.#seen[part];
    this.#seen[part] = beats;
    return isAlive;
  }
}
