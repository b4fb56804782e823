import Type, { type Static } from "typebox";
import { described, name, nonNegative, positive, ratio, someParts, strictObject, vector } from "./sidecar-parts.js";

/** The `simulation` block of the sidecar: what the simulator adds to the ideal robot. */

const ServoSchema = strictObject("Position servo of a joint: stiffness and damping, or bandwidth and damping ratio.", {
  stiffness: Type.Optional(positive("Stiffness of the position servo [N·m/rad or N/m].")),
  damping: Type.Optional(nonNegative("Damping of the position servo [N·m·s/rad or N·s/m].")),
  bandwidthHz: Type.Optional(positive("Bandwidth of the servo [Hz], if stiffness and damping are not given.")),
  dampingRatio: Type.Optional(positive("Damping ratio that goes with `bandwidthHz`.")),
  armature: Type.Optional(nonNegative("Rotor inertia reflected to the joint [kg·m² or kg].")),
});

const ElasticModeSchema = strictObject("An elastic mode of the structure.", {
  name: name("Name of the mode, unique."),
  link: name("Link that shakes, with everything on it."),
  motion: Type.Union([Type.Literal("rotation"), Type.Literal("translation")], described("How it shakes.")),
  axis: vector("Axis of the motion in the link's frame; need not be of length 1, must not be zero."),
  frequencyHz: positive("Natural frequency [Hz]."),
  dampingRatio: nonNegative("Damping ratio."),
  peak: nonNegative("Peak amplitude under a fast arm motion [rad or m]."),
  excitedBy: Type.Array(name("Name of a group."), someParts("Groups whose motion excites it.")),
});

const ElasticitySchema = strictObject("Elasticity and slip, unknown to the controller.", {
  modes: Type.Array(ElasticModeSchema, someParts("Vibration modes.")),
  compliance: Type.Optional(
    Type.Record(
      Type.String(),
      nonNegative("Deflection per torque or force [rad/(N·m) or m/N]."),
      described("Static compliance by joint name."),
    ),
  ),
  maxDeflection: Type.Optional(nonNegative("Greatest static deflection of the torso [rad].")),
  maxSlip: Type.Optional(nonNegative("Greatest slip of the base's wheels in a catch [m].")),
});

const NoiseSchema = strictObject("Noise of simulated sensors in addition to `imu` and `encoders`.", {
  pixelNoise: Type.Optional(nonNegative("Standard deviation of image noise [gray values of 255].")),
  imageLatencyJitter: Type.Optional(nonNegative("Standard deviation of the image latency [s].")),
  imuLatencyJitter: Type.Optional(nonNegative("Standard deviation of the IMU latency [s].")),
  droppedFrames: Type.Optional(ratio("Share of images lost on the way.")),
});

const ContactSchema = strictObject("Contact of ball and hand.", {
  restitution: Type.Optional(ratio("Restitution of ball and hand, for information: `solref` sets it.")),
  friction: Type.Optional(vector("Sliding, torsional and rolling friction, as in MuJoCo.")),
  solref: Type.Optional(
    Type.Tuple(
      [Type.Number(), Type.Number()],
      described("MuJoCo's contact reference; negative: −stiffness, −damping."),
    ),
  ),
  solimp: Type.Optional(
    Type.Tuple(
      [Type.Number(), Type.Number(), Type.Number(), Type.Number(), Type.Number()],
      described("MuJoCo's contact impedance."),
    ),
  ),
});

export const SimulationSchema = strictObject("For the simulator alone.", {
  servo: Type.Optional(ServoSchema),
  jointServos: Type.Optional(
    Type.Record(Type.String(), ServoSchema, described("Servos that differ from `servo`, by joint name.")),
  ),
  elasticity: Type.Optional(ElasticitySchema),
  noise: Type.Optional(NoiseSchema),
  contact: Type.Optional(ContactSchema),
});

export type SidecarSimulation = Static<typeof SimulationSchema>;
