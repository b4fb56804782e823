import Type from "typebox";

/**
 * Building blocks of the request's and the answer's schemas. Vectors are lists of a fixed length and not tuples: OpenAPI
 * 3.1 tools render those badly, and many client generators refuse them.
 */

/** Unknown keys are refused everywhere: a misspelt key must not pass for a missing one. */
export const strict = { additionalProperties: false } as const;

/** Beyond this no number of a request makes sense [m, m/s, rad, rad/s]; it also keeps arithmetic far from overflow. */
const largest = 1000;

/** A vector of three numbers. */
export function vector(description: string) {
  const coordinate = Type.Number({ minimum: -largest, maximum: largest });
  return Type.Array(coordinate, { minItems: 3, maxItems: 3, description });
}

/** Times of a request [s]: a thrown ball is in the air for a second or two. */
export function time(description: string) {
  return Type.Number({ minimum: -10, maximum: 10, description });
}

export function positive(description: string, maximum: number = largest) {
  return Type.Number({ exclusiveMinimum: 0, maximum, description });
}

/** Joints of which a request gives a value. */
const MOST_JOINTS = 256;

/** A value for each joint: all of a group or of the robot in order, or some by name. */
export function jointValues(description: string) {
  const value = Type.Number({ minimum: -largest, maximum: largest });
  return Type.Union(
    [Type.Array(value, { maxItems: MOST_JOINTS }), Type.Record(Type.String(), value, { maxProperties: MOST_JOINTS })],
    {
      description,
    },
  );
}

/** One of some words. */
export function choice<Names extends string[]>(
  names: readonly [...Names],
  facts: { readonly default?: Names[number]; readonly description: string },
) {
  return Type.Enum<Names>(names, { type: "string", ...facts });
}
