import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { loadRobot, parseOverlay } from "../../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder } from "../../../src/robot/loading/robot-folders.js";
import { layOver, type Overlay } from "../../../src/robot/sidecar/overlay-schema.js";
import { expectCode, smallArm, smallArmFolder } from "../fixtures/small-arm.js";

const stamp = { schemaVersion: 1, date: "2026-01-02", version: "0.1.0" } as const;

/** A folder of robots with the small arm in it, made anew for each test. */
const root = mkdtempSync(join(tmpdir(), "flycatcher-robots-"));
const folder = join(root, "small-arm");
const sidecarFile = join(folder, "robot.json");
const urdfFile = join(folder, "small-arm.urdf");
const calibrationFile = join(folder, "calibration.json");

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const file of ["robot.json", "small-arm.urdf"]) copyFileSync(join(smallArmFolder, file), join(folder, file));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("loadRobot", () => {
  it("finds a robot by name, by folder, by sidecar and by URDF", () => {
    for (const robot of [loadRobot("small-arm", { root }), loadRobot(folder), loadRobot(sidecarFile)]) {
      expect(robot.name).toBe("small-arm");
      expect(robot.model.groups.map(({ name }) => name)).toEqual(["rail", "arm"]);
      expect(robot.hulls).toHaveLength(5);
    }
    const bare = loadRobot(urdfFile);
    expect(bare.name).toBe("small");
    expect(bare.model.groups).toEqual([]);
    expect(bare.postures.size).toBe(0);
  });

  it.each(["agile-justin", "lwr-arm", "iiwa-14", "panda"])("loads %s, which is shipped", (name) => {
    expect(listRobots()).toContain(name);
    expect(loadRobot(name).name).toBe(name);
  });

  it("lists the robots of a folder", () => {
    mkdirSync(join(root, "empty"), { recursive: true });
    expect(listRobots([root])).toEqual(["small-arm"]);
    expect(listRobots([join(root, "nowhere")])).toEqual([]);
    expect(robotsFolder).toMatch(/data.robots$/);
  });

  it.each(["nobody", "../small-arm", "", ".", "nowhere.urdf", "package.json/x"])("does not know %j", (name) => {
    const error = expectCode(() => loadRobot(name, { root }), "FLY_ROBOT_UNKNOWN");
    expect(error.details.expected).toContain("small-arm");
  });

  it("refuses a sidecar that is not JSON", () => {
    writeFileSync(sidecarFile, "{ schemaVersion: 1 }");
    expectCode(() => loadRobot("small-arm", { root }), "FLY_JSON_MALFORMED", sidecarFile);
  });

  it("refuses a sidecar that breaks its schema, with the path", () => {
    writeFileSync(sidecarFile, JSON.stringify({ schemaVersion: 1, urdf: "small-arm.urdf", description: 3 }));
    const error = expectCode(() => loadRobot("small-arm", { root }), "FLY_SIDECAR_INVALID", "/description");
    expect(error.message).toContain("robot.json");
  });

  it("refuses a sidecar whose URDF is missing, or is a folder", () => {
    rmSync(urdfFile);
    expectCode(() => loadRobot("small-arm", { root }), "FLY_FILE_UNREADABLE", urdfFile);
    mkdirSync(urdfFile);
    expectCode(() => loadRobot("small-arm", { root }), "FLY_FILE_UNREADABLE", urdfFile);
  });

  it("refuses files of absurd size without reading them", () => {
    truncateSync(urdfFile, 2 ** 31);
    expectCode(() => loadRobot("small-arm", { root }), "FLY_URDF_TOO_LARGE", urdfFile);
    truncateSync(sidecarFile, 2 ** 31);
    expectCode(() => loadRobot("small-arm", { root }), "FLY_FILE_TOO_LARGE", sidecarFile);
  });

  it("refuses a bad URDF with the element", () => {
    writeFileSync(urdfFile, `<robot name="r"><link name="a"/><link name="a"/></robot>`);
    expectCode(() => loadRobot("small-arm", { root }), "FLY_URDF_DUPLICATE", "robot/link[a]");
  });
});

describe("overlays", () => {
  const calibration: Overlay = {
    ...stamp,
    jointOffsets: { elbow: 0.01, wrist: 0.02 },
    cameras: { left: { fx: 700, distortion: { k1: 0.1 } } },
    imu: { gyroBias: [1, 2, 3] },
  };
  const truth: Overlay = {
    ...stamp,
    date: "2026-03-04",
    jointOffsets: { wrist: 0.03 },
    cameras: { left: { latency: 0.05 }, right: { distortion: { k2: 0.2 } } },
    imu: { latency: 0.007 },
  };
  const offset = (robot: ReturnType<typeof loadRobot>, joint: string) =>
    robot.model.jointOffset[robot.model.jointNames.indexOf(joint)];

  it("calibration.json beside the sidecar counts unless another or none is asked for", () => {
    writeFileSync(calibrationFile, JSON.stringify(calibration));
    expect(offset(loadRobot("small-arm", { root }), "elbow")).toBe(0.01);
    expect(offset(loadRobot("small-arm", { root, calibration: "none" }), "elbow")).toBe(0);
    const other = { ...stamp, jointOffsets: { elbow: 0.5 } };
    expect(offset(loadRobot("small-arm", { root, calibration: other }), "elbow")).toBe(0.5);
    expect(offset(loadRobot(urdfFile), "elbow")).toBe(0);
    expect(offset(loadRobot(urdfFile, { calibration: { ...stamp, jointOffsets: { elbow: 0.4 } } }), "elbow")).toBe(0.4);
  });

  it("a truth is laid over the calibration, name by name", () => {
    const truthFile = join(folder, "truth.json");
    writeFileSync(truthFile, JSON.stringify(truth));
    const robot = loadRobot("small-arm", { root, calibration, truth: truthFile });
    expect([offset(robot, "elbow"), offset(robot, "wrist")]).toEqual([0.01, 0.03]);
    expect(robot.cameras[0]).toMatchObject({ fx: 700, latency: 0.05 });
    expect(robot.cameras[0]!.distortion.k1).toBe(0.1);
    expect(robot.cameras[1]!.distortion).toEqual({ k1: -0.1, k2: 0.2, p1: 0, p2: 0.001, k3: 0 });
    expect([...robot.imu!.gyroBias, robot.imu!.latency]).toEqual([1, 2, 3, 0.007]);
    expect(robot.overlays).toEqual([
      { kind: "calibration", date: "2026-01-02", version: "0.1.0" },
      { kind: "truth", date: "2026-03-04", version: "0.1.0" },
    ]);
  });

  it("adjust markers, compliances, gravity, biases, scales and delays", () => {
    const robot = smallArm(undefined, {
      markers: { wrist: [0.1, 0.2, 0.3] },
      jointCompliances: { elbow: 2e-4 },
      gravityDirection: [0, 3, -4],
      encoderLatency: 0.001,
      imu: { accelerometerBias: [0.1, 0, 0], gyroScale: [1.01, 1, 1], accelerometerScale: [1, 1, 0.99] },
    });
    expect([...robot.markers[0]!.position]).toEqual([0.1, 0.2, 0.3]);
    expect(robot.jointCompliance[robot.model.jointNames.indexOf("elbow")]).toBe(2e-4);
    expect([...robot.gravityDirection]).toEqual([0, 0.6000000000000001, -0.8]);
    expect(robot.encoders.latency).toBe(0.001);
    expect([...robot.imu!.accelerometerBias, robot.imu!.gyroScale[0], robot.imu!.accelerometerScale[2]]).toEqual([
      0.1, 0, 0, 1.01, 0.99,
    ]);
  });

  it("leave the overlays they are made of untouched", () => {
    const before = JSON.stringify([calibration, truth]);
    const both = layOver(calibration, truth);
    expect(both.jointOffsets).toEqual({ elbow: 0.01, wrist: 0.03 });
    expect(JSON.stringify([calibration, truth])).toBe(before);
  });

  const foreign: readonly (readonly [string, Partial<Overlay>, string])[] = [
    ["joint", { jointOffsets: { knee: 1 } }, "/jointOffsets/knee"],
    ["joint that moves", { jointOffsets: { eyeMount: 1 } }, "/jointOffsets/eyeMount"],
    ["joint to give way", { jointCompliances: { knee: 1 } }, "/jointCompliances/knee"],
    ["link", { linkPoses: { tail: { xyz: [0, 0, 0] } } }, "/linkPoses/tail"],
    ["mounting of the root", { linkPoses: { world: { xyz: [0, 0, 0] } } }, "/linkPoses/world"],
    ["camera", { cameras: { third: {} } }, "/cameras/third"],
    ["marker", { markers: { nose: [0, 0, 0] } }, "/markers/nose"],
  ];
  it.each(foreign)("that need a %s the robot lacks are refused", (_, overlay, path) => {
    expectCode(() => smallArm(undefined, overlay), "FLY_OVERLAY_REFERENCE", path);
  });

  it("for an IMU the robot lacks are refused", () => {
    const withoutImu = (sidecar: object) => void Reflect.deleteProperty(sidecar, "imu");
    expectCode(() => smallArm(withoutImu, { imu: { latency: 0 } }), "FLY_OVERLAY_REFERENCE", "/imu");
  });

  it("that break their schema are refused, from files and from objects", () => {
    writeFileSync(calibrationFile, JSON.stringify({ ...calibration, jointOffset: {} }));
    expectCode(() => loadRobot("small-arm", { root }), "FLY_OVERLAY_INVALID", "/jointOffset");
    const nan = { ...stamp, jointOffsets: { elbow: Number.NaN } };
    const options = { root, calibration: "none", truth: nan };
    expectCode(() => loadRobot("small-arm", options), "FLY_OVERLAY_INVALID", "/jointOffsets/elbow");
    expectCode(() => smallArm(undefined, { gravityDirection: [0, 0, 0] }), "FLY_OVERLAY_INVALID", "/gravityDirection");
    expectCode(() => parseOverlay({ schemaVersion: 1 }), "FLY_OVERLAY_INVALID", "/date");
    const missing = join(folder, "missing.json");
    expectCode(() => loadRobot("small-arm", { root, calibration: missing }), "FLY_FILE_UNREADABLE", missing);
  });
});
