import Type, { type Static } from "typebox";
import { described, mostParts, name, origin, point, shapeSchemas, strictObject, vector } from "./sidecar-parts.js";

const common = {
  name: name("Name of the obstacle, unique, also among the robot's collision bodies."),
  ignore: Type.Optional(
    Type.Array(name("Name of a collision body, or of another obstacle."), {
      maxItems: mostParts,
      description: "Bodies of the robot that may touch it, such as those that stand on a floor or a table.",
    }),
  ),
  attachedTo: Type.Optional(
    name("Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame."),
  ),
};

const { sphere, capsule, box, halfSpace, hull } = shapeSchemas(common, "world");

/** What stands around a robot, in the world frame: shapes that no body of the robot may touch. SI units. */
const ObstacleSchema = Type.Union([sphere, capsule, box, halfSpace, hull], {
  title: "Obstacle",
  ...described("Object in the world, or held, that no body of the robot may touch, at the catch and on the whole way."),
});

export const ObstaclesSchema = Type.Array(ObstacleSchema, {
  maxItems: 64,
  description: "Objects in the world, or held, that no body of the robot may touch, at the catch and on the whole way.",
});

/** Plain data, as it comes from a file or a request. */
export type ObstacleDescription = Static<typeof ObstacleSchema>;

/** Most rows of a table of poses. */
const mostRows = 1000;

/** A pose as a function of time, of an obstacle or of a goal. */
export const CourseSchema = strictObject(
  "A pose as a function of time: `polynomial` or `table`, exactly one of the two.",
  {
    polynomial: Type.Optional(
      strictObject("Position c₀ + c₁·t + c₂·t² + …; a line has two coefficients, a thrown object three.", {
        coefficients: Type.Array(point, { minItems: 1, maxItems: 8, description: "c₀, c₁, … [m, m/s, m/s², …]." }),
        rpy: Type.Optional(vector("Roll, pitch, yaw at t = 0 [rad]; default zero.")),
        angularVelocity: Type.Optional(vector("Constant angular velocity in the world's axes [rad/s]; default zero.")),
      }),
    ),
    table: Type.Optional(
      Type.Array(
        strictObject("A row.", {
          time: Type.Number({ minimum: -1000, maximum: 1000, description: "[s]" }),
          origin: origin("Pose."),
        }),
        {
          minItems: 1,
          maxItems: mostRows,
          description:
            "Poses at ascending times, straight lines and shortest turns between them; before and after it stands.",
        },
      ),
    ),
  },
  "Course",
);

export type CourseDescription = Static<typeof CourseSchema>;

const moving = {
  ...common,
  motion: Type.Optional(CourseSchema),
};

const movingShapes = shapeSchemas(moving, "world");

const coordinates = (description: string, most: number, least: number) =>
  Type.Array(Type.Number(), { minItems: least, maxItems: most, description });

/** A surface of triangles. */
const mesh = strictObject(
  "A mesh: cut into convex pieces that contain every triangle.",
  {
    ...moving,
    type: Type.Literal("mesh"),
    origin: Type.Optional(origin("Pose of the mesh in the world.")),
    vertices: coordinates("x, y, z of each vertex, one after the other [m].", 60_000, 9),
    triangles: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 3,
      maxItems: 120_000,
      description: "Three numbers of vertices a triangle.",
    }),
    pieces: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, default: 16, description: "Most convex pieces it is cut into." }),
    ),
  },
  "MeshObstacle",
);

/** Heights over a grid. */
const heightMap = strictObject(
  "A height map: everything between `floor` and the height of each cell.",
  {
    ...moving,
    type: Type.Literal("height-map"),
    origin: Type.Optional(origin("Pose of the first cell's corner; rows go along y, columns along x.")),
    cell: Type.Number({ exclusiveMinimum: 0, maximum: 10, description: "Edge of a cell [m]." }),
    columns: Type.Integer({ minimum: 1, maximum: 1000, description: "Cells of a row." }),
    heights: coordinates("Height of each cell, row by row [m].", 40_000, 1),
    floor: Type.Optional(Type.Number({ default: 0, description: "Lower end of all cells [m]." })),
    tolerance: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 0.02,
        description: "By how much neighbouring cells may be raised to be one box [m].",
      }),
    ),
  },
  "HeightMapObstacle",
);

/** Points that something was seen at. */
const cloud = strictObject(
  "A point cloud: boxes around neighbouring points, grown by a radius.",
  {
    ...moving,
    type: Type.Literal("points"),
    origin: Type.Optional(origin("Pose of the points' frame in the world.")),
    points: coordinates("x, y, z of each point, one after the other [m].", 150_000, 3),
    radius: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10, default: 0.01, description: "Around each point [m]." }),
    ),
    resolution: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 10,
        default: 0.1,
        description: "Largest edge of a box [m]; larger where there would be too many.",
      }),
    ),
  },
  "PointsObstacle",
);

/** What a motion is planned among: the shapes of `ObstaclesSchema`, and what is made of several; each may move. */
const MotionObstacleSchema = Type.Union(
  [
    movingShapes.sphere,
    movingShapes.capsule,
    movingShapes.box,
    movingShapes.halfSpace,
    movingShapes.hull,
    mesh,
    heightMap,
    cloud,
  ],
  {
    title: "MotionObstacle",
    ...described(
      "Object that no body of the robot may touch on the whole way; with `motion` it is described in its own moving frame.",
    ),
  },
);

export const MotionObstaclesSchema = Type.Array(MotionObstacleSchema, {
  maxItems: 256,
  description: "Objects that no body of the robot may touch on the whole way: standing, held or moving.",
});

export type MotionObstacleDescription = Static<typeof MotionObstacleSchema>;
