import Type, { type Static } from "typebox";
import { type BodyDistance, PostureClearance } from "../collision/posture-clearance.js";
import * as mat3 from "../math/mat3.js";
import * as quat from "../math/quat.js";
import { Random } from "../math/random.js";
import * as vec3 from "../math/vec3.js";
import { type PostureGoal, PostureSearch } from "../planning/postures/posture-search.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { StartSchema } from "../planning/request/request.js";
import { strict, vector } from "../planning/request/request-parts.js";
import { resolveStart } from "../planning/request/start-state.js";
import { parseObstacles, robotAmong } from "../robot/loading/obstacles.js";
import type { JointGroup, Robot } from "../robot/robot.js";
import { mostParts } from "../robot/sidecar/sidecar-parts.js";
import type { RobotState } from "../robot/state.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import type { Resource } from "./service-types.js";

/** Largest numbers of a request: an answer takes a fraction of a second. */
const MOST_LINKS = 500;
const MOST_SEEDS = 64;
const MOST_CONFIGURATIONS = 1000;
const MOST_OBSTACLES = 100;

const RobotName = Type.Object({ name: Type.String({ maxLength: 100 }) });
const start = Type.Optional(StartSchema);

const PoseSchema = Type.Object(
  {
    position: Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: "In the world [m]." }),
    orientation: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: "Quaternion (x, y, z, w)." }),
  },
  { title: "Pose" },
);

const JointsSchema = Type.Record(Type.String(), Type.Number(), {
  maxProperties: mostParts,
  description: "Position by joint [rad or m].",
});

const FkRequest = Type.Object(
  {
    start,
    links: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: MOST_LINKS,
        description: "Links whose poses are wanted; default: all.",
      }),
    ),
  },
  { ...strict, title: "ForwardKinematicsRequest" },
);

const FkAnswer = Type.Object(
  {
    joints: JointsSchema,
    links: Type.Record(Type.String(), PoseSchema, { description: "Pose by link." }),
  },
  { title: "ForwardKinematicsAnswer" },
);

const IkRequest = Type.Object(
  {
    group: Type.Optional(Type.String({ maxLength: 200, description: "Default: the robot's first arm that catches." })),
    position: vector("Where the group's tip is to be, in the world [m]."),
    facing: Type.Optional(
      vector("Where its z axis is to point, in the world; the turn about it is free. Left out: any orientation."),
    ),
    orientation: Type.Optional(
      Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
        minItems: 4,
        maxItems: 4,
        description: "The tip's whole orientation instead of `facing`: quaternion (x, y, z, w) in the world.",
      }),
    ),
    start,
    clearance: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, default: 0.02, description: "Least distance of collision bodies [m]." }),
    ),
    seeds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_SEEDS, default: 32, description: "Configurations to start from." }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MOST_SEEDS, default: 8, description: "Most postures in the answer." }),
    ),
  },
  { ...strict, title: "InverseKinematicsRequest" },
);

const DistanceSchema = Type.Object(
  {
    bodies: Type.Array(Type.String(), { minItems: 2, maxItems: 2 }),
    distance: Type.Number({ description: "Between their surfaces [m]; negative where they overlap." }),
    points: Type.Array(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), {
      minItems: 2,
      maxItems: 2,
      description: "Where they are nearest, in the world [m].",
    }),
  },
  { title: "BodyDistance" },
);

const nearest = Type.Union([DistanceSchema, Type.Null()], {
  description: "The nearest checked pair of collision bodies; null where all are far apart.",
});

const IkAnswer = Type.Object(
  {
    status: Type.Enum(["found", "touching", "unreachable"], {
      type: "string",
      description: "`touching`: the place can be reached, but not clear of the robot itself.",
    }),
    postures: Type.Array(
      Type.Object({
        joints: JointsSchema,
        nearest,
        limitMargin: Type.Number({ description: "Way to the nearest limit, as a share of half the joint's range." }),
        leastSpeed: Type.Number({ description: "Speed of the tip in its slowest direction [m/s]; 0: singular." }),
      }),
      { maxItems: MOST_SEEDS, description: "Different configurations, the best first." },
    ),
  },
  { title: "InverseKinematicsAnswer" },
);

const CollisionsRequest = Type.Object(
  {
    configurations: Type.Array(StartSchema, {
      minItems: 1,
      maxItems: MOST_CONFIGURATIONS,
      description: "States of the robot, as `start` of a planning request; velocities do not matter.",
    }),
    obstacles: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: MOST_OBSTACLES,
        description: "Static shapes in the world: sphere, capsule, box, half-space or hull, each with a name.",
      }),
    ),
    within: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10, default: 0.05, description: "Pairs nearer than this are listed [m]." }),
    ),
  },
  { ...strict, title: "CollisionsRequest" },
);

const CollisionsAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        valid: Type.Boolean({ description: "Within the limits, and nothing touches." }),
        withinLimits: Type.Boolean(),
        nearest,
        pairs: Type.Array(DistanceSchema, {
          maxItems: 100_000,
          description: "Pairs nearer than `within`, the nearest first.",
        }),
      }),
      { maxItems: MOST_CONFIGURATIONS },
    ),
  },
  { title: "CollisionsAnswer" },
);

/**
 * `POST /v1/robots/:name/fk`, `…/ik` and `…/collisions`: where links are, which joint positions bring a tip somewhere, and
 * whether configurations are free. They take a robot's state as `start` of a planning request does.
 */
export const kinematicsRoutes: Resource = {
  name: "kinematics",
  register(app, { robots }) {
    const schema = <B, A>(operationId: string, summary: string, body: B, answer: A) => ({
      ...{ tags: ["robots"], operationId, summary, params: RobotName, body },
      response: { 200: answer },
    });
    app.post(
      "/v1/robots/:name/fk",
      { schema: schema("forwardKinematics", "Forward kinematics: poses of links", FkRequest, FkAnswer) },
      ({ params, body }) => forward(robots.get(params.name), body),
    );
    app.post(
      "/v1/robots/:name/ik",
      { schema: schema("inverseKinematics", "Inverse kinematics: postures with a tip somewhere", IkRequest, IkAnswer) },
      ({ params, body }) => inverse(robots.get(params.name), body),
    );
    app.post(
      "/v1/robots/:name/collisions",
      {
        schema: schema(
          "checkCollisions",
          "Whether configurations are free, and distances",
          CollisionsRequest,
          CollisionsAnswer,
        ),
      },
      ({ params, body }) => collisions(robots.get(params.name), body),
    );
  },
};

function forward(robot: Robot, { start, links }: Static<typeof FkRequest>): Static<typeof FkAnswer> {
  const { model } = robot;
  const state = resolveStart(robot, catchGroups(robot), start, undefined, []);
  const wanted = links ?? model.linkNames;
  const poses = wanted.map((name, i) => [name, poseOf(state, linkOf(robot, name, `/links/${i}`))] as const);
  return { joints: jointsOf(robot, state.q), links: Object.fromEntries(poses) };
}

function linkOf({ model }: Robot, name: string, path: string): number {
  const link = model.linkNames.indexOf(name);
  if (link >= 0) return link;
  throw new FlycatcherError("FLY_LINK_UNKNOWN", `${model.name} has no such link`, {
    ...{ path, expected: "the name of a link", found: JSON.stringify(name) },
    suggestion: didYouMean(name, model.linkNames),
  });
}

function poseOf({ worldFromLink }: RobotState, link: number): Static<typeof PoseSchema> {
  const at = worldFromLink[link]!;
  const orientation = quat.fromMat3(at.subarray(0, 9) as mat3.Mat3, quat.create());
  return { position: [at[9], at[10], at[11]], orientation: [...orientation] };
}

function jointsOf({ model }: Robot, q: Float64Array): Record<string, number> {
  return Object.fromEntries(model.dofNames.map((name, dof) => [name, q[dof]!]));
}

function inverse(robot: Robot, request: Static<typeof IkRequest>): Static<typeof IkAnswer> {
  const { clearance = 0.02, seeds = 32, count = 8, start } = request;
  const group = groupOf(robot, request.group);
  const { q } = resolveStart(robot, [group], start, undefined, []);
  const search = new PostureSearch(robot, group, q);
  const near = Float64Array.from(group.dofs, (dof) => q[dof]!);
  const reached = search.reach(goalOf(request), { random: new Random("ik"), seeds, near });
  const free = reached
    .filter((posture) => posture.nearest === null || posture.nearest.distance >= clearance)
    .sort((one, other) => other.score - one.score);
  const status = free.length > 0 ? "found" : reached.length > 0 ? "touching" : "unreachable";
  const postures = (free.length > 0 ? free : reached).slice(0, count).map((posture) => ({
    joints: jointsOf(robot, posture.q),
    nearest: posture.nearest === null ? null : distanceOf(posture.nearest),
    limitMargin: posture.limitMargin,
    leastSpeed: posture.leastSpeed,
  }));
  return { status, postures };
}

function groupOf(robot: Robot, name: string | undefined): JointGroup {
  const groups = robot.model.groups;
  const group = name === undefined ? (catchGroups(robot)[0] ?? groups[0]) : groups.find((one) => one.name === name);
  if (group !== undefined) return group;
  const known = groups.map((one) => one.name);
  throw new FlycatcherError("FLY_PLAN_GROUP_UNKNOWN", `${robot.name} has no such group of joints`, {
    ...{ path: "/group", expected: known.length > 0 ? `one of ${known.join(", ")}` : "a robot with groups" },
    ...(name !== undefined && { found: JSON.stringify(name), suggestion: didYouMean(name, known) }),
  });
}

function goalOf({ position, facing, orientation }: Static<typeof IkRequest>): PostureGoal {
  if (facing !== undefined && orientation !== undefined)
    throw unclear("/orientation", "only one of facing, orientation");
  const at = vec3.create(position[0], position[1], position[2]);
  if (orientation !== undefined) return { position: at, facing: rotationOf(orientation) };
  if (facing === undefined) return { position: at, facing: null };
  const direction = vec3.create(facing[0], facing[1], facing[2]);
  if (!(vec3.norm(direction) > 0)) throw unclear("/facing", "a vector that is not zero");
  return { position: at, facing: direction };
}

function rotationOf(orientation: readonly number[]): mat3.Mat3 {
  const length = Math.hypot(...orientation);
  if (!(length > 0.9 && length < 1.1)) throw unclear("/orientation", "a quaternion of length 1");
  return quat.toMat3(Float64Array.from(orientation, (value) => value / length) as quat.Quat, mat3.create());
}

function unclear(path: string, expected: string): FlycatcherError {
  return new FlycatcherError("FLY_POSTURE_GOAL", "It is not clear what is asked for", { path, expected });
}

function collisions(robot: Robot, request: Static<typeof CollisionsRequest>): Static<typeof CollisionsAnswer> {
  const { configurations, obstacles = [], within = 0.05 } = request;
  const clearance = new PostureClearance(robotAmong(robot, parseObstacles(obstacles)));
  const results = configurations.map((configuration) => {
    const state = configurationOf(robot, configuration);
    const near = clearance.distances(state.q, within);
    const closest = near[0] ?? clearance.nearest(state.q);
    return {
      valid: state.withinLimits && !(closest !== null && closest.distance <= 0),
      withinLimits: state.withinLimits,
      nearest: closest === null ? null : distanceOf(closest),
      pairs: near.map(distanceOf),
    };
  });
  return { results };
}

/** Joint positions beyond the limits are an answer here. */
function configurationOf(
  robot: Robot,
  configuration: Static<typeof StartSchema>,
): { readonly q: Float64Array; readonly withinLimits: boolean } {
  const { lower, upper } = robot.model;
  const unlimited = { ...robot, model: { ...robot.model, lower: endless(lower, -1), upper: endless(upper, 1) } };
  const { q } = resolveStart(unlimited, catchGroups(robot), configuration, undefined, []);
  return { q, withinLimits: q.every((value, dof) => value >= lower[dof]! - 1e-9 && value <= upper[dof]! + 1e-9) };
}

function endless(limits: Float64Array, sign: 1 | -1): Float64Array {
  return new Float64Array(limits.length).fill(sign * Number.POSITIVE_INFINITY);
}

function distanceOf({ bodies, distance, points }: BodyDistance): Static<typeof DistanceSchema> {
  return { bodies: [...bodies], distance, points: points.map((point) => [...point]) };
}
