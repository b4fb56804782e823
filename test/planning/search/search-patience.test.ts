import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { iterationBudget } from "../../../src/optimisation/solver-interface.js";
import type { CatchMode } from "../../../src/planning/problem/objectives.js";
import { CatchSolver } from "../../../src/planning/search/catch-solver.js";
import { briefSearch, everyStart, SearchTally } from "../../../src/planning/search/search-patience.js";
import { deep } from "../../support/deep.js";
import { catchSetup, catchTask } from "../catch-setup.js";

const none = Number.POSITIVE_INFINITY;

function tally(mode: CatchMode = "soft", patience = briefSearch): SearchTally {
  const made = new SearchTally();
  made.begin(patience, mode);
  return made;
}

describe("the tally of a search", () => {
  it("gives up after three starts in vain, and not before", () => {
    const search = tally();
    for (let start = 0; start < 3; start++) {
      expect(search.isOver).toBe(false);
      search.noteInfeasible();
    }
    expect(search.isOver).toBe(true);
  });

  it("does not give up where a start kept the constraints, even if its plan was refused", () => {
    const search = tally();
    search.noteFeasible(1, none);
    for (let start = 0; start < 12; start++) search.noteInfeasible();
    expect(search.isOver).toBe(false);
  });

  it("ends when three starts agree on the best catch, others in between", () => {
    const search = tally();
    search.noteFeasible(1, 1);
    search.noteFeasible(1.0005, 1);
    search.noteFeasible(1.2, 1);
    search.noteInfeasible();
    expect(search.isOver).toBe(false);
    search.noteFeasible(0.9995, 0.9995);
    expect(search.isOver).toBe(true);
  });

  it("begins to count anew when a better catch is found", () => {
    const search = tally("soft");
    for (const cost of [0.6, 0.6, 0.5, 0.5]) {
      search.noteFeasible(cost, cost);
      expect(search.isOver).toBe(false);
    }
    search.noteFeasible(0.5, 0.5);
    expect(search.isOver).toBe(true);
  });

  it("takes no agreement for proof in modes latest and cool, and none at all where every start is wanted", () => {
    for (const search of [tally("latest"), tally("cool"), tally("soft", everyStart)]) {
      for (let start = 0; start < 50; start++) search.noteFeasible(1, 1);
      expect(search.isOver).toBe(false);
    }
    const search = tally("soft", everyStart);
    for (let start = 0; start < 50; start++) search.noteInfeasible();
    expect(search.isOver).toBe(false);
  });

  it("wants more starts to agree on the surest catch, and takes costs below zero", () => {
    const search = tally("sure");
    for (let start = 0; start < 5; start++) search.noteFeasible(-2, -2);
    expect(search.isOver).toBe(false);
    search.noteFeasible(-2.001, -2.001);
    expect(search.isOver).toBe(true);
  });

  it("has catches verified that are better by more than rounding, and all better ones where every start is wanted", () => {
    const brief = tally();
    expect(brief.isBetter(3, none)).toBe(true);
    expect(brief.isBetter(0.5 - 1e-6, 0.5)).toBe(false);
    expect(brief.isBetter(-0.5 - 1e-6, -0.5)).toBe(false);
    expect(brief.isBetter(0.4999, 0.5)).toBe(true);
    expect(brief.isBetter(Number.NaN, 0.5)).toBe(false);
    expect(brief.isBetter(Number.NaN, none)).toBe(false);
    expect(tally("soft", everyStart).isBetter(0.5 - 1e-12, 0.5)).toBe(true);
    expect(tally("soft", everyStart).isBetter(0.5, 0.5)).toBe(false);
  });

  it("keeps nothing of the search before", () => {
    const search = tally();
    for (let start = 0; start < 3; start++) search.noteInfeasible();
    search.begin(briefSearch, "soft");
    expect(search.isOver).toBe(false);
    for (let start = 0; start < 3; start++) search.noteFeasible(1, 1);
    search.begin(briefSearch, "soft");
    search.noteFeasible(1, 1);
    expect(search.isOver).toBe(false);
  });
});

describe.each([
  ["lwr-arm", "arm"],
  ["iiwa-14", "arm"],
  ["agile-justin", "leftArm"],
])("a brief search for %s %s", (robot, group) => {
  const setup = catchSetup(robot, group);
  const random = new Random(`brief ${robot}`);
  const solve = iterationBudget(100);

  it.each(["soft", "sure"] as const)("finds what the whole search finds, in mode %s", (mode) => {
    let [briefly, wholly, caught] = [0, 0, 0];
    const throws = Array.from({ length: deep(15, 300) }, () => setup.throwBall(random));
    const solver = new CatchSolver(setup.arm, catchTask(setup, mode, throws[0]!));
    const [whole, brief] = [solver.createSolution(), solver.createSolution()];
    let worse = 0;
    for (const path of throws) {
      const task = catchTask(setup, mode, path);
      solver.cold(task, { starts: 16, solve }, whole);
      solver.cold(task, { starts: 16, solve, patience: briefSearch }, brief);
      briefly += brief.starts;
      wholly += whole.starts;
      if (whole.found) caught++;
      if (whole.found !== brief.found || brief.cost > whole.cost + 1e-3 * Math.abs(whole.cost) + 1e-4) worse++;
    }
    expect(caught).toBeGreaterThan(throws.length / 3);
    expect(worse).toBeLessThanOrEqual(throws.length / 50);
    expect(briefly).toBeLessThan(0.7 * wholly);
  });
});
