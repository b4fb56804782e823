import Type, { type Static } from "typebox";
import { AddedLinkSchema, MountSchema } from "./added-links.js";
import { ObstaclesSchema } from "./obstacle-schema.js";
import {
  described,
  mostParts,
  name,
  nonNegative,
  numbersByName,
  point,
  positive,
  shapeSchemas,
  someParts,
  strict,
  strictObject,
  vector,
} from "./sidecar-parts.js";
import { SimulationSchema } from "./sidecar-simulation.js";

/**
 * `data/robots/<name>/robot.json`: all that Flycatcher needs to know of a robot and that URDF cannot say.
 * SI units, radians, seconds. `docs/robots.md` lists every field.
 */

const GroupSchema = strictObject("Joints that move together, as one chain from `baseLink` to `tipLink`.", {
  name: name("Name of the group, unique."),
  kind: Type.Optional(
    Type.Union(
      [Type.Literal("srs-arm"), Type.Literal("arm"), Type.Literal("torso"), Type.Literal("neck"), Type.Literal("base")],
      described("What the group is; `srs-arm` (spherical, revolute, spherical) gets the analytic inverse kinematics."),
    ),
  ),
  joints: Type.Array(name("Name of an independent joint."), {
    minItems: 1,
    maxItems: mostParts,
    description: "Independent joints of the group, from base to tip; coupled joints are left out.",
  }),
  baseLink: name("Link the group is mounted on; it does not move with the group."),
  tipLink: name("Link the group moves; for an arm with a hand its catch link."),
  hand: Type.Optional(name("Name of the hand at the tip, if there is one.")),
  commandDelay: Type.Optional(nonNegative("How late its joints follow their commands [s]; default 0.")),
});

const JointLimitSchema = strictObject("Limits of one joint; of a dependent joint only `lower` and `upper` count.", {
  acceleration: Type.Optional(positive("Greatest acceleration [rad/s² or m/s²].")),
  deceleration: Type.Optional(positive("Greatest braking deceleration [rad/s² or m/s²]; default: the acceleration.")),
  jerk: Type.Optional(positive("Greatest jerk [rad/s³ or m/s³], instead of the URDF's.")),
  velocity: Type.Optional(positive("Greatest speed [rad/s or m/s], instead of the URDF's.")),
  effort: Type.Optional(positive("Greatest torque or force [N·m or N], instead of the URDF's.")),
  lower: Type.Optional(Type.Number(described("Lowest position [rad or m], instead of the URDF's."))),
  upper: Type.Optional(Type.Number(described("Highest position [rad or m], instead of the URDF's."))),
});

const CouplingSchema = strictObject("A dependent joint: position = Σ factor·joint + offset.", {
  joint: name("Dependent joint; it is no longer a degree of freedom."),
  terms: Type.Array(
    Type.Object(
      {
        joint: name("Joint it follows; may itself be dependent."),
        factor: Type.Number(described("Factor of that joint's position.")),
      },
      strict,
    ),
    { minItems: 1, maxItems: mostParts, description: "The joints it follows." },
  ),
  offset: Type.Optional(Type.Number(described("Constant part of its position [rad or m]; default 0."))),
});

const FramesSchema = strictObject("Which link plays which role; `world` defaults to the root link.", {
  world: Type.Optional(name("Link that stands still: where the platform stood at run start, z against gravity.")),
  base: Type.Optional(name("Link of the platform; moves with the mobile base.")),
  chest: Type.Optional(name("Link the arms are mounted on.")),
  head: Type.Optional(name("Link that carries cameras and IMU.")),
  catch: Type.Optional(name("Catch link of a one-armed robot.")),
  catchLeft: Type.Optional(name("Catch link of the left hand.")),
  catchRight: Type.Optional(name("Catch link of the right hand.")),
});

export const DistortionSchema = strictObject(
  "Brown–Conrady distortion in OpenCV's convention, on normalised image coordinates.",
  {
    k1: Type.Optional(Type.Number(described("Radial coefficient of r²; default 0."))),
    k2: Type.Optional(Type.Number(described("Radial coefficient of r⁴; default 0."))),
    p1: Type.Optional(Type.Number(described("First tangential coefficient; default 0."))),
    p2: Type.Optional(Type.Number(described("Second tangential coefficient; default 0."))),
    k3: Type.Optional(Type.Number(described("Radial coefficient of r⁶; default 0."))),
  },
);

const CameraSchema = strictObject("A camera on the robot.", {
  name: name("Name of the camera, unique."),
  link: name("Link of its optical frame: z forward, x right, y down."),
  width: Type.Integer({ minimum: 1, maximum: 20000, description: "Image width [px]." }),
  height: Type.Integer({ minimum: 1, maximum: 20000, description: "Image height [px]." }),
  horizontalFov: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      exclusiveMaximum: Math.PI,
      description: "Horizontal field of view [rad]; gives fx = fy and a central principal point. Or fx, fy, cx, cy.",
    }),
  ),
  fx: Type.Optional(positive("Focal length in x [px].")),
  fy: Type.Optional(positive("Focal length in y [px].")),
  cx: Type.Optional(Type.Number(described("Principal point in x [px]; pixel centres are at whole numbers."))),
  cy: Type.Optional(Type.Number(described("Principal point in y [px]; pixel centres are at whole numbers."))),
  distortion: Type.Optional(DistortionSchema),
  rateHz: positive("Images per second [Hz]."),
  latency: nonNegative("From mid-exposure to arrival [s]."),
  exposure: Type.Optional(nonNegative("Exposure time [s]; default 0.")),
  rowTime: Type.Optional(
    nonNegative("Rolling shutter: from the exposure of a row to that of the next [s]; default 0, a global shutter."),
  ),
});

const StereoSchema = strictObject("The two cameras the tracker uses as a stereo pair.", {
  left: name("Name of the left camera."),
  right: name("Name of the right camera."),
});

const ImuSchema = strictObject("The inertial measurement unit.", {
  link: name("Link whose frame the IMU measures in."),
  rateHz: positive("Samples per second [Hz]."),
  latency: nonNegative("From sample to arrival [s]."),
  gyroNoiseDensity: nonNegative("White noise of the gyroscope [rad/s/√Hz]."),
  accelerometerNoiseDensity: nonNegative("White noise of the accelerometer [m/s²/√Hz]."),
  gyroBiasWalk: nonNegative("Random walk of the gyroscope's bias [rad/s²/√Hz]."),
  accelerometerBiasWalk: nonNegative("Random walk of the accelerometer's bias [m/s³/√Hz]."),
});

const EncodersSchema = strictObject("Measurement of the joints.", {
  positionNoise: nonNegative("Standard deviation of a measured joint position [rad or m]."),
  velocityNoise: Type.Optional(nonNegative("Standard deviation of a measured joint speed [rad/s or m/s]; default 0.")),
  effortNoise: Type.Optional(nonNegative("Standard deviation of a measured torque or force [N·m or N]; default 0.")),
  latency: Type.Optional(nonNegative("From encoder read to arrival [s]; default 0.")),
});

const MouthSchema = strictObject(
  "The opening of a net, bucket, basket, cup or plate with a rim, in the plane of the catch link's x and y axes, and how deep it is behind.",
  {
    radius: Type.Optional(positive("Radius of a round opening [m].")),
    outline: Type.Optional(
      Type.Array(Type.Tuple([Type.Number(), Type.Number()]), {
        minItems: 3,
        maxItems: 100,
        description: "Corners of any other opening, in turn [m].",
      }),
    ),
    depth: positive("From the opening down to the bottom, along −z of the catch link [m]."),
  },
);

const HandSchema = strictObject("A hand that catches.", {
  name: name("Name of the hand, unique."),
  catchLink: name("Link in the middle of the open hand's opening, z axis against the ball's velocity."),
  joints: Type.Array(name("Name of an independent finger joint."), {
    maxItems: mostParts,
    description: "Independent finger joints; empty for a hand without moving fingers.",
  }),
  open: numbersByName("Open shape: position of each finger joint [rad or m]."),
  closed: numbersByName("Closed shape, caging a ball: position of each finger joint [rad or m]."),
  closingTime: nonNegative("From the closing command to the closed shape [s]."),
  closingLead: Type.Optional(
    nonNegative(
      "From the closing command to the ball's passing of the mouth [s]; a tenth of the closing time by default. Slow jaws begin early, as long as the ball still fits between them.",
    ),
  ),
  positionTolerance: positive("Greatest distance of ball and catch point that still catches [m]; 0.02 in the thesis."),
  timeTolerance: positive("Greatest error of the closing time that still catches [s]; 0.005 in the thesis."),
  mouth: Type.Optional(MouthSchema),
});

const HullSchema = strictObject("A collision body: the convex hull of some points, grown by a radius.", {
  name: name("Name of the body, unique."),
  link: name("Link the body belongs to; points are in its frame."),
  radius: nonNegative("Radius swept around the hull of the points [m]."),
  points: Type.Array(point, { minItems: 1, maxItems: 1000, description: "Points whose convex hull is swept [m]." }),
});

const CollisionSchema = strictObject("Bodies of the self-collision monitor.", {
  hulls: Type.Array(HullSchema, someParts("The collision bodies.")),
  pairs: Type.Optional(
    Type.Array(Type.Tuple([Type.String(), Type.String()]), {
      maxItems: 100_000,
      description:
        "Pairs of bodies to check, by name; default: all but those rigidly connected or joined by one joint.",
    }),
  ),
});

const keepOutCommon = {
  name: name("Name of the shape, unique."),
  link: name("Link in whose frame the shape stands."),
};

const { sphere, capsule, cylinder, box, halfSpace } = shapeSchemas(keepOutCommon, "link");

const KeepOutSchema = Type.Union(
  [sphere, capsule, cylinder, box, halfSpace],
  described("A region the hand must not enter at the catch."),
);

const BodyRuleSchema = strictObject(
  "How torso and base help the arm: the rule applied on the first valid prediction.",
  {
    parts: Type.Array(
      Type.Object(
        {
          group: name("Group that moves."),
          gain: nonNegative("Share of the wanted displacement the group takes."),
          maxDisplacement: Type.Array(nonNegative("Greatest displacement [rad or m]."), {
            maxItems: mostParts,
            description: "Greatest displacement of each joint of the group from its start [rad or m].",
          }),
        },
        strict,
      ),
      someParts("The groups that take part, first to last."),
    ),
    parameters: Type.Optional(numbersByName("Further numbers of the rule, by name, in SI units.")),
  },
);

const MarkerSchema = strictObject("A point marker the cameras can see, for calibration.", {
  name: name("Name of the marker, unique."),
  link: name("Link it is fixed to."),
  position: vector("Its position in the link's frame [m]."),
});

export const SidecarSchema = strictObject("The sidecar of a robot: robot.json.", {
  $schema: Type.Optional(Type.String(described("For editors; ignored."))),
  schemaVersion: Type.Literal(1, described("Version of this format: 1.")),
  urdf: Type.String({
    pattern: "^[A-Za-z0-9._-]+\\.(urdf|xacro)$",
    maxLength: 200,
    description: "File name of the URDF or xacro file, in the same folder.",
  }),
  description: Type.String({ maxLength: 10000, description: "What robot this is and where its numbers come from." }),
  links: Type.Optional(
    Type.Array(AddedLinkSchema, {
      maxItems: 100,
      description:
        "Links beside those of the URDF: catcher, catch frame, pedestal, tripods; a parent before its children.",
    }),
  ),
  mount: Type.Optional(MountSchema),
  groups: Type.Optional(Type.Array(GroupSchema, someParts("Groups of joints: arms, torso, neck, base."))),
  limits: Type.Optional(Type.Record(Type.String(), JointLimitSchema, described("Limits by joint name."))),
  couplings: Type.Optional(Type.Array(CouplingSchema, someParts("Joints that depend on others beyond URDF `mimic`."))),
  frames: Type.Optional(FramesSchema),
  cameras: Type.Optional(Type.Array(CameraSchema, someParts("Cameras."))),
  stereo: Type.Optional(StereoSchema),
  imu: Type.Optional(ImuSchema),
  encoders: Type.Optional(EncodersSchema),
  hands: Type.Optional(Type.Array(HandSchema, someParts("Hands."))),
  postures: Type.Optional(
    Type.Record(
      Type.String(),
      numbersByName("Position by joint name [rad or m]; a joint left out stands at 0, or at its nearest limit."),
      described("Named postures; catching needs `ready`, and `drop` to drop the ball."),
    ),
  ),
  collision: Type.Optional(CollisionSchema),
  handKeepOut: Type.Optional(
    Type.Array(
      KeepOutSchema,
      someParts(
        "Where the hand must not catch: nothing but its place at the catch. `obstacles` hold for the whole motion.",
      ),
    ),
  ),
  keepOut: Type.Optional(
    Type.Array(
      KeepOutSchema,
      someParts("The older name of `handKeepOut`, read in recordings; both together are refused."),
    ),
  ),
  obstacles: Type.Optional(ObstaclesSchema),
  bodyRule: Type.Optional(BodyRuleSchema),
  markers: Type.Optional(Type.Array(MarkerSchema, someParts("Point markers for calibration."))),
  simulation: Type.Optional(SimulationSchema),
});

export type Sidecar = Static<typeof SidecarSchema>;
export type SidecarGroup = Static<typeof GroupSchema>;
export type GroupKind = NonNullable<SidecarGroup["kind"]>;
export type SidecarCoupling = Static<typeof CouplingSchema>;
export type SidecarJointLimit = Static<typeof JointLimitSchema>;
export type SidecarCamera = Static<typeof CameraSchema>;
export type SidecarHand = Static<typeof HandSchema>;
export type SidecarKeepOut = Static<typeof KeepOutSchema>;
export type FrameRole = keyof Static<typeof FramesSchema>;
