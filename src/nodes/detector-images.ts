import { type ColourProjection, ColourProjector } from "../camera/colour-projection.js";
import type { GrayImage } from "../camera/gray-image.js";
import type { BallColour, Image } from "../messages/sensing.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import type { DetectorSettings, SearchWindow } from "../tracking/circles/detector-options.js";
import { regionOf } from "./camera-images.js";

/** The settings of a detector that has been told of a colour. */
export function colourSettings({ contrast, red, green, blue, offset }: BallColour): DetectorSettings {
  return { contrast, projection: { red, green, blue, offset } };
}

/** Images as the detector looks at them: gray ones as they are, colour ones in the channel in which the ball stands out. */
export class DetectorImages {
  readonly #projection: ColourProjection | undefined;
  readonly #projectors = new Map<number, ColourProjector>();

  constructor(projection: ColourProjection | undefined) {
    this.#projection = projection;
  }

  /** What is looked at for these windows, or all of it if there are none; valid until the next image. */
  gray(image: Image, windows: readonly SearchWindow[]): GrayImage {
    const { width, height, encoding = "mono8", pixels } = image;
    if (encoding === "mono8") return image;
    const make = () => new ColourProjector(width, height, this.#projection);
    const projector = getOrCreate(this.#projectors, width, make);
    const colours = { width, height, order: "rgb", pixels } as const;
    return windows.length === 0 ? projector.project(colours) : projector.projectParts(colours, windows.map(regionOf));
  }
}
