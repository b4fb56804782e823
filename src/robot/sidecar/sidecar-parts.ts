import Type, { type TProperties } from "typebox";

/** Building blocks shared by the schemas of the sidecar and of its overlays. */

/** Unknown keys are refused everywhere: a misspelt key must not pass for a missing one. */
export const strict = { additionalProperties: false } as const;

export function described(description: string): { readonly description: string } {
  return { description };
}

/** Most joints, bodies, groups or cameras of a robot. */
export const mostParts = 1000;

/** Of a list of parts. */
export function someParts(description: string): { readonly maxItems: number; readonly description: string } {
  return { maxItems: mostParts, description };
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

/** Lists of three, not tuples: the schema is also part of requests, and OpenAPI has lists alone. */
const three = { type: "array", items: { type: "number" }, minItems: 3, maxItems: 3 } as const;

export const point = Type.Unsafe<[number, number, number]>(three);

export function vector(description: string) {
  return Type.Unsafe<[number, number, number]>({ ...three, description });
}

/** An object with these properties and no others. `title` is its name in the service's OpenAPI description. */
export function strictObject<Properties extends TProperties>(
  description: string,
  properties: Properties,
  title?: string,
) {
  return Type.Object(properties, { ...strict, ...(title !== undefined && { title }), description });
}

/** A value for each named joint, link or coordinate. */
export function numbersByName(description: string) {
  return Type.Record(Type.String(), Type.Number(), { description });
}

export function origin(description: string) {
  return strictObject(description, {
    xyz: vector("Translation [m]."),
    rpy: Type.Optional(vector("Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero.")),
  });
}

/** The shapes of keep-out regions and of obstacles, each with the fields `common`, in the frame of a link or the world. */
export function shapeSchemas<Common extends TProperties>(common: Common, frame: "link" | "world") {
  const shape = <Name extends string, Own extends TProperties>(type: Name, description: string, own: Own) =>
    Type.Object({ ...common, type: Type.Literal(type, { description }), ...own }, strict);
  const radius = positive("Radius [m].");
  return {
    sphere: shape("sphere", "A ball.", { center: vector("Centre [m]."), radius }),
    capsule: shape("capsule", "All points nearer than the radius to a segment.", {
      from: vector("One end of the segment [m]."),
      to: vector("Other end of the segment [m]."),
      radius,
    }),
    cylinder: shape("cylinder", "A right circular cylinder with flat ends.", {
      from: vector("Centre of one end [m]."),
      to: vector("Centre of the other end [m]."),
      radius,
    }),
    box: shape("box", "A box, by its centre pose and size.", {
      origin: origin(`Pose of the box's centre in the ${frame}.`),
      size: vector("Edge lengths in x, y, z [m]; all positive."),
    }),
    hull: shape("hull", "The convex hull of some points, grown by a radius.", {
      points: Type.Array(point, { minItems: 1, maxItems: 1000, description: "Points of the hull [m]." }),
      radius: Type.Optional(nonNegative("Radius swept around the hull [m]; default 0.")),
    }),
    halfSpace: shape("half-space", "All points x with normal·x < offset.", {
      normal: vector("Normal, pointing to the free side; need not be of length 1, must not be zero."),
      offset: Type.Number(described(`Distance of the plane from the ${frame}'s origin along the unit normal [m].`)),
    }),
  };
}
