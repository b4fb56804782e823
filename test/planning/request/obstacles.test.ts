import { describe, expect, it } from "vitest";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { PlanAnswer } from "../../../src/planning/request/answer.js";
import { exampleRequest } from "../../../src/planning/request/example-request.js";
import { Planner } from "../../../src/planning/request/plan-catch.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { stateAt } from "../../../src/robot/kinematics/kinematics.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import type { ObstacleDescription } from "../../../src/robot/sidecar/obstacle-schema.js";
import { robots } from "./requests.js";

const planner = new Planner({ clock: null });
const RATE = 200;
const size = [0.12, 0.12, 0.12] as const;

/** Poses of all links along the sampled motion of an answer. */
function motionOf({ robot: name, samples, ramps }: PlanAnswer): pose.Pose[][] {
  const { model, postures } = robots.get(name);
  const dofs = ramps!.map(({ joint }) => model.dofNames.indexOf(joint));
  return samples!.position.map((positions) => {
    const q = postures.get("ready")!.slice();
    for (const [k, dof] of dofs.entries()) q[dof] = positions[k]!;
    return stateAt(model, q).worldFromLink.map((link) => pose.copy(link, pose.create()));
  });
}

/** How deep the bodies of a robot are in a box about `center`, on their way: points drawn in each body, at every sample [m]. */
function depthIn(answer: PlanAnswer, center: readonly number[]): number {
  const random = new Random("bodies");
  let deepest = Number.NEGATIVE_INFINITY;
  for (const links of motionOf(answer)) {
    for (const { link, points, radius } of robots.get(answer.robot).hulls) {
      for (let draw = 0; draw < 12; draw++) {
        const place = pose.transformPoint(links[link]!, drawIn(points, random), vec3.create());
        const outside = place.map((x, k) => Math.max(0, Math.abs(x - center[k]!) - size[k]! / 2));
        deepest = Math.max(deepest, radius - Math.hypot(...outside));
      }
    }
  }
  return deepest;
}

/** A point of the hull of some points. */
function drawIn(points: Float64Array, random: Random): vec3.Vec3 {
  const count = points.length / 3;
  const weights = Array.from({ length: count }, () => -Math.log(random.uniform() + 1e-12));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const place = vec3.create();
  for (let p = 0; p < count; p++) vec3.addScaled(place, vec3.view(points, 3 * p), weights[p]! / sum, place);
  return place;
}

/** Where a link is in the middle of the motion. */
function midway(answer: PlanAnswer, linkName: string): number[] {
  const motion = motionOf(answer);
  const links = motion[Math.floor(motion.length / 2)]!;
  return [...pose.getTranslation(links[robots.get(answer.robot).model.linkNames.indexOf(linkName)]!, vec3.create())];
}

describe.each([
  ["ur10e-net", "armLink5"],
  ["panda", "armLink5"],
  ["lwr-arm", "armLink4"],
])("a shelf in the way of %s", (name, link) => {
  const example: PlanRequest = { ...exampleRequest(loadRobot(name)), sample: { rateHz: RATE } };
  const free = planner.plan(example);
  const center = midway(free, link);
  const box = { name: "shelf", type: "box" as const, origin: { xyz: center }, size: [...size] };

  it("is gone through by the plan that does not know it, which does not claim to have looked for obstacles", () => {
    expect(depthIn(free, center)).toBeGreaterThan(0.02);
    expect(free.verified).not.toContain("obstacles");
  });

  it("is no matter for the hand's keep-out shapes, which say so in the answer", () => {
    const answer = planner.plan({ ...example, handKeepOut: [box] });
    expect(answer.verified).toContain("hand-keep-out");
    expect(answer.verified).not.toContain("obstacles");
  });

  it.each(["soft", "latest", "cool", "sure"] as const)(
    "is not touched by a plan in mode %s that is verified",
    (mode) => {
      const answer = planner.plan({ ...example, mode, obstacles: [box] as NonNullable<PlanRequest["obstacles"]> });
      if (answer.catch === undefined) {
        expect(answer.reasons!.length).toBeGreaterThan(0);
        return;
      }
      expect(answer.verified).toEqual(expect.arrayContaining(["motion", "obstacles"]));
      expect(depthIn(answer, center)).toBeLessThanOrEqual(0);
    },
  );
});

it("keeps clear of the sidecar's obstacles as of the request's, and gives the same plan", () => {
  const { name, urdf, sidecar } = loadRobot("panda");
  const example = exampleRequest(loadRobot("panda"));
  const obstacles: ObstacleDescription[] = [{ name: "floor", type: "half-space", normal: [0, 0, 1], offset: 0.2 }];
  const own = assembleRobot({ name, urdf, sidecar: { ...sidecar, obstacles } });
  const fromSidecar = new Planner({ clock: null, robots: { get: () => own } }).plan(example);
  const fromRequest = planner.plan({ ...example, obstacles });
  expect(fromSidecar.verified).toContain("obstacles");
  expect(fromSidecar).toEqual(fromRequest);
});

it("refuses obstacles that make no sense, by their place in the request", () => {
  const flat = { name: "a", type: "box" as const, origin: { xyz: [1, 0, 0] }, size: [1, 0, 1] };
  const nobody = { name: "a", type: "sphere" as const, center: [1, 0, 0], radius: 1, ignore: ["nobody"] };
  for (const obstacle of [flat, nobody]) {
    const request = { ...exampleRequest(loadRobot("panda")), obstacles: [obstacle] } as PlanRequest;
    expect(() => planner.plan(request)).toThrow(expect.objectContaining({ code: "FLY_OBSTACLE_INVALID" }));
  }
  expect(() => planner.plan({ ...exampleRequest(loadRobot("panda")), keepOut: [] } as PlanRequest)).toThrow(/keepOut/);
});
