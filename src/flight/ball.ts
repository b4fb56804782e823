import * as vec3 from "../math/vec3.js";

/** What of a ball matters to its flight. */
export interface Ball {
  /** [m] */
  readonly diameter: number;
  /** [kg] */
  readonly mass: number;
  /** k of the drag −k·|v|·v [1/m] */
  readonly drag: number;
}

/** The ball of the thesis' demonstration: a soft ball of 8.5 cm and 50 g. */
export const defaultBall: Ball = { diameter: 0.085, mass: 0.05, drag: 0.032 };

/** Density of air at 20 °C and 1013 hPa [kg/m³]. */
const AIR_DENSITY = 1.204;

/** Drag coefficient of a smooth sphere at Reynolds numbers of 10³ to 2·10⁵: a thrown ball's are about 4·10⁴. */
const SPHERE_DRAG_COEFFICIENT = 0.47;

/**
 * k = ½·ρ·C_d·A/m [1/m] of a ball of `diameter` [m] and `mass` [kg].
 * @example dragOf(0.085, 0.05) // 0.0321
 */
export function dragOf(
  diameter: number,
  mass: number,
  coefficient = SPHERE_DRAG_COEFFICIENT,
  density = AIR_DENSITY,
): number {
  const area = (Math.PI / 4) * diameter * diameter;
  return (0.5 * density * coefficient * area) / mass;
}

/** Acceleration of a falling body in a frame whose z axis points up [m/s²]. Turn it for any other frame. */
export function gravity(out: vec3.Vec3 = vec3.create()): vec3.Vec3 {
  return vec3.set(0, 0, -STANDARD_GRAVITY, out);
}

/** [m/s²] */
export const STANDARD_GRAVITY = 9.81;
