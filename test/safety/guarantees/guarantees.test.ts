import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import { deep } from "../../support/deep.js";
import { countViolations } from "./conservative-bounds.js";
import { MonitoredMotions } from "./monitored-motions.js";
import { countBrakedPlans } from "./verified-plans.js";

/** On a busy machine; the whole counts take minutes [ms]. */
const patience = deep(120_000, 3_600_000);

describe.each(listRobots())("the monitor's bounds for %s", (name) => {
  it(
    "are not above the true distance in any configuration between state and standstill",
    () => {
      const { triples, violations, escapes } = countViolations(
        loadRobot(name),
        new Random("conservative"),
        deep(12_500, 1_000_000),
      );
      expect(triples).toBeGreaterThanOrEqual(deep(12_500, 1_000_000));
      expect([violations, escapes]).toEqual([0, 0]);
    },
    patience,
  );
});

describe("the reference's judgement of bounds", () => {
  it("finds those that are too great", () => {
    const robot = loadRobot("panda");
    const swollen = { ...robot, hulls: robot.hulls.map((hull) => ({ ...hull, radius: hull.radius + 0.01 })) };
    // The bounds of a slimmer robot do not hold for a stouter one.
    const braking = countViolations(swollen, new Random("too great"), 2000, robot);
    expect(braking.violations).toBeGreaterThan(0);
  });
});

describe.each([
  { name: "agile-justin", motions: deep(6, 400) },
  { name: "lwr-arm", motions: deep(31, 200) },
  { name: "iiwa-14", motions: deep(31, 200) },
  { name: "panda", motions: deep(32, 200) },
])("the monitor of $name", ({ name, motions }) => {
  it(
    "stops every motion that would collide before it does",
    () => {
      expect(new MonitoredMotions(loadRobot(name), new Random("collisions")).countMissed(motions)).toBe(0);
    },
    patience,
  );
});

describe("the monitor of lwr-arm", () => {
  it(
    "leaves at least 95 % of the motions alone that are like those of a catch and touch nothing",
    () => {
      const motions = deep(60, 1000);
      const braked = new MonitoredMotions(loadRobot("lwr-arm"), new Random("false brakes")).countFalseCatchBrakes(
        motions,
      );
      expect(braked / motions).toBeLessThanOrEqual(0.05);
    },
    patience,
  );
});

describe.each(["lwr-arm", "iiwa-14", "panda"])("the monitor of %s", (name) => {
  it(
    "leaves at least 95 % of the motions to natural configurations alone that touch nothing",
    () => {
      const motions = deep(12, 1000);
      const braked = new MonitoredMotions(loadRobot(name), new Random("natural")).countFalseBrakes(motions);
      expect(braked).toBeLessThanOrEqual(Math.max(1, 0.05 * motions));
    },
    patience,
  );
});

describe.each([
  { name: "agile-justin", group: "rightArm", plans: deep(15, 5000) },
  { name: "lwr-arm", group: "arm", plans: deep(95, 2000) },
  { name: "iiwa-14", group: "arm", plans: deep(95, 1500) },
  { name: "panda", group: "arm", plans: deep(95, 1500) },
])("a verified plan of $name", ({ name, group, plans }) => {
  it(
    "is never braked",
    () => {
      const count = countBrakedPlans(name, group, new Random("verified"), plans);
      expect(count).toEqual({ plans, braked: 0 });
    },
    patience,
  );
});
