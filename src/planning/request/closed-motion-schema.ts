import Type, { type Static } from "typebox";
import { strict } from "./request-parts.js";

const most = 256;
const coefficient = Type.Number({ minimum: -1e12, maximum: 1e12 });

/** A motion in closed form, as `describeMotion` writes it and `parseMotion` reads it. */
export const ClosedMotionSchema = Type.Object(
  {
    joints: Type.Array(Type.String({ maxLength: 200 }), { maxItems: most, description: "Names of the joints." }),
    duration: Type.Number({ minimum: 0, maximum: 1e4, description: "From 0 to its end [s]." }),
    pieces: Type.Array(
      Type.Array(
        Type.Object(
          {
            start: Type.Number({ minimum: 0, maximum: 1e4, description: "[s]" }),
            c: Type.Array(coefficient, { minItems: 1, maxItems: 6, description: "c₀, c₁, … [rad or m, per sᵏ]." }),
          },
          { ...strict, description: "From `start` on, counted from there: c₀ + c₁·t + c₂·t² + …" },
        ),
        { minItems: 1, maxItems: 10_000 },
      ),
      { maxItems: most, description: "Pieces of each joint, in the order of `joints`." },
    ),
  },
  {
    ...strict,
    title: "ClosedMotion",
    description: "A motion in closed form: for each joint pieces of polynomials in time.",
  },
);
export type ClosedMotion = Static<typeof ClosedMotionSchema>;
