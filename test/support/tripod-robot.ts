import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { packageRoot } from "../../src/runtime/package-root.js";

const shipped = join(packageRoot, "data", "robots", "ur10e-net");

/** What makes a robot see by two cameras on tripods: links that stand in the world, no IMU. */
export function tripodCameras({ aside = 0.4, rateHz = 25 } = {}): object {
  const forward = [-Math.PI / 2, 0, -Math.PI / 2];
  const link = (name: string, y: number) => ({ name, parent: "world", origin: { xyz: [-0.3, y, 1.7], rpy: forward } });
  const camera = (name: string) => ({
    ...{ name, link: name, width: 800, height: 600, horizontalFov: 1.2 },
    ...{ rateHz, latency: 0.02, exposure: 0.004 },
  });
  return {
    links: [link("leftEye", aside), link("rightEye", -aside)],
    cameras: [camera("leftEye"), camera("rightEye")],
    stereo: { left: "leftEye", right: "rightEye" },
    head: "leftEye",
  };
}

/** Writes a folder with an arm whose cameras stand on tripods; its path. */
export function writeTripodRobot(parent: string, options: Parameters<typeof tripodCameras>[0] = {}): string {
  const folder = join(parent, "ur10e-tripods");
  mkdirSync(folder, { recursive: true });
  const sidecar = JSON.parse(readFileSync(join(shipped, "robot.json"), "utf8"));
  const { head, links, ...sensors } = tripodCameras(options) as { head: string; links: object[] };
  const frames = { ...sidecar.frames, head };
  const text = JSON.stringify({ ...sidecar, ...sensors, links: [...(sidecar.links ?? []), ...links], frames });
  writeFileSync(join(folder, "robot.json"), text);
  copyFileSync(join(shipped, "ur10e-net.urdf"), join(folder, "ur10e-net.urdf"));
  return folder;
}

export function tripodRobot(parent: string, options: Parameters<typeof tripodCameras>[0] = {}): Robot {
  return loadRobot(writeTripodRobot(parent, options));
}
