import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { standingHead } from "../../src/robot/kinematics/standing-head.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { tripodRobot } from "../support/tripod-robot.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-tripods-"));
afterAll(() => rmSync(folder, { recursive: true }));
const robot = tripodRobot(folder);

describe("cameras on tripods", () => {
  it("stand where the robot's file says, whatever the arm does", () => {
    const head = standingHead(robot)!;
    expect([...head.slice(9)]).toEqual([-0.3, 0.4, 1.7].map((value) => expect.closeTo(value, 12)));
    expect(standingHead(loadRobot("agile-justin"))).toBeNull();
    expect(standingHead(loadRobot("ur10e-net"))).toBeNull();
  });

  it.each(["circles", "images"] as const)("let an arm without head and IMU catch by %s", async (perception) => {
    const run = await lockStepRun({ robot, world: "kinematic", perception, seed: 3 });
    const kinds = run.graph.nodes.map(({ kind }) => kind);
    expect(kinds).toContain("standing-head");
    expect(kinds).not.toContain("imu");
    expect(kinds).not.toContain("head-pose");
    const [result] = await run.throwBalls([0]);
    await run.close();
    expect(result!.outcome).toBe("caught");
  });
});
