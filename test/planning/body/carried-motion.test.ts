import { describe, expect, it } from "vitest";
import * as vec3 from "../../../src/math/vec3.js";
import { JointRamps } from "../../../src/motion/joint-ramps.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import { CatchPlanner } from "../../../src/planning/arm/arm-planner.js";
import { buildCatchArm } from "../../../src/planning/problem/catch-arm.js";
import { ALL_CHECKS, Check } from "../../../src/planning/problem/checks.js";
import { type ArmTask, buildArmTasks } from "../../../src/planning/request/arm-task.js";
import { CarriedMotions } from "../../../src/planning/request/carried-motion.js";
import { standardSettings } from "../../../src/planning/request/planner-settings.js";
import type { PlanRequest } from "../../../src/planning/request/request.js";
import { type ResolvedRequest, resolveRequest } from "../../../src/planning/request/resolve-request.js";
import type { CatchSolution } from "../../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import type { KeepOutShape } from "../../../src/robot/robot.js";
import { robots } from "../request/requests.js";

const justin = robots.get("agile-justin");
const { model } = justin;
const request: PlanRequest = {
  robot: "agile-justin",
  group: "rightArm",
  body: "rule",
  ball: { state: { time: -0.27, position: [5, 0, 1.5], velocity: [-6, -0.9, 3.2] } },
};
const resolved = resolveRequest(request, robots, standardSettings);
const group = resolved.groups[0]!;
const planner = new CatchPlanner(buildCatchArm(justin, group.name), justin.postures.get("ready")!);
const carried = buildArmTasks(resolved, planner).helped!;
planner.surround(carried.posture, null);
const solver = new CatchSolver(planner.arm, carried.task);
const solution = solver.createSolution();
solver.cold(carried.task, { starts: 8, solve: iterationBudget(100) }, solution);
const motions = new CarriedMotions(justin, group);

/** The same solution, with the arm coming from elsewhere; the check of the arm alone is not asked here. */
function comingFrom(q0: Float64Array): CatchSolution {
  const { x } = solution;
  const ramps = new JointRamps(q0.length);
  const fast = new Float64Array(q0.length).fill(1e3);
  ramps.plan(q0, new Float64Array(q0.length), x.subarray(0, q0.length), x[q0.length]!, fast, fast);
  return Object.assign(solver.createSolution(), solution, { x, ramps });
}

function refusalOf(
  found: CatchSolution,
  overrides: Partial<ResolvedRequest> = {},
  armTask: ArmTask = carried,
): string | undefined {
  return motions.verify({ ...resolved, ...overrides }, armTask.carrier!, found).refusal?.kind;
}

/** The body's motion with some of its numbers changed. */
function changed(change: (ramps: JointRamps) => void): ArmTask {
  const carrier = carried.carrier!;
  const ramps = new JointRamps(carrier.ramps.count);
  ramps.copyFrom(carrier.ramps);
  change(ramps);
  return { ...carried, carrier: { ...carrier, ramps } };
}

describe("the check of a catch from a moving base", () => {
  it("passes what was planned, with all that moves", () => {
    expect(solution.found).toBe(true);
    const { motion, refusal } = motions.verify(resolved, carried.carrier!, solution);
    expect(refusal).toBeNull();
    expect(motion!.dofs.map((dof) => model.dofNames[dof])).toEqual([
      ...group.dofs.map((dof) => model.dofNames[dof]),
      ...["baseX", "baseY", "baseYaw", "torso1", "torso2", "torso3", "neckPan", "neckTilt"],
    ]);
    expect(motion!.clearance).toBeGreaterThan(-1e-4);
  });

  it("refuses a hand that is a millimetre off in the world", () => {
    const off = changed((ramps) => {
      ramps.q0[1]! += 1e-3;
      ramps.end[1]! += 1e-3;
    });
    expect(refusalOf(solution, {}, off)).toBe("out-of-reach");
  });

  it("refuses a hand inside a keep-out shape as that stands at the catch", () => {
    const ball = carried.carrier!.flight.position(solution.x[7]!, vec3.create());
    const sphere = (x: number): KeepOutShape => ({
      name: "lamp",
      link: justin.frames.world,
      geometry: { type: "sphere", center: vec3.create(ball[0] + x, ball[1], ball[2]), radius: 0.05 },
    });
    expect(refusalOf(solution, { keepOut: [sphere(0.01)] })).toBe("keep-out");
    expect(refusalOf(solution, { keepOut: [sphere(0.01)], checks: ALL_CHECKS - Check.keepOut })).toBeUndefined();
    expect(refusalOf(solution, { keepOut: [sphere(0.06)] })).toBeUndefined();
  });

  it("refuses what touches on its way, of any start", () => {
    const kinds = new Set<string | undefined>();
    for (let k = -2; k <= 2; k++) {
      const q0 = Float64Array.from(group.dofs, (dof) => resolved.start.q[dof]!);
      q0[1] = k;
      q0[3] = -2;
      kinds.add(refusalOf(comingFrom(q0)));
      expect(refusalOf(comingFrom(q0), { checks: ALL_CHECKS - Check.motion })).toBeUndefined();
    }
    expect([...kinds].sort()).toEqual(["collision", undefined]);
  });

  it("refuses a body that is too fast, accelerates too much or leaves its limits", () => {
    expect(refusalOf(solution, { velocityScale: 0.01 })).toBe("too-fast");
    expect(refusalOf(solution, { accelerationScale: 0.01 })).toBe("too-fast");
    const start = { ...resolved.start, q: resolved.start.q.slice(), qd: resolved.start.qd.slice() };
    const neckPan = model.dofNames.indexOf("neckPan");
    start.q[neckPan] = model.upper[neckPan]!;
    start.qd[neckPan] = 0.5;
    expect(refusalOf(solution, { start })).toBe("overshoot");
  });
});
