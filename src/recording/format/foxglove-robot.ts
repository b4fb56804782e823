import * as pose from "../../math/pose.js";
import { forwardKinematics } from "../../robot/kinematics/kinematics.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import { JointKind, type Robot } from "../../robot/robot.js";
import { RobotState } from "../../robot/state.js";
import type { UrdfShape } from "../../robot/urdf/urdf-document.js";
import type { ItemOf } from "../recording.js";
import { foxgloveTime } from "./foxglove-schemas.js";
import {
  colour,
  entity,
  type Primitives,
  point,
  poseObject,
  type Rgba,
  rounded,
  sceneUpdate,
} from "./foxglove-shapes.js";

/** The frame that everything is in: where the platform stood at the run's start. */
export const WORLD = "world";

const PLAIN: Rgba = [0.75, 0.77, 0.8, 1];

/** Pictures of a robot: where its links are, what they look like, what its joints say. */
export class FoxgloveRobot {
  readonly #robot: Robot;
  readonly #state: RobotState;
  readonly #parentFromLink = pose.create();

  constructor(robot: Robot) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
  }

  /** FrameTransforms: links in their parents; those alone that move, or that do not, where the rest is told elsewhere. */
  transforms(q: ArrayLike<number>, timeNs: number, links: "all" | "moving" | "fixed" = "all"): object {
    const { model } = this.#robot;
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    const timestamp = foxgloveTime(timeNs);
    const transforms = model.linkNames.flatMap((child, link) => {
      const parent = model.parentLink[link]!;
      const kind = model.jointKind[link] === JointKind.fixed ? "fixed" : "moving";
      if ((parent < 0 && child === WORLD) || (links !== "all" && links !== kind)) return [];
      const { position, orientation } = poseObject(this.#inParent(link, parent));
      const frames = { parent_frame_id: parent < 0 ? WORLD : model.linkNames[parent], child_frame_id: child };
      return [{ timestamp, ...frames, translation: position, rotation: orientation }];
    });
    return { transforms };
  }

  #inParent(link: number, parent: number): pose.Pose {
    const worldFromLink = this.#state.worldFromLink[link]!;
    if (parent < 0) return worldFromLink;
    return pose.composeInverse(this.#state.worldFromLink[parent]!, worldFromLink, this.#parentFromLink);
  }

  /** JointStates: as measured. */
  jointStates({ q, qd, timeNs }: ItemOf<"joints">): object {
    const joints = this.#robot.model.dofNames.map((name, i) => ({
      name,
      position: rounded(q[i]!),
      velocity: rounded(qd[i]!),
    }));
    return { timestamp: foxgloveTime(timeNs), joints };
  }

  /** SceneUpdate: the shapes of all links, each in its link's frame. They stay for the whole recording. */
  shapes(timeNs: number): object {
    const { model, shapes } = this.#robot;
    const entities = model.linkNames.flatMap((frame, link) => {
      const { visuals, collisions } = shapes[link]!;
      const drawn = (visuals.some(({ geometry }) => geometry.type !== "mesh") ? visuals : collisions).map(primitivesOf);
      if (drawn.length === 0) return [];
      const place = { id: `robot/${frame}`, frame, timeNs, lifetime: 0 };
      return [entity(place, merged(drawn))];
    });
    return sceneUpdate(entities);
  }
}

/** Meshes are not shown: recordings carry no files. */
function primitivesOf({ geometry, origin, rgba }: UrdfShape): Primitives {
  const linkFromShape = poseFromOrigin(origin);
  const shared = { pose: poseObject(linkFromShape), color: colour(rgba ?? PLAIN) };
  switch (geometry.type) {
    case "box":
      return { cubes: [{ ...shared, size: point(geometry.size) }] };
    case "sphere":
      return { spheres: [{ ...shared, size: cubeOf(geometry.radius) }] };
    case "cylinder":
      return { cylinders: [cylinder(shared, geometry.radius, geometry.length)] };
    case "capsule": {
      const { radius, length } = geometry;
      const ends = [-length / 2, length / 2].map((z) => {
        const cap = pose.fromRpyTranslation(0, 0, 0, 0, 0, z, pose.create());
        return { ...shared, pose: poseObject(pose.compose(linkFromShape, cap, cap)), size: cubeOf(radius) };
      });
      return { cylinders: [cylinder(shared, radius, length)], spheres: ends };
    }
    case "mesh":
      return {};
  }
}

function cubeOf(radius: number): object {
  return point([2 * radius, 2 * radius, 2 * radius]);
}

function cylinder(shared: object, radius: number, length: number): object {
  return { ...shared, size: point([2 * radius, 2 * radius, length]), bottom_scale: 1, top_scale: 1 };
}

function merged(parts: readonly Primitives[]): Primitives {
  return {
    cubes: parts.flatMap(({ cubes = [] }) => cubes),
    spheres: parts.flatMap(({ spheres = [] }) => spheres),
    cylinders: parts.flatMap(({ cylinders = [] }) => cylinders),
  };
}
