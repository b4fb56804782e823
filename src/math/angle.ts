const FULL_TURN = 2 * Math.PI;

/** The same direction [rad] in (−π, π]. NaN and ±Infinity give NaN. */
export function wrapAngle(a: number): number {
  const r = a % FULL_TURN;
  if (r > Math.PI) return r - FULL_TURN;
  return r <= -Math.PI ? r + FULL_TURN : r;
}

/** a − b the short way round [rad], in (−π, π]. */
export function angleDifference(a: number, b: number): number {
  return wrapAngle(a - b);
}

/** Degrees of radians. */
export function degrees(rad: number): number {
  return (rad * 180) / Math.PI;
}

/** Radians of degrees. */
export function radians(deg: number): number {
  return (deg * Math.PI) / 180;
}
