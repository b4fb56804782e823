/**
 * What a video or image codec does to an image, in AssemblyScript: compiled to WebAssembly with SIMD by `tools/build.mjs`, not by tsc.
 * Blocks of 8 × 8 pixels are transformed by the discrete cosine transform, quantised and transformed back; then the borders
 * between blocks are smoothed as H.264 does. `codec.ts` lays out the memory.
 */

@unmanaged
class Codec {
  pixels: usize;
  stride: usize;
  /** The steps of quantisation, and one divided by them. [8 × 8] f32 */
  steps: usize;
  inverseSteps: usize;
  /** Two blocks of f32. */
  scratch: usize;
  /** Borders are smoothed where pixels beside them differ by less than these, by `most` at most. */
  alpha: i32;
  beta: i32;
  most: i32;
}

/** Blocks `left` to `right` of row `row` of blocks. */
export function compressRow(address: usize, row: usize, left: usize, right: usize): void {
  const codec = changetype<Codec>(address);
  for (let block = left; block <= right; block++) compressBlock(codec, codec.pixels + 8 * row * codec.stride + 8 * block);
}

function compressBlock(codec: Codec, at: usize): void {
  const a = codec.scratch;
  const b = codec.scratch + 256;
  for (let row: usize = 0; row < 8; row++) {
    const bytes = v128.load8x8_u(at + row * codec.stride);
    store4(a + 32 * row, f32x4.sub(f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(bytes)), f32x4.splat(128)));
    store4(a + 32 * row + 16, f32x4.sub(f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(bytes)), f32x4.splat(128)));
  }
  forward(a, b);
  forward(b, a);
  for (let k: usize = 0; k < 256; k += 16) {
    const step = v128.load(codec.steps + k);
    const inverseStep = v128.load(codec.inverseSteps + k);
    store4(a + k, f32x4.mul(step, f32x4.nearest(f32x4.mul(v128.load(a + k), inverseStep))));
  }
  inverse(a, b);
  inverse(b, a);
  for (let row: usize = 0; row < 8; row++) {
    const low = rounded(a + 32 * row);
    const high = rounded(a + 32 * row + 16);
    const words = i16x8.narrow_i32x4_s(low, high);
    v128.store64_lane(at + row * codec.stride, i8x16.narrow_i16x8_u(words, words), 0);
  }
}

@inline
function store4(at: usize, value: v128): void {
  v128.store(at, value);
}

@inline
function rounded(at: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.add(v128.load(at), f32x4.splat(128))));
}

/**
 * The cosine transform down each column, to the rows of `target`: applied twice it transforms columns and rows. Even outputs are by
 * sums, odd ones by differences of opposite rows. [8 × 8]
 */
function forward(source: usize, target: usize): void {
  for (let half: usize = 0; half < 32; half += 16) {
    const from = source + half;
    const s0 = f32x4.add(v128.load(from), v128.load(from, 224));
    const s1 = f32x4.add(v128.load(from, 32), v128.load(from, 192));
    const s2 = f32x4.add(v128.load(from, 64), v128.load(from, 160));
    const s3 = f32x4.add(v128.load(from, 96), v128.load(from, 128));
    const d0 = f32x4.sub(v128.load(from), v128.load(from, 224));
    const d1 = f32x4.sub(v128.load(from, 32), v128.load(from, 192));
    const d2 = f32x4.sub(v128.load(from, 64), v128.load(from, 160));
    const d3 = f32x4.sub(v128.load(from, 96), v128.load(from, 128));
    const outer = f32x4.add(s0, s3);
    const inner = f32x4.add(s1, s2);
    const a = f32x4.sub(s0, s3);
    const b = f32x4.sub(s1, s2);
    storeColumns(
      target + 8 * half,
      scaled(C4, f32x4.add(outer, inner)),
      four(C1, d0, C3, d1, C5, d2, C7, d3),
      f32x4.add(scaled(C2, a), scaled(C6, b)),
      four(C3, d0, -C7, d1, -C1, d2, -C5, d3),
    );
    storeColumns(
      target + 8 * half + 16,
      scaled(C4, f32x4.sub(outer, inner)),
      four(C5, d0, -C1, d1, C7, d2, C3, d3),
      f32x4.sub(scaled(C6, a), scaled(C2, b)),
      four(C7, d0, -C5, d1, C3, d2, -C1, d3),
    );
  }
}

/** Its inverse, also to the rows of `target`. */
function inverse(source: usize, target: usize): void {
  for (let half: usize = 0; half < 32; half += 16) {
    const from = source + half;
    const y1 = v128.load(from, 32);
    const y3 = v128.load(from, 96);
    const y5 = v128.load(from, 160);
    const y7 = v128.load(from, 224);
    const sum = scaled(C4, f32x4.add(v128.load(from), v128.load(from, 128)));
    const difference = scaled(C4, f32x4.sub(v128.load(from), v128.load(from, 128)));
    const a = f32x4.add(scaled(C2, v128.load(from, 64)), scaled(C6, v128.load(from, 192)));
    const b = f32x4.sub(scaled(C6, v128.load(from, 64)), scaled(C2, v128.load(from, 192)));
    const e0 = f32x4.add(sum, a);
    const e1 = f32x4.add(difference, b);
    const e2 = f32x4.sub(difference, b);
    const e3 = f32x4.sub(sum, a);
    const o0 = four(C1, y1, C3, y3, C5, y5, C7, y7);
    const o1 = four(C3, y1, -C7, y3, -C1, y5, -C5, y7);
    const o2 = four(C5, y1, -C1, y3, C7, y5, C3, y7);
    const o3 = four(C7, y1, -C5, y3, C3, y5, -C1, y7);
    const to = target + 8 * half;
    storeColumns(to, f32x4.add(e0, o0), f32x4.add(e1, o1), f32x4.add(e2, o2), f32x4.add(e3, o3));
    storeColumns(to + 16, f32x4.sub(e3, o3), f32x4.sub(e2, o2), f32x4.sub(e1, o1), f32x4.sub(e0, o0));
  }
}

/** cos(kπ/16) / 2, and √(1/8). */
const C1: f32 = 0.4903926402016152;
const C2: f32 = 0.46193976625564337;
const C3: f32 = 0.4157348061512726;
const C4: f32 = 0.3535533905932738;
const C5: f32 = 0.27778511650980114;
const C6: f32 = 0.19134171618254492;
const C7: f32 = 0.09754516100806417;

@inline
function scaled(factor: f32, value: v128): v128 {
  return f32x4.mul(f32x4.splat(factor), value);
}

@inline
function four(a: f32, w: v128, b: f32, x: v128, c: f32, y: v128, d: f32, z: v128): v128 {
  return f32x4.add(f32x4.add(scaled(a, w), scaled(b, x)), f32x4.add(scaled(c, y), scaled(d, z)));
}

/** Four rows as four columns of four numbers, from `target` on. */
@inline
function storeColumns(target: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const ef = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const gh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(target, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(target, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 32);
  v128.store(target, v128.shuffle<f32>(ef, gh, 0, 1, 4, 5), 64);
  v128.store(target, v128.shuffle<f32>(ef, gh, 2, 3, 6, 7), 96);
}

/** Smooths the borders of row `row` of pixels left of blocks `left` to `right`. */
export function smoothAcross(address: usize, row: usize, left: usize, right: usize): void {
  const codec = changetype<Codec>(address);
  const at = codec.pixels + row * codec.stride;
  for (let block = left; block <= right; block++) smooth(codec, at + 8 * block, 1);
}

/** Smooths the border above row `row`, in blocks `left` to `right`: eight columns at a time, as `smooth` does one. */
export function smoothDown(address: usize, row: usize, left: usize, right: usize): void {
  const codec = changetype<Codec>(address);
  const stride = codec.stride;
  const alpha = i16x8.splat(<i16>codec.alpha);
  const beta = i16x8.splat(<i16>codec.beta);
  const most = i16x8.splat(<i16>codec.most);
  const least = i16x8.neg(most);
  for (let at = codec.pixels + row * stride + 8 * left; left <= right; left++, at += 8) {
    const p1 = v128.load8x8_u(at - 2 * stride);
    const p0 = v128.load8x8_u(at - stride);
    const q0 = v128.load8x8_u(at);
    const q1 = v128.load8x8_u(at + stride);
    const gap = i16x8.sub(q0, p0);
    const isFaint = i16x8.lt_s(i16x8.abs(gap), alpha);
    const isCalm = v128.and(
      i16x8.lt_s(i16x8.abs(i16x8.sub(p1, p0)), beta),
      i16x8.lt_s(i16x8.abs(i16x8.sub(q1, q0)), beta),
    );
    const sum = i16x8.add(i16x8.add(i16x8.shl(gap, 2), i16x8.sub(p1, q1)), i16x8.splat(4));
    const clipped = i16x8.max_s(least, i16x8.min_s(most, i16x8.shr_s(sum, 3)));
    const change = v128.and(clipped, v128.and(isFaint, isCalm));
    const above = i16x8.add(p0, change);
    const below = i16x8.sub(q0, change);
    v128.store64_lane(at - stride, i8x16.narrow_i16x8_u(above, above), 0);
    v128.store64_lane(at, i8x16.narrow_i16x8_u(below, below), 0);
  }
}

/** The normal filter of H.264 between the pixel before `at` and the one there. */
@inline
function smooth(codec: Codec, at: usize, step: usize): void {
  const p0 = <i32>load<u8>(at - step);
  const q0 = <i32>load<u8>(at);
  if (abs(p0 - q0) >= codec.alpha) return;
  const p1 = <i32>load<u8>(at - 2 * step);
  const q1 = <i32>load<u8>(at + step);
  if (abs(p1 - p0) >= codec.beta || abs(q1 - q0) >= codec.beta) return;
  const change = ((q0 - p0) * 4 + (p1 - q1) + 4) >> 3;
  const clipped = max(-codec.most, min(codec.most, change));
  store<u8>(at - step, <u8>max(0, min(255, p0 + clipped)));
  store<u8>(at, <u8>max(0, min(255, q0 - clipped)));
}
