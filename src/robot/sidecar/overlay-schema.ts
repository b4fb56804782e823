import Type, { type Static } from "typebox";
import { described, nonNegative, numbersByName, origin, positive, strictObject, vector } from "./sidecar-parts.js";
import { DistortionSchema } from "./sidecar-schema.js";

/**
 * What is laid over a robot's nominal numbers: `calibration.json` beside `robot.json` (what calibration found), or a
 * `truth` of the same shape (how a simulated robot really is, known to the simulator alone).
 *
 * Everything is stated against the nominal robot (URDF and sidecar), never against another overlay: where two overlays
 * name the same thing, the later one wins.
 */

const CameraOverlaySchema = strictObject("What replaces the camera's nominal values.", {
  fx: Type.Optional(positive("Focal length in x [px].")),
  fy: Type.Optional(positive("Focal length in y [px].")),
  cx: Type.Optional(Type.Number(described("Principal point in x [px]."))),
  cy: Type.Optional(Type.Number(described("Principal point in y [px]."))),
  distortion: Type.Optional(DistortionSchema),
  latency: Type.Optional(nonNegative("From mid-exposure to arrival [s].")),
  rowTime: Type.Optional(nonNegative("From the exposure of a row to that of the next [s].")),
});

const ImuOverlaySchema = strictObject("Deviation of the IMU from its nominal values: measured = scale · true + bias.", {
  latency: Type.Optional(nonNegative("From sample to arrival [s].")),
  gyroBias: Type.Optional(vector("Added to the true angular velocity by the gyroscope [rad/s].")),
  accelerometerBias: Type.Optional(vector("Added to the true specific force by the accelerometer [m/s²].")),
  gyroScale: Type.Optional(vector("Factor of each axis of the gyroscope; 1 is ideal.")),
  accelerometerScale: Type.Optional(vector("Factor of each axis of the accelerometer; 1 is ideal.")),
});

export const OverlaySchema = strictObject("An overlay: calibration.json, or a truth.", {
  $schema: Type.Optional(Type.String(described("For editors; ignored."))),
  schemaVersion: Type.Literal(1, described("Version of this format: 1.")),
  robot: Type.Optional(Type.String(described("Name of the robot it was made for; for information."))),
  date: Type.String({ maxLength: 40, description: "When it was made, ISO 8601." }),
  version: Type.String({ maxLength: 100, description: "Version of Flycatcher that made it." }),
  description: Type.Optional(Type.String({ maxLength: 10000, description: "What it is." })),
  jointOffsets: Type.Optional(
    numbersByName("By joint: joint position = measured position + offset [rad or m]; limits stay on the measured one."),
  ),
  jointCompliances: Type.Optional(
    Type.Record(
      Type.String(),
      nonNegative("Deflection per torque or force [rad/(N·m) or m/N]."),
      described("By joint: joint position = measured position + compliance · effort."),
    ),
  ),
  linkPoses: Type.Optional(
    Type.Record(
      Type.String(),
      origin("Correction of a link's mounting."),
      described("By link (cameras and IMU are links): applied in the link's frame after its nominal mounting."),
    ),
  ),
  cameras: Type.Optional(
    Type.Record(Type.String(), CameraOverlaySchema, described("Intrinsics and delays by camera name.")),
  ),
  imu: Type.Optional(ImuOverlaySchema),
  encoderLatency: Type.Optional(nonNegative("From encoder read to arrival [s].")),
  commandDelays: Type.Optional(
    Type.Record(
      Type.String(),
      nonNegative("From a command to the joint that follows it [s]."),
      described("By group: how late its joints follow their commands."),
    ),
  ),
  speedCeiling: Type.Optional(
    Type.Number({
      ...{ exclusiveMinimum: 0, maximum: 1 },
      description:
        "Share of each joint's speed limit that motions may use, above 0 and up to 1 [1]; `flycatcher bringup` raises it step by step.",
    }),
  ),
  gravityDirection: Type.Optional(vector("Direction of gravity in the root link's frame; not zero.")),
  markers: Type.Optional(
    Type.Record(Type.String(), vector("Position in the marker's link [m]."), described("Marker positions by name.")),
  ),
  residuals: Type.Optional(numbersByName("Root mean square of the residuals, by measurement; for information.")),
  standardDeviations: Type.Optional(numbersByName("Standard deviation of each fitted parameter; for information.")),
});

export type Overlay = Static<typeof OverlaySchema>;

/** The later overlay's entries replace those of the same name in the earlier one. */
export function layOver(earlier: Overlay, later: Overlay): Overlay {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    const below = merged[key];
    merged[key] = key !== "cameras" && isRecord(below) && isRecord(value) ? { ...below, ...value } : value;
  }
  if (earlier.cameras !== undefined && later.cameras !== undefined) {
    merged.cameras = layOverCameras(earlier.cameras, later.cameras);
  }
  return merged as Overlay;
}

type CameraOverlays = NonNullable<Overlay["cameras"]>;

function layOverCameras(earlier: CameraOverlays, later: CameraOverlays): CameraOverlays {
  const merged = new Map(Object.entries(earlier));
  for (const [name, camera] of Object.entries(later)) merged.set(name, { ...merged.get(name), ...camera });
  return Object.fromEntries(merged);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
