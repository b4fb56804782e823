import Type, { type Static } from "typebox";
import { described, mostParts, name, shapeSchemas } from "./sidecar-parts.js";

const common = {
  name: name("Name of the obstacle, unique, also among the robot's collision bodies."),
  ignore: Type.Optional(
    Type.Array(name("Name of a collision body."), {
      maxItems: mostParts,
      description: "Bodies of the robot that may touch it, such as those that stand on a floor or a table.",
    }),
  ),
};

const { sphere, capsule, box, halfSpace, hull } = shapeSchemas(common, "world");

/** What stands around a robot, in the world frame: shapes that no body of the robot may touch. SI units. */
const ObstacleSchema = Type.Union([sphere, capsule, box, halfSpace, hull], {
  title: "Obstacle",
  ...described("Static object in the world that no body of the robot may touch, at the catch and on the whole way."),
});

export const ObstaclesSchema = Type.Array(ObstacleSchema, {
  maxItems: 64,
  description: "Static objects in the world that no body of the robot may touch, at the catch and on the whole way.",
});

/** Plain data, as it comes from a file or a request. */
export type ObstacleDescription = Static<typeof ObstacleSchema>;
