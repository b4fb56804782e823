/**
 * Paints a ball over light, in AssemblyScript: compiled to WebAssembly with SIMD by `tools/build-kernels.ts`, not by tsc.
 * `ball-painter.ts` lays out the memory. Four pixels of a row are painted at a time.
 *
 * With a = c / c_z of the centre c, e = d − a of the ray d, and q = R / c_z, a ray meets the ball where
 * q² |d|² > |d × a|² = e_x² + e_y² + (e_x a_y − e_y a_x)²: that is exact also in single precision, for e is small.
 */

@unmanaged
class Painting {
  /** Where the rays through the pixels' corners meet the plane z = 1. f32. */
  raysX: usize;
  raysY: usize;
  /** Rays in a row; one more than gray values. */
  rayStride: usize;
  light: usize;
  places: usize;
  placeCount: i32;
  /** Pixels that the ball may touch. */
  firstColumn: i32;
  lastColumn: i32;
  firstRow: i32;
  lastRow: i32;
  /** An outline is taken as straight within squares so many to a pixel's edge. */
  squares: i32;
  /** A pixel is on the edge if its middle is nearer to it than this, times the sum of the normal's components [px]. */
  edgeReach: f32;
  gray: f32;
  /** Towards the light, times shading / radius. */
  lightX: f32;
  lightY: f32;
  lightZ: f32;
  /** What is on the ball: 0 nothing, then as in ball-surface.ts; how much darker it is; how fast it changes on the image. */
  pattern: i32;
  depth: f32;
  sharpness: f32;
  /** Brightness of the highlight, as a share of the ball's, and the direction that reflects the light into the camera. */
  gloss: f32;
  halfX: f32;
  halfY: f32;
  halfZ: f32;
  inverseRadius: f32;
  /** From the camera's axes to the ball's own, by rows. */
  xx: f32;
  xy: f32;
  xz: f32;
  yx: f32;
  yy: f32;
  yz: f32;
  zx: f32;
  zy: f32;
  zz: f32;
}

/** The ball at one moment of the exposure. */
@unmanaged
class Place {
  centreX: f32;
  centreY: f32;
  centreZ: f32;
  /** Centre on the plane z = 1. */
  planeX: f32;
  planeY: f32;
  /** (radius / centreZ)². */
  squaredSize: f32;
  /** What shading adds to one on the ball's mean, turned round: brightness is this and what the light adds. */
  base: f32;
}

let painting: Painting = changetype<Painting>(0);
/** Of the four pixels at hand: rays through the corners at the top left, and across and down from there. */
let topX: v128 = f32x4.splat(0);
let topY: v128 = f32x4.splat(0);
let acrossX: v128 = f32x4.splat(0);
let acrossY: v128 = f32x4.splat(0);
let downX: v128 = f32x4.splat(0);
let downY: v128 = f32x4.splat(0);
let twistX: v128 = f32x4.splat(0);
let twistY: v128 = f32x4.splat(0);
/** The parts of them that are covered, and their brightness, summed over places. */
let covered: v128 = f32x4.splat(0);
let lit: v128 = f32x4.splat(0);

export function paintBall(address: usize): void {
  painting = changetype<Painting>(address);
  const gray = f32x4.splat(painting.gray);
  const numbers = i32x4(0, 1, 2, 3);
  for (let row = painting.firstRow; row <= painting.lastRow; row++) {
    for (let column = painting.firstColumn; column <= painting.lastColumn; column += 4) {
      loadPixels(<usize>row * painting.rayStride + <usize>column);
      coverPixels();
      const isWithin = i32x4.le_s(numbers, i32x4.splat(painting.lastColumn - column));
      const part = v128.and(covered, isWithin);
      if (!v128.any_true(part)) continue;
      const target = painting.light + 4 * (<usize>row * (painting.rayStride - 1) + <usize>column);
      const rest = f32x4.mul(v128.load(target), f32x4.sub(f32x4.splat(1), part));
      v128.store(target, f32x4.add(rest, f32x4.mul(gray, v128.and(lit, isWithin))));
    }
  }
}

/** Area of the unit square about the origin on the inner side of a straight edge: see `coverage`. For tests. */
export function halfPlaneCoverage(distance: f32, nx: f32, ny: f32): f32 {
  return f32x4.extract_lane(coverage(f32x4.splat(distance), f32x4.splat(nx), f32x4.splat(ny)), 0);
}

function loadPixels(node: usize): void {
  const x = painting.raysX + 4 * node;
  const y = painting.raysY + 4 * node;
  const below = painting.rayStride * 4;
  topX = v128.load(x);
  topY = v128.load(y);
  acrossX = f32x4.sub(v128.load(x, 4), topX);
  acrossY = f32x4.sub(v128.load(y, 4), topY);
  downX = f32x4.sub(v128.load(x + below), topX);
  downY = f32x4.sub(v128.load(y + below), topY);
  twistX = f32x4.sub(f32x4.sub(f32x4.sub(v128.load(x + below, 4), topX), acrossX), downX);
  twistY = f32x4.sub(f32x4.sub(f32x4.sub(v128.load(y + below, 4), topY), acrossY), downY);
}

/**
 * Coverage and brightness averaged over the places. A pixel that is inside at the first and the last place is so all the
 * way between: outlines are convex, and the way is straight.
 */
function coverPixels(): void {
  const count = painting.placeCount;
  const zero = f32x4.splat(0);
  covered = zero;
  lit = zero;
  addPlace(0);
  if (count === 1) return;
  addPlace(count - 1);
  const one = f32x4.splat(1);
  const isInside = f32x4.eq(covered, f32x4.splat(2));
  const insideLit = f32x4.mul(lit, f32x4.splat(0.5));
  if (!v128.all_true<i32>(isInside)) {
    for (let k = 1; k < count - 1; k++) addPlace(k);
  }
  const part = f32x4.splat(<f32>(1.0 / <f64>count));
  covered = v128.bitselect(one, f32x4.mul(covered, part), isInside);
  lit = v128.bitselect(insideLit, f32x4.mul(lit, part), isInside);
}

/** Adds coverage and brightness with the ball at its place k. */
function addPlace(k: i32): void {
  const place = changetype<Place>(painting.places + <usize>k * offsetof<Place>());
  const half = f32x4.splat(0.5);
  const stepUX = f32x4.add(acrossX, f32x4.mul(half, twistX));
  const stepUY = f32x4.add(acrossY, f32x4.mul(half, twistY));
  const stepVX = f32x4.add(downX, f32x4.mul(half, twistX));
  const stepVY = f32x4.add(downY, f32x4.mul(half, twistY));
  const x = f32x4.add(topX, f32x4.mul(half, f32x4.add(stepUX, downX)));
  const y = f32x4.add(topY, f32x4.mul(half, f32x4.add(stepUY, downY)));
  const squaredRay = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.splat(1));
  const inside = insideOf(place, x, y, squaredRay);
  const slopeX = slopeAlongX(place, x, y);
  const slopeY = slopeAlongY(place, x, y);
  const slopeU = f32x4.add(f32x4.mul(slopeX, stepUX), f32x4.mul(slopeY, stepUY));
  const slopeV = f32x4.add(f32x4.mul(slopeX, stepVX), f32x4.mul(slopeY, stepVY));
  const reach = f32x4.mul(f32x4.splat(painting.edgeReach), f32x4.add(f32x4.abs(slopeU), f32x4.abs(slopeV)));
  const isTouched = f32x4.ge(inside, f32x4.neg(reach));
  if (!v128.any_true(isTouched)) return;
  const isInside = f32x4.gt(inside, reach);
  let part = v128.and(f32x4.splat(1), isInside);
  const isEdge = v128.andnot(isTouched, isInside);
  if (v128.any_true(isEdge)) part = v128.bitselect(coverEdge(place), part, isEdge);
  covered = f32x4.add(covered, part);
  let shine = brightness(place, x, y, squaredRay, inside);
  if (painting.pattern !== 0 || painting.gloss > 0) shine = decorate(place, x, y, squaredRay, inside, shine);
  lit = f32x4.add(lit, f32x4.mul(part, shine));
}

/** Brightness with what is printed on the ball, and with its highlight. */
function decorate(place: Place, x: v128, y: v128, squaredRay: v128, inside: v128, plain: v128): v128 {
  const cx = f32x4.splat(place.centreX);
  const cy = f32x4.splat(place.centreY);
  const cz = f32x4.splat(place.centreZ);
  const along = f32x4.add(f32x4.add(f32x4.mul(x, cx), f32x4.mul(y, cy)), cz);
  const root = f32x4.mul(cz, f32x4.sqrt(f32x4.pmax(f32x4.splat(0), inside)));
  const toSurface = f32x4.div(f32x4.sub(along, root), squaredRay);
  const scale = f32x4.splat(painting.inverseRadius);
  const nx = f32x4.mul(scale, f32x4.sub(f32x4.mul(toSurface, x), cx));
  const ny = f32x4.mul(scale, f32x4.sub(f32x4.mul(toSurface, y), cy));
  const nz = f32x4.mul(scale, f32x4.sub(toSurface, cz));
  let shine = plain;
  if (painting.pattern !== 0) {
    const ink = inkOf(
      combine(painting.xx, painting.xy, painting.xz, nx, ny, nz),
      combine(painting.yx, painting.yy, painting.yz, nx, ny, nz),
      combine(painting.zx, painting.zy, painting.zz, nx, ny, nz),
    );
    shine = f32x4.mul(shine, f32x4.sub(f32x4.splat(1), f32x4.mul(f32x4.splat(painting.depth), ink)));
  }
  const facing = f32x4.pmax(f32x4.splat(0), combine(painting.halfX, painting.halfY, painting.halfZ, nx, ny, nz));
  let power = f32x4.mul(facing, facing);
  for (let k = 0; k < 4; k++) power = f32x4.mul(power, power);
  return f32x4.add(shine, f32x4.mul(f32x4.splat(painting.gloss), power));
}

@inline
function combine(a: f32, b: f32, c: f32, x: v128, y: v128, z: v128): v128 {
  const sum = f32x4.add(f32x4.mul(f32x4.splat(a), x), f32x4.mul(f32x4.splat(b), y));
  return f32x4.add(sum, f32x4.mul(f32x4.splat(c), z));
}

/** How much of the pattern's ink there is at a point of the unit sphere: 0 to 1. */
@inline
function inkOf(x: v128, y: v128, z: v128): v128 {
  const sharpness = f32x4.splat(painting.sharpness);
  if (painting.pattern === 1) {
    // A seam like a tennis ball's: a wave about the equator.
    const wave = f32x4.sub(z, f32x4.mul(f32x4.splat(0.8), f32x4.sub(f32x4.mul(x, x), f32x4.mul(y, y))));
    return limited(f32x4.mul(sharpness, f32x4.sub(f32x4.splat(0.08), f32x4.abs(wave))));
  }
  if (painting.pattern === 2) {
    // Eight panels of two tones.
    const panels = f32x4.mul(f32x4.splat(3), f32x4.mul(x, f32x4.mul(y, z)));
    return limited(f32x4.add(f32x4.splat(0.5), f32x4.mul(sharpness, panels)));
  }
  // A round print with bars in it, like letters.
  const disc = limited(f32x4.mul(sharpness, f32x4.sub(z, f32x4.splat(0.6))));
  const bars = f32x4.mul(f32x4.splat(3), x);
  const phase = f32x4.abs(f32x4.sub(f32x4.sub(bars, f32x4.floor(bars)), f32x4.splat(0.5)));
  const third = f32x4.mul(f32x4.splat(0.33), sharpness);
  return f32x4.mul(disc, limited(f32x4.mul(third, f32x4.sub(f32x4.splat(0.3), phase))));
}

@inline
function limited(value: v128): v128 {
  return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), value));
}

/** Positive where a ray meets the ball. */
@inline
function insideOf(place: Place, x: v128, y: v128, squaredRay: v128): v128 {
  const ex = f32x4.sub(x, f32x4.splat(place.planeX));
  const ey = f32x4.sub(y, f32x4.splat(place.planeY));
  const ez = crossZ(place, ex, ey);
  const cross = f32x4.add(f32x4.add(f32x4.mul(ex, ex), f32x4.mul(ey, ey)), f32x4.mul(ez, ez));
  return f32x4.sub(f32x4.mul(f32x4.splat(place.squaredSize), squaredRay), cross);
}

@inline
function crossZ(place: Place, ex: v128, ey: v128): v128 {
  return f32x4.sub(f32x4.mul(ex, f32x4.splat(place.planeY)), f32x4.mul(ey, f32x4.splat(place.planeX)));
}

/** The derivative of `insideOf`. */
@inline
function slopeAlongX(place: Place, x: v128, y: v128): v128 {
  const ex = f32x4.sub(x, f32x4.splat(place.planeX));
  const ey = f32x4.sub(y, f32x4.splat(place.planeY));
  const cross = f32x4.add(ex, f32x4.mul(crossZ(place, ex, ey), f32x4.splat(place.planeY)));
  const half = f32x4.sub(f32x4.mul(f32x4.splat(place.squaredSize), x), cross);
  return f32x4.add(half, half);
}

@inline
function slopeAlongY(place: Place, x: v128, y: v128): v128 {
  const ex = f32x4.sub(x, f32x4.splat(place.planeX));
  const ey = f32x4.sub(y, f32x4.splat(place.planeY));
  const cross = f32x4.sub(ey, f32x4.mul(crossZ(place, ex, ey), f32x4.splat(place.planeX)));
  const half = f32x4.sub(f32x4.mul(f32x4.splat(place.squaredSize), y), cross);
  return f32x4.add(half, half);
}

/** Where the rays meet the ball, its brightness relative to its mean. */
@inline
function brightness(place: Place, x: v128, y: v128, squaredRay: v128, inside: v128): v128 {
  const cx = f32x4.splat(place.centreX);
  const cy = f32x4.splat(place.centreY);
  const cz = f32x4.splat(place.centreZ);
  const along = f32x4.add(f32x4.add(f32x4.mul(x, cx), f32x4.mul(y, cy)), cz);
  const root = f32x4.mul(cz, f32x4.sqrt(f32x4.pmax(f32x4.splat(0), inside)));
  const toSurface = f32x4.div(f32x4.sub(along, root), squaredRay);
  const facingX = f32x4.mul(f32x4.splat(painting.lightX), f32x4.sub(f32x4.mul(toSurface, x), cx));
  const facingY = f32x4.mul(f32x4.splat(painting.lightY), f32x4.sub(f32x4.mul(toSurface, y), cy));
  const facingZ = f32x4.mul(f32x4.splat(painting.lightZ), f32x4.sub(toSurface, cz));
  return f32x4.add(f32x4.splat(place.base), f32x4.add(f32x4.add(facingX, facingY), facingZ));
}

/** Parts of the pixels inside the outline, which is taken as straight within each of their small squares. */
function coverEdge(place: Place): v128 {
  const squares = painting.squares;
  const part: f32 = <f32>1 / <f32>squares;
  const scale = f32x4.splat(<f32>squares);
  let sum = f32x4.splat(0);
  for (let j = 0; j < squares; j++) {
    const b = f32x4.splat((<f32>j + 0.5) * part);
    const leftX = f32x4.add(topX, f32x4.mul(b, downX));
    const leftY = f32x4.add(topY, f32x4.mul(b, downY));
    const rightX = f32x4.add(acrossX, f32x4.mul(b, twistX));
    const rightY = f32x4.add(acrossY, f32x4.mul(b, twistY));
    for (let i = 0; i < squares; i++) {
      const a = f32x4.splat((<f32>i + 0.5) * part);
      const x = f32x4.add(leftX, f32x4.mul(a, rightX));
      const y = f32x4.add(leftY, f32x4.mul(a, rightY));
      const squaredRay = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.splat(1));
      const slopeX = slopeAlongX(place, x, y);
      const slopeY = slopeAlongY(place, x, y);
      const slopeU = f32x4.add(f32x4.mul(slopeX, rightX), f32x4.mul(slopeY, rightY));
      const slopeV = f32x4.add(f32x4.mul(slopeX, downX), f32x4.mul(slopeY, downY));
      const inside = f32x4.mul(scale, insideOf(place, x, y, squaredRay));
      sum = f32x4.add(sum, coverage(inside, slopeU, slopeV));
    }
  }
  return f32x4.mul(sum, f32x4.splat(part * part));
}

/**
 * Area of the unit square about the origin on the inner side of a straight edge, exactly. `distance` is from the square's
 * centre to the edge, positive if the centre is inside; (nx, ny) is the edge's normal, and the unit of the distance its
 * length.
 */
@inline
function coverage(distance: v128, nx: v128, ny: v128): v128 {
  const half = f32x4.splat(0.5);
  const p = f32x4.abs(nx);
  const q = f32x4.abs(ny);
  const long = f32x4.pmax(p, q);
  const short = f32x4.pmin(p, q);
  const away = f32x4.abs(distance);
  const across = f32x4.sub(half, f32x4.div(away, long));
  const rest = f32x4.sub(f32x4.mul(half, f32x4.add(long, short)), away);
  const product = f32x4.mul(long, short);
  const cut = f32x4.div(f32x4.mul(rest, rest), f32x4.add(product, product));
  const corner = v128.and(cut, f32x4.gt(rest, f32x4.splat(0)));
  const isAcross = f32x4.le(away, f32x4.mul(half, f32x4.sub(long, short)));
  const outside = v128.bitselect(across, corner, isAcross);
  const isIn = f32x4.gt(distance, f32x4.splat(0));
  return v128.bitselect(f32x4.sub(f32x4.splat(1), outside), outside, isIn);
}
