/** A URDF file as plain data, in document order, with URDF's defaults filled in. */
export interface UrdfRobot {
  readonly name: string;
  readonly links: readonly UrdfLink[];
  readonly joints: readonly UrdfJoint[];
  /** Flaws that were repaired in reading; absent where there was none. */
  readonly repairs?: readonly UrdfRepair[];
}

/** A harmless flaw of a file and what was made of it. */
export interface UrdfRepair {
  /** The element: `robot/joint[gripper]/mimic`. */
  readonly path: string;
  /** What was wrong and what is used instead, in plain words. */
  readonly sentence: string;
}

export type UrdfVector = readonly [number, number, number];

/** A pose: translation [m], and roll, pitch, yaw about fixed axes [rad], so that R = Rz(yaw)·Ry(pitch)·Rx(roll). */
export interface UrdfOrigin {
  readonly xyz: UrdfVector;
  readonly rpy: UrdfVector;
}

export interface UrdfLink {
  readonly name: string;
  readonly inertial?: UrdfInertial;
  readonly visuals: readonly UrdfShape[];
  readonly collisions: readonly UrdfShape[];
}

export interface UrdfInertial {
  /** Pose of the centre of mass, in whose axes the inertia is given. */
  readonly origin: UrdfOrigin;
  /** Mass [kg]. */
  readonly mass: number;
  /** Rotational inertia about the centre of mass [kg·m²]. */
  readonly inertia: UrdfInertia;
}

export interface UrdfInertia {
  readonly ixx: number;
  readonly ixy: number;
  readonly ixz: number;
  readonly iyy: number;
  readonly iyz: number;
  readonly izz: number;
}

export interface UrdfShape {
  readonly name?: string;
  /** Pose of the shape in its link. */
  readonly origin: UrdfOrigin;
  readonly geometry: UrdfGeometry;
  /** Colour of the material, red, green, blue, alpha in 0 … 1. */
  readonly rgba?: readonly [number, number, number, number];
}

/** Shapes are centred on their origin; cylinder and capsule lie along z. All lengths [m]. */
export type UrdfGeometry =
  | { readonly type: "box"; readonly size: UrdfVector }
  | { readonly type: "cylinder"; readonly radius: number; readonly length: number }
  | { readonly type: "sphere"; readonly radius: number }
  /** `length` is that of the cylindrical part, without the caps. */
  | { readonly type: "capsule"; readonly radius: number; readonly length: number }
  | { readonly type: "mesh"; readonly filename: string; readonly scale: UrdfVector };

export const urdfJointTypes = [
  "revolute",
  "continuous",
  "prismatic",
  "fixed",
  "planar",
  "floating",
  "spherical",
] as const;
export type UrdfJointType = (typeof urdfJointTypes)[number];

export interface UrdfJoint {
  readonly name: string;
  readonly type: UrdfJointType;
  readonly parent: string;
  readonly child: string;
  /** Pose of the joint's frame in the parent link. */
  readonly origin: UrdfOrigin;
  /** Unit axis in the joint's frame; of a planar joint the plane's normal. */
  readonly axis: UrdfVector;
  readonly limit?: UrdfLimit;
  readonly mimic?: UrdfMimic;
  readonly dynamics?: UrdfDynamics;
}

/** [rad, m; rad/s, m/s; N·m, N]; what the file does not say is absent. */
export interface UrdfLimit {
  readonly lower?: number;
  readonly upper?: number;
  readonly velocity?: number;
  readonly effort?: number;
  /** Greatest acceleration and braking deceleration [rad/s², m/s²] and jerk [rad/s³, m/s³]: URDF 1.2. */
  readonly acceleration?: number;
  readonly deceleration?: number;
  readonly jerk?: number;
}

/** position = multiplier · position of `joint` + offset. */
export interface UrdfMimic {
  readonly joint: string;
  readonly multiplier: number;
  readonly offset: number;
}

export interface UrdfDynamics {
  /** Viscous damping [N·m·s/rad or N·s/m]. */
  readonly damping: number;
  /** Static friction [N·m or N]. */
  readonly friction: number;
}

export const identityOrigin: UrdfOrigin = { xyz: [0, 0, 0], rpy: [0, 0, 0] };
