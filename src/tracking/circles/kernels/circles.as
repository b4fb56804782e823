/**
 * The image kernels of the circle detector, in AssemblyScript: compiled to WebAssembly with SIMD by
 * `tools/build-kernels.ts`, not by tsc. They know nothing but addresses in one linear memory; `circle-kernels.ts` lays
 * it out and calls them. What each computes is written once more, plainly, in
 * test/tracking/circles/kernel-reference.ts, and must agree bit for bit.
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
/** Of blocks of centres that have nothing of this part of the least sum on half their samples the rest is not looked at. */
const HALF_SHARE: f32 = 0.36;
/** Of every second row only blocks are looked at that have this part of the least sum above or below them. */
const NEIGHBOUR_SHARE: f32 = 0.75;

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
    for (let x: usize = 1; x < width - 1; x += 16) {
      projectSixteen(sums + 2 * x, slopes + 2 * x, squares + 4 * x, noise, row + x, planeStride);
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
    v128.store(squares + 4 * x, i32x4.add(squared(lowPairs(a, c)), squared(lowPairs(b, b))));
    v128.store(squares + 4 * x + 16, i32x4.add(squared(highPairs(a, c)), squared(highPairs(b, b))));
  }
}

/** The first four lanes of a and b in turns, a first. */
@inline
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** The sum of the squares of each pair. */
@inline
function squared(pairs: v128): v128 {
  return i32x4.dot_i16x8_s(pairs, pairs);
}

/** Sixteen pixels of a row of planes. */
@inline
function projectSixteen(sums: usize, slopes: usize, squares: usize, noise: f32, target: usize, planeStride: usize): void {
  const gxA = slopeAcross(sums);
  const gyA = slopeDown(slopes);
  const lowA = inverseLow(sums, squares, noise);
  const highA = inverseHigh(sums, squares, noise);
  const meanA = meanPurity(gxA, gyA, lowA, highA);
  const alongA = alongPurity(gxA, gyA, lowA, highA);
  const acrossA = acrossPurity(gxA, gyA, lowA, highA);
  const gxB = slopeAcross(sums + 16);
  const gyB = slopeDown(slopes + 16);
  const lowB = inverseLow(sums + 16, squares + 32, noise);
  const highB = inverseHigh(sums + 16, squares + 32, noise);
  const meanB = meanPurity(gxB, gyB, lowB, highB);
  const alongB = alongPurity(gxB, gyB, lowB, highB);
  const acrossB = acrossPurity(gxB, gyB, lowB, highB);
  // (g·d)² for d at the angle φ is ½ (mean + along · cos 2φ + across · sin 2φ); φ + 90° turns the signs.
  const half = i16x8.splat(SQRT_HALF);
  const eight = i16x8.splat(8);
  const a = i16x8.add(meanA, eight);
  const b = i16x8.add(meanB, eight);
  storePair(target, 4 * planeStride, a, alongA, b, alongB);
  const firstA = i16x8.q15mulr_sat_s(i16x8.add(alongA, acrossA), half);
  const firstB = i16x8.q15mulr_sat_s(i16x8.add(alongB, acrossB), half);
  storePair(target + planeStride, 4 * planeStride, a, firstA, b, firstB);
  storePair(target + 2 * planeStride, 4 * planeStride, a, acrossA, b, acrossB);
  const thirdA = i16x8.q15mulr_sat_s(i16x8.sub(acrossA, alongA), half);
  const thirdB = i16x8.q15mulr_sat_s(i16x8.sub(acrossB, alongB), half);
  storePair(target + 3 * planeStride, 4 * planeStride, a, thirdA, b, thirdB);
}

@inline
function slopeAcross(sums: usize): v128 {
  return i16x8.sub(v128.load(sums, 2), v128.load(sums - 2));
}

@inline
function slopeDown(slopes: usize): v128 {
  return i16x8.add(i16x8.add(v128.load(slopes - 2), v128.load(slopes, 2)), i16x8.shl(v128.load(slopes), 1));
}

@inline
function binomialSum(sums: usize): v128 {
  return i16x8.add(i16x8.add(v128.load(sums - 2), v128.load(sums, 2)), i16x8.shl(v128.load(sums), 1));
}

/** FULL_PURITY / (256 × variance + noise) of the first four of eight pixels. */
@inline
function inverseLow(sums: usize, squares: usize, noise: f32): v128 {
  return inverseVariance(squares, squared(i32x4.extend_low_i16x8_u(binomialSum(sums))), noise);
}

@inline
function inverseHigh(sums: usize, squares: usize, noise: f32): v128 {
  return inverseVariance(squares + 16, squared(i32x4.extend_high_i16x8_u(binomialSum(sums))), noise);
}

@inline
function inverseVariance(squares: usize, squaredSum: v128, noise: f32): v128 {
  const sum = i32x4.add(
    i32x4.add(v128.load(squares - 4), v128.load(squares, 4)),
    i32x4.shl(v128.load(squares), 1),
  );
  const variance = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shl(sum, 4), squaredSum));
  return f32x4.div(f32x4.splat(FULL_PURITY), f32x4.add(variance, f32x4.splat(noise)));
}

/** (gx² + gy²) of eight pixels, each times its factor. */
@inline
function meanPurity(gx: v128, gy: v128, low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_s(scaled(squared(lowPairs(gx, gy)), low), scaled(squared(highPairs(gx, gy)), high));
}

/** The same for gx² − gy². */
@inline
function alongPurity(gx: v128, gy: v128, low: v128, high: v128): v128 {
  const turned = i16x8.neg(gy);
  return i16x8.narrow_i32x4_s(
    scaled(i32x4.dot_i16x8_s(lowPairs(gx, gy), lowPairs(gx, turned)), low),
    scaled(i32x4.dot_i16x8_s(highPairs(gx, gy), highPairs(gx, turned)), high),
  );
}

/** The same for 2 gx gy. */
@inline
function acrossPurity(gx: v128, gy: v128, low: v128, high: v128): v128 {
  return i16x8.narrow_i32x4_s(
    scaled(i32x4.dot_i16x8_s(lowPairs(gx, gy), lowPairs(gy, gx)), low),
    scaled(i32x4.dot_i16x8_s(highPairs(gx, gy), highPairs(gy, gx)), high),
  );
}

@inline
function scaled(value: v128, factor: v128): v128 {
  const product = f32x4.mul(f32x4.convert_i32x4_s(value), factor);
  return i32x4.sub(f32x4.add(product, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS));
}

/** mean + part of sixteen pixels to one plane, mean − part to the plane of the direction square to it, cut to 0 … 15. */
@inline
function storePair(target: usize, apart: usize, meanA: v128, partA: v128, meanB: v128, partB: v128): void {
  const oneA = i16x8.shr_s(i16x8.add(meanA, partA), 4);
  const oneB = i16x8.shr_s(i16x8.add(meanB, partB), 4);
  v128.store(target, i8x16.narrow_i16x8_u(oneA, oneB));
  const otherA = i16x8.shr_s(i16x8.sub(meanA, partA), 4);
  const otherB = i16x8.shr_s(i16x8.sub(meanB, partB), 4);
  v128.store(target + apart, i8x16.narrow_i16x8_u(otherA, otherB));
}

/** Zeros before the second and from the last pixel of a row on: the last block of a row wrote beyond it. */
function clearSides(row: usize, width: usize, planeStride: usize): void {
  for (let k: usize = 0; k < DIRECTIONS; k++) {
    const plane = row + k * planeStride;
    store<u64>(plane - BORDER, 0);
    store<u8>(plane, 0);
    store<u64>(plane + width - 1, 0);
    store<u8>(plane + width + 7, 0);
  }
}

/**
 * For each pixel as a centre the best sum over 16 outline samples, 0 … 240, and the number of the radius that has it, the
 * first of equals. Only sums of `least` and more are of interest: nine in ten blocks of 64 centres have none, and are left at
 * zero, or at what another radius has, as soon as half the samples or the rows above and below say so.
 *
 * @param offsets Of the samples relative to the centre in the planes, 16 for each radius; the first 8 evenly around.
 * @param best Rows of `resultStride`, a multiple of 64; the numbers of the radii follow at `radius`.
 */
export function searchCircles(
  planes: usize,
  rowStride: usize,
  width: usize,
  height: usize,
  offsets: usize,
  radii: usize,
  least: f32,
  best: usize,
  radius: usize,
  resultStride: usize,
): void {
  const leastHalf = i8x16.splat(<u8>(HALF_SHARE * least));
  const leastBeside = i8x16.splat(<u8>(NEIGHBOUR_SHARE * least));
  for (let y: usize = 0; y < height; y += 2) {
    for (let x: usize = 0; x < width; x += 64) {
      const at = y * resultStride + x;
      searchBlock(planes + y * rowStride + x, offsets, radii, leastHalf, width - x, best + at, radius + at);
    }
  }
  for (let y: usize = 1; y < height; y += 2) {
    const below = y + 1 < height ? resultStride : -resultStride;
    for (let x: usize = 0; x < width; x += 64) {
      const at = y * resultStride + x;
      const beside = i8x16.max_u(highest(best + at - resultStride), highest(best + at + below));
      const count = v128.any_true(i8x16.ge_u(beside, leastBeside)) ? radii : 0;
      searchBlock(planes + y * rowStride + x, offsets, count, leastHalf, width - x, best + at, radius + at);
    }
  }
}

/** The highest of 64 values, somewhere in 16 lanes. */
@inline
function highest(at: usize): v128 {
  return i8x16.max_u(
    i8x16.max_u(v128.load(at), v128.load(at, 16)),
    i8x16.max_u(v128.load(at, 32), v128.load(at, 48)),
  );
}

/** Which of 16 centres, the first being number `first`, are of the image, if the block begins `left` before its end. */
@inline
function lanesWithin(left: usize, first: u8): v128 {
  const numbers = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return i8x16.lt_u(i8x16.add(numbers, i8x16.splat(first)), i8x16.splat(<u8>min(left, 64)));
}

function searchBlock(
  centre: usize,
  offsets: usize,
  radii: usize,
  leastHalf: v128,
  left: usize,
  best: usize,
  radius: usize,
): void {
  const within0 = lanesWithin(left, 0);
  const within1 = lanesWithin(left, 16);
  const within2 = lanesWithin(left, 32);
  const within3 = lanesWithin(left, 48);
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
    for (let k: usize = 0; k < SAMPLES * 2; k += 4) {
      const sample = centre + load<i32>(first + k);
      sum0 = i8x16.add(sum0, v128.load(sample));
      sum1 = i8x16.add(sum1, v128.load(sample, 16));
      sum2 = i8x16.add(sum2, v128.load(sample, 32));
      sum3 = i8x16.add(sum3, v128.load(sample, 48));
    }
    const most = i8x16.max_u(
      i8x16.max_u(v128.and(sum0, within0), v128.and(sum1, within1)),
      i8x16.max_u(v128.and(sum2, within2), v128.and(sum3, within3)),
    );
    if (!v128.any_true(i8x16.ge_u(most, leastHalf))) continue;
    for (let k: usize = SAMPLES * 2; k < SAMPLES * 4; k += 4) {
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
  v128.store(best, v128.and(best0, within0));
  v128.store(best, v128.and(best1, within1), 16);
  v128.store(best, v128.and(best2, within2), 32);
  v128.store(best, v128.and(best3, within3), 48);
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
