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
