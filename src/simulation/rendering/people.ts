import * as vec3 from "../../math/vec3.js";
import type { ThrowingHand } from "../world/hand-motion.js";
import type { RenderLimb } from "./render-scene.js";
import { skinTint, type Tint, tintOf } from "./tint.js";

/** Gray values of skin, cloth and hair; of cloth the least and the greatest. */
const SKIN = 165;
const CLOTH = [35, 190] as const;
const HAIR = 50;
const hairTint = tintOf([96, 72, 54]);
/** Strength of the colours of cloth: 0 is gray. */
const CLOTH_TINT = 0.6;
/** The palm, and the fingers before the ball [m]. */
const PALM_RADIUS = 0.055;
const FINGER_RADIUS = 0.042;
/** Heights above the floor [m]: of hips, shoulders and the middle of the head. */
const HIPS = 0.95;
const SHOULDERS = 1.42;
const HEAD = 1.66;
/** Half the distance between the shoulders, length of upper arm and of forearm [m]. */
const HALF_SHOULDERS = 0.18;
const UPPER_ARM = 0.32;
const FOREARM = 0.3;
const HEAD_RADIUS = 0.1;
/** Hair is behind the face, and so much higher [m]. */
const HAIRLINE = 0.04;

/**
 * The hand of a ball that is held: the palm behind it, and fingertips before it that reach to `grip` times its radius from the
 * centre. They hide at most a quarter of the ball.
 */
export function handLimbs(
  { palm, grip }: ThrowingHand,
  ball: vec3.Vec3,
  velocity: vec3.Vec3,
  ballRadius: number,
): RenderLimb[] {
  const down = vec3.subtract(palm, ball, vec3.create());
  // On the image fingers come from below: what is before and behind is told by their depth.
  vec3.set(0.3 * down[0], 0.3 * down[1], down[2], down);
  vec3.normalize(down, down);
  const fingers = vec3.addScaled(ball, down, grip * ballRadius + FINGER_RADIUS, vec3.create());
  const wrist = vec3.addScaled(palm, down, PALM_RADIUS, vec3.create());
  return [
    {
      ...{ from: palm, to: wrist, velocity, radius: [PALM_RADIUS, 0.6 * PALM_RADIUS] },
      ...{ gray: SKIN, tint: skinTint },
      nearer: -ballRadius,
    },
    {
      ...{ from: fingers, to: fingers, velocity, radius: [FINGER_RADIUS, FINGER_RADIUS] },
      ...{ gray: SKIN, tint: skinTint },
      nearer: 0.3,
    },
  ];
}

/** The person behind a hand: legs, trunk, head and the arm that throws. */
export function personLimbs({ palm, body }: ThrowingHand, clothShare: number): RenderLimb[] {
  const cloth = CLOTH[0] + clothShare * (CLOTH[1] - CLOTH[0]);
  const at = (height: number) => vec3.create(body[0], body[1], height);
  const limb = (from: vec3.Vec3, to: vec3.Vec3, begin: number, end: number, gray: number): RenderLimb => ({
    ...{ from, to, velocity: STILL, radius: [begin, end] },
    ...{ gray, nearer: 0, tint: gray === SKIN ? skinTint : gray === HAIR ? hairTint : clothTint(clothShare) },
  });
  const aside = vec3.create(palm[0] - body[0], palm[1] - body[1], 0);
  const level = vec3.norm(aside) || 1;
  const shoulder = vec3.addScaled(at(SHOULDERS), aside, HALF_SHOULDERS / level, vec3.create());
  const elbow = elbowOf(shoulder, palm);
  return [
    limb(at(0.05), at(HIPS), 0.08, 0.16, 0.6 * cloth),
    limb(at(HIPS), at(SHOULDERS), 0.16, 0.19, cloth),
    limb(at(HEAD), at(HEAD), HEAD_RADIUS, HEAD_RADIUS, SKIN),
    { ...limb(at(HEAD + HAIRLINE), at(HEAD + HAIRLINE), HEAD_RADIUS, HEAD_RADIUS, HAIR), nearer: -HEAD_RADIUS },
    limb(shoulder, elbow, 0.06, 0.045, cloth),
    limb(elbow, palm, 0.045, 0.03, SKIN),
  ];
}

const STILL = vec3.create();

/** Cloth of any hue; the share tells clothes apart. */
function clothTint(share: number): Tint {
  const hue = 2 * Math.PI * 7 * share;
  const part = (turn: number): number => 1 + CLOTH_TINT * Math.cos(hue - (2 * Math.PI * turn) / 3);
  return tintOf([part(0), part(1), part(2)]);
}

/** Between shoulder and hand, below the line between them as far as the arm's length asks for. */
function elbowOf(shoulder: vec3.Vec3, palm: vec3.Vec3): vec3.Vec3 {
  const middle = vec3.lerp(shoulder, palm, 0.5, vec3.create());
  const reach = vec3.distance(shoulder, palm) / 2;
  const bend = Math.sqrt(Math.max(0, ((UPPER_ARM + FOREARM) / 2) ** 2 - reach * reach));
  middle[2] -= 0.8 * bend;
  return middle;
}
