const FULL_TURN = 2 * Math.PI;

/** The same direction [rad] in (−π, π]. NaN and ±Infinity give NaN. */
export function wrapAngle(a: number): number {
  const r = a % FULL_TURN;
  if (r > Math.PI) return r - FULL_TURN;
  return r <= -Math.PI ? r + FULL_TURN : r;
}

/** Degrees of radians. */
export function degrees(rad: number): number {
  return (rad * 180) / Math.PI;
}

/** Degrees in radians. */
export function radians(deg: number): number {
  return (deg * Math.PI) / 180;
}
