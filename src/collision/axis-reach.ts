/**
 * Greatest distance of the first `count` points to a line [m], written to out[to]. A joint that turns by an angle Δ about
 * the line moves none of them by more than this times |Δ|. The line's point is read from origin[atOrigin] on, its unit
 * vector from axis[atAxis] on.
 */
export function axisReach(
  points: Float64Array,
  count: number,
  origin: Float64Array,
  atOrigin: number,
  axis: Float64Array,
  atAxis: number,
  out: Float64Array,
  to: number,
): void {
  const ox = origin[atOrigin]!;
  const oy = origin[atOrigin + 1]!;
  const oz = origin[atOrigin + 2]!;
  const ax = axis[atAxis]!;
  const ay = axis[atAxis + 1]!;
  const az = axis[atAxis + 2]!;
  let greatest = 0;
  let total = 0;
  for (let i = 0; i < count; i++) {
    const rx = points[3 * i]! - ox;
    const ry = points[3 * i + 1]! - oy;
    const rz = points[3 * i + 2]! - oz;
    const cx = ay * rz - az * ry;
    const cy = az * rx - ax * rz;
    const cz = ax * ry - ay * rx;
    const square = cx * cx + cy * cy + cz * cz;
    total += square;
    if (square > greatest) greatest = square;
  }
  // x − x is 0 for a finite number and NaN for any other: a reach that is not a number must not pass for a small one.
  out[to] = Math.sqrt(greatest + (total - total));
}
