import { describe, expect, it } from "vitest";
import { perceptionKind } from "../../src/cli/live-world.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { realTimeDefaults } from "../../src/run/real-time-options.js";
import { realTimeRun } from "../../src/run/real-time-run.js";
import { deep } from "../support/deep.js";

const armsOnTables = listRobots([robotsFolder]).filter((name) => loadRobot(name).stereo === undefined);

describe("in real time, at half speed", () => {
  it.each(armsOnTables.filter((name) => name === "panda" || deep(0, 1) === 1))(
    "%s sees balls by motion capture, and catches",
    async (name) => {
      const perception = perceptionKind(undefined, loadRobot(name));
      expect(perception).toBe("points");
      const run = await realTimeRun({ ...realTimeDefaults, robot: name, perception, warmUpThrows: 0, speed: 0.5 });
      try {
        const states = run.tap<{ time: number }>("robot.state", "newest");
        const results: string[] = [];
        // On a machine that does much else a ball may be missed.
        for (let id = 0; id < 6 && !results.includes("caught"); id++) {
          const [result] = await run.throwBalls([id]);
          results.push(result!.outcome);
        }
        expect(results).toContain("caught");
        expect(run.clock.speed).toBe(0.5);
        // States carry the time of their measurement on the run's clock: the robot's goes as slow.
        const age = run.clock.nowSeconds() - states.take(run.clock.nowNs())!.time;
        expect(Math.abs(age)).toBeLessThan(0.5);
      } finally {
        await run.close();
      }
    },
    180_000,
  );

  it("what a robot cannot do is refused before anything starts", () => {
    const [name] = armsOnTables;
    for (const asked of ["images", "circles"] as const) {
      expect(() => perceptionKind(asked, loadRobot(name!))).toThrow(`${name} has no pair of cameras`);
    }
  });
});
