import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawTrial, runTrial } from "../../../bench/simulation/hand-trial.js";
import { closingLead } from "../../../src/control/hand-motion.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots, robotsFolder } from "../../../src/robot/loading/robot-folders.js";
import { HandCage } from "../../../src/simulation/mujoco/hold-watch.js";
import { RobotWorld } from "../../../src/simulation/mujoco/robot-world.js";
import { deep } from "../../support/deep.js";

const robot = loadRobot("lwr-arm");
const hand = robot.hands[0]!;
const posture = robot.postures.get("ready")!;
const lead = closingLead(hand);
let world: RobotWorld;

beforeAll(async () => {
  world = await RobotWorld.create(robot, { balls: 1 });
});

afterAll(() => world.close());

function outcomes(offset: number, of: number, leadTime = lead): string[] {
  return Array.from({ length: of }, (_, k) =>
    runTrial(world, posture, 0, drawTrial(new Random(`holding ${offset} ${k}`), offset, leadTime)),
  );
}

describe("a hand that stands still", () => {
  it.each([0, 0.01, 0.02])("holds balls of 5 to 8 m/s that come %f m off its middle", (offset) => {
    const found = outcomes(offset, deep(5, 200));
    const held = found.filter((outcome) => outcome === "held").length;
    expect(held / found.length).toBeGreaterThanOrEqual(0.9);
  });

  it("deflects them all if it closes as if half the closing were done when they come", () => {
    expect(new Set(outcomes(0.02, 5, 0.5 * hand.closingTime))).toEqual(new Set(["deflected"]));
  });

  it("loses most of them if it closes too late", () => {
    const found = outcomes(0.01, deep(5, 100), -0.06);
    expect(found.filter((outcome) => outcome === "bounced out").length / found.length).toBeGreaterThan(0.7);
  });

  it("lets a ball pass that does not come near, and deflects one that meets its fingers", () => {
    expect(outcomes(0.25, 2)).toEqual(["passed by", "passed by"]);
    expect(outcomes(0.08, 4)).not.toContain("held");
  });

  it("still has a second later what it was said to hold", () => {
    const cage = new HandCage(world, hand);
    const place = vec3.create();
    let held = 0;
    for (let k = 0; k < deep(4, 100); k++) {
      // Late and early closings and great offsets, where a catch is not a matter of course.
      const random = new Random(`kept ${k}`);
      const trial = drawTrial(random, random.uniformIn(0, 0.04), random.uniformIn(-0.02, 0.02));
      if (runTrial(world, posture, 0, trial) !== "held") continue;
      held++;
      const command = world.holdCommand();
      command.closing[0] = 1;
      for (let step = 0; step < 1000; step++) world.step(command);
      expect(cage.holds(cage.locate(0, place))).toBe(true);
    }
    expect(held).toBeGreaterThan(0);
    world.removeBall(0);
  });

  it("says the same of the same ball", () => {
    expect(outcomes(0.035, 3)).toEqual(outcomes(0.035, 3));
  });
});

describe("a padded gripper", () => {
  it("closes before the ball comes, and holds what its tolerance allows", async () => {
    const gripper = loadRobot("gen3-gripper");
    const [jaws] = gripper.hands;
    const own = await RobotWorld.create(gripper, { balls: 1 });
    try {
      for (const offset of [0, 0.01]) {
        for (let k = 0; k < deep(6, 40); k++) {
          const trial = drawTrial(new Random(`padded ${offset} ${k}`), offset, closingLead(jaws!));
          expect(runTrial(own, gripper.postures.get("ready")!, 0, trial)).toBe("held");
        }
      }
    } finally {
      own.close();
    }
  });

  it.each(listRobots([robotsFolder]))("the restitution that %s states is that of its contact", (name) => {
    const contact = loadRobot(name).sidecar.simulation?.contact;
    const [stiffness, damping] = contact!.solref!.map((value) => -value) as [number, number];
    // A spring and a damper that can only push (Schwager and Pöschel, 2007).
    const ratio = damping / (2 * Math.sqrt(stiffness));
    const root = Math.sqrt(Math.abs(1 - ratio ** 2));
    const angle = ratio < 1 ? Math.atan2(root, ratio) : Math.atanh(root / ratio);
    const restitution = Math.exp((-2 * ratio * angle) / root);
    if (contact!.restitution !== undefined) expect(Math.abs(contact!.restitution - restitution)).toBeLessThan(0.08);
  });
});
