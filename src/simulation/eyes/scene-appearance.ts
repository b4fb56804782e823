import { brightnessOf, parseRgb } from "../../camera/rgb.js";
import * as mat3 from "../../math/mat3.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import type { Challenges, imageChallengeNames } from "../head-motion/challenges.js";
import { type BallLook, drawLook } from "../rendering/ball-surface.js";
import { handLimbs, personLimbs } from "../rendering/people.js";
import { idealSensor, type RenderBall, type RenderLimb, type SensorOptions } from "../rendering/render-scene.js";
import { type Tint, tintOf } from "../rendering/tint.js";
import type { TrueBall } from "./stereo-rig.js";

type ImageChallenges = Pick<Challenges, (typeof imageChallengeNames)[number]>;

interface AppearanceOptions {
  readonly seed: number | string;
  /** Of pixels in the dark [gray values]. */
  readonly noise: number;
  /** Of the images against the camera's own. */
  readonly scale: number;
  readonly ballRadius: number;
  /** Of the balls, `#rrggbb`; left out: light gray. */
  readonly ballColour?: string | undefined;
}

/** A light ball in a room that is darker: contrast of about a third. */
const BALL_GRAY = 215;
const BALL_SHADING = 0.25;
/** At full strength: variance of the noise per gray value, darkening of the corners, blur [px], spread of an image's brightness. */
const SHOT_NOISE = 0.02;
const VIGNETTING = 0.35;
const DEFOCUS = 0.55;
const FLICKER = 0.03;
/** Quality of about 90 in JPEG. */
const COMPRESSION = 0.2;
/** Frames of which the time between looks is taken for spins and walks [s]. */
const FRAME = 0.04;
/** Where other people walk: ahead of the origin and aside [m], how far to and fro [m], and once in how long [s]. */
const BYSTANDER = { ahead: [5.5, 7], aside: [1.2, 2.8], way: [0.3, 0.8], period: [4, 9] } as const;

/** How balls, people and the sensor look in each frame, as hard as the challenges say. All at zero: plain balls in plain images. */
export class SceneAppearance {
  readonly #challenges: ImageChallenges;
  readonly #options: AppearanceOptions;
  /** Gray value and tint of a plain ball. */
  readonly #gray: number;
  readonly #tint: Tint;
  readonly #looks = new Map<number, BallLook>();
  readonly #bystanders: Bystander[] = [];

  constructor(challenges: ImageChallenges, options: AppearanceOptions) {
    this.#challenges = challenges;
    this.#options = options;
    const colour = parseRgb(options.ballColour, [BALL_GRAY, BALL_GRAY, BALL_GRAY]);
    this.#gray = options.ballColour === undefined ? BALL_GRAY : brightnessOf(colour);
    this.#tint = tintOf(colour);
  }

  ballOf({ id = 0, position, velocity }: TrueBall, frame: number): RenderBall {
    const { ballTexture, ballGloss } = this.#challenges;
    const plain = { position, velocity, radius: this.#options.ballRadius, tint: this.#tint };
    if (ballTexture === 0 && ballGloss === 0) {
      return { ...plain, tone: { kind: "gray", gray: this.#gray }, shading: BALL_SHADING };
    }
    const look = getOrCreate(this.#looks, id, () => drawLook(this.#options.seed, id));
    const share = this.#gray / BALL_GRAY;
    const gray = share * (BALL_GRAY + Math.min(1, ballTexture) * (look.gray - BALL_GRAY));
    const ballFromWorld = mat3.fromAxisAngle(look.axis, look.spin * frame * FRAME, mat3.create());
    return {
      ...plain,
      tone: { kind: "gray", gray },
      shading: BALL_SHADING + Math.min(1, ballGloss) * (look.shading - BALL_SHADING),
      surface: {
        pattern: ballTexture === 0 ? "plain" : look.pattern,
        depth: Math.min(0.9, ballTexture * look.depth),
        gloss: ballGloss * look.gloss,
        ballFromWorld,
      },
    };
  }

  /** Hands that hold balls; the people they belong to and others, if there are any. */
  limbsOf(balls: readonly TrueBall[], frame: number): RenderLimb[] {
    const { people } = this.#challenges;
    const limbs: RenderLimb[] = [];
    for (const { id = 0, position, velocity, hand } of balls) {
      if (hand === undefined) continue;
      if (people > 0) limbs.push(...personLimbs(hand, clothOf(this.#options.seed, id)));
      if (hand.isHolding) limbs.push(...handLimbs(hand, position, velocity, this.#options.ballRadius));
    }
    const count = Math.ceil(people);
    while (this.#bystanders.length < count) {
      this.#bystanders.push(new Bystander(this.#options.seed, this.#bystanders.length));
    }
    for (const bystander of this.#bystanders.slice(0, count)) limbs.push(...bystander.limbsAt(frame * FRAME));
    return limbs;
  }

  /** Both cameras see the same lamps flicker. */
  sensorOf(frame: number): SensorOptions {
    const { shotNoise, vignetting, defocus, flicker, compression } = this.#challenges;
    const { noise, scale, seed } = this.#options;
    const brightness = flicker === 0 ? 0 : FLICKER * new Random(seed).fork("flicker").fork(String(frame)).normal();
    return {
      ...idealSensor,
      noise,
      shotNoise: shotNoise * SHOT_NOISE,
      vignetting: Math.min(0.9, vignetting * VIGNETTING),
      defocus: defocus * DEFOCUS * scale,
      flicker: Math.max(-0.5, flicker * brightness),
      compression: compression * COMPRESSION,
    };
  }
}

function clothOf(seed: number | string, id: number): number {
  return new Random(seed).fork("cloth").fork(String(id)).uniform();
}

/** Somebody who walks to and fro beside the throws, one arm swinging. */
class Bystander {
  readonly #place: vec3.Vec3;
  readonly #way: number;
  readonly #period: number;
  readonly #phase: number;
  readonly #cloth: number;

  constructor(seed: number | string, k: number) {
    const random = new Random(seed).fork("bystanders").fork(String(k));
    const side = random.uniform() < 0.5 ? -1 : 1;
    this.#place = vec3.create(random.uniformIn(...BYSTANDER.ahead), side * random.uniformIn(...BYSTANDER.aside), 0);
    this.#way = random.uniformIn(...BYSTANDER.way);
    this.#period = random.uniformIn(...BYSTANDER.period);
    this.#phase = random.uniformIn(0, 2 * Math.PI);
    this.#cloth = random.uniform();
  }

  limbsAt(time: number): RenderLimb[] {
    const walk = (2 * Math.PI * time) / this.#period + this.#phase;
    const body = vec3.create(this.#place[0], this.#place[1] + this.#way * Math.sin(walk), 0);
    const palm = vec3.create(body[0] - 0.25, body[1] + 0.2 * Math.sin(3 * walk), 0.9);
    return personLimbs({ isHolding: false, palm, body, grip: 1 }, this.#cloth);
  }
}
