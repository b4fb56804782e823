import type { Pose } from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import type { BallSurface } from "./ball-surface.js";
import type { Tint } from "./tint.js";

/**
 * How bright a ball is: the mean gray value over its disc, or its contrast to what surrounds it on the image,
 * |ball − surroundings| / (ball + surroundings) (Michelson), brighter or darker. A ball that would have to be brighter
 * than white is made darker instead.
 */
export type Tone =
  | { readonly kind: "gray"; readonly gray: number }
  | { readonly kind: "contrast"; readonly contrast: number; readonly polarity: "brighter" | "darker" };

/** A ball in the world frame in the middle of the exposure. */
export interface RenderBall {
  /** [m] */
  readonly position: Vec3;
  /** [m/s] */
  readonly velocity: Vec3;
  /** [m] */
  readonly radius: number;
  readonly tone: Tone;
  /** How much its lit side is brighter than its mean, as a part of that: 0 is a flat disc. */
  readonly shading: number;
  /** What is on it; a dull ball of one tone if not given. */
  readonly surface?: BallSurface;
  /** Its colour, for colour images; gray if not given. */
  readonly tint?: Tint;
}

/** A part of a hand or a body, in the world frame: what lies between two spheres. */
export interface RenderLimb {
  /** Middles of both ends [m]. */
  readonly from: Vec3;
  readonly to: Vec3;
  /** [m/s] */
  readonly velocity: Vec3;
  /** At both ends [m]. */
  readonly radius: readonly [from: number, to: number];
  /** Gray value in the middle. */
  readonly gray: number;
  /** It counts as so much nearer than its middle when it is decided what hides what [m]. */
  readonly nearer: number;
  /** Its colour, for colour images; gray if not given. */
  readonly tint?: Tint;
}

/** What a camera sees in one exposure. */
export interface RenderScene {
  /** In the middle of the exposure. */
  readonly worldFromCamera: Pose;
  /** Velocity of the camera, translation [m/s] then rotation [rad/s], in its own frame; constant over the exposure. */
  readonly cameraTwist?: Float64Array;
  /** [s] */
  readonly exposure: number;
  /** From the exposure of a row to that of the next [s]; 0 or left out: a global shutter. The middle row's is the scene's. */
  readonly rowTime?: number;
  readonly balls: readonly RenderBall[];
  /** Hands and bodies; none if not given. */
  readonly limbs?: readonly RenderLimb[];
  /** The renderer's own if not given. */
  readonly sensor?: SensorOptions;
}

/** What the camera itself adds. */
export interface SensorOptions {
  /** Standard deviation of the noise [gray values]. */
  readonly noise: number;
  /** Of a Gaussian blur by the lens [px]; 0 for none. */
  readonly defocus: number;
  /** How much brighter than its left edge the image's right edge is, as a part of the mean; then bottom and top. */
  readonly gradientAcross: number;
  readonly gradientDown: number;
  /** Variance of the noise per gray value of light: photons come at random. */
  readonly shotNoise?: number;
  /** How much darker than the middle the image's corners are, as a part. */
  readonly vignetting?: number;
  /** How much brighter this image is than the mean, as a part: lamps flicker. */
  readonly flicker?: number;
  /** Strength of the artefacts of a codec: see `Codec`. */
  readonly compression?: number;
}

export const idealSensor: SensorOptions = { noise: 0, defocus: 0, gradientAcross: 0, gradientDown: 0 };
