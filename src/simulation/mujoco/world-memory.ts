import type { MainModule, MjData, MjModel } from "@mujoco/mujoco";
import { FlycatcherError } from "../../runtime/errors.js";

/**
 * A MuJoCo model and its state, with views on the arrays that are used at every step. The views look into memory of the
 * WebAssembly module. When that memory grows, which happens when anybody makes another model, they become detached;
 * `refresh` then takes new ones. Neither is collected: `delete` when done.
 */
export class WorldMemory {
  readonly module: MainModule;
  readonly model: MjModel;
  readonly data: MjData;
  /** Generalised positions and velocities. */
  qpos!: Float64Array;
  qvel!: Float64Array;
  /** Controls of the motors, and the forces they exert. */
  ctrl!: Float64Array;
  actuatorForce!: Float64Array;
  /** Gravity, centrifugal and Coriolis forces on the coordinates; forces applied to bodies from outside. */
  qfrcBias!: Float64Array;
  xfrcApplied!: Float64Array;
  /** Position and rotation (row-major) of each body. */
  xpos!: Float64Array;
  xmat!: Float64Array;

  constructor(module: MainModule, mjcf: string) {
    this.module = module;
    this.model = compile(module, mjcf);
    this.data = new module.MjData(this.model);
    this.#view();
  }

  /** To be called before the views are used. */
  refresh(): void {
    if (this.qpos.length === 0) this.#view();
  }

  #view(): void {
    const { data } = this;
    this.qpos = data.qpos;
    this.qvel = data.qvel;
    this.ctrl = data.ctrl;
    this.actuatorForce = data.actuator_force;
    this.qfrcBias = data.qfrc_bias;
    this.xfrcApplied = data.xfrc_applied;
    this.xpos = data.xpos;
    this.xmat = data.xmat;
  }

  body(name: string): number {
    return this.#find(this.module.mjtObj.mjOBJ_BODY.value, name);
  }

  /** Where a joint's position begins in `qpos`. */
  positionOf(joint: string): number {
    return this.model.jnt_qposadr[this.#joint(joint)];
  }

  /** Where a joint's velocity begins in `qvel`. */
  velocityOf(joint: string): number {
    return this.model.jnt_dofadr[this.#joint(joint)];
  }

  #joint(name: string): number {
    return this.#find(this.module.mjtObj.mjOBJ_JOINT.value, name);
  }

  #find(kind: number, name: string): number {
    const index = this.module.mj_name2id(this.model, kind, name);
    if (index >= 0) return index;
    throw new FlycatcherError("FLY_INTERNAL", `the simulated world has no ${name}`);
  }

  delete(): void {
    this.data.delete();
    this.model.delete();
  }
}

function compile(module: MainModule, mjcf: string): MjModel {
  try {
    const model = module.MjModel.from_xml_string(mjcf);
    if (model !== null) return model;
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
  throw refused("no model");
}

function refused(found: string): FlycatcherError {
  return new FlycatcherError("FLY_WORLD_MODEL", "MuJoCo cannot simulate this robot", {
    expected: "positive masses and inertias that satisfy the triangle inequality",
    found: found.split("\n", 1)[0] ?? "",
  });
}
