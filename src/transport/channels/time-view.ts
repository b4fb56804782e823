import type { PacketMemory } from "./packet-memory.js";

/**
 * A time in a packet: i64 nanoseconds of the run clock in two words, low word first. Read and written as a Number, never
 * as a BigInt, which would allocate; exact while |nanoseconds| < 2⁵³, that is 104 days of running.
 */
export class TimeView {
  private readonly low: Uint32Array;
  private readonly high: Int32Array;

  constructor(memory: PacketMemory, offset: number) {
    this.low = new Uint32Array(memory.buffer, offset, 1);
    this.high = new Int32Array(memory.buffer, offset + 4, 1);
  }

  get nanoseconds(): number {
    return this.high[0]! * 4294967296 + this.low[0]!;
  }

  /** Fractions of a nanosecond are cut off. */
  set nanoseconds(value: number) {
    // Storing takes a number modulo 2³²; what is missing then is a multiple of 2³².
    this.low[0] = value;
    this.high[0] = (value - this.low[0]!) / 4294967296;
  }

  /** [s] */
  get seconds(): number {
    return this.nanoseconds / 1e9;
  }

  /** Rounded to the nearest nanosecond. */
  set seconds(value: number) {
    this.nanoseconds = Math.round(value * 1e9);
  }
}
