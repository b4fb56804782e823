import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import {
  addRobotFolders,
  findRobotFile,
  listRobots,
  nameRobot,
  removeRobotFolder,
  robotFolders,
  robotsFolder,
} from "../../../src/robot/loading/robot-folders.js";
import { expectCode } from "../fixtures/small-arm.js";

let folder: string;
const before = process.env.FLYCATCHER_ROBOTS;

beforeEach(() => {
  delete process.env.FLYCATCHER_ROBOTS;
  folder = mkdtempSync(join(tmpdir(), "flycatcher-folders-"));
  cpSync(join(robotsFolder, "lwr-arm"), join(folder, "my-arm"), { recursive: true });
});
afterEach(() => {
  if (before === undefined) delete process.env.FLYCATCHER_ROBOTS;
  else process.env.FLYCATCHER_ROBOTS = before;
  rmSync(folder, { recursive: true });
});

describe("robot folders", () => {
  it("make the robots in them known by name, beside those shipped", () => {
    expect(listRobots()).not.toContain("my-arm");
    addRobotFolders([folder]);
    expect(listRobots()).toEqual(expect.arrayContaining(["agile-justin", "my-arm"]));
    expect(loadRobot("my-arm").name).toBe("my-arm");
    removeRobotFolder(folder);
    expectCode(() => loadRobot("my-arm"), "FLY_ROBOT_UNKNOWN");
  });

  it("come from the environment, several of them", () => {
    process.env.FLYCATCHER_ROBOTS = [folder, join(folder, "my-arm")].join(delimiter);
    expect(robotFolders()).toEqual([folder, join(folder, "my-arm"), robotsFolder]);
    expect(findRobotFile("my-arm")).toBe(join(folder, "my-arm", "robot.json"));
  });

  it("come before those shipped", () => {
    cpSync(join(folder, "my-arm"), join(folder, "panda"), { recursive: true });
    addRobotFolders([folder]);
    expect(findRobotFile("panda")).toBe(join(folder, "panda", "robot.json"));
    expect(listRobots().filter((name) => name === "panda")).toHaveLength(1);
  });

  it("can be that of one robot, which is then known by name", () => {
    expect(nameRobot(join(folder, "my-arm", "robot.json"))).toBe("my-arm");
    expect(listRobots()).toContain("my-arm");
    expect(nameRobot("my-arm")).toBe("my-arm");
    expect(nameRobot("panda")).toBe("panda");
    expect(nameRobot("nobody")).toBe("nobody");
  });

  it("must exist", () => {
    expectCode(() => addRobotFolders([join(folder, "nowhere")]), "FLY_ROBOT_FOLDER");
    expectCode(() => addRobotFolders([join(folder, "my-arm", "robot.json")]), "FLY_ROBOT_FOLDER");
  });
});
