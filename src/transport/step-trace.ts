/** Records that a trace keeps; the oldest are overwritten. Memory that is never written costs no pages. */
const CAPACITY = 65_536;
/** Numbers of a record: what it is of, when it began [ns], how long it took [ns]. */
const WIDTH = 3;
const HEADER_BYTES = 16;
const ON = 0;
const COUNT = 1;

/** What a trace holds: a step of a node, or a message put by an out-port, each by its place in the thread. */
export interface TraceRecord {
  readonly kind: "step" | "put";
  readonly index: number;
  readonly beginNs: number;
  /** 0 for a message. */
  readonly durationNs: number;
}

/**
 * Steps and messages of one thread while it is on, in a ring in shared memory: the thread writes, the main thread switches it on
 * and reads. Writing allocates nothing; while it is off, all it costs is one load.
 */
export class StepTrace {
  readonly #header: Int32Array;
  readonly #records: Float64Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(HEADER_BYTES + CAPACITY * WIDTH * Float64Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#records = new Float64Array(memory, HEADER_BYTES);
  }

  get isOn(): boolean {
    return Atomics.load(this.#header, ON) === 1;
  }

  step(node: number, beginNs: number, endNs: number): void {
    this.#write(node, beginNs, endNs - beginNs);
  }

  put(port: number, timeNs: number): void {
    this.#write(-1 - port, timeNs, 0);
  }

  #write(code: number, beginNs: number, durationNs: number): void {
    const count = Atomics.load(this.#header, COUNT);
    const at = WIDTH * (count % CAPACITY);
    this.#records[at] = code;
    this.#records[at + 1] = beginNs;
    this.#records[at + 2] = durationNs;
    Atomics.store(this.#header, COUNT, count + 1);
  }

  /** Forgets what there is, and begins. */
  begin(): void {
    Atomics.store(this.#header, COUNT, 0);
    Atomics.store(this.#header, ON, 1);
  }

  end(): void {
    Atomics.store(this.#header, ON, 0);
  }

  /** Records that were overwritten. */
  get overwritten(): number {
    return Math.max(0, Atomics.load(this.#header, COUNT) - CAPACITY);
  }

  /** What was written since it began, in the order of writing. */
  records(): TraceRecord[] {
    const count = Atomics.load(this.#header, COUNT);
    const first = Math.max(0, count - CAPACITY);
    return Array.from({ length: count - first }, (_, k) => this.#record(WIDTH * ((first + k) % CAPACITY)));
  }

  #record(at: number): TraceRecord {
    const code = this.#records[at]!;
    const [kind, index] = code < 0 ? (["put", -1 - code] as const) : (["step", code] as const);
    return { kind, index, beginNs: this.#records[at + 1]!, durationNs: this.#records[at + 2]! };
  }
}
