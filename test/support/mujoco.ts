import loadMujoco, { type MainModule, type MjData, type MjModel } from "@mujoco/mujoco";

let module: Promise<MainModule> | undefined;

/** The WebAssembly module, loaded once (0.2 s). */
export function mujoco(): Promise<MainModule> {
  module ??= loadMujoco();
  return module;
}

/**
 * What MuJoCo's URDF reader must be told: keep links that are joined by fixed joints, keep geometry and inertia as
 * written, and give each model little memory (the default is 15 MB).
 */
const extension = `<mujoco>
  <compiler fusestatic="false" discardvisual="false" balanceinertia="false" strippath="false"/>
  <size memory="4M"/>
</mujoco>`;

/**
 * A URDF in MuJoCo, as an independent reference for kinematics and dynamics. Every joint is a coordinate of its own
 * here, dependent ones too. Contacts, limits, damping and friction are off: only the rigid-body equations remain.
 */
export class MujocoRobot {
  readonly #mj: MainModule;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly jointCount: number;
  readonly #bodies: Map<string, number>;
  readonly #joints: Map<string, number>;

  private constructor(mj: MainModule, urdf: string) {
    this.#mj = mj;
    const opening = /<robot\b[^>]*>/.exec(urdf);
    if (opening === null) throw new Error("the URDF has no <robot> element");
    const end = opening.index + opening[0].length;
    this.#model = mj.MjModel.from_xml_string(`${urdf.slice(0, end)}\n${extension}${urdf.slice(end)}`);
    this.#data = new mj.MjData(this.#model);
    const m = this.#model;
    this.jointCount = m.nv;
    this.#bodies = namesOf(m.nbody, (i) => mj.mj_id2name(m, mj.mjtObj.mjOBJ_BODY.value, i));
    this.#joints = namesOf(m.njnt, (i) => mj.mj_id2name(m, mj.mjtObj.mjOBJ_JOINT.value, i));
    m.opt.disableflags = mj.mjtDisableBit.mjDSBL_CONSTRAINT.value;
    m.dof_damping.fill(0);
    m.dof_frictionloss.fill(0);
  }

  static async load(urdf: string): Promise<MujocoRobot> {
    return new MujocoRobot(await mujoco(), urdf);
  }

  /** MuJoCo objects live outside the JavaScript heap. */
  delete(): void {
    this.#data.delete();
    this.#model.delete();
  }

  hasBody(link: string): boolean {
    return this.#bodies.has(link);
  }

  jointNames(): string[] {
    return [...this.#joints.keys()];
  }

  setGravity(x: number, y: number, z: number): void {
    this.#model.opt.gravity.set([x, y, z]);
  }

  setJoint(name: string, position: number, velocity: number, acceleration: number): void {
    const joint = this.#joint(name);
    this.#data.qpos[this.#model.jnt_qposadr[joint]] = position;
    this.#data.qvel[this.#model.jnt_dofadr[joint]] = velocity;
    this.#data.qacc[this.#model.jnt_dofadr[joint]] = acceleration;
  }

  /** Index of a joint in the matrices and vectors below. */
  coordinate(name: string): number {
    return this.#model.jnt_dofadr[this.#joint(name)];
  }

  /** Everything that depends on the state: poses, mass matrix, inverse dynamics. */
  compute(): void {
    this.#mj.mj_inverse(this.#model, this.#data);
  }

  /** Poses alone, for timing. */
  computeKinematics(): void {
    this.#mj.mj_kinematics(this.#model, this.#data);
  }

  /** The pose as twelve numbers: row-major rotation, translation. */
  worldFromLink(link: string): Float64Array {
    const body = this.#body(link);
    const out = new Float64Array(12);
    out.set(this.#data.xmat.subarray(9 * body, 9 * body + 9), 0);
    out.set(this.#data.xpos.subarray(3 * body, 3 * body + 3), 9);
    return out;
  }

  /** Jacobian of a link's origin, 6 × jointCount, linear rows first. */
  jacobian(link: string): Float64Array {
    const out = new Float64Array(6 * this.jointCount);
    const linear = new this.#mj.DoubleBuffer(3 * this.jointCount);
    const angular = new this.#mj.DoubleBuffer(3 * this.jointCount);
    this.#mj.mj_jacBody(this.#model, this.#data, linear, angular, this.#body(link));
    out.set(linear.GetView(), 0);
    out.set(angular.GetView(), 3 * this.jointCount);
    linear.delete();
    angular.delete();
    return out;
  }

  massMatrix(): Float64Array {
    const buffer = new this.#mj.DoubleBuffer(this.jointCount ** 2);
    this.#mj.mj_fullM(this.#model, this.#data, buffer);
    const out = Float64Array.from(buffer.GetView());
    buffer.delete();
    return out;
  }

  inverseDynamics(): Float64Array {
    return Float64Array.from(this.#data.qfrc_inverse);
  }

  #body(link: string): number {
    return known(this.#bodies, link);
  }

  #joint(name: string): number {
    return known(this.#joints, name);
  }
}

function namesOf(count: number, name: (index: number) => string): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, i) => [name(i), i]));
}

function known(indices: Map<string, number>, name: string): number {
  const index = indices.get(name);
  if (index === undefined) throw new Error(`MuJoCo does not know ${name}`);
  return index;
}
