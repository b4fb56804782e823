import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import type { Robot, RobotCamera, RobotEncoders, RobotImu, RobotMarker } from "../robot.js";
import type { Overlay } from "../sidecar/overlay-schema.js";
import type { Sidecar, SidecarCamera } from "../sidecar/sidecar-schema.js";
import { inconsistent, lookupParts, type NameLookup, pointer } from "./name-lookup.js";

/** Cameras, IMU, encoders and markers of the sidecar, with the overlay laid over them. */
export type Sensors = Pick<Robot, "cameras" | "stereo" | "imu" | "encoders" | "markers">;

export function resolveSensors(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): Sensors {
  const cameras = sidecar.cameras ?? [];
  const names = lookupParts("camera", cameras, "/cameras");
  for (const name of Object.keys(overlay?.cameras ?? {})) {
    names.require(name, pointer("/cameras", name), "FLY_OVERLAY_REFERENCE");
  }
  const overlays = new Map(Object.entries(overlay?.cameras ?? {}));
  const imu = resolveImu(sidecar, overlay, links);
  return {
    cameras: cameras.map((camera, i) => resolveCamera(camera, overlays.get(camera.name), links, `/cameras/${i}`)),
    ...(sidecar.stereo === undefined
      ? {}
      : {
          stereo: {
            left: names.require(sidecar.stereo.left, "/stereo/left"),
            right: names.require(sidecar.stereo.right, "/stereo/right"),
          },
        }),
    ...(imu === undefined ? {} : { imu }),
    encoders: resolveEncoders(sidecar, overlay),
    markers: resolveMarkers(sidecar, overlay, links),
  };
}

type CameraOverlay = NonNullable<Overlay["cameras"]>[string];

function resolveCamera(
  camera: SidecarCamera,
  overlay: CameraOverlay | undefined,
  links: NameLookup,
  path: string,
): RobotCamera {
  const { name, width, height, rateHz, latency, exposure = 0 } = camera;
  const { distortion: distortionOverlay, ...replaced } = overlay ?? {};
  return {
    name,
    link: links.require(camera.link, `${path}/link`),
    width,
    height,
    ...intrinsics(camera, path),
    rateHz,
    latency,
    exposure,
    ...replaced,
    distortion: { k1: 0, k2: 0, p1: 0, p2: 0, k3: 0, ...camera.distortion, ...distortionOverlay },
  };
}

/** From the field of view, or as given; pixel centres are at whole numbers, so the image's centre is (width − 1)/2. */
function intrinsics(camera: SidecarCamera, path: string): Pick<RobotCamera, "fx" | "fy" | "cx" | "cy"> {
  const { width, height, horizontalFov, fx, fy, cx, cy } = camera;
  const given = [fx, fy, cx, cy].filter((value) => value !== undefined).length;
  if (horizontalFov !== undefined && given === 0) {
    const f = width / 2 / Math.tan(horizontalFov / 2);
    return { fx: f, fy: f, cx: (width - 1) / 2, cy: (height - 1) / 2 };
  }
  if (horizontalFov !== undefined || fx === undefined || fy === undefined || cx === undefined || cy === undefined) {
    const found = `${horizontalFov === undefined ? "no horizontalFov" : "horizontalFov"} and ${given} of fx, fy, cx, cy`;
    throw inconsistent(path, "either horizontalFov or all of fx, fy, cx, cy", found);
  }
  return { fx, fy, cx, cy };
}

function resolveImu(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): RobotImu | undefined {
  if (sidecar.imu === undefined) {
    if (overlay?.imu === undefined) return undefined;
    throw new FlycatcherError("FLY_OVERLAY_REFERENCE", "the robot has no IMU", { path: "/imu" });
  }
  const { gyroBias, accelerometerBias, gyroScale, accelerometerScale, ...replaced } = overlay?.imu ?? {};
  return {
    ...sidecar.imu,
    ...replaced,
    link: links.require(sidecar.imu.link, "/imu/link"),
    gyroBias: vec3.create(...(gyroBias ?? [0, 0, 0])),
    accelerometerBias: vec3.create(...(accelerometerBias ?? [0, 0, 0])),
    gyroScale: vec3.create(...(gyroScale ?? [1, 1, 1])),
    accelerometerScale: vec3.create(...(accelerometerScale ?? [1, 1, 1])),
  };
}

function resolveEncoders({ encoders }: Sidecar, overlay: Overlay | undefined): RobotEncoders {
  return {
    positionNoise: encoders?.positionNoise ?? 0,
    velocityNoise: encoders?.velocityNoise ?? 0,
    effortNoise: encoders?.effortNoise ?? 0,
    latency: overlay?.encoderLatency ?? encoders?.latency ?? 0,
  };
}

function resolveMarkers(sidecar: Sidecar, overlay: Overlay | undefined, links: NameLookup): RobotMarker[] {
  const markers = sidecar.markers ?? [];
  const names = lookupParts("marker", markers, "/markers");
  const moved = new Map(Object.entries(overlay?.markers ?? {}));
  for (const name of moved.keys()) names.require(name, pointer("/markers", name), "FLY_OVERLAY_REFERENCE");
  return markers.map(({ name, link, position }, i) => ({
    name,
    link: links.require(link, `/markers/${i}/link`),
    position: vec3.create(...(moved.get(name) ?? position)),
  }));
}
