import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { RobotFiles } from "../../../src/robot/files/robot-files.js";
import { expectCode } from "../fixtures/small-arm.js";

const root = mkdtempSync(join(tmpdir(), "flycatcher-files-"));
const robot = join(root, "robot");
const packages = join(root, "share");
mkdirSync(join(robot, "meshes"), { recursive: true });
mkdirSync(join(packages, "other_pkg", "meshes"), { recursive: true });
writeFileSync(join(root, "secret.stl"), "secret");
writeFileSync(join(robot, "r.urdf"), "");
writeFileSync(join(robot, "meshes", "a.stl"), "a");
writeFileSync(join(packages, "other_pkg", "meshes", "b.stl"), "b");
symlinkSync(join(root, "secret.stl"), join(robot, "meshes", "link.stl"));
symlinkSync(root, join(robot, "up"));
symlinkSync(join(robot, "meshes", "a.stl"), join(robot, "meshes", "own.stl"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const files = new RobotFiles(join(robot, "r.urdf"), [packages]);
const read = (reference: string) => files.read(reference, 100).bytes.toString();

describe("RobotFiles", () => {
  it("finds files by path, by file: and by package", () => {
    expect(read("meshes/a.stl")).toBe("a");
    expect(read("meshes\\a.stl")).toBe("a");
    expect(read("file:meshes/a.stl")).toBe("a");
    expect(read(pathToFileURL(join(robot, "meshes", "a.stl")).href)).toBe("a");
    expect(read("package://other_pkg/meshes/b.stl")).toBe("b");
    expect(read("package:///other_pkg/meshes/b.stl")).toBe("b");
    expect(read("package://robot/meshes/a.stl")).toBe("a");
    expect(read("package://unknown/meshes/a.stl")).toBe("a");
    expect(read("meshes/own.stl")).toBe("a");
  });

  it.each([
    "../secret.stl",
    "meshes/../../secret.stl",
    join(root, "secret.stl"),
    pathToFileURL(join(root, "secret.stl")).href,
    "file:../secret.stl",
    "file:%2e%2e/secret.stl",
    "package://other_pkg/../../secret.stl",
    "package://robot/../secret.stl",
    "package://robot/%2e%2e/secret.stl",
    "meshes/link.stl",
    "up/secret.stl",
    "/etc/passwd",
    "http://example.com/a.stl",
  ])("%s is not read", (reference) => {
    expectCode(() => read(reference), "FLY_ROBOT_FILE_OUTSIDE");
  });

  it.each(["nothing.stl", "", "a\0b", "meshes", "package://nowhere/b.stl", "package://../secret.stl"])(
    "%j is no file",
    (reference) => {
      expectCode(() => read(reference), "FLY_ROBOT_FILE_MISSING");
    },
  );

  it("refuses what is too large, and pipes, which never end", () => {
    expectCode(() => files.read("meshes/a.stl", 0), "FLY_FILE_TOO_LARGE");
    execFileSync("mkfifo", [join(robot, "pipe.stl")]);
    expectCode(() => read("pipe.stl"), "FLY_ROBOT_FILE_MISSING");
  });

  it("the ROS package a robot lies in is its folder", () => {
    const folder = join(root, "ws", "arm_repo");
    mkdirSync(join(folder, "urdf"), { recursive: true });
    mkdirSync(join(folder, "meshes"));
    writeFileSync(join(folder, "package.xml"), "<package><name>arm_description</name></package>");
    writeFileSync(join(folder, "meshes", "c.stl"), "c");
    const own = new RobotFiles(join(folder, "urdf", "arm.urdf"));
    expect(own.read("package://arm_description/meshes/c.stl", 100).bytes.toString()).toBe("c");
    expect(own.read("../meshes/c.stl", 100).bytes.toString()).toBe("c");
    expectCode(() => own.read("../../../secret.stl", 100), "FLY_ROBOT_FILE_OUTSIDE");
  });
});
