import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { createService } from "../../src/service/service.js";
import type { ServiceInstance } from "../../src/service/service-types.js";
import { expectProblem, serviceOptions } from "./make-service.js";

let app: ServiceInstance;
beforeAll(async () => {
  app = await createService(serviceOptions());
});
afterAll(() => app.close());

const post = (path: string, payload: object) => app.inject({ method: "POST", url: `/v1/robots/${path}`, payload });

describe("POST /v1/robots/:name/fk", () => {
  it("says where links are", async () => {
    const { links, joints } = (await post("panda/fk", { links: ["catch"] })).json();
    expect(Object.keys(links)).toEqual(["catch"]);
    expect(links.catch.position).toEqual([0.6, 0, 1.3].map((value) => expect.closeTo(value, 3)));
    expect(Math.hypot(...links.catch.orientation)).toBeCloseTo(1, 9);
    expect(joints.arm4).toBe(-1.785);
    const all = (await post("panda/fk", { start: { position: { arm1: 0.5 } } })).json();
    expect(Object.keys(all.links)).toEqual(loadRobot("panda").model.linkNames);
    expect(all.joints.arm1).toBe(0.5);
  });

  it("refuses unknown links, joints and robots", async () => {
    const problem = expectProblem(await post("panda/fk", { links: ["cath"] }), "FLY_LINK_UNKNOWN", 400);
    expect(problem.detail).toContain("Did you mean catch?");
    expectProblem(await post("panda/fk", { start: { position: { elbow: 1 } } }), "FLY_PLAN_JOINT_UNKNOWN", 400);
    expectProblem(await post("nobody/fk", {}), "FLY_ROBOT_UNKNOWN", 404);
    expectProblem(await post("panda/fk", { links: new Array(501).fill("catch") }), "FLY_HTTP_REQUEST_INVALID", 400);
  });
});

describe("POST /v1/robots/:name/ik", () => {
  const goal = { position: [0.5, 0.1, 1.25], facing: [1, 0, 0.3] };

  it("finds postures that forward kinematics confirms", async () => {
    const { status, postures } = (await post("panda/ik", goal)).json();
    expect(status).toBe("found");
    expect(postures.length).toBeGreaterThan(1);
    for (const { joints, nearest } of postures) {
      const { links } = (await post("panda/fk", { start: { position: joints }, links: ["catch"] })).json();
      expect(links.catch.position).toEqual(goal.position.map((value) => expect.closeTo(value, 5)));
      if (nearest !== null) expect(nearest.distance).toBeGreaterThanOrEqual(0.02);
    }
  });

  it("takes a whole orientation", async () => {
    const { links } = (await post("panda/fk", { links: ["catch"] })).json();
    const { status, postures } = (await post("panda/ik", links.catch)).json();
    expect(status).toBe("found");
    const again = (await post("panda/fk", { start: { position: postures[0].joints }, links: ["catch"] })).json();
    expect(again.links.catch.orientation).toEqual(
      links.catch.orientation.map((value: number) => expect.closeTo(value, 6)),
    );
  });

  it("says what cannot be reached, and what only touching", async () => {
    expect((await post("panda/ik", { position: [4, 0, 1] })).json()).toEqual({ status: "unreachable", postures: [] });
    const touching = (await post("panda/ik", { ...goal, clearance: 1, seeds: 8 })).json();
    expect(touching.status).toBe("touching");
  });

  it("refuses what is not clear", async () => {
    expectProblem(await post("panda/ik", { ...goal, facing: [0, 0, 0] }), "FLY_POSTURE_GOAL", 400);
    expectProblem(await post("panda/ik", { ...goal, orientation: [0, 0, 0, 1] }), "FLY_POSTURE_GOAL", 400);
    expectProblem(await post("panda/ik", { ...goal, group: "leg" }), "FLY_PLAN_GROUP_UNKNOWN", 400);
    expectProblem(await post("panda/ik", { ...goal, seeds: 1000 }), "FLY_HTTP_REQUEST_INVALID", 400);
  });
});

describe("POST /v1/robots/:name/collisions", () => {
  it("says of each configuration whether it is free, with the bodies that touch", async () => {
    const folded = { arm2: 1.7, arm4: -3 };
    const { results } = (
      await post("panda/collisions", { configurations: [{}, { position: folded }, { position: { arm1: 9 } }] })
    ).json();
    expect(results[0]).toMatchObject({ valid: true, withinLimits: true });
    expect(results[1].valid).toBe(false);
    expect(results[1].nearest.distance).toBeLessThan(0);
    expect(results[1].pairs[0]).toEqual(results[1].nearest);
    expect(results[2]).toMatchObject({ valid: false, withinLimits: false });
  });

  it("sees obstacles", async () => {
    const obstacles = [{ name: "post", type: "sphere", center: [0.6, 0, 1.3], radius: 0.1 }];
    const { results } = (await post("panda/collisions", { configurations: [{}], obstacles })).json();
    expect(results[0]).toMatchObject({ valid: false, nearest: { bodies: ["basket", "post"] } });
  });
});
