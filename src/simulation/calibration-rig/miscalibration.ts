import type { CalibrationRig } from "../../calibration/parameters/calibration-rig.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import type { Overlay } from "../../robot/sidecar/overlay-schema.js";
import { packageVersion } from "../../runtime/package-root.js";

/** By how much a robot fresh from maintenance differs from its drawings: standard deviations unless said otherwise. */
const spread = {
  /** Joint offsets of arms and neck [rad]. */
  offset: 0.01,
  /** Least and greatest compliance of an arm's joint [rad/(N·m)]; LWR joints have some 1e-4. */
  compliance: [0.6e-4, 2e-4],
  /** Mounting of cameras and IMU [m], [rad]. */
  translation: 0.004,
  rotation: 0.01,
  /** Focal lengths, relative, and principal point [px]. */
  focal: 0.01,
  centre: 5,
  /** Least and greatest k1; k2 takes back a fifth of it. */
  radial: [-0.12, -0.03],
  tangential: 5e-4,
  /** Markers are pasted by hand [m]. */
  marker: 0.006,
  /** [rad/s], [m/s²], relative. */
  gyroBias: 0.005,
  accelerometerBias: 0.08,
  scale: 0.008,
  /** Tilt of the platform on its suspension [rad]. */
  tilt: 0.01,
  /** Least and greatest delay [s]. */
  cameraDelay: [0.035, 0.045],
  imuDelay: [0.012, 0.018],
} as const;

/**
 * How a miscalibrated robot really is: a truth overlay drawn from a seed. The offsets of the last joints of arms and neck
 * stay zero, since nothing can tell them from markers and mountings, and so does the compliance of an arm's last joint,
 * which carries no load.
 */
export function drawMiscalibration(rig: CalibrationRig, seed: number | string): Overlay {
  const random = new Random(seed).fork("miscalibration");
  const { model } = rig.robot;
  const groups = [rig.neck, ...rig.arms.map(({ group }) => group)];
  const inner = (dofs: readonly number[]) => dofs.slice(0, -1).map((dof) => model.dofNames[dof]!);
  const offsets = random.fork("offsets");
  const compliances = random.fork("compliances");
  const delays = random.fork("delays");
  const cameraDelay = delays.uniformIn(...spread.cameraDelay);
  const imuDelay = delays.uniformIn(...spread.imuDelay);
  return {
    schemaVersion: 1,
    robot: rig.robot.name,
    date: "2000-01-01T00:00:00Z",
    version: packageVersion,
    description: `a miscalibrated ${rig.robot.name}, seed ${seed}`,
    jointOffsets: byName(
      groups.flatMap(({ dofs }) => inner(dofs)),
      () => offsets.normalIn(0, spread.offset),
    ),
    jointCompliances: byName(
      rig.arms.flatMap(({ group }) => inner(group.dofs)),
      () => compliances.uniformIn(...spread.compliance),
    ),
    linkPoses: drawMountings(rig, random.fork("mountings")),
    cameras: drawCameras(rig, random.fork("cameras"), cameraDelay),
    imu: { latency: imuDelay, ...drawImu(random.fork("imu")) },
    gravityDirection: drawGravity(random.fork("gravity")),
    markers: drawMarkers(rig, random.fork("markers")),
  };
}

function byName(names: readonly string[], draw: () => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, draw()]));
}

type Triple = [number, number, number];

function triple(draw: () => number): Triple {
  return [draw(), draw(), draw()];
}

function drawMountings(rig: CalibrationRig, random: Random) {
  const links = [...rig.cameras.map(({ link }) => link), rig.imu.link].map((link) => rig.robot.model.linkNames[link]!);
  return Object.fromEntries(
    links.map((name) => [
      name,
      {
        xyz: triple(() => random.normalIn(0, spread.translation)),
        rpy: triple(() => random.normalIn(0, spread.rotation)),
      },
    ]),
  );
}

function drawCameras(rig: CalibrationRig, random: Random, latency: number) {
  return Object.fromEntries(
    rig.cameras.map(({ name, fx, fy, cx, cy, distortion }) => {
      const k1 = random.uniformIn(...spread.radial);
      const tangential = () => random.normalIn(0, spread.tangential);
      return [
        name,
        {
          fx: fx * (1 + random.normalIn(0, spread.focal)),
          fy: fy * (1 + random.normalIn(0, spread.focal)),
          cx: cx + random.normalIn(0, spread.centre),
          cy: cy + random.normalIn(0, spread.centre),
          distortion: { k1, k2: -0.2 * k1, p1: tangential(), p2: tangential(), k3: distortion.k3 },
          latency,
        },
      ];
    }),
  );
}

function drawImu(random: Random) {
  const { gyroBias, accelerometerBias, scale } = spread;
  return {
    gyroBias: triple(() => random.normalIn(0, gyroBias)),
    accelerometerBias: triple(() => random.normalIn(0, accelerometerBias)),
    gyroScale: triple(() => random.normalIn(1, scale)),
    accelerometerScale: triple(() => random.normalIn(1, scale)),
  };
}

function drawGravity(random: Random): Triple {
  const { tilt } = spread;
  const direction = vec3.create(random.normalIn(0, tilt), random.normalIn(0, tilt), -1);
  vec3.normalize(direction, direction);
  return [direction[0], direction[1], direction[2]];
}

function drawMarkers(rig: CalibrationRig, random: Random) {
  return Object.fromEntries(
    rig.arms.map(({ marker: { name, position } }) => [
      name,
      [position[0], position[1], position[2]].map((x) => x + random.normalIn(0, spread.marker)) as Triple,
    ]),
  );
}
