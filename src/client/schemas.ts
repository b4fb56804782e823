// Written by `npm run docs` from the routes of src/service/; edit those.

export interface AddedRobot {
  name: string;
  url: string;
  /** What the robot still lacks, as `flycatcher robot check` says it. */
  findings: Finding[];
}

/** The ball: `state` or `samples`, exactly one of the two. */
export interface Ball {
  /** Frame of the ball, at the start posture; `group` is the group's base link. Gravity is turned with it. */
  frame?: "world" | "base" | "chest" | "group";
  state?: BallState;
  /** Positions in time, in ascending order, instead of a state; a flight is fitted to them. */
  samples?: BallSample[];
  /** Quadratic drag k = ½ρC_dA/m [1/m]. */
  drag?: number;
}

export interface BallColour {
  /** weight of red in the channel in which the ball is looked for */
  red: number;
  /** weight of green */
  green: number;
  /** weight of blue */
  blue: number;
  /** what is added to their sum [gray] */
  offset: number;
  /** how much brighter than its surroundings the ball is in that channel; 0: unknown [gray] */
  contrast: number;
}

export interface BallSample {
  /** When it was seen [s]; may be negative. */
  time: number;
  /** Where it was seen [m]. */
  position: number[];
  /** Standard deviation of each coordinate [m]; default 0.01. */
  sigma?: number;
}

/** Where the ball is and how it flies. */
export interface BallState {
  /** When the ball is there [s]; may be negative; default 0. It flies from then on. */
  time?: number;
  /** Position of its centre [m]. */
  position: number[];
  /** Velocity [m/s]. */
  velocity: number[];
  /** Covariance of position and velocity at that time, 6 × 6, positive definite [m, m/s]. */
  covariance?: number[][];
}

/** A line of the answer: the result of one request, either `answer` or `problem`. */
export interface BatchLine {
  /** Which of the requests, from 0. */
  index: number;
  answer?: PlanAnswer;
  problem?: Problem;
}

export interface BodyDistance {
  bodies: string[];
  /** Between their surfaces [m]; negative where they overlap. */
  distance: number;
  /** Where they are nearest, in the world [m]. */
  points: number[][];
}

export interface Braked {
  /** When the first braking command was sent to the robot: UTC [ms since 1970]. */
  at: number;
  /** The same, from when the request arrived [ms]. */
  afterMs: number;
  /** Who says so: the robot, which got it; the driver, which sent it; control, which made it. */
  confirmedBy: "robot" | "driver" | "control";
  /** When the robot's answer came, from when the request arrived [ms]; null without one. */
  confirmedAfterMs: number | null;
}

export interface CalibrationRequest {
  /** Robot to calibrate; default: the profile's. */
  robot?: string;
  /** Which miscalibrated robot; default: 1. */
  seed?: string;
  /** Configurations to hold, for each arm. */
  configurations?: number;
}

export interface CalibrationState {
  id: string;
  /** Address of the state. */
  url: string;
  robot: string;
  seed: string;
  state: "running" | "done" | "failed";
  /** Share done. */
  progress: number;
  /** The result, in the format of calibration.json. */
  calibration?: Record<string, unknown>;
  /** Address of the report, a web page. */
  report?: string;
  /** Why there is no calibration. */
  problem?: {
    code: string;
    detail: string;
  };
}

/** Where, when and how hand and ball meet. */
export interface Catch {
  /** When ball and hand meet: the grasp time [s]. */
  time: number;
  /** When the hand is there, at rest [s]; before `time` in mode `cool`. */
  arrival: number;
  /** Joint positions at the catch, in the group's order [rad or m]. */
  joints: number[];
  /** Catch frame's position in the world at the catch [m]. */
  handPosition: number[];
  /** Catch frame's orientation in the world at the catch (x, y, z, w). */
  handQuaternion: number[];
  /** Ball's position in the world at the catch [m]. */
  ballPosition: number[];
  /** Ball's velocity in the world at the catch [m/s]. */
  ballVelocity: number[];
}

/** A motion in closed form: for each joint pieces of polynomials in time. */
export interface ClosedMotion {
  /** Names of the joints. */
  joints: string[];
  /** From 0 to its end [s]. */
  duration: number;
  /** Pieces of each joint, in the order of `joints`. */
  pieces: Array<
    Array<{
      /** [s] */
      start: number;
      /** c₀, c₁, … [rad or m, per sᵏ]. */
      c: number[];
    }>
  >;
}

export interface CollisionsAnswer {
  results: Array<{
    /** Within the limits, and nothing touches. */
    valid: boolean;
    withinLimits: boolean;
    /** The nearest checked pair of collision bodies; null where all are far apart. */
    nearest: BodyDistance | null;
    /** Pairs nearer than `within`, the nearest first. */
    pairs: BodyDistance[];
  }>;
}

export interface CollisionsRequest {
  /** States of the robot, as `start` of a planning request; velocities do not matter. */
  configurations: Start[];
  /** Static shapes in the world: sphere, capsule, box, half-space or hull, each with a name. */
  obstacles?: Array<Record<string, unknown>>;
  /** Pairs nearer than this are listed [m]. */
  within?: number;
}

export interface ColourLesson {
  images: LessonImage[];
}

/** A pose as a function of time: `polynomial` or `table`, exactly one of the two. */
export interface Course {
  /** Position c₀ + c₁·t + c₂·t² + …; a line has two coefficients, a thrown object three. */
  polynomial?: {
    /** c₀, c₁, … [m, m/s, m/s², …]. */
    coefficients: number[][];
    /** Roll, pitch, yaw at t = 0 [rad]; default zero. */
    rpy?: number[];
    /** Constant angular velocity in the world's axes [rad/s]; default zero. */
    angularVelocity?: number[];
  };
  /** Poses at ascending times, straight lines and shortest turns between them; before and after it stands. */
  table?: Array<{
    /** [s] */
    time: number;
    /** Pose. */
    origin: {
      /** Translation [m]. */
      xyz: number[];
      /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
      rpy?: number[];
    };
  }>;
}

export interface Finding {
  severity: "error" | "warning";
  subject: string;
  sentence: string;
  /** The command or the edit that repairs it. */
  repair?: string;
}

export interface ForwardKinematicsAnswer {
  /** Position by joint [rad or m]. */
  joints: Record<string, number>;
  /** Pose by link. */
  links: Record<string, Pose>;
}

export interface ForwardKinematicsRequest {
  start?: Start;
  /** Links whose poses are wanted; default: all. */
  links?: string[];
}

export interface Health {
  status: "ok";
  version: string;
}

/** A height map: everything between `floor` and the height of each cell. */
export interface HeightMapObstacle {
  /** Name of the obstacle, unique, also among the robot's collision bodies. */
  name: string;
  /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
  ignore?: string[];
  /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
  attachedTo?: string;
  motion?: Course;
  type: "height-map";
  /** Pose of the first cell's corner; rows go along y, columns along x. */
  origin?: {
    /** Translation [m]. */
    xyz: number[];
    /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
    rpy?: number[];
  };
  /** Edge of a cell [m]. */
  cell: number;
  /** Cells of a row. */
  columns: number;
  /** Height of each cell, row by row [m]. */
  heights: number[];
  /** Lower end of all cells [m]. */
  floor?: number;
  /** By how much neighbouring cells may be raised to be one box [m]. */
  tolerance?: number;
}

export interface InverseKinematicsAnswer {
  /** `touching`: the place can be reached, but not clear of the robot itself. */
  status: "found" | "touching" | "unreachable";
  /** Different configurations, the best first. */
  postures: Array<{
    /** Position by joint [rad or m]. */
    joints: Record<string, number>;
    /** The nearest checked pair of collision bodies; null where all are far apart. */
    nearest: BodyDistance | null;
    /** Way to the nearest limit, as a share of half the joint's range. */
    limitMargin: number;
    /** Speed of the tip in its slowest direction [m/s]; 0: singular. */
    leastSpeed: number;
  }>;
}

export interface InverseKinematicsRequest {
  /** Default: the robot's first arm that catches. */
  group?: string;
  /** Where the group's tip is to be, in the world [m]. */
  position: number[];
  /** Where its z axis is to point, in the world; the turn about it is free. Left out: any orientation. */
  facing?: number[];
  /** The tip's whole orientation instead of `facing`: quaternion (x, y, z, w) in the world. */
  orientation?: number[];
  start?: Start;
  /** Least distance of collision bodies [m]. */
  clearance?: number;
  /** Configurations to start from. */
  seeds?: number;
  /** Most postures in the answer. */
  count?: number;
}

/** The greatest of each joint on the way. */
export interface JointPeak {
  joint: string;
  /** Greatest speed [rad/s or m/s]. */
  velocity: number;
  /** Greatest acceleration [rad/s² or m/s²]. */
  acceleration: number;
  /** Greatest jerk [rad/s³ or m/s³]. */
  jerk: number;
  /** Greatest torque or force, by inverse dynamics [N·m or N]. */
  torque: number;
  /** The same as a share of the joint's limit. */
  torqueRatio?: number;
}

export interface Launch {
  /** Position of the release [m]. */
  position: number[];
  /** Velocity at the release [m/s]. */
  velocity: number[];
}

export interface LearntColour {
  colour: BallColour;
  preview: {
    width: number;
    height: number;
    /** Gray values of the first image as detectors would see it, in base64. */
    pixels: string;
  };
  /** The ball with its colour, as a profile for `--profile`. */
  profile: unknown;
}

export interface LessonImage {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row, in base64. */
  pixels: string;
  /** Where the ball is. */
  balls: MarkedBall[];
}

export interface LiveSettings {
  mode?: "soft" | "latest" | "cool" | "sure";
  /** How strong each challenge is: 0 none, 1 realistic. */
  challenges?: Record<string, number>;
  /** Whether balls are thrown automatically. */
  automatic?: boolean;
  balls?: number;
  /** In lock-step: whether time is paused. */
  paused?: boolean;
  /** In lock-step: 1 is real time. */
  speed?: number;
}

export interface MarkedBall {
  /** Centre, to the right [px]. */
  u: number;
  /** Centre, downwards [px]. */
  v: number;
  /** Radius [px]. */
  r: number;
}

/** A mesh: cut into convex pieces that contain every triangle. */
export interface MeshObstacle {
  /** Name of the obstacle, unique, also among the robot's collision bodies. */
  name: string;
  /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
  ignore?: string[];
  /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
  attachedTo?: string;
  motion?: Course;
  type: "mesh";
  /** Pose of the mesh in the world. */
  origin?: {
    /** Translation [m]. */
    xyz: number[];
    /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
    rpy?: number[];
  };
  /** x, y, z of each vertex, one after the other [m]. */
  vertices: number[];
  /** Three numbers of vertices a triangle. */
  triangles: number[];
  /** Most convex pieces it is cut into. */
  pieces?: number;
}

/** The motion, or why there is none. */
export interface MotionAnswer {
  /**
   * `planned` and `late` carry a verified motion; `late` arrives after the time asked for. `budget-exhausted`:
   * none was found in the time allowed; `unreachable`: there is none that the planners could find.
   */
  status: "planned" | "late" | "unreachable" | "budget-exhausted";
  robot: string;
  groups: string[];
  /** Instant from which the motion holds, on the clock of the running one [s]; 0 without one. */
  from?: number;
  /** When it is there, from its start [s]. */
  arrival?: number;
  /** How much later than asked for [s]. */
  late?: number;
  /** Index of the goal that it reaches. */
  goal?: number;
  /** Joint positions at the end [rad or m]. */
  joints?: number[];
  /** Where the goal's frame is at the end, in the world [m]. */
  framePosition?: number[];
  /** Its orientation (x, y, z, w). */
  frameQuaternion?: number[];
  motion?: ClosedMotion;
  /** Length of the way in joint space [rad]. */
  pathLength?: number;
  /** Least distance of any checked pair of bodies, at samples of the way [m]; none beyond 0.15. */
  clearance?: number;
  /** Greatest speed of the goal's frame, at samples of the way [m/s]. */
  toolSpeed?: number;
  peaks?: JointPeak[];
  /**
   * What the last check found right before the motion left: `start`, `goal`, `limits`, and `motion` where the
   * robot has bodies.
   */
  verified?: string[];
  samples?: SampledMotion;
  exports?: MotionExports;
  /** Why there is no motion, or why it is late. */
  reasons?: MotionReason[];
  statistics: MotionStatistics;
}

/** The motion in the formats asked for. */
export interface MotionExports {
  /** Time, positions, velocities and accelerations, a row a sample. */
  csv?: string;
  /** A trajectory_msgs/JointTrajectory as JSON. */
  ros?: unknown;
  /** Program with cubic spline points: positions and velocities. */
  ur?: string;
}

/** Where to go: `joints`, `posture`, `position`, or `course`, exactly one of them. */
export interface MotionGoal {
  /** Joint positions, by name, or a list in the order of the group or of the robot [rad or m]. */
  joints?: number[] | Record<string, number>;
  /** A stored posture of the robot. */
  posture?: string;
  /** Where the frame's origin is to be in the world [m]. */
  position?: number[];
  course?: Course;
  /** Link that is to get there; default: the tip of the group. */
  frame?: string;
  /** Orientation of the frame in the world (x, y, z, w); need not be of length 1. */
  quaternion?: number[];
  /** The same as roll, pitch and yaw [rad], instead of the quaternion. */
  rpy?: number[];
  /**
   * What of the orientation does not matter: nothing; the roll about the frame's z axis; that, and the z axis
   * within `cone` of the wanted one; all of it. Default: `none`, and `orientation` where no orientation is given.
   */
  free?: "none" | "roll" | "cone" | "orientation";
  /** Half angle of the cone [rad]. */
  cone?: number;
}

/** Limits of the motion. */
export interface MotionLimits {
  /** Share of each joint's greatest speed that may be used. */
  velocityScale?: number;
  /** Share of each joint's greatest acceleration that may be used. */
  accelerationScale?: number;
  /** Share of each joint's greatest jerk that may be used. */
  jerkScale?: number;
  /**
   * Greatest jerk [rad/s³ or m/s³]; default: that of the robot's description, and where it says nothing what takes
   * 0.1 s to the full acceleration.
   */
  jerk?: number | number[] | Record<string, number>;
  /** Greatest speed of the goal's frame [m/s]. */
  toolSpeed?: number;
  /** Share of each joint's greatest torque or force; without it torques are reported, not limited. */
  torqueScale?: number;
}

/**
 * Object that no body of the robot may touch on the whole way; with `motion` it is described in its own moving
 * frame.
 */
export type MotionObstacle =
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      motion?: Course;
      /** A ball. */
      type: "sphere";
      /** Centre [m]. */
      center: number[];
      /** Radius [m]. */
      radius: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      motion?: Course;
      /** All points nearer than the radius to a segment. */
      type: "capsule";
      /** One end of the segment [m]. */
      from: number[];
      /** Other end of the segment [m]. */
      to: number[];
      /** Radius [m]. */
      radius: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      motion?: Course;
      /** A box, by its centre pose and size. */
      type: "box";
      /** Pose of the box's centre in the world. */
      origin: {
        /** Translation [m]. */
        xyz: number[];
        /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
        rpy?: number[];
      };
      /** Edge lengths in x, y, z [m]; all positive. */
      size: number[];
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      motion?: Course;
      /** All points x with normal·x < offset. */
      type: "half-space";
      /** Normal, pointing to the free side; need not be of length 1, must not be zero. */
      normal: number[];
      /** Distance of the plane from the world's origin along the unit normal [m]. */
      offset: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      motion?: Course;
      /** The convex hull of some points, grown by a radius. */
      type: "hull";
      /** Points of the hull [m]. */
      points: number[][];
      /** Radius swept around the hull [m]; default 0. */
      radius?: number;
    }
  | MeshObstacle
  | HeightMapObstacle
  | PointsObstacle;

/** Why there is no motion. */
export interface MotionReason {
  /** What stands in the way. */
  kind: "out-of-reach" | "collision" | "too-fast" | "line" | "limits" | "budget" | "unproven";
  /** The reason in words, with names and figures. */
  sentence: string;
  /** The two bodies that would touch. */
  bodies?: string[];
  /** Index of the goal. */
  goal?: number;
  /** Amount [m]. */
  distance?: number;
  /** When on the motion, or how much too late [s]. */
  time?: number;
}

/** Where to go, from which state, when, and among which obstacles. */
export interface MotionRequest {
  /** Name of a robot: GET /v1/robots. */
  robot?: string;
  /** Group of joints that moves, or several that move together; default: the first that can catch, or the first. */
  group?: string | string[];
  start?: MotionStart;
  running?: RunningMotion;
  goal?: MotionGoal;
  /** Several goals: any of them will do. */
  goals?: MotionGoal[];
  /** Places to pass on the way, in this order; the motion comes to rest at each. */
  via?: MotionGoal[];
  /** The goal's frame goes to it in a straight line, turning evenly. */
  line?: {
    /** Greatest distance from the line [m]; default 0.0005. */
    tolerance?: number;
  };
  when?: MotionTime;
  limits?: MotionLimits;
  /** Objects that no body of the robot may touch on the whole way: standing, held or moving. */
  obstacles?: MotionObstacle[];
  /** `auto`: the straight motion, then the path planners; or one of them alone. */
  planner?: "auto" | "straight" | "rrt-connect" | "lazy-prm";
  /** Of all random choices. */
  seed?: number;
  /** How long to search. */
  budget?: {
    /** Wall-clock time of the whole answer [ms]; default: that of the service's configuration, none in a program. */
    milliseconds?: number;
    /** Configurations that a path search may look at. */
    samples?: number;
    /** Further searches for a shorter motion once one is found. */
    improve?: number;
  };
  /** `none` leaves out `clearance`, `toolSpeed` and `peaks`, which take longer than a straight motion does. */
  figures?: "all" | "none";
  /** Also give the motion sampled in time. */
  sample?: {
    /** Samples per second [Hz]. */
    rateHz: number;
  };
  /** Also give the motion in these formats, at the rate of `sample`, or 100 a second. */
  export?: Array<"csv" | "ros" | "ur">;
}

/** State of the robot at t = 0. */
export interface MotionStart {
  /** Stored posture: where all joints stand that are not given otherwise. */
  posture?: string;
  /** Joint positions, by joint name, or a list in the order of the group or of the robot [rad or m]. */
  position?: number[] | Record<string, number>;
  /** Joint velocities, in the same form [rad/s or m/s]; default: standing still. */
  velocity?: number[] | Record<string, number>;
  /** Joint accelerations, in the same form [rad/s² or m/s²]; default zero. */
  acceleration?: number[] | Record<string, number>;
}

/** What the motion took. */
export interface MotionStatistics {
  /** What found the motion; `auto` if nothing did. */
  planner: "auto" | "straight" | "rrt-connect" | "lazy-prm";
  /** Configurations that were looked at. */
  samples: number;
  /** Motions that were checked. */
  attempts: number;
  /** Time spent planning [ms]; 0 where no clock was given. */
  milliseconds: number;
}

/** When to arrive, counted from the start of the motion: as soon as possible, at a time, or within a window. */
export interface MotionTime {
  /** Exactly then [s]; the best effort, and how much too late, if that is too soon. */
  at?: number;
  /** Not before [s]. */
  earliest?: number;
  /** Not after [s]. */
  latest?: number;
}

export interface NodeControl {
  action: "stop" | "start" | "restart";
}

/** Object in the world, or held, that no body of the robot may touch, at the catch and on the whole way. */
export type Obstacle =
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      /** A ball. */
      type: "sphere";
      /** Centre [m]. */
      center: number[];
      /** Radius [m]. */
      radius: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      /** All points nearer than the radius to a segment. */
      type: "capsule";
      /** One end of the segment [m]. */
      from: number[];
      /** Other end of the segment [m]. */
      to: number[];
      /** Radius [m]. */
      radius: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      /** A box, by its centre pose and size. */
      type: "box";
      /** Pose of the box's centre in the world. */
      origin: {
        /** Translation [m]. */
        xyz: number[];
        /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
        rpy?: number[];
      };
      /** Edge lengths in x, y, z [m]; all positive. */
      size: number[];
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      /** All points x with normal·x < offset. */
      type: "half-space";
      /** Normal, pointing to the free side; need not be of length 1, must not be zero. */
      normal: number[];
      /** Distance of the plane from the world's origin along the unit normal [m]. */
      offset: number;
    }
  | {
      /** Name of the obstacle, unique, also among the robot's collision bodies. */
      name: string;
      /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
      ignore?: string[];
      /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
      attachedTo?: string;
      /** The convex hull of some points, grown by a radius. */
      type: "hull";
      /** Points of the hull [m]. */
      points: number[][];
      /** Radius swept around the hull [m]; default 0. */
      radius?: number;
    };

/** Where, when and how to catch the ball, or why it cannot be caught. */
export interface PlanAnswer {
  /**
   * `solved` and `feasible` carry a verified plan; `feasible` is not proven optimal. `budget-exhausted`: none was
   * found in the time allowed.
   */
  status: "solved" | "feasible" | "unreachable" | "budget-exhausted";
  robot: string;
  /** The arm that catches; for an unreachable ball the one that comes nearest. */
  group: string;
  /**
   * What to optimise: the smallest accelerations, the latest catch, the earliest arrival, or the most probable
   * catch.
   */
  mode: "soft" | "latest" | "cool" | "sure";
  /**
   * `none`: the body was not asked to help, or has no rule; `moved`: torso and base move, as listed in `ramps`;
   * `stayed`: that would gain nothing, or did not pass the check. For an unreachable ball: what its reasons were
   * computed with.
   */
  body: "none" | "moved" | "stayed";
  catch?: Catch;
  /** The joints that move, in the group's order; where the body moves, then those of base, torso and neck. */
  ramps?: Ramp[];
  motion?: ClosedMotion;
  /** Value of the mode's objective. */
  objective?: number;
  /** Least distance of the hand to a keep-out shape [m]; none without shapes. */
  clearance?: number;
  /**
   * What an independent check found right before the plan left: `limits`, `ramps` and `hand` always, what `verify`
   * asked for of the rest, where the robot has bodies to check, and `body` where that moves. `hand-keep-out` is
   * about the hand at the catch alone; `motion` is the whole robot on the whole way, against itself and, where
   * `obstacles` is listed too, against every obstacle of sidecar and request.
   */
  verified?: string[];
  /** Probability that the ball is within the hand's tolerances, if a covariance is known. */
  successProbability?: number;
  /** Where the covariance behind it is from: the request, its samples, or assumed (mode `sure`). */
  covariance?: "given" | "fitted" | "assumed";
  samples?: SampledMotion;
  /** Why an unreachable ball cannot be caught; the most important reason first. */
  reasons?: Reason[];
  statistics: PlanStatistics;
}

/** Flight of the ball and state of the robot. */
export interface PlanRequest {
  /** Name of a robot: GET /v1/robots. */
  robot?: string;
  /** Arm that catches, or `any`: the arm with the better plan. */
  group?: string;
  /**
   * What to optimise: the smallest accelerations, the latest catch, the earliest arrival, or the most probable
   * catch.
   */
  mode?: "soft" | "latest" | "cool" | "sure";
  start?: Start;
  ball: Ball;
  /** Limits to scale down. */
  limits?: {
    /** Share of each joint's greatest speed that may be used. */
    velocityScale?: number;
    /** Share of each joint's greatest acceleration that may be used. */
    accelerationScale?: number;
    /**
     * Greatest jerk of the arm's joints [rad/s³ or m/s³]; `robot`: that of the robot's description. The answer then
     * has `motion`, which keeps it and is what to execute. Default: no limit, and `ramps`.
     */
    jerk?: "robot" | number;
  };
  /** When the ball may be caught. */
  catchTime?: {
    /** Not before [s]. */
    earliest?: number;
    /** Not after [s]. */
    latest?: number;
  };
  /**
   * Where the hand must not catch, in addition to the robot's own shapes. They bound the hand's place at the catch
   * and nothing else; what no body may touch on the way is in `obstacles`.
   */
  handKeepOut?: Array<
    | {
        /** Name of the shape, unique in the request. */
        name: string;
        /** Link in whose frame the shape stands; default: the world. */
        link?: string;
        /** A ball. */
        type: "sphere";
        /** Centre [m]. */
        center: number[];
        /** Radius [m]. */
        radius: number;
      }
    | {
        /** Name of the shape, unique in the request. */
        name: string;
        /** Link in whose frame the shape stands; default: the world. */
        link?: string;
        /** All points nearer than the radius to a segment. */
        type: "capsule";
        /** One end of the segment [m]. */
        from: number[];
        /** Other end of the segment [m]. */
        to: number[];
        /** Radius [m]. */
        radius: number;
      }
    | {
        /** Name of the shape, unique in the request. */
        name: string;
        /** Link in whose frame the shape stands; default: the world. */
        link?: string;
        /** A right circular cylinder with flat ends. */
        type: "cylinder";
        /** Centre of one end [m]. */
        from: number[];
        /** Centre of the other end [m]. */
        to: number[];
        /** Radius [m]. */
        radius: number;
      }
    | {
        /** Name of the shape, unique in the request. */
        name: string;
        /** Link in whose frame the shape stands; default: the world. */
        link?: string;
        /** A box, by its centre's pose and its size. */
        type: "box";
        origin: {
          /** Translation [m]. */
          xyz: number[];
          /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
          rpy?: number[];
        };
        /** Edge lengths in x, y, z [m]; all positive. */
        size: number[];
      }
    | {
        /** Name of the shape, unique in the request. */
        name: string;
        /** Link in whose frame the shape stands; default: the world. */
        link?: string;
        /** All points x with normal·x < offset. */
        type: "half-space";
        /** Normal, pointing to the free side; need not be of length 1, must not be zero. */
        normal: number[];
        /** Distance of the plane from the frame's origin along the unit normal [m]. */
        offset: number;
      }
  >;
  /** Objects in the world, or held, that no body of the robot may touch, at the catch and on the whole way. */
  obstacles?: Obstacle[];
  /** An earlier catch of the same ball: one solve from there; the global search follows only if it finds no catch. */
  near?: {
    /** Joint positions at that catch, in the group's order [rad or m]. */
    joints: number[];
    /** Its time, on this request's clock [s]. */
    time: number;
  };
  /** How long to search. */
  budget?: {
    /** Wall-clock time [ms]; default: that of the service's configuration, none in a program. */
    milliseconds?: number;
    /** Starts of the multi-start search. */
    starts?: number;
  };
  /** `rule`: torso and base move the hand nearer to the ball's path, if the robot has a rule for it. */
  body?: "none" | "rule";
  /**
   * What the independent check tests before a plan is returned. `limits` and `hand` are always checked: a plan
   * that breaks them is no plan. The search keeps its constraints in any case.
   */
  verify?: Array<"limits" | "hand" | "hand-keep-out" | "clearance" | "motion">;
  /** Parameters of the success probability, in addition to the robot's cameras. */
  perception?: {
    /** Time of the last measurement [s]; default: the state's time, or that of the last sample. */
    lastMeasurement?: number;
    /** Standard deviation of the ball's centre in an image [px]. */
    pixelSigma?: number;
    /** From an image's arrival until the arm follows the plan made of it [s]. */
    processingTime?: number;
    /** Standard deviation of the hand about its planned place, in each direction [m]. */
    servoSigma?: number;
  };
  /** Also give the motion sampled in time. */
  sample?: {
    /** Samples per second [Hz]. */
    rateHz: number;
  };
}

/** What the plan took. */
export interface PlanStatistics {
  /** Which solver polished the starts. */
  solver: "sqp" | "nlopt";
  /** Starts that were polished. */
  starts: number;
  /** Iterations of the solver, in all. */
  iterations: number;
  /** Evaluations of the problem, in all. */
  evaluations: number;
  /** Time spent planning [ms]; 0 where no clock was given. */
  milliseconds: number;
}

/** A point cloud: boxes around neighbouring points, grown by a radius. */
export interface PointsObstacle {
  /** Name of the obstacle, unique, also among the robot's collision bodies. */
  name: string;
  /** Bodies of the robot that may touch it, such as those that stand on a floor or a table. */
  ignore?: string[];
  /** Link of the robot that carries it, as a hand does what it holds: the shape is then in the link's frame. */
  attachedTo?: string;
  motion?: Course;
  type: "points";
  /** Pose of the points' frame in the world. */
  origin?: {
    /** Translation [m]. */
    xyz: number[];
    /** Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero. */
    rpy?: number[];
  };
  /** x, y, z of each point, one after the other [m]. */
  points: number[];
  /** Around each point [m]. */
  radius?: number;
  /** Largest edge of a box [m]; larger where there would be too many. */
  resolution?: number;
}

export interface Pose {
  /** In the world [m]. */
  position: number[];
  /** Quaternion (x, y, z, w). */
  orientation: number[];
}

/** A problem document (RFC 9457). */
export interface Problem {
  /** Where the code is explained, relative to the service. */
  type: string;
  /** What the code means. */
  title: string;
  /** HTTP status. */
  status: number;
  /** What happened this time. */
  detail: string;
  /** Code of the error, as in docs/errors.md. */
  code: string;
  /** What to do about it. */
  remedy: string;
  /** Names the request in the service's log. */
  requestId?: string;
  /** The fields that are wrong. */
  errors?: Array<{
    /** JSON pointer of the field, as a URI fragment (RFC 6901). */
    pointer: string;
    /** Part of the request: body, querystring, params, headers. */
    in?: string;
    expected?: string;
    found?: string;
  }>;
}

/** Motion of one joint in closed form. */
export interface Ramp {
  /** Joint name. */
  joint: string;
  /** Position at t = 0 [rad or m]. */
  q0: number;
  /** Velocity at t = 0 [rad/s or m/s]. */
  w0: number;
  /** Acceleration until tb, braking to the speed limit; 0 if the start keeps it. */
  ab: number;
  /** End of that first braking phase [s]; 0 if there is none. */
  tb: number;
  /** Acceleration from tb to t1; −a from t2 to T [rad/s² or m/s²]. */
  a: number;
  /** End of the acceleration [s]; constant speed from here. */
  t1: number;
  /** Start of the deceleration [s]. */
  t2: number;
  /** End of the motion, at rest [s]. */
  T: number;
  /** Position at the end [rad or m]. */
  q: number;
  /** Greatest torque or force on the way, by inverse dynamics [N·m or N]. */
  peakTorque: number;
  /** The same as a share of the joint's limit. */
  torqueRatio?: number;
}

export interface Readiness {
  status: "ready";
  components: string[];
}

/** Why the ball cannot be caught. */
export interface Reason {
  /** Which constraint is violated. */
  kind: "out-of-reach" | "too-fast" | "orientation" | "keep-out" | "collision" | "overshoot" | "no-flight" | "budget";
  /** The reason in words, with figures. */
  sentence: string;
  /** Amount [m]. */
  distance?: number;
  /** Amount [s]. */
  time?: number;
  /** Amount [rad]. */
  angle?: number;
  /** The joint that is too slow or leaves its range. */
  joint?: string;
  /** The keep-out shape that is entered. */
  shape?: string;
  /** Time of the best candidate [s]. */
  at?: number;
}

export interface Recording {
  id: string;
  url: string;
  origin: "uploaded" | "shipped";
  title: string;
  /** Robot that was recorded; null for balls alone. */
  robot: string | null;
  /** images, circles, points or truth. */
  perception: string;
  labels: string[];
  /** [s] */
  duration: number;
  /** What could not be read. */
  problems: string[];
}

export interface RecordingList {
  recordings: Recording[];
}

export interface RecordingSwitch {
  on: boolean;
}

export interface ReplayRequest {
  /** Identities of the recordings to replay. */
  recordings: string[];
  /** Another robot to catch. */
  robot?: string;
  /**
   * What to optimise: the smallest accelerations, the latest catch, the earliest arrival, or the most probable
   * catch.
   */
  mode?: "soft" | "latest" | "cool" | "sure";
  /** Whether torso and platform help. */
  body?: "rule" | "stand";
  /** Check each plan as a whole, or also each command; default: motion. */
  monitor?: "motion" | "full";
  /** Input; default: the first that was recorded. */
  input?: "images" | "circles" | "points";
  /** Start time in the recording [s]. */
  from?: number;
  /** End time in the recording [s]. */
  to?: number;
  /** Starts of the planner's search. */
  starts?: number;
  /** Settings of the tracker. */
  tracker?: {
    detectionProbability?: number;
    clutterPerImage?: number;
    clutterPerPointScan?: number;
    outlierRate?: number;
    outlierTime?: number;
    outlierFactor?: number;
    pointBias?: number;
    pointBiasTime?: number;
    birthRate?: number;
    roomVolume?: number;
    gateProbability?: number;
    accelerationNoise?: number;
    dragSigma?: number;
    liftSigma?: number;
    poseInflation?: number;
    throwSpeed?: number;
    carrySpeed?: number;
    carryAcceleration?: number;
    carryTime?: number;
    walkAcceleration?: number;
    walkTime?: number;
    swingAcceleration?: number;
    swingTime?: number;
    releaseJump?: number;
    releaseTime?: number;
    catchJump?: number;
    flyingPrior?: number;
    walkPrior?: number;
    swingPrior?: number;
    throwRate?: number;
    releaseRate?: number;
    catchRate?: number;
    touchRate?: number;
    bounceRate?: number;
    restitution?: number;
    grip?: number;
    bounceSigma?: number;
    walkRate?: number;
    restRate?: number;
    swingRate?: number;
    calmRate?: number;
    occlusionRate?: number;
    occlusionTime?: number;
    deathRate?: number;
    goneProbability?: number;
    longestCoast?: number;
    floorHeight?: number;
    confirmProbability?: number;
    confirmScans?: number;
    confirmTime?: number;
    maxHypotheses?: number;
    maxTracks?: number;
    scanDepth?: number;
    pruneRatio?: number;
    lateScans?: number;
  };
  /** full: with all pictures; brief: faster; default: full. */
  detail?: "full" | "brief";
}

export interface ReplayState {
  id: string;
  /** Address of the state. */
  url: string;
  /** Address of its server-sent events. */
  events: string;
  recordings: string[];
  state: "running" | "done" | "failed" | "cancelled";
  /** Share done. */
  progress: number;
  /** The result. */
  summary?: Record<string, unknown>;
  /** Address of the report, a web page. */
  report?: string;
  /** Address of the result, as JSON. */
  result?: string;
  problem?: {
    code: string;
    detail: string;
  };
}

export interface RobotDescription {
  name: string;
  description: string;
  /** The independent joints, in the order of every joint vector of the robot. */
  joints: Array<{
    name: string;
    kind: "revolute" | "prismatic";
    /** Lowest position [rad or m]; null without limit. */
    lower: number | null;
    /** Highest position [rad or m]; null without limit. */
    upper: number | null;
    /** Greatest speed [rad/s or m/s]; null where unknown. */
    velocity: number | null;
    /** Greatest acceleration [rad/s² or m/s²]; null where unknown. */
    acceleration: number | null;
    /** Greatest torque or force [N·m or N]; null where unknown. */
    effort: number | null;
  }>;
  /** Joints that are planned together. */
  groups: Array<{
    name: string;
    /** From base to tip. */
    joints: string[];
    baseLink: string;
    tipLink: string;
  }>;
  /** Link that plays each role. */
  frames: Record<string, string>;
  /** Named positions of all joints [rad or m]. */
  postures: Record<string, number[]>;
}

export interface RobotList {
  /** Robot of the profile the service runs. */
  default: string;
  robots: Array<{
    name: string;
    /** Where its description is. */
    url: string;
  }>;
}

export interface RobotScene {
  name: string;
  /** Names of the degrees of freedom, in the order of joint vectors. */
  joints: string[];
  links: Array<{
    name: string;
    /** Index of the parent, which comes before it; −1 for the root. */
    parent: number;
    /** Rotation by rows, then position [m]: 12 numbers. */
    parentFromLink: number[];
    joint: {
      kind: "revolute" | "prismatic";
      axis: number[];
      /** Position = offset + Σ factor · q[dof] [rad or m]. */
      offset: number;
      terms: Array<{
        dof: number;
        factor: number;
      }>;
    } | null;
    visuals: Array<{
      geometry:
        | {
            type: "box";
            size: number[];
          }
        | {
            type: "sphere";
            radius: number;
          }
        | {
            type: "cylinder";
            radius: number;
            length: number;
          }
        | {
            type: "capsule";
            radius: number;
            length: number;
          }
        | {
            type: "mesh";
            /** x, y, z of each vertex [m]: 32-bit floats, little-endian, in base64. */
            positions: string;
            /** Three vertices a triangle: 32-bit integers, little-endian, in base64. */
            triangles: string;
          };
      /** Rotation by rows, then position [m]: 12 numbers. */
      origin: number[];
      color: number[] | null;
    }>;
  }>;
  /** What the safety monitor checks: the convex hull of the points, grown by the radius. */
  hulls: Array<{
    name: string;
    link: number;
    radius: number;
    /** In the link's frame [m]. */
    points: number[][];
  }>;
  frames: Record<string, number>;
  hands: Array<{
    name: string;
    catchLink: number;
  }>;
  cameras: {
    left: SceneCamera;
    right: SceneCamera;
  } | null;
  postures: Record<string, number[]>;
}

/**
 * A motion that is running: the new one begins in its state at an instant, and may replace it there without a
 * step.
 */
export interface RunningMotion {
  motion: ClosedMotion;
  /** Instant from which the new motion holds, on the clock of the running one [s]. */
  at: number;
}

/** The motion sampled in time, if requested. */
export interface SampledMotion {
  /** [s] */
  time: number[];
  /** Per time, in the order of `ramps` [rad or m]. */
  position: number[][];
  /** The same [rad/s or m/s]. */
  velocity: number[][];
}

export interface SceneCamera {
  width: number;
  height: number;
  fx: number;
  fy: number;
  cx: number;
  cy: number;
  /** Rotation by rows, then position [m]: 12 numbers. */
  headFromCamera: number[];
}

/** State of the robot at t = 0. */
export interface Start {
  /** Stored posture: where all joints stand that are not given otherwise. */
  posture?: string;
  /** Joint positions, by joint name, or a list in the order of the group or of the robot [rad or m]. */
  position?: number[] | Record<string, number>;
  /** Joint velocities, in the same form [rad/s or m/s]; default: standing still. */
  velocity?: number[] | Record<string, number>;
}

export interface StepRequest {
  ticks: number;
}

export interface StopAnswer {
  /** null: no braking command is known to have left. */
  braked: Braked | null;
  /** What is known, in words. */
  detail: string;
}

export interface SwitchedThread {
  /** The thread of the node. */
  thread: string;
  /** The nodes in it: they stop and start together. */
  nodes: string[];
  /** starting, running, stopped or failed. */
  state: string;
  /** Threads that took the place of another one. */
  restarts: number;
}

export interface ThrowRequest {
  /** Balls at a time; default 1. */
  balls?: number;
  /** A launch by its name; see the run's facts. */
  preset?: string;
  launches?: Launch[];
}

export interface TraceRequest {
  /** How long, by the wall clock [s]. */
  seconds: number;
}

export interface UploadedRobot {
  /** By which requests name it. */
  name: string;
  /** The URDF, as text. */
  urdf: string;
  /** The content of `robot.json`. */
  sidecar: Record<string, unknown>;
  /** Meshes and other files that the URDF names, by relative path, in Base64. */
  files?: Record<string, string>;
}
