import { describe, expect, it } from "vitest";
import { PerfectHeadSense } from "../../src/catching/perfect-head-sense.js";
import { Random } from "../../src/math/random.js";
import { carriedDofs } from "../../src/planning/body/carried-dofs.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { BallWorld } from "../../src/simulation/ball-world.js";

describe("PerfectHeadSense", () => {
  it("tells the head as it is, the neck as it is and the body as it was commanded", () => {
    const robot = loadRobot("agile-justin");
    const random = new Random("perfect head");
    const n = robot.model.dofCount;
    const q = Float64Array.from(robot.postures.get("ready")!, (angle) => angle + random.uniformIn(-0.1, 0.1));
    const world = new BallWorld(robot, q);
    const commanded = Float64Array.from({ length: n }, () => random.uniformIn(-1, 1));
    const head = PerfectHeadSense.of(world)!;
    expect(head.measurement()).toBeNull();
    head.observe({ q: commanded, qd: new Float64Array(n), qdd: new Float64Array(n) });
    const { worldFromHead, neck, body } = head.measurement()!;
    const dofs = carriedDofs(robot);
    expect(worldFromHead).toEqual(world.worldFromLink(robot.frames.head!));
    expect(neck).toEqual(Float64Array.from(dofs.neck, (dof) => q[dof]!));
    expect(body).toEqual(Float64Array.from(dofs.body, (dof) => commanded[dof]!));
  });

  it("is none where there is no head", () => {
    const robot = loadRobot("lwr-arm");
    expect(PerfectHeadSense.of(new BallWorld(robot, robot.postures.get("ready")!))).toBeNull();
  });
});
