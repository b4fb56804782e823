import { ColourDiscriminant, type LabelledBall, LEARNT_CONTRAST } from "../camera/colour-discriminant.js";
import { type ColourImage, ColourProjector, luma } from "../camera/colour-projection.js";
import type { GrayImage } from "../camera/gray-image.js";
import type { Ball } from "../flight/ball.js";
import type { BallColour } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";

/** An image in which somebody has marked the ball. */
export interface MarkedImage extends ColourImage {
  readonly balls: readonly LabelledBall[];
}

/** What was learnt from marked images. */
export interface ColourLesson {
  readonly colour: BallColour;
  /** The first image as detectors would see it. */
  readonly preview: GrayImage;
}

/** Learns how a ball stands out from images in which it is marked; what is around it is the background. */
export function learnColour(images: readonly MarkedImage[]): ColourLesson {
  const learner = new ColourDiscriminant();
  for (const image of images) learner.addFrame(image, image.balls);
  const projection = learner.projection();
  if (projection === luma) {
    throw new FlycatcherError("FLY_COLOUR_UNCLEAR", "colours do not tell the ball from what is around it", {
      expected: "marks on a ball whose colour differs from the background's, with background around them",
      found: `${images.length} images`,
    });
  }
  const [first] = images as readonly [MarkedImage];
  const preview = new ColourProjector(first.width, first.height, projection).project(first);
  return { colour: { ...projection, contrast: LEARNT_CONTRAST }, preview };
}

/** Digits of weights in a profile. */
const DIGITS = 6;

/** The ball and its colour as a profile: for `--profile` of runs and `--colour` of `track`. */
export function ballProfile(ball: Ball, { red, green, blue, offset, contrast }: BallColour): object {
  const weights = Object.entries({ contrast, red, green, blue, offset });
  return {
    description: "A ball and its colour, learnt from marks on the page.",
    extends: "default",
    parameters: {
      ball: { kind: "own", ...ball },
      detector: Object.fromEntries(weights.map(([name, value]) => [name, Number(value.toFixed(DIGITS))])),
    },
  };
}
