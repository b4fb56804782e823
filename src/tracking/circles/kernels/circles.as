/**
 * The image kernels of the circle detector, in AssemblyScript: compiled to WebAssembly with SIMD by `build.ts`, not by
 * tsc. They know nothing but addresses in one linear memory; `circle-kernels.ts` lays it out and calls them. What each
 * computes is written once more, plainly, in test/tracking/circles/kernel-reference.ts, and must agree bit for bit.
 */

/** Directions into which the gradient is projected; a circle's outline is sampled twice as often. */
const DIRECTIONS: usize = 8;
const SAMPLES: usize = 16;
/** Pixels around the planes within which samples may lie. */
const BORDER: usize = 8;
/** Full purity in the fixed-point sums from which the planes' values of 0 to 15 are cut. */
const FULL_PURITY: f32 = 240;
/** Adding 1.5 · 2²³ to a float leaves its rounded value in the low bits. */
const ROUNDING: f32 = 12582912;
const ROUNDING_BITS: i32 = 0x4b400000;
/** √½ in Q15. */
const SQRT_HALF: i16 = 23170;

/**
 * Half the size in both directions: each pixel the mean of 2 × 2, rounded. Rows of `source` must be readable up to 32
 * bytes beyond their end, those of `target` writable.
 */
export function halve(source: usize, sourceStride: usize, target: usize, targetStride: usize, width: usize, height: usize): void {
  const two = i16x8.splat(2);
  for (let y: usize = 0; y < height; y++) {
    const upper = source + 2 * y * sourceStride;
    const lower = upper + sourceStride;
    const row = target + y * targetStride;
    for (let x: usize = 0; x < width; x += 16) {
      const a = quarterSums(upper + 2 * x, lower + 2 * x, two);
      const b = quarterSums(upper + 2 * x + 16, lower + 2 * x + 16, two);
      v128.store(row + x, i8x16.narrow_i16x8_u(a, b));
    }
  }
}

@inline
function quarterSums(upper: usize, lower: usize, two: v128): v128 {
  const top = i16x8.extadd_pairwise_i8x16_u(v128.load(upper));
  const bottom = i16x8.extadd_pairwise_i8x16_u(v128.load(lower));
  return i16x8.shr_u(i16x8.add(i16x8.add(top, bottom), two), 2);
}

/**
 * The gradient's purity at every inner pixel, projected into eight directions k · 22.5°: planes of 0 … 15 for
 * 2 (g·d)² / (v + noise), where g is the Sobel gradient and v = 256 × the intensity's variance, both over 3 × 3 pixels
 * with binomial weights. It is 1 for an even slope across d, whatever its height: 8 ∇I = g and 2 · 64 = 256 · ½.
 *
 * A row of planes holds its eight directions one after the other, `planeStride` apart. Pixels of the image's edge, where the
 * neighbourhood is not complete, and a border of 8 pixels around the image become zero.
 *
 * @param planes Where the planes of pixel (0, 0) begin.
 * @param scratch Room for (8 · width + 512) bytes.
 */
export function projectPurity(
  image: usize,
  stride: usize,
  width: usize,
  height: usize,
  noise: f32,
  planes: usize,
  planeStride: usize,
  scratch: usize,
): void {
  const room = (width + 31) & ~15;
  const sums = scratch;
  const slopes = sums + 2 * room;
  const squares = slopes + 2 * room;
  for (let y: usize = 1; y < height - 1; y++) {
    sumColumns(image + (y - 1) * stride, stride, width, sums, slopes, squares);
    const row = planes + y * DIRECTIONS * planeStride;
    for (let x: usize = 1; x < width - 1; x += 8) {
      projectEight(sums + 2 * x, slopes + 2 * x, squares + 4 * x, noise, row + x, planeStride);
    }
    clearSides(row, width, planeStride);
  }
  const rowStride = DIRECTIONS * planeStride;
  memory.fill(planes - BORDER * rowStride - BORDER, 0, (BORDER + 1) * rowStride);
  memory.fill(planes + (height - 1) * rowStride - BORDER, 0, (BORDER + 1) * rowStride);
}

/** Down each column of three rows: binomial sum, slope, and binomial sum of squares. */
function sumColumns(rows: usize, stride: usize, width: usize, sums: usize, slopes: usize, squares: usize): void {
  for (let x: usize = 0; x < width + 2; x += 8) {
    const a = v128.load_ext<u8>(rows + x);
    const b = v128.load_ext<u8>(rows + stride + x);
    const c = v128.load_ext<u8>(rows + 2 * stride + x);
    v128.store(sums + 2 * x, i16x8.add(i16x8.add(a, c), i16x8.shl(b, 1)));
    v128.store(slopes + 2 * x, i16x8.sub(c, a));
    const aa = i16x8.mul(a, a);
    const bb = i16x8.mul(b, b);
    const cc = i16x8.mul(c, c);
    const low = i32x4.add(
      i32x4.add(i32x4.extend_low_i16x8_u(aa), i32x4.extend_low_i16x8_u(cc)),
      i32x4.shl(i32x4.extend_low_i16x8_u(bb), 1),
    );
    const high = i32x4.add(
      i32x4.add(i32x4.extend_high_i16x8_u(aa), i32x4.extend_high_i16x8_u(cc)),
      i32x4.shl(i32x4.extend_high_i16x8_u(bb), 1),
    );
    v128.store(squares + 4 * x, low);
    v128.store(squares + 4 * x + 16, high);
  }
}

@inline
function projectEight(sums: usize, slopes: usize, squares: usize, noise: f32, target: usize, planeStride: usize): void {
  const left = v128.load(sums - 2);
  const right = v128.load(sums + 2);
  const gx = i16x8.sub(right, left);
  const gy = i16x8.add(
    i16x8.add(v128.load(slopes - 2), v128.load(slopes + 2)),
    i16x8.shl(v128.load(slopes), 1),
  );
  const sum = i16x8.add(i16x8.add(left, right), i16x8.shl(v128.load(sums), 1));

  const xxLow = i32x4.extmul_low_i16x8_s(gx, gx);
  const yyLow = i32x4.extmul_low_i16x8_s(gy, gy);
  const xyLow = i32x4.extmul_low_i16x8_s(gx, gy);
  const inverseLow = inverseVariance(squares, i32x4.extmul_low_i16x8_s(sum, sum), noise);
  const xxHigh = i32x4.extmul_high_i16x8_s(gx, gx);
  const yyHigh = i32x4.extmul_high_i16x8_s(gy, gy);
  const xyHigh = i32x4.extmul_high_i16x8_s(gx, gy);
  const inverseHigh = inverseVariance(squares + 16, i32x4.extmul_high_i16x8_s(sum, sum), noise);

  const mean = i16x8.narrow_i32x4_s(
    scaled(i32x4.add(xxLow, yyLow), inverseLow),
    scaled(i32x4.add(xxHigh, yyHigh), inverseHigh),
  );
  const along = i16x8.narrow_i32x4_s(
    scaled(i32x4.sub(xxLow, yyLow), inverseLow),
    scaled(i32x4.sub(xxHigh, yyHigh), inverseHigh),
  );
  const across = i16x8.narrow_i32x4_s(
    scaled(i32x4.shl(xyLow, 1), inverseLow),
    scaled(i32x4.shl(xyHigh, 1), inverseHigh),
  );
  // (g·d)² for d at the angle φ is ½ (mean + along · cos 2φ + across · sin 2φ); φ + 90° turns the signs.
  const half = i16x8.splat(SQRT_HALF);
  const first = i16x8.q15mulr_sat_s(i16x8.add(along, across), half);
  const third = i16x8.q15mulr_sat_s(i16x8.sub(across, along), half);
  storePair(target, 4 * planeStride, mean, along);
  storePair(target + planeStride, 4 * planeStride, mean, first);
  storePair(target + 2 * planeStride, 4 * planeStride, mean, across);
  storePair(target + 3 * planeStride, 4 * planeStride, mean, third);
}

/** FULL_PURITY / (256 × variance + noise) of four pixels, from their neighbourhoods' column sums of squares. */
@inline
function inverseVariance(squares: usize, squaredSum: v128, noise: f32): v128 {
  const sum = i32x4.add(
    i32x4.add(v128.load(squares - 4), v128.load(squares + 4)),
    i32x4.shl(v128.load(squares), 1),
  );
  const variance = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shl(sum, 4), squaredSum));
  return f32x4.div(f32x4.splat(FULL_PURITY), f32x4.add(variance, f32x4.splat(noise)));
}

@inline
function scaled(value: v128, factor: v128): v128 {
  const product = f32x4.mul(f32x4.convert_i32x4_s(value), factor);
  return i32x4.sub(f32x4.add(product, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS));
}

/** mean + part to one plane, mean − part to the plane of the direction square to it, both rounded to 0 … 15. */
@inline
function storePair(target: usize, apart: usize, mean: v128, part: v128): void {
  const eight = i16x8.splat(8);
  const centred = i16x8.add(mean, eight);
  const one = i16x8.shr_s(i16x8.add(centred, part), 4);
  const other = i16x8.shr_s(i16x8.sub(centred, part), 4);
  const packed = i8x16.narrow_i16x8_u(one, other);
  v128.store_lane<u64>(target, packed, 0);
  v128.store_lane<u64>(target + apart, packed, 1);
}

/** Zeros before the second and from the last pixel of a row on: the last block of a row wrote beyond it. */
function clearSides(row: usize, width: usize, planeStride: usize): void {
  for (let k: usize = 0; k < DIRECTIONS; k++) {
    memory.fill(row + k * planeStride - BORDER, 0, BORDER + 1);
    memory.fill(row + k * planeStride + width - 1, 0, BORDER + 1);
  }
}

/**
 * For each pixel as a centre the best sum over 16 outline samples, 0 … 240, and the number of the radius that has it, the
 * first of equals.
 *
 * @param offsets Of the samples relative to the centre in the planes, 16 for each radius.
 * @param best Rows of `resultStride`, a multiple of 64; the numbers of the radii follow at `radius`.
 */
export function searchCircles(
  planes: usize,
  rowStride: usize,
  width: usize,
  height: usize,
  offsets: usize,
  radii: usize,
  best: usize,
  radius: usize,
  resultStride: usize,
): void {
  for (let y: usize = 0; y < height; y++) {
    for (let x: usize = 0; x < width; x += 64) {
      searchBlock(planes + y * rowStride + x, offsets, radii, best + y * resultStride + x, radius + y * resultStride + x);
    }
  }
}

@inline
function searchBlock(centre: usize, offsets: usize, radii: usize, best: usize, radius: usize): void {
  let best0 = i8x16.splat(0);
  let best1 = best0;
  let best2 = best0;
  let best3 = best0;
  let number0 = best0;
  let number1 = best0;
  let number2 = best0;
  let number3 = best0;
  for (let n: usize = 0; n < radii; n++) {
    let sum0 = i8x16.splat(0);
    let sum1 = sum0;
    let sum2 = sum0;
    let sum3 = sum0;
    const first = offsets + n * SAMPLES * 4;
    for (let k: usize = 0; k < SAMPLES * 4; k += 4) {
      const sample = centre + load<i32>(first + k);
      sum0 = i8x16.add(sum0, v128.load(sample));
      sum1 = i8x16.add(sum1, v128.load(sample, 16));
      sum2 = i8x16.add(sum2, v128.load(sample, 32));
      sum3 = i8x16.add(sum3, v128.load(sample, 48));
    }
    const number = i8x16.splat(<i8>n);
    number0 = v128.bitselect(number, number0, i8x16.gt_u(sum0, best0));
    number1 = v128.bitselect(number, number1, i8x16.gt_u(sum1, best1));
    number2 = v128.bitselect(number, number2, i8x16.gt_u(sum2, best2));
    number3 = v128.bitselect(number, number3, i8x16.gt_u(sum3, best3));
    best0 = i8x16.max_u(best0, sum0);
    best1 = i8x16.max_u(best1, sum1);
    best2 = i8x16.max_u(best2, sum2);
    best3 = i8x16.max_u(best3, sum3);
  }
  v128.store(best, best0);
  v128.store(best, best1, 16);
  v128.store(best, best2, 32);
  v128.store(best, best3, 48);
  v128.store(radius, number0);
  v128.store(radius, number1, 16);
  v128.store(radius, number2, 32);
  v128.store(radius, number3, 48);
}

/**
 * Writes the places (y · stride + x, as i32) of values of at least `threshold` that are not exceeded in their 3 × 3
 * neighbourhood, of equals the first in reading order, and returns how many; at most `capacity`. One more row and
 * column all around must be readable, and belong to the same map.
 */
export function findPeaks(
  best: usize,
  stride: usize,
  width: usize,
  height: usize,
  threshold: u8,
  target: usize,
  capacity: i32,
): i32 {
  const least = i8x16.splat(threshold);
  let count = 0;
  for (let y: usize = 0; y < height; y++) {
    const row = best + y * stride;
    for (let x: usize = 0; x < width; x += 16) {
      let mask = i8x16.bitmask(peakMask(row + x, stride, least));
      while (mask !== 0) {
        const at = x + ctz(mask);
        mask &= mask - 1;
        if (at >= width) break;
        if (count === capacity) return count;
        store<i32>(target + 4 * count, <i32>(y * stride + at));
        count++;
      }
    }
  }
  return count;
}

@inline
function peakMask(at: usize, stride: usize, least: v128): v128 {
  const value = v128.load(at);
  const tall = i8x16.ge_u(value, least);
  if (!v128.any_true(tall)) return tall;
  const above = i8x16.max_u(
    i8x16.max_u(v128.load(at - stride - 1), v128.load(at - stride)),
    i8x16.max_u(v128.load(at - stride + 1), v128.load(at - 1)),
  );
  const below = i8x16.max_u(
    i8x16.max_u(v128.load(at + stride - 1), v128.load(at + stride)),
    i8x16.max_u(v128.load(at + stride + 1), v128.load(at + 1)),
  );
  return v128.and(tall, v128.and(i8x16.gt_u(value, above), i8x16.ge_u(value, below)));
}
