/**
 * Area of the unit square about the origin on the inner side of a straight edge, exactly. `distance` is from the square's
 * centre to the edge, positive if the centre is inside; (nx, ny) is the edge's unit normal.
 */
export function halfPlaneCoverage(distance: number, nx: number, ny: number): number {
  const p = Math.abs(nx);
  const q = Math.abs(ny);
  const long = p > q ? p : q;
  const short = p > q ? q : p;
  const away = Math.abs(distance);
  let outside = 0;
  if (away <= 0.5 * (long - short)) {
    outside = 0.5 - away / long;
  } else {
    const rest = 0.5 * (long + short) - away;
    outside = rest > 0 ? (rest * rest) / (2 * long * short) : 0;
  }
  return distance > 0 ? 1 - outside : outside;
}
