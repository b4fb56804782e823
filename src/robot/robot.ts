import type { CameraIntrinsics } from "../camera/camera-model.js";
import type { Pose } from "../math/pose.js";
import type { Vec3 } from "../math/vec3.js";
import type { PoseCourse } from "../motion/pose-course.js";
import type { RobotFiles } from "./files/robot-files.js";
import type { FrameRole, GroupKind, Sidecar } from "./sidecar/sidecar-schema.js";
import type { UrdfRobot, UrdfShape } from "./urdf/urdf-document.js";

/**
 * A whole robot, as `loadRobot` gives it: the kinematic and dynamic model, and all else its sidecar says, with names
 * resolved to indices of the model and the overlays applied. Constant.
 */
export interface Robot {
  /** Name of its folder, or of the URDF where there is no sidecar. */
  readonly name: string;
  readonly model: RobotModel;
  /** As written, for what is not resolved below (`bodyRule`, `simulation`). */
  readonly sidecar: Sidecar;
  /** As written, with the links that the sidecar adds, before planar and floating joints are expanded. */
  readonly urdf: UrdfRobot;
  /** Where its meshes are found; absent for a robot that was not read from files. */
  readonly files?: RobotFiles;
  /** Shapes of each link. [linkCount] */
  readonly shapes: readonly LinkShapes[];
  /** First link of the rigid body link i belongs to: its nearest ancestor with a joint that moves. [linkCount] */
  readonly rigidBody: Int32Array;
  /** Link of each role. */
  readonly frames: Frames;
  readonly cameras: readonly RobotCamera[];
  /** Indices of the stereo pair in `cameras`. */
  readonly stereo?: { readonly left: number; readonly right: number };
  readonly imu?: RobotImu;
  readonly encoders: RobotEncoders;
  readonly hands: readonly RobotHand[];
  /** Position of every dof in each named posture [rad or m]. */
  readonly postures: ReadonlyMap<string, Float64Array>;
  /** Greatest braking deceleration of each dof [rad/s² or m/s²]; Infinity where unknown. [dofCount] */
  readonly maxDeceleration: Float64Array;
  /** Greatest jerk of each dof [rad/s³ or m/s³]; Infinity where unknown; absent: of none it is known. [dofCount] */
  readonly maxJerk?: Float64Array;
  /** How late each dof follows its commands [s]; absent: none of them does. [dofCount] */
  readonly commandDelay?: Float64Array;
  /** Deflection of each joint per effort [rad/(N·m) or m/N], as calibrated; 0 where unknown. [linkCount] */
  readonly jointCompliance: Float64Array;
  /** Unit vector along gravity in the root link's frame. */
  readonly gravityDirection: Vec3;
  readonly hulls: readonly CollisionHull[];
  /** Pairs of `hulls` to check. */
  readonly pairs: readonly (readonly [number, number])[];
  /** How many of `hulls`, the last ones, are obstacles of the world and no part of the robot. */
  readonly obstacleCount: number;
  /** Those of them that move by themselves; absent: none does. */
  readonly movers?: readonly MovingBody[];
  /** Where the hands must not catch. */
  readonly keepOut: readonly KeepOutShape[];
  readonly markers: readonly RobotMarker[];
  /** The overlays in force, first to last. */
  readonly overlays: readonly AppliedOverlay[];
}

export interface LinkShapes {
  readonly visuals: readonly UrdfShape[];
  readonly collisions: readonly UrdfShape[];
}

/** Link indices; only `world` is there in every robot. */
export type Frames = { readonly world: number } & Readonly<Partial<Record<FrameRole, number>>>;

/** A camera of the robot: where it is, and how it takes images. */
export interface RobotCamera extends CameraIntrinsics {
  readonly name: string;
  /** Link of the optical frame: z forward, x right, y down. */
  readonly link: number;
  readonly rateHz: number;
  /** From mid-exposure to arrival [s]. */
  readonly latency: number;
  /** [s] */
  readonly exposure: number;
  /** From the exposure of a row to that of the next [s]; 0: a global shutter. The exposure's time is that of the middle row. */
  readonly rowTime: number;
}

/** measured = scale · true + bias + noise, in the frame of `link`. */
export interface RobotImu {
  readonly link: number;
  readonly rateHz: number;
  /** From sample to arrival [s]. */
  readonly latency: number;
  /** [rad/s/√Hz] */
  readonly gyroNoiseDensity: number;
  /** [m/s²/√Hz] */
  readonly accelerometerNoiseDensity: number;
  /** [rad/s²/√Hz] */
  readonly gyroBiasWalk: number;
  /** [m/s³/√Hz] */
  readonly accelerometerBiasWalk: number;
  /** [rad/s] */
  readonly gyroBias: Vec3;
  /** [m/s²] */
  readonly accelerometerBias: Vec3;
  readonly gyroScale: Vec3;
  readonly accelerometerScale: Vec3;
}

/** Standard deviations of the joint measurements and their delay. */
export interface RobotEncoders {
  /** [rad or m] */
  readonly positionNoise: number;
  /** [rad/s or m/s] */
  readonly velocityNoise: number;
  /** [N·m or N] */
  readonly effortNoise: number;
  /** From encoder read to arrival [s]. */
  readonly latency: number;
}

export interface RobotHand {
  readonly name: string;
  /** Link in the middle of the open hand's mouth, z against the ball's velocity. */
  readonly catchLink: number;
  /** Dofs of the fingers. */
  readonly dofs: readonly number[];
  /** Position of each of `dofs` [rad or m]. */
  readonly open: Float64Array;
  readonly closed: Float64Array;
  /** From the closing command to the closed shape [s]. */
  readonly closingTime: number;
  /** From the closing command to the ball's passing of the mouth [s]; null: a tenth of the closing time. */
  readonly closingLead: number | null;
  /** [m] */
  readonly positionTolerance: number;
  /** [s] */
  readonly timeTolerance: number;
  /** What a ball is inside of once it is caught; null: it lies about the hand's axis, between the fingers. */
  readonly mouth: HandMouth | null;
}

/** The opening of a catcher in the plane of its catch link's x and y axes, and how deep it is behind [m]. */
export interface HandMouth {
  readonly outline: { readonly radius: number } | { readonly corners: readonly (readonly [number, number])[] };
  readonly depth: number;
}

/** The convex hull of some points, grown by a radius. */
export interface CollisionHull {
  readonly name: string;
  readonly link: number;
  /** [m] */
  readonly radius: number;
  /** x, y, z of each point in the link's frame [m]. */
  readonly points: Float64Array;
}

/** A body of the world that moves by itself: its hull is in the frame whose pose in the world the course gives. */
export interface MovingBody {
  /** Index of `Robot.hulls`. */
  readonly body: number;
  readonly course: PoseCourse;
}

/** A region the hand must not enter at the catch, in the frame of `link`. */
export interface KeepOutShape {
  readonly name: string;
  readonly link: number;
  readonly geometry: KeepOutGeometry;
}

/** All lengths [m]. */
export type KeepOutGeometry =
  | { readonly type: "sphere"; readonly center: Vec3; readonly radius: number }
  | { readonly type: "capsule"; readonly from: Vec3; readonly to: Vec3; readonly radius: number }
  | { readonly type: "cylinder"; readonly from: Vec3; readonly to: Vec3; readonly radius: number }
  | { readonly type: "box"; readonly linkFromBox: Pose; readonly halfSize: Vec3 }
  /** Forbidden where normal·x < offset; `normal` has length 1. */
  | { readonly type: "half-space"; readonly normal: Vec3; readonly offset: number };

export interface RobotMarker {
  readonly name: string;
  readonly link: number;
  /** In the link's frame [m]. */
  readonly position: Vec3;
}

export interface AppliedOverlay {
  readonly kind: "calibration" | "truth";
  readonly date: string;
  readonly version: string;
}

/**
 * A robot as constant data: a tree of links, the joints between them, and what limits them. Built once by `loadRobot`
 * or `buildModel`, never changed afterwards; everything that changes lives in `RobotState`.
 *
 * Order. Links are sorted so that a parent comes before its children; link 0 is the root. Every other link `i` hangs on
 * exactly one joint, and that joint has the same index `i` (entry 0 of the joint arrays is unused: fixed, identity).
 *
 * Degrees of freedom ("dofs"). A dof is an independent coordinate: one per joint that is neither fixed nor dependent, in
 * link order. This is the *model order* of q, q̇ and τ everywhere. The position of joint i is
 * Σ factor·q[dof] + offset over its terms: one term with factor 1 for an independent joint, several for a coupled one
 * (URDF `mimic` or the sidecar's `couplings`), none for a fixed one.
 */
export interface RobotModel {
  readonly name: string;
  readonly linkCount: number;
  readonly dofCount: number;
  readonly linkNames: readonly string[];
  /** Name of the joint above link i; "" for the root. */
  readonly jointNames: readonly string[];
  /** Name of each dof: that of its joint. */
  readonly dofNames: readonly string[];

  /** Parent link of link i; −1 for the root. [linkCount] */
  readonly parentLink: Int32Array;
  /** `JointKind` of the joint above link i. [linkCount] */
  readonly jointKind: Uint8Array;
  /** Unit axis of the joint above link i, in the joint's own frame. [3·linkCount] */
  readonly jointAxis: Float64Array;
  /** Pose of the joint's frame in its parent link, the joint at zero. [linkCount] */
  readonly parentFromJoint: readonly Pose[];

  /** Joint i's terms are termStart[i] … termStart[i+1] − 1 of `termDof`, `termFactor`. [linkCount + 1] */
  readonly termStart: Int32Array;
  readonly termDof: Int32Array;
  readonly termFactor: Float64Array;
  /** Constant part of joint i's position [rad or m]. [linkCount] */
  readonly jointOffset: Float64Array;
  /** Joint (= link index) a dof belongs to. [dofCount] */
  readonly dofJoint: Int32Array;

  /** Mass of link i [kg]. [linkCount] */
  readonly mass: Float64Array;
  /** Centre of mass of link i in the link's frame [m]. [3·linkCount] */
  readonly centreOfMass: Float64Array;
  /** Rotational inertia of link i about its centre of mass, in the link's axes, row-major [kg·m²]. [9·linkCount] */
  readonly inertia: Float64Array;

  /** Limits per joint, for dependent joints too; ±Infinity where there is none. [linkCount] */
  readonly jointLower: Float64Array;
  readonly jointUpper: Float64Array;
  /** Limits per dof: position [rad or m], speed, acceleration, effort; ±Infinity where unknown. [dofCount] */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  /** Speed limit without the ceiling of an overlay. [dofCount] */
  readonly ratedVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxEffort: Float64Array;

  readonly groups: readonly JointGroup[];
}

export const JointKind = { fixed: 0, revolute: 1, prismatic: 2 } as const;
export type JointKind = (typeof JointKind)[keyof typeof JointKind];

/** A named set of dofs that move together, and the two links between which they act. */
export interface JointGroup {
  readonly name: string;
  /** Dof indices, from base to tip. */
  readonly dofs: readonly number[];
  readonly baseLink: number;
  readonly tipLink: number;
  readonly kind?: GroupKind;
  /** Name of the hand at the tip. */
  readonly hand?: string;
}
