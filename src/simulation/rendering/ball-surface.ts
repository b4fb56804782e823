import type * as mat3 from "../../math/mat3.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";

/** What is on a ball; the numbers are those of kernels/balls.as. */
export const ballPatterns = { plain: 0, seam: 1, panels: 2, print: 3 } as const;
export type BallPattern = keyof typeof ballPatterns;

/** The surface of a ball that is not of one tone. */
export interface BallSurface {
  readonly pattern: BallPattern;
  /** How much darker the pattern is, as a share of the ball's brightness. */
  readonly depth: number;
  /** Brightness of the highlight, as a share of the ball's; 0: dull. */
  readonly gloss: number;
  /** From the world's axes to the ball's own. */
  readonly ballFromWorld: mat3.Mat3;
}

/** How a ball of a run looks, apart from how it is turned. */
export interface BallLook {
  readonly gray: number;
  readonly shading: number;
  readonly pattern: BallPattern;
  readonly depth: number;
  readonly gloss: number;
  readonly axis: vec3.Vec3;
  /** [rad/s] */
  readonly spin: number;
}

const PATTERNS: readonly BallPattern[] = ["plain", "seam", "panels", "print"];
/** Ranges from which looks are drawn. */
const GRAY = [185, 240] as const;
const SHADING = [0.3, 0.8] as const;
const DEPTH = [0.2, 0.6] as const;
/** Panels are large: darker ones would be as dark as the walls, and half of the outline would be none. */
const PANEL_DEPTH = [0.1, 0.25] as const;
const GLOSS = [0.1, 1.2] as const;
/** Fastest spin of a ball that is thrown by hand [rad/s]. */
const SPIN = 12;

/** How ball `id` of a seed looks at full strength: always the same. */
export function drawLook(seed: number | string, id: number): BallLook {
  const random = new Random(seed).fork("ball looks").fork(String(id));
  const axis = vec3.create(random.normal(), random.normal(), random.normal());
  const pattern = PATTERNS[random.integer(PATTERNS.length)]!;
  const depths: readonly [number, number] = pattern === "panels" ? PANEL_DEPTH : DEPTH;
  return {
    gray: random.uniformIn(...GRAY),
    shading: random.uniformIn(...SHADING),
    pattern,
    depth: random.uniformIn(...depths),
    gloss: random.uniformIn(...GLOSS),
    axis: vec3.normalize(axis, axis),
    spin: random.uniformIn(-SPIN, SPIN),
  };
}
