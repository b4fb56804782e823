import Type, { type Static } from "typebox";
import * as pose from "../math/pose.js";
import { forwardKinematics } from "../robot/kinematics/kinematics.js";
import { RobotMeshes, type UrdfMesh } from "../robot/meshes/load-mesh.js";
import { simplifyMesh } from "../robot/meshes/simplify-mesh.js";
import { JointKind, type LinkShapes, type Robot, type RobotCamera, type RobotModel } from "../robot/robot.js";
import { mostParts } from "../robot/sidecar/sidecar-parts.js";
import { RobotState } from "../robot/state.js";
import type { UrdfOrigin, UrdfShape } from "../robot/urdf/urdf-document.js";
import { FlycatcherError } from "../runtime/errors.js";

const PoseNumbers = Type.Array(Type.Number(), {
  maxItems: 12,
  description: "Rotation by rows, then position [m]: 12 numbers.",
});
const Vector = Type.Array(Type.Number(), { maxItems: 4 });

const Geometry = Type.Union([
  Type.Object({ type: Type.Literal("box"), size: Vector }),
  Type.Object({ type: Type.Literal("sphere"), radius: Type.Number() }),
  Type.Object({ type: Type.Literal("cylinder"), radius: Type.Number(), length: Type.Number() }),
  Type.Object({ type: Type.Literal("capsule"), radius: Type.Number(), length: Type.Number() }),
  Type.Object({
    type: Type.Literal("mesh"),
    positions: Type.String({ description: "x, y, z of each vertex [m]: 32-bit floats, little-endian, in base64." }),
    triangles: Type.String({ description: "Three vertices a triangle: 32-bit integers, little-endian, in base64." }),
  }),
]);

const Joint = Type.Object({
  kind: Type.Union([Type.Literal("revolute"), Type.Literal("prismatic")]),
  axis: Vector,
  offset: Type.Number({ description: "Position = offset + Σ factor · q[dof] [rad or m]." }),
  terms: Type.Array(Type.Object({ dof: Type.Integer(), factor: Type.Number() }), { maxItems: mostParts }),
});

const Camera = Type.Object(
  {
    width: Type.Integer(),
    height: Type.Integer(),
    fx: Type.Number(),
    fy: Type.Number(),
    cx: Type.Number(),
    cy: Type.Number(),
    headFromCamera: PoseNumbers,
  },
  { title: "SceneCamera" },
);

export const RobotSceneSchema = Type.Object(
  {
    name: Type.String(),
    joints: Type.Array(Type.String(), {
      maxItems: mostParts,
      description: "Names of the degrees of freedom, in the order of joint vectors.",
    }),
    links: Type.Array(
      Type.Object({
        name: Type.String(),
        parent: Type.Integer({ description: "Index of the parent, which comes before it; −1 for the root." }),
        parentFromLink: PoseNumbers,
        joint: Type.Union([Joint, Type.Null()]),
        visuals: Type.Array(
          Type.Object({ geometry: Geometry, origin: PoseNumbers, color: Type.Union([Vector, Type.Null()]) }),
          { maxItems: 1000 },
        ),
      }),
      { maxItems: 10_000 },
    ),
    hulls: Type.Array(
      Type.Object({
        name: Type.String(),
        link: Type.Integer(),
        radius: Type.Number(),
        points: Type.Array(Vector, { maxItems: 1000, description: "In the link's frame [m]." }),
      }),
      {
        maxItems: mostParts,
        description: "What the safety monitor checks: the convex hull of the points, grown by the radius.",
      },
    ),
    frames: Type.Record(Type.String(), Type.Integer()),
    hands: Type.Array(Type.Object({ name: Type.String(), catchLink: Type.Integer() }), { maxItems: mostParts }),
    cameras: Type.Union([Type.Object({ left: Camera, right: Camera }), Type.Null()]),
    postures: Type.Record(Type.String(), Type.Array(Type.Number(), { maxItems: mostParts })),
  },
  { title: "RobotScene" },
);

export type RobotScene = Static<typeof RobotSceneSchema>;

/** Most triangles of one mesh that are drawn. */
const maxDrawnTriangles = 4000;

/** Scenes made so far: meshes take time to read. */
const scenes = new WeakMap<Robot, RobotScene>();

/** What is needed to draw a robot: its tree of links with shapes, hulls and cameras. Large meshes are simplified. */
export function sceneOf(robot: Robot): RobotScene {
  const scene = scenes.get(robot) ?? makeScene(robot);
  scenes.set(robot, scene);
  return scene;
}

function makeScene(robot: Robot): RobotScene {
  const meshes = robot.files === undefined ? undefined : new RobotMeshes(robot.files);
  const { model, shapes, hulls, frames, hands, postures } = robot;
  return {
    name: robot.name,
    joints: [...model.dofNames],
    links: model.linkNames.map((name, link) => ({
      name,
      parent: model.parentLink[link]!,
      parentFromLink: [...model.parentFromJoint[link]!],
      joint: jointOf(model, link),
      visuals: drawnShapes(shapes[link]!).flatMap((shape) => visualOf(shape, meshes)),
    })),
    hulls: hulls.map(({ name, link, radius, points }) => ({ name, link, radius, points: triples(points) })),
    frames: { ...frames },
    hands: hands.map(({ name, catchLink }) => ({ name, catchLink })),
    cameras: camerasOf(robot),
    postures: Object.fromEntries([...postures].map(([name, position]) => [name, [...position]])),
  };
}

function jointOf(model: RobotModel, link: number): RobotScene["links"][number]["joint"] {
  const kind = model.jointKind[link];
  if (kind === JointKind.fixed) return null;
  const terms = [];
  for (let t = model.termStart[link]!; t < model.termStart[link + 1]!; t++) {
    terms.push({ dof: model.termDof[t]!, factor: model.termFactor[t]! });
  }
  return {
    kind: kind === JointKind.prismatic ? "prismatic" : "revolute",
    axis: [...model.jointAxis.subarray(3 * link, 3 * link + 3)],
    offset: model.jointOffset[link]!,
    terms,
  };
}

/** A link without visual shapes shows its collision shapes. */
function drawnShapes({ visuals, collisions }: LinkShapes): readonly UrdfShape[] {
  return visuals.length > 0 ? visuals : collisions;
}

type Visual = RobotScene["links"][number]["visuals"][number];

function visualOf({ geometry, origin, rgba }: UrdfShape, meshes: RobotMeshes | undefined): Visual[] {
  const drawn = geometry.type === "mesh" ? drawnMesh(geometry, meshes) : geometry;
  if (drawn === undefined) return [];
  const plain = drawn.type === "box" ? { ...drawn, size: [...drawn.size] } : drawn;
  return [{ geometry: plain, origin: numbersOf(origin), color: rgba === undefined ? null : [...rgba] }];
}

/** A mesh that cannot be read is left out: `robot check` and `robot hulls` say why. */
function drawnMesh(geometry: UrdfMesh, meshes: RobotMeshes | undefined): Visual["geometry"] | undefined {
  try {
    const mesh = meshes?.load(geometry);
    if (mesh === undefined) return undefined;
    const { positions, triangles } = simplifyMesh(mesh, maxDrawnTriangles);
    return { type: "mesh", positions: base64(Float32Array.from(positions)), triangles: base64(triangles) };
  } catch (error) {
    if (error instanceof FlycatcherError) return undefined;
    throw error;
  }
}

function base64({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function numbersOf({ xyz, rpy }: UrdfOrigin): number[] {
  return [...pose.fromRpyTranslation(...rpy, ...xyz, pose.create())];
}

function triples(points: Float64Array): number[][] {
  return Array.from({ length: points.length / 3 }, (_, k) => [...points.subarray(3 * k, 3 * k + 3)]);
}

/** The stereo pair with its place in the head. */
function camerasOf(robot: Robot): RobotScene["cameras"] {
  const { stereo, frames, cameras, model } = robot;
  if (stereo === undefined || frames.head === undefined) return null;
  const state = new RobotState(model);
  forwardKinematics(state);
  const worldFromHead = state.worldFromLink[frames.head]!;
  const cameraOf = ({ link, width, height, fx, fy, cx, cy }: RobotCamera) => ({
    width,
    height,
    fx,
    fy,
    cx,
    cy,
    headFromCamera: [...pose.composeInverse(worldFromHead, state.worldFromLink[link]!, pose.create())],
  });
  return { left: cameraOf(cameras[stereo.left]!), right: cameraOf(cameras[stereo.right]!) };
}
