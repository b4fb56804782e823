/**
 * Pixels of camera frames as gray values or colours, in AssemblyScript: compiled to WebAssembly by `tools/build.mjs`. They know
 * nothing but addresses in one linear memory; `pixel-kernels.ts` lays it out and calls them.
 */

/** Weights of red, green and blue in luma (ITU-R BT.601) in parts of 2¹⁵, as in gray-image.ts. */
const RED: i32 = 9798;
const GREEN: i32 = 19235;
const BLUE: i32 = 3735;
const SHIFT: i32 = 15;
const HALF: i32 = 1 << 14;

/** Rows of `width` bytes without what is behind them. */
export function packRows(source: usize, stride: usize, target: usize, width: usize, height: usize): void {
  for (let y: usize = 0; y < height; y++) memory.copy(target + y * width, source + y * stride, width);
}

/** Every second byte of each row. */
export function evenBytes(source: usize, stride: usize, target: usize, width: usize, height: usize): void {
  for (let y: usize = 0; y < height; y++) {
    const row = source + y * stride;
    const out = target + y * width;
    let x: usize = 0;
    for (; x + 16 <= width; x += 16) {
      const a = v128.load(row + 2 * x);
      const b = v128.load(row + 2 * x + 16);
      v128.store(out + x, i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30));
    }
    for (; x < width; x++) store<u8>(out + x, load<u8>(row + 2 * x));
  }
}

/** Luma of three bytes a pixel; `first` and `third` are the places of red and blue. */
export function grayOfColours(
  source: usize,
  stride: usize,
  red: usize,
  blue: usize,
  target: usize,
  width: usize,
  height: usize,
): void {
  for (let y: usize = 0; y < height; y++) {
    let from = source + y * stride;
    const out = target + y * width;
    for (let x: usize = 0; x < width; x++, from += 3) {
      const sum = RED * <i32>load<u8>(from + red) + GREEN * <i32>load<u8>(from, 1) + BLUE * <i32>load<u8>(from + blue);
      store<u8>(out + x, <u8>((sum + HALF) >> SHIFT));
    }
  }
}

/** Blue, green, red as red, green, blue. */
export function swapColours(source: usize, stride: usize, target: usize, width: usize, height: usize): void {
  for (let y: usize = 0; y < height; y++) {
    let from = source + y * stride;
    let to = target + 3 * y * width;
    for (let x: usize = 0; x < width; x++, from += 3, to += 3) {
      store<u8>(to, load<u8>(from, 2));
      store<u8>(to, load<u8>(from, 1), 1);
      store<u8>(to, load<u8>(from), 2);
    }
  }
}

/**
 * Bayer pixels, the missing colours interpolated bilinearly, as luma (`colours` 0) or as red, green and blue (1). Beyond the
 * border the image is mirrored about its outermost pixels. Red stands where column and row have the parities `redX` and `redY`.
 */
export function demosaic(
  source: usize,
  stride: usize,
  redX: usize,
  redY: usize,
  target: usize,
  width: usize,
  height: usize,
  colours: i32,
): void {
  for (let y: usize = 0; y < height; y++) {
    const here = source + y * stride;
    const above = source + (y === 0 ? 1 : y - 1) * stride;
    const below = source + (y === height - 1 ? height - 2 : y + 1) * stride;
    const isRedRow = (y & 1) === redY;
    const firstOwn = isRedRow ? redX : 1 - redX;
    for (let x: usize = 0; x < width; x++) {
      const left: usize = x === 0 ? 1 : x - 1;
      const right: usize = x === width - 1 ? width - 2 : x + 1;
      const middle = <i32>load<u8>(here + x);
      const beside = <i32>load<u8>(here + left) + <i32>load<u8>(here + right);
      const upDown = <i32>load<u8>(above + x) + <i32>load<u8>(below + x);
      // Four times the colour of this row that is not green, green, and the other one.
      let own: i32 = 4 * middle;
      let green: i32 = beside + upDown;
      let other: i32 = 0;
      if ((x & 1) === firstOwn) {
        other =
          <i32>load<u8>(above + left) +
          <i32>load<u8>(above + right) +
          <i32>load<u8>(below + left) +
          <i32>load<u8>(below + right);
      } else {
        own = 2 * beside;
        green = 4 * middle;
        other = 2 * upDown;
      }
      const red = isRedRow ? own : other;
      const blue = isRedRow ? other : own;
      const at = y * width + x;
      if (colours === 0) {
        store<u8>(target + at, <u8>((RED * red + GREEN * green + BLUE * blue + 4 * HALF) >> (SHIFT + 2)));
      } else {
        const to = target + 3 * at;
        store<u8>(to, <u8>((red + 2) >> 2));
        store<u8>(to, <u8>((green + 2) >> 2), 1);
        store<u8>(to, <u8>((blue + 2) >> 2), 2);
      }
    }
  }
}

@inline
function toByte(value: f64): u8 {
  return <u8>(<i32>Math.min(255, Math.max(0, nearest(value))));
}

/**
 * Brightness with shared samples of colour (ITU-R BT.601) as red, green and blue. `step` bytes lie between the brightness of two
 * pixels, `chromaStep` between two samples of a colour; each is that of 2^`across` × 2^`down` pixels. `full` 1: values from 0 to 255.
 */
export function coloursOfYuv(
  luma: usize,
  stride: usize,
  step: usize,
  blues: usize,
  reds: usize,
  chromaStride: usize,
  chromaStep: usize,
  across: usize,
  down: usize,
  full: i32,
  target: usize,
  width: usize,
  height: usize,
): void {
  const gain: f64 = full ? 1 : 255.0 / 224.0;
  const slope: f64 = full ? 1 : 255.0 / 219.0;
  const black: f64 = full ? 0 : 16;
  for (let y: usize = 0; y < height; y++) {
    const row = luma + y * stride;
    const chroma = (y >> down) * chromaStride;
    let to = target + 3 * y * width;
    for (let x: usize = 0; x < width; x++, to += 3) {
      const bright = slope * (<f64>load<u8>(row + x * step) - black);
      const at = chroma + (x >> across) * chromaStep;
      const blue = gain * (<f64>load<u8>(blues + at) - 128);
      const red = gain * (<f64>load<u8>(reds + at) - 128);
      store<u8>(to, toByte(bright + 1.402 * red));
      store<u8>(to, toByte(bright - 0.344136 * blue - 0.714136 * red), 1);
      store<u8>(to, toByte(bright + 1.772 * blue), 2);
    }
  }
}
