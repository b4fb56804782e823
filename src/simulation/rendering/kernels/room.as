/**
 * Casts the rays of a camera into a room of textured boxes, in AssemblyScript: compiled to WebAssembly with SIMD by
 * `tools/build-kernels.ts`, not by tsc. `room-caster.ts` lays out the memory. What it computes is written once more,
 * plainly, in test/simulation/rendering/room-reference.ts.
 *
 * The image is cast in blocks of 16 × 16 pixels, each for itself and at once for all moments of an exposure ("casts"). Sums
 * over the casts are exact integers; nothing depends on the order of blocks.
 */

/** Pixels along a block's edge, and nodes, which are the pixels' corners. */
const BLOCK: i32 = 16;
const NODES: i32 = 17;
/** Of a texture; all have as many. */
const LEVELS: i32 = 4;
/** One, in texture coordinates and in products of interpolation weights. */
const ONE: f64 = 65536;
/** Gray values are summed less this, so that they fit signed bytes. */
const BIAS: i32 = 128;
const BIAS_BYTES: i32 = 0x80808080;

/** What is constant over an image. Addresses are bytes of the memory. */
@unmanaged
class View {
  /** Of the image. */
  width: i32;
  height: i32;
  /** Blocks in a row. */
  blockColumns: i32;
  blockRows: i32;
  /** Where the rays through the nodes meet the plane z = 1: 16 · blockColumns + 1 to a row. f32. */
  raysX: usize;
  raysY: usize;
  /** Gray values of pixels, 16 · blockColumns to a row. f32. */
  light: usize;
  /** Whether a block is wanted. u8. */
  wanted: usize;
  castCount: i32;
  casts: usize;
  /** Bytes from one cast to the next. */
  castBytes: usize;
  solidCount: i32;
  /** Levels of all faces' textures. */
  textures: usize;
  scratch: usize;
}

/** The room seen from one pose of the camera. The solids follow it in memory, the room itself first. */
@unmanaged
class Cast {
  /** World-from-camera, by rows. */
  r0: f32;
  r1: f32;
  r2: f32;
  r3: f32;
  r4: f32;
  r5: f32;
  r6: f32;
  r7: f32;
  r8: f32;
  /** Whether a block holds a box's vertex. u8. */
  holdsVertex: usize;
}

/** A box, or the room, whose faces are seen from inside. */
@unmanaged
class Solid {
  /** Corners relative to the camera, in the world's axes [m]. */
  minX: f32;
  minY: f32;
  minZ: f32;
  maxX: f32;
  maxY: f32;
  maxZ: f32;
  texelsPerMetre: f32;
  /** Columns and rows of nodes within which it is seen. */
  firstColumn: i32;
  lastColumn: i32;
  firstRow: i32;
  lastRow: i32;
}

/** A texture at one resolution: texels of u16, the texel itself in the low byte, the one below it in the high byte. */
@unmanaged
class Level {
  texels: usize;
  /** Texels in a row. */
  stride: i32;
}

/** How texture coordinates run over a square of pixels that lies within one face. */
@unmanaged
class Sweep {
  /** Four f32: s and t at the first pixel's middle, and their steps to the next pixel, all in parts of 2¹⁶ texels. */
  first: v128;
  /** What they grow by to the next row. */
  growth: v128;
  texels: usize;
  /** Bytes of a texel, and of a row of texels, as i16. */
  pitch: i32;
  unused: i64;
}

// The scratch memory: of each cast its sweep and, for the block at hand, the boxes in sight and the hits of the corners.
const HITS: usize = 48;
const BOXES: usize = HITS + 48;
// Of the cast at hand: faces, s and t of the block's nodes; of all casts, the block's sums.
const ROW_BYTES: usize = 4 * 17;
const NODE_PLANE: usize = 17 * ROW_BYTES;

let view: View = changetype<View>(0);
let cast: Cast = changetype<Cast>(0);
/** Scratch of a cast, and of the cast at hand. */
let stateBytes: usize = 0;
let state: usize = 0;
let nodes: usize = 0;
let sums: usize = 0;
/** Node of the block's top left corner. */
let corner: i32 = 0;
let rayStride: i32 = 0;

/** Bytes of scratch memory for so many casts; the last row of nodes may be read beyond its end. */
export function scratchBytes(castCount: i32, solidCount: i32): usize {
  return <usize>castCount * stateBytesFor(solidCount) + 3 * NODE_PLANE + 16 + <usize>(4 * BLOCK * BLOCK);
}

/** Two words for each box in sight, and for the list's end. */
@inline
function stateBytesFor(solidCount: i32): usize {
  return BOXES + 8 * <usize>solidCount;
}

/** Casts all wanted blocks. */
export function castRoom(viewAddress: usize): void {
  view = changetype<View>(viewAddress);
  stateBytes = stateBytesFor(view.solidCount);
  sums = view.scratch + <usize>view.castCount * stateBytes;
  nodes = sums + <usize>(4 * BLOCK * BLOCK);
  rayStride = BLOCK * view.blockColumns + 1;
  let wanted = view.wanted;
  for (let row = 0; row < view.blockRows; row++) {
    for (let column = 0; column < view.blockColumns; column++, wanted++) {
      if (load<u8>(wanted) !== 0) castBlock(column, row);
    }
  }
}

function castBlock(column: i32, row: i32): void {
  const block = row * view.blockColumns + column;
  corner = row * BLOCK * rayStride + column * BLOCK;
  let isEven = true;
  for (let k = 0; k < view.castCount; k++) {
    selectCast(k);
    findBoxes(column * BLOCK, row * BLOCK);
    const below = BLOCK * rayStride;
    castFour(corner, corner + BLOCK, corner + below, corner + below + BLOCK);
    if (load<u8>(cast.holdsVertex + block) !== 0 || !isOneFace(state + HITS)) isEven = false;
  }
  const target = view.light + 4 * <usize>(row * BLOCK * BLOCK * view.blockColumns + column * BLOCK);
  if (isEven) fillBlock(target);
  else castPieces(column, row, block, target);
}

@inline
function selectCast(k: i32): void {
  cast = changetype<Cast>(view.casts + <usize>k * view.castBytes);
  state = view.scratch + <usize>k * stateBytes;
}

@inline
function isOneFace(faces: usize): bool {
  const four = v128.load(faces);
  return i32x4.all_true(i32x4.eq(four, i32x4.splat(load<i32>(faces))));
}

/** Lists the boxes that may be seen in the block whose first node is (i, j); zero ends the list. */
function findBoxes(i: i32, j: i32): void {
  let target = state + BOXES;
  let address = changetype<usize>(cast) + offsetof<Cast>() + offsetof<Solid>();
  for (let n = 1; n < view.solidCount; n++, address += offsetof<Solid>()) {
    const box = changetype<Solid>(address);
    if (i > box.lastColumn || i + BLOCK < box.firstColumn || j > box.lastRow || j + BLOCK < box.firstRow) continue;
    store<usize>(target, address);
    store<i32>(target, 6 * n, 4);
    target += 8;
  }
  store<usize>(target, 0);
}

/** Casts the rays through four nodes to `HITS`. */
@inline
function castFour(a: i32, b: i32, c: i32, d: i32): void {
  castRays(gather(view.raysX, a, b, c, d), gather(view.raysY, a, b, c, d));
}

@inline
function gather(from: usize, a: i32, b: i32, c: i32, d: i32): v128 {
  let four = v128.load32_zero(from + 4 * <usize>a);
  four = v128.load32_lane(from + 4 * <usize>b, four, 1);
  four = v128.load32_lane(from + 4 * <usize>c, four, 2);
  return v128.load32_lane(from + 4 * <usize>d, four, 3);
}

/** Faces, s and t [texel] that the rays through (x, y, 1) meet, to `HITS`. */
function castRays(x: v128, y: v128): void {
  const wx = turned(cast.r0, cast.r1, cast.r2, x, y);
  const wy = turned(cast.r3, cast.r4, cast.r5, x, y);
  const wz = turned(cast.r6, cast.r7, cast.r8, x, y);
  const one = f32x4.splat(1);
  const px = f32x4.div(one, wx);
  const py = f32x4.div(one, wy);
  const pz = f32x4.div(one, wz);
  // 1 where the ray goes up its axis: the face number's last bit, for faces seen from inside.
  const upX = i32x4.shr_u(f32x4.gt(wx, f32x4.splat(0)), 31);
  const upY = i32x4.shr_u(f32x4.gt(wy, f32x4.splat(0)), 31);
  const upZ = i32x4.shr_u(f32x4.gt(wz, f32x4.splat(0)), 31);
  const faceX = upX;
  const faceY = i32x4.add(upY, i32x4.splat(2));
  const faceZ = i32x4.add(upZ, i32x4.splat(4));
  const room = changetype<Solid>(changetype<usize>(cast) + offsetof<Cast>());
  const leaveX = farther(room.minX, room.maxX, px);
  const leaveY = farther(room.minY, room.maxY, py);
  const leaveZ = farther(room.minZ, room.maxZ, pz);
  let reach = f32x4.pmin(f32x4.pmin(leaveX, leaveY), leaveZ);
  let face = firstOf(f32x4.eq(reach, leaveX), faceX, f32x4.eq(reach, leaveY), faceY, faceZ);
  let minX = f32x4.splat(room.minX);
  let minY = f32x4.splat(room.minY);
  let minZ = f32x4.splat(room.minZ);
  let scale = f32x4.splat(room.texelsPerMetre);
  for (let entry = state + BOXES; load<usize>(entry) !== 0; entry += 8) {
    const box = changetype<Solid>(load<usize>(entry));
    const enterX = nearer(box.minX, box.maxX, px);
    const enterY = nearer(box.minY, box.maxY, py);
    const enterZ = nearer(box.minZ, box.maxZ, pz);
    const enter = f32x4.pmax(f32x4.pmax(enterX, enterY), enterZ);
    const leave = f32x4.pmin(
      f32x4.pmin(farther(box.minX, box.maxX, px), farther(box.minY, box.maxY, py)),
      farther(box.minZ, box.maxZ, pz),
    );
    const isMet = v128.and(f32x4.gt(enter, f32x4.splat(0)), f32x4.lt(enter, f32x4.pmin(reach, leave)));
    if (!v128.any_true(isMet)) continue;
    // From outside, it is the opposite face that is met.
    const met = firstOf(f32x4.eq(enter, enterX), faceX, f32x4.eq(enter, enterY), faceY, faceZ);
    const number = i32x4.add(v128.xor(met, i32x4.splat(1)), i32x4.splat(load<i32>(entry, 4)));
    reach = v128.bitselect(enter, reach, isMet);
    face = v128.bitselect(number, face, isMet);
    minX = v128.bitselect(f32x4.splat(box.minX), minX, isMet);
    minY = v128.bitselect(f32x4.splat(box.minY), minY, isMet);
    minZ = v128.bitselect(f32x4.splat(box.minZ), minZ, isMet);
    scale = v128.bitselect(f32x4.splat(box.texelsPerMetre), scale, isMet);
  }
  const alongX = f32x4.sub(f32x4.mul(reach, wx), minX);
  const alongY = f32x4.sub(f32x4.mul(reach, wy), minY);
  const alongZ = f32x4.sub(f32x4.mul(reach, wz), minZ);
  // Numbers of faces are 6 · solid + 2 · axis + side; textures span y, z across x; x, z across y; y, x across z.
  const within = remainderOfSix(face);
  const isAcrossY = i32x4.eq(v128.and(within, i32x4.splat(6)), i32x4.splat(2));
  const isAcrossZ = i32x4.gt_s(within, i32x4.splat(3));
  const zero = f32x4.splat(0);
  // Rounding may put a point on an edge just outside.
  const s = f32x4.pmax(zero, f32x4.mul(v128.bitselect(alongX, alongY, isAcrossY), scale));
  const t = f32x4.pmax(zero, f32x4.mul(v128.bitselect(alongX, alongZ, isAcrossZ), scale));
  v128.store(state + HITS, face);
  v128.store(state + HITS, s, 16);
  v128.store(state + HITS, t, 32);
}

@inline
function turned(a: f32, b: f32, c: f32, x: v128, y: v128): v128 {
  const sum = f32x4.add(f32x4.mul(f32x4.splat(a), x), f32x4.mul(f32x4.splat(b), y));
  return f32x4.add(sum, f32x4.splat(c));
}

@inline
function farther(low: f32, high: f32, inverse: v128): v128 {
  return f32x4.pmax(f32x4.mul(f32x4.splat(low), inverse), f32x4.mul(f32x4.splat(high), inverse));
}

@inline
function nearer(low: f32, high: f32, inverse: v128): v128 {
  return f32x4.pmin(f32x4.mul(f32x4.splat(low), inverse), f32x4.mul(f32x4.splat(high), inverse));
}

@inline
function firstOf(isA: v128, a: v128, isB: v128, b: v128, c: v128): v128 {
  return v128.bitselect(a, v128.bitselect(b, c, isB), isA);
}

/** Of numbers below 6 · 65. */
@inline
function remainderOfSix(value: v128): v128 {
  const quotient = i32x4.shr_u(i32x4.mul(value, i32x4.splat(10923)), 16);
  return i32x4.sub(value, i32x4.mul(quotient, i32x4.splat(6)));
}

/** A block that lies within one face in each cast: all casts of a row of pixels are summed before any is written. */
function fillBlock(target: usize): void {
  const count = view.castCount;
  for (let k = 0; k < count; k++) {
    selectCast(k);
    const hits = state + HITS;
    prepareSweep(load<i32>(hits), hits + 16, hits + 32, 4, 8, BLOCK);
  }
  const scale = f32x4.splat(<f32>(1.0 / (ONE * <f64>count)));
  const bias = f32x4.splat(<f32>BIAS);
  const ramp = i32x4(0, 1, 2, 3);
  const stride = <usize>(4 * BLOCK * view.blockColumns);
  for (let row = 0; row < BLOCK; row++, target += stride) {
    let sum0 = i32x4.splat(0);
    let sum1 = sum0;
    let sum2 = sum0;
    let sum3 = sum0;
    let address = view.scratch;
    for (let k = 0; k < count; k++, address += stateBytes) {
      const sweep = changetype<Sweep>(address);
      const from = sweepRow(sweep, row);
      const stepS = laneOf(from, 2);
      const stepT = laneOf(from, 3);
      const jumpS = i32x4.shl(stepS, 2);
      const jumpT = i32x4.shl(stepT, 2);
      const pitch = i32x4.splat(sweep.pitch);
      const texels = sweep.texels;
      let s = i32x4.add(laneOf(from, 0), i32x4.mul(stepS, ramp));
      let t = i32x4.add(laneOf(from, 1), i32x4.mul(stepT, ramp));
      sum0 = i32x4.add(sum0, lookUp(texels, pitch, s, t));
      s = i32x4.add(s, jumpS);
      t = i32x4.add(t, jumpT);
      sum1 = i32x4.add(sum1, lookUp(texels, pitch, s, t));
      s = i32x4.add(s, jumpS);
      t = i32x4.add(t, jumpT);
      sum2 = i32x4.add(sum2, lookUp(texels, pitch, s, t));
      s = i32x4.add(s, jumpS);
      t = i32x4.add(t, jumpT);
      sum3 = i32x4.add(sum3, lookUp(texels, pitch, s, t));
    }
    v128.store(target, toGray(sum0, scale, bias));
    v128.store(target, toGray(sum1, scale, bias), 16);
    v128.store(target, toGray(sum2, scale, bias), 32);
    v128.store(target, toGray(sum3, scale, bias), 48);
  }
}

@inline
function toGray(sum: v128, scale: v128, bias: v128): v128 {
  return f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(sum), scale), bias);
}

@inline
function sweepRow(sweep: Sweep, row: i32): v128 {
  const at = f32x4.add(sweep.first, f32x4.mul(sweep.growth, f32x4.splat(<f32>row)));
  return i32x4.trunc_sat_f32x4_s(at);
}

@inline
function laneOf(four: v128, lane: i32): v128 {
  if (lane === 0) return v128.shuffle<i32>(four, four, 0, 0, 0, 0);
  if (lane === 1) return v128.shuffle<i32>(four, four, 1, 1, 1, 1);
  if (lane === 2) return v128.shuffle<i32>(four, four, 2, 2, 2, 2);
  return v128.shuffle<i32>(four, four, 3, 3, 3, 3);
}

/** Four texels at (s, t), interpolated bilinearly: (gray value − BIAS) · 2¹⁶, exactly. */
@inline
function lookUp(texels: usize, pitch: v128, s: v128, t: v128): v128 {
  const places = v128.or(v128.and(t, i32x4.splat(0xffff0000)), i32x4.shr_u(s, 16));
  const offsets = i32x4.dot_i16x8_s(places, pitch);
  let quads = v128.load32_zero(texels + i32x4.extract_lane(offsets, 0));
  quads = v128.load32_lane(texels + i32x4.extract_lane(offsets, 1), quads, 1);
  quads = v128.load32_lane(texels + i32x4.extract_lane(offsets, 2), quads, 2);
  quads = v128.load32_lane(texels + i32x4.extract_lane(offsets, 3), quads, 3);
  quads = v128.xor(quads, i32x4.splat(BIAS_BYTES));
  const byte = i32x4.splat(0xff);
  const x = v128.and(i32x4.shr_u(s, 8), byte);
  const y = v128.and(i32x4.shr_u(t, 8), byte);
  // Left and right pair are mixed at once, in the two halves of a word; products wrap around, their sum does not.
  const upper = i16x8.shl(quads, 8);
  const difference = i16x8.sub(i16x8.shr_s(quads, 8), i16x8.shr_s(upper, 8));
  const mixed = i16x8.add(upper, i16x8.mul(difference, v128.or(y, i32x4.shl(y, 16))));
  const weights = i32x4.sub(i32x4.add(i32x4.shl(x, 16), i32x4.splat(256)), x);
  return i32x4.dot_i16x8_s(mixed, weights);
}

/**
 * Texture coordinates over `size` pixels both ways, from those at the square's corners: arrays s and t, in which the
 * second corner comes `right` bytes and the third `down` bytes after the first.
 */
function prepareSweep(face: i32, s: usize, t: usize, right: usize, down: usize, size: i32): void {
  const s0 = <f64>load<f32>(s);
  const t0 = <f64>load<f32>(t);
  const acrossS = <f64>load<f32>(s + right) - s0;
  const acrossT = <f64>load<f32>(t + right) - t0;
  const downS = <f64>load<f32>(s + down) - s0;
  const downT = <f64>load<f32>(t + down) - t0;
  const twistS = <f64>load<f32>(s + right + down) - s0 - acrossS - downS;
  const twistT = <f64>load<f32>(t + right + down) - t0 - acrossT - downT;
  const part: f64 = 1.0 / <f64>size;
  const level = chooseLevel(abs(acrossS) + abs(acrossT), abs(downS) + abs(downT), part);
  const sweep = changetype<Sweep>(state);
  const texture = changetype<Level>(view.textures + <usize>(face * LEVELS + level) * offsetof<Level>());
  sweep.texels = texture.texels;
  sweep.pitch = (texture.stride << 17) | 2;
  const one = ONE / <f64>(1 << level);
  const half = 0.5 * part;
  sweep.first = f32x4(
    <f32>(one * (s0 + half * (acrossS + downS + half * twistS))),
    <f32>(one * (t0 + half * (acrossT + downT + half * twistT))),
    <f32>(one * part * (acrossS + half * twistS)),
    <f32>(one * part * (acrossT + half * twistT)),
  );
  sweep.growth = f32x4(
    <f32>(one * part * (downS + half * twistS)),
    <f32>(one * part * (downT + half * twistT)),
    <f32>(one * part * part * twistS),
    <f32>(one * part * part * twistT),
  );
}

/** The level at which a step of one pixel is about one texel. */
@inline
function chooseLevel(across: f64, down: f64, part: f64): i32 {
  const texels = Math.sqrt(across * down) * part;
  let level = 0;
  for (let coarser: f64 = 1.5; coarser < texels && level < LEVELS - 1; coarser *= 2) level++;
  return level;
}

/** A block with edges: each cast is quartered where it has to be, and added to the block's sums. */
function castPieces(column: i32, row: i32, block: i32, target: usize): void {
  memory.fill(sums, 0, 4 * <usize>(BLOCK * BLOCK));
  const columns = min(BLOCK, view.width - column * BLOCK);
  const rows = min(BLOCK, view.height - row * BLOCK);
  for (let k = 0; k < view.castCount; k++) {
    selectCast(k);
    const last = BLOCK * NODES;
    keepHits(0, BLOCK, last, last + BLOCK);
    castPiece(0, 0, BLOCK, load<u8>(cast.holdsVertex + block), columns, rows);
  }
  const scale = f32x4.splat(<f32>(1.0 / (ONE * <f64>view.castCount)));
  const bias = f32x4.splat(<f32>BIAS);
  const stride = <usize>(4 * BLOCK * view.blockColumns);
  for (let y: usize = 0; y < <usize>BLOCK; y++, target += stride) {
    for (let x: usize = 0; x < 4 * <usize>BLOCK; x += 16) {
      v128.store(target + x, toGray(v128.load(sums + 4 * y * <usize>BLOCK + x), scale, bias));
    }
  }
}

/**
 * A square of a block, `columns` × `rows` pixels of which are on the image. One with a vertex, where an edge may end
 * between the corners, is quartered until all its pixels' corners are known.
 */
function castPiece(x: i32, y: i32, size: i32, holdsVertex: i32, columns: i32, rows: i32): void {
  if (x >= columns || y >= rows) return;
  const node = y * NODES + x;
  if (holdsVertex === 0 && isEvenSquare(node, size)) {
    fillPiece(x, y, size);
    return;
  }
  if (size === 1) {
    if (isEvenSquare(node, 1)) fillPiece(x, y, 1);
    else sampleEdge(x, y);
    return;
  }
  if (size === 16) castGrid(x, y, 4);
  if (size === 4) {
    castGrid(x, y, 1);
    if (isEvenGrid(node)) {
      for (let row = y; row < y + 4; row++) fillFourPixels(x, row);
      return;
    }
  }
  const half = size >> 1;
  castPiece(x, y, half, holdsVertex, columns, rows);
  castPiece(x + half, y, half, holdsVertex, columns, rows);
  castPiece(x, y + half, half, holdsVertex, columns, rows);
  castPiece(x + half, y + half, half, holdsVertex, columns, rows);
}

@inline
function faceAt(node: i32): i32 {
  return load<i32>(nodes + 4 * <usize>node);
}

@inline
function isEvenSquare(node: i32, size: i32): bool {
  const face = faceAt(node);
  const below = node + size * NODES;
  return faceAt(node + size) === face && faceAt(below) === face && faceAt(below + size) === face;
}

/** Whether 5 × 5 neighbouring nodes are on one face. */
function isEvenGrid(node: i32): bool {
  const face = faceAt(node);
  const four = i32x4.splat(face);
  for (let row = 0; row < 5; row++, node += NODES) {
    if (faceAt(node + 4) !== face) return false;
    if (!i32x4.all_true(i32x4.eq(v128.load(nodes + 4 * <usize>node), four))) return false;
  }
  return true;
}

/** Casts 5 × 5 nodes of the block from (x, y), `step` apart. */
function castGrid(x: i32, y: i32, step: i32): void {
  const right = corner + x + 4 * step;
  for (let row = 0; row < 5; row++) {
    const from = corner + (y + row * step) * rayStride + x;
    const node = (y + row * step) * NODES + x;
    castFour(from, from + step, from + 2 * step, from + 3 * step);
    keepHits(node, node + step, node + 2 * step, node + 3 * step);
  }
  const down = step * rayStride;
  const first = right + y * rayStride;
  const node = y * NODES + x + 4 * step;
  castFour(first, first + down, first + 2 * down, first + 3 * down);
  keepHits(node, node + step * NODES, node + 2 * step * NODES, node + 3 * step * NODES);
  castFour(first + 4 * down, first + 4 * down, first + 4 * down, first + 4 * down);
  const last = node + 4 * step * NODES;
  keepHits(last, last, last, last);
}

/** Copies the four hits to nodes of the block. */
function keepHits(a: i32, b: i32, c: i32, d: i32): void {
  let from = state + HITS;
  let plane = nodes;
  for (let k = 0; k < 3; k++, from += 16, plane += NODE_PLANE) {
    const four = v128.load(from);
    v128.store32_lane(plane + 4 * <usize>a, four, 0);
    v128.store32_lane(plane + 4 * <usize>b, four, 1);
    v128.store32_lane(plane + 4 * <usize>c, four, 2);
    v128.store32_lane(plane + 4 * <usize>d, four, 3);
  }
}

/** Adds a square within one face. */
function fillPiece(x: i32, y: i32, size: i32): void {
  const node = nodes + 4 * <usize>(y * NODES + x);
  const down = <usize>(4 * size * NODES);
  prepareSweep(load<i32>(node), node + NODE_PLANE, node + 2 * NODE_PLANE, 4 * <usize>size, down, size);
  const sweep = changetype<Sweep>(state);
  const pitch = i32x4.splat(sweep.pitch);
  // Lanes beyond the square look up its last pixel, and are not added.
  const last = i32x4.splat(size - 1);
  const ramp = i32x4.min_s(i32x4(0, 1, 2, 3), last);
  const isWithin = i32x4.le_s(i32x4(0, 1, 2, 3), last);
  let target = sums + 4 * <usize>(y * BLOCK + x);
  for (let row = 0; row < size; row++, target += 4 * <usize>BLOCK) {
    const from = sweepRow(sweep, row);
    const stepS = laneOf(from, 2);
    const stepT = laneOf(from, 3);
    let s = i32x4.add(laneOf(from, 0), i32x4.mul(stepS, ramp));
    let t = i32x4.add(laneOf(from, 1), i32x4.mul(stepT, ramp));
    for (let at: usize = 0; at < 4 * <usize>size; at += 16) {
      const gray = v128.and(lookUp(sweep.texels, pitch, s, t), isWithin);
      v128.store(target + at, i32x4.add(v128.load(target + at), gray));
      s = i32x4.add(s, i32x4.shl(stepS, 2));
      t = i32x4.add(t, i32x4.shl(stepT, 2));
    }
  }
}

/** Adds four pixels of a row, all within one face, each with texture coordinates from its own corners. */
function fillFourPixels(x: i32, y: i32): void {
  const node = nodes + 4 * <usize>(y * NODES + x);
  const s = node + NODE_PLANE;
  const t = s + NODE_PLANE;
  const across = f32x4.add(distance(s, s + 4), distance(t, t + 4));
  const down = f32x4.add(distance(s, s + ROW_BYTES), distance(t, t + ROW_BYTES));
  const squaredTexels = f32x4.mul(across, down);
  let levels = i32x4.splat(0);
  for (let coarser: f32 = 1.5, level = 1; level < LEVELS; coarser *= 2, level++) {
    levels = i32x4.sub(levels, f32x4.gt(squaredTexels, f32x4.splat(coarser * coarser)));
  }
  const level = i32x4.extract_lane(levels, 0);
  if (!i32x4.all_true(i32x4.eq(levels, i32x4.splat(level)))) {
    for (let k = 0; k < 4; k++) fillPiece(x + k, y, 1);
    return;
  }
  const texture = changetype<Level>(view.textures + <usize>(load<i32>(node) * LEVELS + level) * offsetof<Level>());
  const quarter = f32x4.splat(<f32>(0.25 * ONE) / <f32>(1 << level));
  const atS = i32x4.trunc_sat_f32x4_s(f32x4.mul(quarter, sumOfCorners(s)));
  const atT = i32x4.trunc_sat_f32x4_s(f32x4.mul(quarter, sumOfCorners(t)));
  const target = sums + 4 * <usize>(y * BLOCK + x);
  const gray = lookUp(texture.texels, i32x4.splat((texture.stride << 17) | 2), atS, atT);
  v128.store(target, i32x4.add(v128.load(target), gray));
}

@inline
function distance(a: usize, b: usize): v128 {
  return f32x4.abs(f32x4.sub(v128.load(b), v128.load(a)));
}

@inline
function sumOfCorners(at: usize): v128 {
  const below = at + ROW_BYTES;
  return f32x4.add(f32x4.add(v128.load(at), v128.load(at, 4)), f32x4.add(v128.load(below), v128.load(below, 4)));
}

/** Adds the mean of four rays within a pixel, at (±¼, ±¼) from its middle, each with its nearest texel. */
function sampleEdge(x: i32, y: i32): void {
  const node = <usize>(corner + y * rayStride + x);
  castRays(spread(view.raysX + 4 * node), spread(view.raysY + 4 * node));
  let sum = 0;
  for (let hit = state + HITS; hit < state + HITS + 16; hit += 4) {
    const texture = changetype<Level>(view.textures + <usize>(load<i32>(hit) * LEVELS) * offsetof<Level>());
    const place = <i32>load<f32>(hit, 32) * texture.stride + <i32>load<f32>(hit, 16);
    sum += <i32>load<u8>(texture.texels + 2 * <usize>place);
  }
  const target = sums + 4 * <usize>(y * BLOCK + x);
  store<i32>(target, load<i32>(target) + (sum << 14) - (BIAS << 16));
}

/** Values at a pixel's four samples, from those at its corners. */
@inline
function spread(corners: usize): v128 {
  const below = corners + 4 * <usize>rayStride;
  const upper = f32x4.add(
    f32x4.mul(f32x4.splat(load<f32>(corners)), f32x4(0.5625, 0.1875, 0.1875, 0.0625)),
    f32x4.mul(f32x4.splat(load<f32>(corners, 4)), f32x4(0.1875, 0.5625, 0.0625, 0.1875)),
  );
  const lower = f32x4.add(
    f32x4.mul(f32x4.splat(load<f32>(below)), f32x4(0.1875, 0.0625, 0.5625, 0.1875)),
    f32x4.mul(f32x4.splat(load<f32>(below, 4)), f32x4(0.0625, 0.1875, 0.1875, 0.5625)),
  );
  return f32x4.add(upper, lower);
}
