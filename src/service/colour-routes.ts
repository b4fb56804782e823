import Type, { type Static } from "typebox";
import { BallColour } from "../messages/sensing.js";
import { FlycatcherError } from "../runtime/errors.js";
import { ballProfile, learnColour, type MarkedImage } from "../view/colour-lesson.js";
import type { Resource } from "./service-types.js";

/** Images of a lesson at most, and sides of each [px]. */
const MAX_IMAGES = 8;
const MAX_SIDE = 1600;
const BALLS = 4;
/** Bytes of a lesson: eight previews of the page. */
const LESSON_BYTES = 8 * 2 ** 20;

const weight = (name: keyof typeof BallColour.fields) =>
  Type.Number({ description: BallColour.fields[name].description ?? name });
const Colour = Type.Object(
  {
    red: weight("red"),
    green: weight("green"),
    blue: weight("blue"),
    offset: weight("offset"),
    contrast: Type.Number({ minimum: 0, maximum: 255, description: BallColour.fields.contrast.description ?? "" }),
  },
  { additionalProperties: false, title: "BallColour" },
);

const MarkedBall = Type.Object(
  {
    u: Type.Number({ description: "Centre, to the right [px]." }),
    v: Type.Number({ description: "Centre, downwards [px]." }),
    r: Type.Number({ exclusiveMinimum: 0, maximum: MAX_SIDE, description: "Radius [px]." }),
  },
  { additionalProperties: false, title: "MarkedBall" },
);
const LessonImage = Type.Object(
  {
    width: Type.Integer({ minimum: 1, maximum: MAX_SIDE }),
    height: Type.Integer({ minimum: 1, maximum: MAX_SIDE }),
    pixels: Type.String({ description: "Red, green and blue of each pixel, row by row, in base64." }),
    balls: Type.Array(MarkedBall, { minItems: 1, maxItems: BALLS, description: "Where the ball is." }),
  },
  { additionalProperties: false, title: "LessonImage" },
);
const Lesson = Type.Object(
  { images: Type.Array(LessonImage, { minItems: 1, maxItems: MAX_IMAGES }) },
  { additionalProperties: false, title: "ColourLesson" },
);
const Learnt = Type.Object(
  {
    colour: Colour,
    preview: Type.Object({
      width: Type.Integer(),
      height: Type.Integer(),
      pixels: Type.String({ description: "Gray values of the first image as detectors would see it, in base64." }),
    }),
    profile: Type.Unknown({ description: "The ball with its colour, as a profile for `--profile`." }),
  },
  { title: "LearntColour" },
);
const tags = ["live"];

/** `/v1/live/colour`: teaches the ball's colour (docs/streams.md). */
export const colourRoutes: Resource = {
  name: "colour",
  register(app, { live }) {
    app.post(
      "/v1/live/colour/lesson",
      {
        bodyLimit: LESSON_BYTES,
        schema: {
          tags,
          operationId: "learnBallColour",
          summary: "Learn the ball's colour from marked images",
          body: Lesson,
          response: { 200: Learnt },
        },
      },
      async ({ body }) => {
        const { ball } = live.session;
        const { colour, preview } = learnColour(body.images.map(markedImage));
        const { width, height, pixels } = preview;
        const shown = { width, height, pixels: Buffer.from(pixels).toString("base64") };
        return { colour, preview: shown, profile: ballProfile(ball, colour) };
      },
    );
    app.put(
      "/v1/live/colour",
      {
        schema: {
          tags,
          operationId: "setBallColour",
          summary: "Look for balls of this colour",
          body: Colour,
          response: { 200: Colour },
        },
      },
      async ({ body }) => {
        live.session.setBallColour(body);
        return body;
      },
    );
  },
};

function markedImage({ width, height, pixels, balls }: Static<typeof LessonImage>, k: number): MarkedImage {
  const bytes = new Uint8Array(Buffer.from(pixels, "base64"));
  if (bytes.length === 3 * width * height) return { width, height, order: "rgb", pixels: bytes, balls };
  throw new FlycatcherError("FLY_HTTP_REQUEST_INVALID", "an image has not as many pixels as its size says", {
    path: `/images/${k}/pixels`,
    expected: `${3 * width * height} bytes in base64`,
    found: `${bytes.length}`,
  });
}
