import Type, { type Static } from "typebox";
import { described, name, nonNegative, origin, positive, strict, vector } from "../robot/sidecar/sidecar-parts.js";

/** What stands around a robot, in the world frame: shapes that no body of the robot may touch. SI units. */

const common = {
  name: name("Name of the obstacle, unique."),
  ignore: Type.Optional(
    Type.Array(name("Name of a collision body."), {
      description: "Bodies of the robot that may touch it: those that stand on it, for a floor or a table.",
    }),
  ),
};

const point = Type.Tuple([Type.Number(), Type.Number(), Type.Number()]);

export const ObstacleSchema = Type.Union(
  [
    Type.Object(
      {
        ...common,
        type: Type.Literal("sphere", described("A ball.")),
        center: vector("Centre [m]."),
        radius: positive("Radius [m]."),
      },
      strict,
    ),
    Type.Object(
      {
        ...common,
        type: Type.Literal("capsule", described("All points nearer than the radius to a segment.")),
        from: vector("One end of the segment [m]."),
        to: vector("Other end of the segment [m]."),
        radius: positive("Radius [m]."),
      },
      strict,
    ),
    Type.Object(
      {
        ...common,
        type: Type.Literal("box", described("A box, by its centre's pose and its size.")),
        origin: origin("Pose of the box's centre in the world."),
        size: vector("Edge lengths in x, y, z [m]; all positive."),
      },
      strict,
    ),
    Type.Object(
      {
        ...common,
        type: Type.Literal("half-space", described("All points x with normal·x < offset: a floor, a wall.")),
        normal: vector("Normal, pointing to the free side; need not be of length 1, must not be zero."),
        offset: Type.Number(described("Distance of the plane from the world's origin along the unit normal [m].")),
      },
      strict,
    ),
    Type.Object(
      {
        ...common,
        type: Type.Literal("hull", described("The convex hull of some points, grown by a radius.")),
        points: Type.Array(point, { minItems: 1, maxItems: 1000, description: "Points of the hull [m]." }),
        radius: Type.Optional(nonNegative("Radius swept around the hull [m]; default 0.")),
      },
      strict,
    ),
  ],
  described("Something that stands in the world and must not be touched."),
);

/** Plain data, as it comes from a file or a request. */
export type ObstacleDescription = Static<typeof ObstacleSchema>;

export const ObstaclesSchema = Type.Array(ObstacleSchema, { maxItems: 1000, description: "What stands in the world." });
