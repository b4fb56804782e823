import Type from "typebox";

/** Building blocks shared by the schemas of the sidecar and of its overlays. */

/** Unknown keys are refused everywhere: a misspelt key must not pass for a missing one. */
export const strict = { additionalProperties: false } as const;

export function described(description: string): { readonly description: string } {
  return { description };
}

export function name(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, description });
}

export function positive(description: string) {
  return Type.Number({ exclusiveMinimum: 0, description });
}

export function nonNegative(description: string) {
  return Type.Number({ minimum: 0, description });
}

export function ratio(description: string) {
  return Type.Number({ minimum: 0, maximum: 1, description });
}

export function vector(description: string) {
  return Type.Tuple([Type.Number(), Type.Number(), Type.Number()], { description });
}

/** A value for each named joint, link or coordinate. */
export function numbersByName(description: string) {
  return Type.Record(Type.String(), Type.Number(), { description });
}

export function origin(description: string) {
  return Type.Object(
    {
      xyz: vector("Translation [m]."),
      rpy: Type.Optional(vector("Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero.")),
    },
    { ...strict, description },
  );
}
