import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import type { CatchSolution } from "../../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { Verdict } from "../../../src/planning/search/verify.js";
import { heapBytesPerCall } from "../../support/heap.js";
import { catchSetup, catchTask } from "../catch-setup.js";

const modes: CatchMode[] = ["soft", "latest", "cool", "sure"];
const budget = { starts: 12, solve: iterationBudget(100) };
const replanStep = 0.04;

describe.each([
  ["lwr-arm", "arm"],
  ["iiwa-14", "arm"],
  ["panda", "arm"],
  ["agile-justin", "leftArm"],
  ["agile-justin", "rightArm"],
])("planning for %s %s", (robot, group) => {
  const setup = catchSetup(robot, group);
  const random = new Random(`solver ${robot} ${group}`);
  const throws = Array.from({ length: 12 }, () => setup.throwBall(random));
  const first = catchTask(setup, "soft", throws[0]!);
  const solver = new CatchSolver(setup.arm, first);

  it("catches most balls thrown at the hand, in every mode", () => {
    for (const mode of modes) {
      const solution = solver.createSolution();
      let caught = 0;
      for (const path of throws) {
        solver.cold(catchTask(setup, mode, path), budget, solution);
        if (solution.found) caught++;
      }
      expect(caught).toBeGreaterThanOrEqual(throws.length / 2);
    }
  });

  it("orders the modes as the thesis does: latest is latest, soft is softest, cool arrives first and waits", () => {
    for (const path of throws) {
      const [soft, latest, cool] = (["soft", "latest", "cool"] as const).map((mode) => {
        const solution = solver.createSolution();
        solver.cold(catchTask(setup, mode, path), budget, solution);
        return solution;
      }) as [CatchSolution, CatchSolution, CatchSolution];
      if (!soft.found || !latest.found || !cool.found) continue;
      const time = (solution: CatchSolution): number => solution.x.at(-1)!;
      // A later catch may have been refused on its way, which the objectives do not know of.
      if (latest.refusal === Verdict.ok) expect(time(latest)).toBeGreaterThanOrEqual(time(soft) - 1e-6);
      expect(cool.arrival).toBeLessThanOrEqual(time(cool) + 1e-9);
      expect(accelerations(soft)).toBeLessThanOrEqual(accelerations(latest) * 1.02);
    }
  });

  it("gives the same bits again", () => {
    const task = catchTask(setup, "soft", throws[1]!);
    const [a, b] = [solver.createSolution(), solver.createSolution()];
    solver.cold(task, budget, a);
    solver.cold(catchTask(setup, "latest", throws[2]!), budget, b);
    solver.cold(task, budget, b);
    expect(b.x).toEqual(a.x);
    expect(b.warmStart).toEqual(a.warmStart);
  });
});

describe("replanning", () => {
  const setup = catchSetup("agile-justin", "rightArm");
  const random = new Random("replanning");

  it("follows a moving start with one warm solve, to the same catch when the prediction stays", () => {
    for (let k = 0; k < 20; k++) {
      const path = setup.throwBall(random);
      const task = catchTask(setup, "latest", path);
      const solver = new CatchSolver(setup.arm, task);
      const solution = solver.createSolution();
      solver.cold(task, budget, solution);
      if (!solution.found) continue;
      const before = solution.x.slice();
      const [q, w, a] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
      solution.ramps.evaluate(replanStep, q, w, a);
      const later = { ...task, q0: q, w0: w, path: delayed(path, replanStep) };
      const start = before.slice();
      start[7]! -= replanStep;
      solver.warm(later, start, solution.warmStart.slice(), budget.solve, solution);
      expect(solution.found).toBe(true);
      expect(solution.x[7]! + replanStep).toBeCloseTo(before[7]!, 4);
    }
  });

  it("allocates no array or object in a warm solve", () => {
    const task = catchTask(setup, "soft", setup.throwBall(random));
    const solver = new CatchSolver(setup.arm, task);
    const solution = solver.createSolution();
    solver.cold(task, budget, solution);
    expect(solution.found).toBe(true);
    const start = solution.x.slice();
    const warmStart = solution.warmStart.slice();
    // V8 boxes some of the numbers that go in and out of calls it does not inline: 16 bytes each, a few dozen a solve.
    const boxedInSolve = 2048;
    const warm = (): void => solver.warm(task, start, warmStart, budget.solve, solution);
    expect(heapBytesPerCall(warm, 1000, boxedInSolve)).toBeLessThan(boxedInSolve);
  });
});

/** The same flight on a clock that starts `by` later. */
function delayed(path: ReturnType<typeof setup0.throwBall>, by: number) {
  return {
    begin: path.begin - by,
    end: path.end - by,
    position: (t: number, out: Parameters<typeof path.position>[1]) => path.position(t + by, out),
    velocity: (t: number, out: Parameters<typeof path.velocity>[1]) => path.velocity(t + by, out),
    acceleration: (t: number, out: Parameters<typeof path.acceleration>[1]) => path.acceleration(t + by, out),
    evaluate: (t: number, ...out: [never, never, never]) => path.evaluate(t + by, ...out),
  };
}
const setup0 = catchSetup("lwr-arm", "arm");

function accelerations({ ramps }: CatchSolution): number {
  return Math.hypot(...ramps.a);
}
