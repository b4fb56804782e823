import type { MainModule, MjModel } from "@mujoco/mujoco";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { RobotFiles } from "../../robot/files/robot-files.js";
import { poseFromOrigin } from "../../robot/loading/build-model.js";
import type { TriangleMesh } from "../../robot/meshes/triangle-mesh.js";
import {
  identityOrigin,
  type UrdfGeometry,
  type UrdfJoint,
  type UrdfLink,
  type UrdfOrigin,
  type UrdfRobot,
  type UrdfShape,
} from "../../robot/urdf/urdf-document.js";
import { originAt } from "../../robot/urdf/urdf-mimic.js";
import { rpyFromQuaternion } from "../../robot/urdf/urdf-origin.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { readMjcfSources } from "./mjcf-assets.js";
import { mujocoModule } from "./mujoco-module.js";

/** A robot out of an MJCF file, and the meshes it has, by the file names its shapes use. */
export interface MjcfRobot {
  readonly urdf: UrdfRobot;
  readonly meshes: ReadonlyMap<string, TriangleMesh>;
}

/** MuJoCo's kinds of joints, shapes, constraints and named things, by its numbers. */
const joint = { free: 0, ball: 1, slide: 2, hinge: 3 };
const shape = { sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7 };
const equalityOfJoints = 2;
const named = { body: 1, joint: 3, geom: 5, mesh: 10 };

/**
 * Reads MJCF through MuJoCo itself: what its compiler makes of defaults, classes, frames and meshes is what the robot
 * gets. Bodies become links; a body with several joints a chain of massless links; a free joint leaves its body standing
 * still; tendons, sensors and muscles have no counterpart and are passed over.
 */
export async function readMjcf(file: string, files: RobotFiles): Promise<MjcfRobot> {
  const { text, files: assets } = readMjcfSources(file, files);
  const module = await mujocoModule();
  const model = compile(module, text, assets);
  try {
    return new ModelReader(module, model).read();
  } finally {
    model.delete();
  }
}

function compile(module: MainModule, text: string, assets: ReadonlyMap<string, Buffer>): MjModel {
  const vfs = new module.MjVFS();
  try {
    for (const [name, bytes] of assets) vfs.addBuffer(name, bytes);
    return module.MjModel.from_xml_string(text, vfs);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FlycatcherError("FLY_MJCF_INVALID", reason.replace(/\s+/g, " ").slice(0, 300), {}, { cause });
  } finally {
    vfs.delete();
  }
}

type Numbers = ArrayLike<number>;

class ModelReader {
  readonly #module: MainModule;
  readonly #model: MjModel;
  readonly #meshes = new Map<string, TriangleMesh>();
  readonly #links: UrdfLink[] = [];
  readonly #joints: UrdfJoint[] = [];

  constructor(module: MainModule, model: MjModel) {
    this.#module = module;
    this.#model = model;
  }

  read(): MjcfRobot {
    for (let body = 0; body < this.#model.nbody; body++) this.#addBody(body);
    const followed = this.#equalities();
    const joints = this.#joints.map((entry) => ({ ...entry, ...followed.get(entry.name) }));
    const urdf = { name: this.#name(named.body, 1) || "robot", links: this.#links, joints };
    return { urdf, meshes: this.#meshes };
  }

  #addBody(body: number): void {
    const name = this.#bodyName(body);
    const { visuals, collisions } = this.#shapes(body);
    const mass = this.#array("body_mass")[body]!;
    this.#links.push({ name, ...(mass > 0 ? { inertial: this.#inertial(body, mass) } : {}), visuals, collisions });
    if (body > 0) this.#addJoints(body, name);
  }

  #inertial(body: number, mass: number): NonNullable<UrdfLink["inertial"]> {
    const [ixx, iyy, izz] = slice(this.#array("body_inertia"), 3 * body, 3) as [number, number, number];
    const origin = originOf(
      slice(this.#array("body_ipos"), 3 * body, 3),
      slice(this.#array("body_iquat"), 4 * body, 4),
    );
    return { origin, mass, inertia: { ixx, ixy: 0, ixz: 0, iyy, iyz: 0, izz } };
  }

  /** The joints of a body, each about a point of its own: one link between every two of them. */
  #addJoints(body: number, name: string): void {
    const first = this.#array("body_jntadr")[body]!;
    const count = this.#array("body_jntnum")[body]!;
    const placed = originOf(slice(this.#array("body_pos"), 3 * body, 3), slice(this.#array("body_quat"), 4 * body, 4));
    const parent = this.#bodyName(this.#array("body_parentid")[body]!);
    const moving = Array.from({ length: count }, (_, k) => first + k).filter(
      (index) => this.#array("jnt_type")[index] !== joint.free,
    );
    if (moving.length === 0) {
      this.#joints.push({ name: `${name}_mount`, type: "fixed", parent, child: name, origin: placed, axis: [1, 0, 0] });
      return;
    }
    let above = parent;
    let at: readonly number[] = [0, 0, 0];
    for (const [k, index] of moving.entries()) {
      const anchor = slice(this.#array("jnt_pos"), 3 * index, 3);
      const shift = anchor.map((value, i) => value - at[i]!) as [number, number, number];
      const origin = k === 0 ? shifted(placed, shift) : { xyz: shift, rpy: identityOrigin.rpy };
      const isLast = k === moving.length - 1;
      const isCentred = anchor.every((value) => value === 0);
      const child = isLast && isCentred ? name : `${name}_joint${k + 1}`;
      this.#joints.push(this.#joint(index, above, child, origin));
      if (child !== name) this.#links.push({ name: child, visuals: [], collisions: [] });
      above = child;
      at = anchor;
    }
    if (above === name) return;
    const back = { xyz: at.map((value) => -value || 0) as [number, number, number], rpy: identityOrigin.rpy };
    this.#joints.push({
      name: `${name}_mount`,
      type: "fixed",
      parent: above,
      child: name,
      origin: back,
      axis: [1, 0, 0],
    });
  }

  #joint(index: number, parent: string, child: string, origin: UrdfOrigin): UrdfJoint {
    const kind = this.#array("jnt_type")[index]!;
    const [lower, upper] = slice(this.#array("jnt_range"), 2 * index, 2) as [number, number];
    // MuJoCo's flags cannot be read through its bindings; without a limit the range is 0 to 0.
    const isLimited = lower < upper;
    const effort = this.#effort(index);
    const damping = this.#array("dof_damping")[this.#array("jnt_dofadr")[index]!]!;
    const type =
      kind === joint.ball ? "spherical" : kind === joint.slide ? "prismatic" : isLimited ? "revolute" : "continuous";
    const axis = slice(this.#array("jnt_axis"), 3 * index, 3) as [number, number, number];
    // MuJoCo counts a joint's position from its reference, URDF from zero.
    const reference = kind === joint.ball ? 0 : this.#array("qpos0")[this.#array("jnt_qposadr")[index]!]!;
    const range = isLimited && kind !== joint.ball ? { lower, upper } : {};
    return {
      name: this.#name(named.joint, index) || `joint${index}`,
      type,
      parent,
      child,
      origin: reference === 0 ? origin : originAt({ type, origin, axis }, -reference),
      axis,
      limit: { ...range, ...(effort === undefined ? {} : { effort }) },
      ...(damping > 0 ? { dynamics: { damping, friction: 0 } } : {}),
    };
  }

  /** What the joint or its motor may exert. */
  #effort(index: number): number | undefined {
    const own = largest(slice(this.#array("jnt_actfrcrange"), 2 * index, 2));
    if (own > 0) return own;
    for (let motor = 0; motor < this.#model.nu; motor++) {
      const drives = this.#array("actuator_trntype")[motor] === 0 && this.#array("actuator_trnid")[2 * motor] === index;
      const force = drives ? largest(slice(this.#array("actuator_forcerange"), 2 * motor, 2)) : 0;
      if (force > 0) return force * Math.abs(this.#array("actuator_gear")[6 * motor]!);
    }
    return undefined;
  }

  /** Linear equalities between two joints are `mimic`. */
  #equalities(): Map<string, Pick<UrdfJoint, "mimic">> {
    const followed = new Map<string, Pick<UrdfJoint, "mimic">>();
    for (let k = 0; k < this.#model.neq; k++) {
      if (this.#array("eq_type")[k] !== equalityOfJoints) continue;
      const [first, second] = [this.#array("eq_obj1id")[k]!, this.#array("eq_obj2id")[k]!];
      const [offset, multiplier, ...higher] = slice(this.#array("eq_data"), 11 * k, 5) as [number, number, number];
      if (second < 0 || higher.some((value) => value !== 0)) continue;
      const [name, master] = [first, second].map((index) => this.#name(named.joint, index) || `joint${index}`);
      if (!followed.has(master!)) followed.set(name!, { mimic: { joint: master!, multiplier, offset } });
    }
    return followed;
  }

  /** Shapes that touch nothing are drawn; those that touch are collision shapes, and drawn if there are no others. */
  #shapes(body: number): Pick<UrdfLink, "visuals" | "collisions"> {
    const first = this.#array("body_geomadr")[body]!;
    const visuals: UrdfShape[] = [];
    const collisions: UrdfShape[] = [];
    for (let geom = first; geom < first + this.#array("body_geomnum")[body]!; geom++) {
      const drawn = this.#shape(geom);
      if (drawn === undefined) continue;
      const touches = this.#array("geom_contype")[geom] !== 0 || this.#array("geom_conaffinity")[geom] !== 0;
      if (touches) collisions.push(drawn);
      else visuals.push(drawn);
    }
    return { visuals: visuals.length > 0 ? visuals : collisions, collisions };
  }

  #shape(geom: number): UrdfShape | undefined {
    const geometry = this.#geometry(geom);
    if (geometry === undefined) return undefined;
    const origin = originOf(slice(this.#array("geom_pos"), 3 * geom, 3), slice(this.#array("geom_quat"), 4 * geom, 4));
    const rgba = slice(this.#array("geom_rgba"), 4 * geom, 4) as [number, number, number, number];
    return { origin, geometry, rgba };
  }

  #geometry(geom: number): UrdfGeometry | undefined {
    const [x, y, z] = slice(this.#array("geom_size"), 3 * geom, 3) as [number, number, number];
    switch (this.#array("geom_type")[geom]) {
      case shape.sphere:
        return { type: "sphere", radius: x };
      case shape.capsule:
        return { type: "capsule", radius: x, length: 2 * y };
      case shape.cylinder:
        return { type: "cylinder", radius: x, length: 2 * y };
      // URDF has no ellipsoid: the box around it contains it.
      case shape.ellipsoid:
      case shape.box:
        return { type: "box", size: [2 * x, 2 * y, 2 * z] };
      case shape.mesh:
        return { type: "mesh", filename: this.#mesh(this.#array("geom_dataid")[geom]!), scale: [1, 1, 1] };
      default:
        return undefined;
    }
  }

  #mesh(index: number): string {
    const name = (this.#name(named.mesh, index) || `mesh${index}`).replace(/[^\w.-]/g, "_");
    const file = `meshes/${name}.stl`;
    if (!this.#meshes.has(file)) {
      const [vertex, vertices] = [this.#array("mesh_vertadr")[index]!, this.#array("mesh_vertnum")[index]!];
      const [face, faces] = [this.#array("mesh_faceadr")[index]!, this.#array("mesh_facenum")[index]!];
      this.#meshes.set(file, {
        positions: Float64Array.from(slice(this.#array("mesh_vert"), 3 * vertex, 3 * vertices)),
        triangles: Uint32Array.from(slice(this.#array("mesh_face"), 3 * face, 3 * faces)),
      });
    }
    return file;
  }

  #bodyName(body: number): string {
    return this.#name(named.body, body) || `body${body}`;
  }

  #name(kind: number, index: number): string {
    return index < this.#sizeOf(kind) ? (this.#module.mj_id2name(this.#model, kind, index) ?? "") : "";
  }

  #sizeOf(kind: number): number {
    const { nbody, njnt, ngeom, nmesh } = this.#model;
    return kind === named.body ? nbody : kind === named.joint ? njnt : kind === named.geom ? ngeom : nmesh;
  }

  /** An array of the compiled model; MuJoCo's types leave open what it holds. */
  #array(name: keyof MjModel): Numbers {
    return this.#model[name] as Numbers;
  }
}

function slice(numbers: Numbers, start: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => numbers[start + i]!);
}

function largest(range: readonly number[]): number {
  return Math.max(...range.map(Math.abs));
}

/** MuJoCo writes quaternions with the real part first. */
function originOf(position: readonly number[], [w, x, y, z]: readonly number[]): UrdfOrigin {
  return { xyz: position as [number, number, number], rpy: rpyFromQuaternion(x!, y!, z!, w!) };
}

/** The pose moved by a shift in its own axes. */
function shifted(origin: UrdfOrigin, shift: readonly [number, number, number]): UrdfOrigin {
  const [x, y, z] = pose.transformPoint(poseFromOrigin(origin), vec3.create(...shift), vec3.create());
  return { xyz: [x, y, z], rpy: origin.rpy };
}
