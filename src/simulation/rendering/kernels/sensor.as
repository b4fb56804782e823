/**
 * Turns light into bytes, in AssemblyScript: compiled to WebAssembly with SIMD by `tools/build-kernels.ts`, not by tsc.
 * `sensor.ts` lays out the memory. All rows must be readable and writable up to 64 bytes beyond their end.
 */

/**
 * Pixels of a row: light × (gain + gains) + sigma × noise, rounded, saturated. `light`, `gains` and `noise` are f32, the
 * target bytes.
 */
export function exposeRow(
  light: usize,
  gains: usize,
  gain: f32,
  noise: usize,
  sigma: f32,
  target: usize,
  count: usize,
): void {
  const gain4 = f32x4.splat(gain);
  const sigma4 = f32x4.splat(sigma);
  for (let i: usize = 0; i < count; i += 16) {
    const at = i * 4;
    const a = exposeFour(light + at, gains + at, gain4, noise + at, sigma4);
    const b = exposeFour(light + at + 16, gains + at + 16, gain4, noise + at + 16, sigma4);
    const c = exposeFour(light + at + 32, gains + at + 32, gain4, noise + at + 32, sigma4);
    const d = exposeFour(light + at + 48, gains + at + 48, gain4, noise + at + 48, sigma4);
    const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
    v128.store(target + i, bytes);
  }
}

@inline
function exposeFour(light: usize, gains: usize, gain: v128, noise: usize, sigma: v128): v128 {
  const lit = f32x4.mul(v128.load(light), f32x4.add(gain, v128.load(gains)));
  const value = f32x4.add(lit, f32x4.mul(sigma, v128.load(noise)));
  return i32x4.trunc_sat_f32x4_s(f32x4.add(value, f32x4.splat(0.5)));
}

/** The same with noise whose variance grows with the light: sigma² + shot × value. */
export function exposeShotRow(
  light: usize,
  gains: usize,
  gain: f32,
  noise: usize,
  sigma: f32,
  shot: f32,
  target: usize,
  count: usize,
): void {
  const gain4 = f32x4.splat(gain);
  const variance4 = f32x4.splat(sigma * sigma);
  const shot4 = f32x4.splat(shot);
  for (let i: usize = 0; i < count; i += 16) {
    const at = i * 4;
    const a = exposeFourShot(light + at, gains + at, gain4, noise + at, variance4, shot4);
    const b = exposeFourShot(light + at + 16, gains + at + 16, gain4, noise + at + 16, variance4, shot4);
    const c = exposeFourShot(light + at + 32, gains + at + 32, gain4, noise + at + 32, variance4, shot4);
    const d = exposeFourShot(light + at + 48, gains + at + 48, gain4, noise + at + 48, variance4, shot4);
    const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
    v128.store(target + i, bytes);
  }
}

@inline
function exposeFourShot(light: usize, gains: usize, gain: v128, noise: usize, variance: v128, shot: v128): v128 {
  const lit = f32x4.mul(v128.load(light), f32x4.add(gain, v128.load(gains)));
  const sigma = f32x4.sqrt(f32x4.add(variance, f32x4.mul(shot, f32x4.pmax(f32x4.splat(0), lit))));
  const value = f32x4.add(lit, f32x4.mul(sigma, v128.load(noise)));
  return i32x4.trunc_sat_f32x4_s(f32x4.add(value, f32x4.splat(0.5)));
}

/**
 * Columns `first` to `last` of a row blurred along itself; the outermost pixels go on beyond the border.
 *
 * @param kernel Weights of the pixel itself and of its neighbours up to `reach` pixels away.
 * @param padded Room for the row, and `reach` pixels on either side.
 */
export function blurAcross(
  source: usize,
  width: usize,
  first: usize,
  last: usize,
  kernel: usize,
  reach: usize,
  padded: usize,
  target: usize,
): void {
  for (let k: usize = 0; k < reach; k++) {
    store<f32>(padded + 4 * k, load<f32>(source));
    store<f32>(padded + 4 * (reach + width + k), load<f32>(source + 4 * (width - 1)));
  }
  const row = padded + 4 * reach;
  memory.copy(row, source, 4 * width);
  for (let at = first * 4; at <= last * 4; at += 16) {
    let sum = f32x4.mul(v128.load32_splat(kernel), v128.load(row + at));
    for (let k: usize = 4; k <= 4 * reach; k += 4) {
      const sides = f32x4.add(v128.load(row + at - k), v128.load(row + at + k));
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(kernel + k), sides));
    }
    v128.store(target + at, sum);
  }
}

/** Columns `first` to `last` of row `row` blurred with those above and below, to the same columns of `target`. */
export function blurDown(
  source: usize,
  stride: usize,
  row: i32,
  height: i32,
  first: usize,
  last: usize,
  kernel: usize,
  reach: i32,
  target: usize,
): void {
  for (let at = first * 4; at <= last * 4; at += 16) {
    const column = source + at;
    let sum = f32x4.mul(v128.load32_splat(kernel), v128.load(column + 4 * stride * <usize>row));
    for (let k: i32 = 1; k <= reach; k++) {
      const above = v128.load(column + 4 * stride * <usize>max(row - k, 0));
      const below = v128.load(column + 4 * stride * <usize>min(row + k, height - 1));
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(kernel + 4 * <usize>k), f32x4.add(above, below)));
    }
    v128.store(target + at, sum);
  }
}
