import { describe, expect, it } from "vitest";
import { PathCheck } from "../../../src/collision/path-check.js";
import { Random } from "../../../src/math/random.js";
import { JointSpace } from "../../../src/planning/paths/joint-space.js";
import { KdTreeNeighbours } from "../../../src/planning/paths/kd-tree-neighbours.js";
import { LazyPrm } from "../../../src/planning/paths/lazy-prm.js";
import { LinearNeighbours } from "../../../src/planning/paths/neighbours.js";
import { optimisePath } from "../../../src/planning/paths/optimise-path.js";
import type { PathPlanner, PathProblem } from "../../../src/planning/paths/path-planner.js";
import { RrtConnect } from "../../../src/planning/paths/rrt-connect.js";
import { shortenPath } from "../../../src/planning/paths/shorten-path.js";
import { StraightPlanner } from "../../../src/planning/paths/straight-planner.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { createObstacle, robotAmong } from "../../../src/robot/loading/obstacles.js";
import { deep } from "../../support/deep.js";

const panda = loadRobot("panda");
const { dofs } = panda.model.groups.find(({ name }) => name === "arm")!;
const ready = panda.postures.get("ready")!;
const post = createObstacle({ name: "post", type: "box", origin: { xyz: [0.55, 0, 0.5] }, size: [0.08, 0.08, 1] });
const beam = createObstacle({ name: "beam", type: "box", origin: { xyz: [0.6, 0, 1.05] }, size: [0.4, 1.2, 0.02] });

function problemFor(): PathProblem {
  const check = new PathCheck(robotAmong(panda, [post, beam]), dofs, { margin: 0.002, resolution: 0.004 });
  check.setPosture(ready);
  const at = (arm1: number) => Float64Array.of(arm1, 0.6, 0, -1.9, 0, 2.3, 0.8);
  return { space: new JointSpace(panda.model, dofs), check, start: at(-0.8), goals: [at(0.8)] };
}

const unlimited = { samples: 200_000, isOver: () => false };

const close = new PathCheck(robotAmong(panda, [post, beam]), dofs);
close.setPosture(ready);

/** Whether nothing touches at any place of a path, looked at closely. */
function isFree(path: readonly Float64Array[]): boolean {
  for (let k = 1; k < path.length; k++) {
    for (let m = 0; m <= 50; m++) {
      const q = path[k]!.map((end, i) => path[k - 1]![i]! + (m / 50) * (end - path[k - 1]![i]!));
      if (!close.isFree(q)) return false;
    }
  }
  return true;
}

describe("path planners", () => {
  it("the straight way is blocked by the post", () => {
    expect(new StraightPlanner().plan(problemFor()).outcome).toBe("none");
  });

  it.each<[string, PathPlanner]>([
    ["rrt-connect", new RrtConnect()],
    ["rrt-connect, linear", new RrtConnect({ neighbours: "linear" })],
    ["lazy-prm", new LazyPrm()],
  ])("%s finds free ways, and the same ones again", (_, planner) => {
    for (let seed = 0; seed < deep(3, 100); seed++) {
      const problem = problemFor();
      const result = planner.plan(problem, new Random(seed), unlimited);
      expect(result.outcome).toBe("found");
      expect(result.path[0]).toEqual(problem.start);
      expect(result.path.at(-1)).toEqual(problem.goals[result.goal]);
      expect(isFree(result.path)).toBe(true);
      const again = planner.plan(problemFor(), new Random(seed), unlimited);
      expect(again.path).toEqual(result.path);
      const shorter = shortenPath(problem, result.path, new Random(seed), unlimited);
      expect(problem.space.length(shorter)).toBeLessThanOrEqual(problem.space.length(result.path) + 1e-12);
      expect(isFree(shorter)).toBe(true);
    }
  });

  it("a search ends at its budget, and when it is called off", () => {
    for (const planner of [new RrtConnect(), new LazyPrm()]) {
      const problem = problemFor();
      const before = problem.check.samples;
      expect(planner.plan(problem, new Random(1), { samples: 5, isOver: () => false }).outcome).toBe("exhausted");
      expect(problem.check.samples - before).toBeLessThan(2000);
      expect(planner.plan(problem, new Random(1), { samples: 1e9, isOver: () => true }).outcome).toBe("exhausted");
      expect(planner.plan({ ...problem, goals: [] }, new Random(1), unlimited).outcome).toBe("none");
    }
  });

  it("trees and lists find the same neighbours, also around the seam of joints that wrap", () => {
    // As an arm with two joints that turn for ever.
    const isOpen = (dof: number) => dof === dofs[0] || dof === dofs[4];
    const lower = panda.model.lower.map((limit, dof) => (isOpen(dof) ? Number.NEGATIVE_INFINITY : limit));
    const upper = panda.model.upper.map((limit, dof) => (isOpen(dof) ? Number.POSITIVE_INFINITY : limit));
    const space = new JointSpace({ ...panda.model, lower, upper }, dofs);
    expect([...space.wraps]).toEqual([1, 0, 0, 0, 1, 0, 0]);
    const random = new Random("neighbours");
    const [tree, list] = [new KdTreeNeighbours(space), new LinearNeighbours(space)];
    const q = new Float64Array(space.count);
    const [one, other] = [new Int32Array(10), new Int32Array(10)];
    for (let k = 0; k < deep(300, 20_000); k++) {
      space.sample(random, q);
      if (k % 5 === 0) for (let i = 0; i < q.length; i++) q[i] = q[i]! + (space.wraps[i] === 1 ? 2 * Math.PI : 0);
      expect(tree.nearest(q)).toBe(list.nearest(q));
      expect(tree.nearestOf(q, 0, 10, one)).toBe(list.nearestOf(q, 0, 10, other));
      expect(one).toEqual(other);
      tree.add(q);
      list.add(q);
    }
  });
});

describe("PathCheck", () => {
  it("agrees with close samples on random edges, and says which pair is too near", () => {
    const problem = problemFor();
    const { check, space } = problem;
    const random = new Random("edges");
    const [a, b] = [new Float64Array(7), new Float64Array(7)];
    const seen = { free: 0, blocked: 0 };
    for (let k = 0; k < deep(200, 20_000); k++) {
      space.sample(random, a);
      space.sample(random, b);
      if (!check.isFree(a) || !check.isFree(b)) continue;
      if (check.isEdgeFree(a, 0, b, 0)) {
        seen.free++;
        expect(isFree([a, b])).toBe(true);
      } else {
        seen.blocked++;
        expect(check.namesOf(check.blamed).length).toBe(2);
      }
    }
    expect(seen.free).toBeGreaterThan(5);
    expect(seen.blocked).toBeGreaterThan(5);
  });

  it("gives the derivative of the least distance, against differences", () => {
    const { check, space } = problemFor();
    const random = new Random("gradient");
    const [q, gradient, unused] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
    let seen = 0;
    for (let k = 0; k < deep(200, 10_000); k++) {
      space.sample(random, q);
      const distance = check.nearestWithGradient(q, 0.1, gradient, 0);
      if (!(distance > 0.005 && distance < 0.09)) continue;
      seen++;
      const slope = gradient.slice();
      let worst = 0;
      for (let i = 0; i < 7; i++) {
        const at = (step: number) =>
          check.nearestWithGradient(
            q.map((x, j) => (j === i ? x + step : x)),
            0.1,
            unused,
            0,
          );
        const [more, less] = [(at(1e-6) - distance) / 1e-6, (distance - at(-1e-6)) / 1e-6];
        // Where another pair or another point becomes nearest there is a kink: one of the two sides has to agree.
        worst = Math.max(worst, Math.min(Math.abs(more - slope[i]!), Math.abs(less - slope[i]!)));
      }
      expect(worst).toBeLessThan(1e-3);
    }
    expect(seen).toBeGreaterThan(20);
  });
});

describe("optimisePath", () => {
  it("moves corners to a shorter way that is free", () => {
    let shorter = 0;
    for (let seed = 0; seed < deep(5, 100); seed++) {
      const problem = problemFor();
      const { path } = new RrtConnect().plan(problem, new Random(seed), unlimited);
      const short = shortenPath(problem, path, new Random(seed), unlimited);
      const moved = optimisePath(problem, short, unlimited);
      expect(problem.space.length(moved)).toBeLessThanOrEqual(problem.space.length(short));
      expect(isFree(moved)).toBe(true);
      if (problem.space.length(moved) < problem.space.length(short) - 1e-3) shorter++;
    }
    expect(shorter).toBeGreaterThan(0);
  });
});
