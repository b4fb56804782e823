import type { Quat } from "./quat.js";
import type { Vec3 } from "./vec3.js";

/**
 * Seeded random numbers: the same seed gives the same bits on every machine, for they are made of integer operations,
 * additions, products, quotients and square roots alone, which IEEE 754 and ECMAScript fix to the last bit. The
 * generator is xoshiro128** (Blackman & Vigna, "Scrambled linear pseudorandom number generators", 2021).
 *
 * @example
 * const random = new Random("throws");
 * const aim = random.uniformIn(-0.9, 0.9);
 */
export class Random {
  readonly #seed: string;
  readonly #state = new Int32Array(4);
  /** Two uniform numbers, left by `#drawPair`. */
  readonly #pair = new Float64Array(2);

  constructor(seed: number | string) {
    if (typeof seed === "number" && !Number.isFinite(seed))
      throw new RangeError(`seed: expected finite, found ${seed}`);
    this.#seed = String(seed);
    hashInto(this.#seed, this.#state);
  }

  /**
   * A stream of its own for each label, whatever has been drawn from this one: adding a draw in one part of a program
   * does not change the others. The same label gives the same stream again.
   */
  fork(label: string): Random {
    return new Random(`${this.#seed}\u0000${label}`);
  }

  /** 32 random bits, as a signed integer. */
  bits(): number {
    return xoshiro128StarStar(this.#state);
  }

  /** Uniform in [0, 1), in steps of 2⁻⁵³. */
  uniform(): number {
    const high = this.bits() >>> 5;
    const low = this.bits() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** Uniform from low to high. */
  uniformIn(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Uniform in 0 … n − 1. */
  integer(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /**
   * Standard normal, by Leva's ratio of uniforms ("A fast normal random number generator", ACM TOMS 18, 1992). Its
   * logarithm only decides on acceptance, in 1 % of the draws: the value is a plain quotient, the same everywhere.
   */
  normal(): number {
    for (;;) {
      this.#drawPair();
      const u = 1 - this.#pair[0]!;
      const v = 1.7156 * (this.#pair[1]! - 0.5);
      const x = u - 0.449871;
      const y = Math.abs(v) + 0.386595;
      const q = x * x + y * (0.196 * y - 0.25472 * x);
      if (q < 0.27597 || (q <= 0.27846 && v * v <= -4 * u * u * Math.log(u))) return v / u;
    }
  }

  normalIn(mean: number, sigma: number): number {
    return mean + sigma * this.normal();
  }

  /** Uniform on the unit sphere (Marsaglia, "Choosing a point from the surface of a sphere", 1972). */
  unitVector(out: Vec3): Vec3 {
    this.#discPoint(out);
    const s = out[0] * out[0] + out[1] * out[1];
    const scale = 2 * Math.sqrt(1 - s);
    out[0] *= scale;
    out[1] *= scale;
    out[2] = 1 - 2 * s;
    return out;
  }

  /** Uniform over all rotations: a uniform point of the unit sphere in four dimensions (Marsaglia, 1972). */
  rotation(out: Quat): Quat {
    this.#discPoint(out);
    const x = out[0];
    const y = out[1];
    this.#discPoint(out);
    const radius = Math.sqrt((1 - (x * x + y * y)) / (out[0] * out[0] + out[1] * out[1]));
    out[2] = out[0] * radius;
    out[3] = out[1] * radius;
    out[0] = x;
    out[1] = y;
    return out;
  }

  /** Shuffles in place (Fisher–Yates) and returns the array. */
  shuffle<T extends unknown[] | Float64Array | Int32Array | Uint32Array>(array: T): T {
    const items: { [index: number]: unknown } = array;
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    return array;
  }

  /** Uniform in the unit disc without its centre, to out[0] and out[1]. */
  #discPoint(out: Float64Array): void {
    let s = 0;
    do {
      this.#drawPair();
      const x = 2 * this.#pair[0]! - 1;
      const y = 2 * this.#pair[1]! - 1;
      out[0] = x;
      out[1] = y;
      s = x * x + y * y;
    } while (s >= 1 || s === 0);
  }

  #drawPair(): void {
    for (let i = 0; i < 2; i++) {
      const high = xoshiro128StarStar(this.#state) >>> 5;
      const low = xoshiro128StarStar(this.#state) >>> 6;
      this.#pair[i] = (high * 0x4000000 + low) / 0x20000000000000;
    }
  }
}

/** The next 32 bits, as a signed integer, of a state of four words that are not all zero. */
export function xoshiro128StarStar(state: Int32Array): number {
  const s1 = state[1]!;
  const scrambled = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9);
  const s2 = state[2]! ^ state[0]!;
  const s3 = state[3]! ^ s1;
  state[1] = s1 ^ s2;
  state[0] = state[0]! ^ s3;
  state[2] = s2 ^ (s1 << 9);
  state[3] = rotateLeft(s3, 11);
  return scrambled;
}

function rotateLeft(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

/** 128 well-mixed bits of a text: four lanes of multiply–xor, each finished as in MurmurHash3. */
function hashInto(text: string, out: Int32Array): void {
  for (let lane = 0; lane < 4; lane++) {
    let h = Math.imul(lane + 1, 0x9e3779b1);
    for (let i = 0; i < text.length; i++) h = Math.imul(rotateLeft(h ^ text.charCodeAt(i), 13 + lane), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 16) ^ text.length, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    out[lane] = h ^ (h >>> 16);
  }
  // All zeros is the one state xoshiro never leaves.
  if ((out[0]! | out[1]! | out[2]! | out[3]!) === 0) out[0] = 1;
}
