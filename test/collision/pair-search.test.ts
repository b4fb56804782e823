import { describe, expect, it } from "vitest";
import { proveMinimumDistance } from "../../src/collision/minimum-distance-proof.js";
import { type PairFinding, searchPairs } from "../../src/collision/pair-search.js";
import { Random } from "../../src/math/random.js";
import { dofsBetween, forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import { completeNumbers } from "../../src/safety/monitor/monitor-options.js";
import { smallArm } from "../robot/fixtures/small-arm.js";
import { deep } from "../support/deep.js";
import { withDefaultPairs } from "./default-pairs.js";
import { randomWithin } from "./random-configurations.js";
import { TrueDistances } from "./true-distance.js";

const { limitTolerance } = completeNumbers({});

function search(robot: Robot, samples: number): PairFinding[] {
  return searchPairs(robot, { random: new Random("pairs"), limitTolerance, samples });
}

function findingOf(robot: Robot, findings: readonly PairFinding[], first: string, second: string): PairFinding {
  const named = findings.find(({ a, b }) => {
    const names = [robot.hulls[a]!.name, robot.hulls[b]!.name];
    return names.includes(first) && names.includes(second);
  });
  if (named === undefined) throw new Error(`no pair ${first}, ${second}`);
  return named;
}

describe.each(["lwr-arm", "iiwa-14", "panda", "agile-justin"])("the pairs found for %s", (name) => {
  const robot = loadRobot(name);
  const findings = search(robot, deep(2000, 20_000));

  it("are all pairs of bodies, each once", () => {
    const n = robot.hulls.length;
    expect(findings).toHaveLength((n * (n - 1)) / 2);
    expect(new Set(findings.map(({ a, b }) => `${a} ${b}`)).size).toBe(findings.length);
  });

  it("leave out as rigid or adjacent what the default rule leaves out", () => {
    const byRule = new Set(withDefaultPairs(robot).pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
    for (const { a, b, reason } of findings) {
      expect(reason === "rigid" || reason === "adjacent").toBe(!byRule.has(`${a} ${b}`));
    }
  });

  it("leave out no pair that another sampling finds nearer than the margin", () => {
    const random = new Random("other samples");
    const state = new RobotState(robot.model);
    const truth = new TrueDistances(robot);
    const omitted = findings.filter(({ reason }) => reason === "proven-apart" || reason === "far-apart");
    expect(omitted.length).toBeGreaterThan(5);
    for (let i = 0; i < deep(100, 5000); i++) {
      randomWithin(robot.model.lower, robot.model.upper, random, state.q);
      forwardKinematics(state);
      truth.place(state);
      for (const { a, b } of omitted) expect(truth.areWithin(a, b, 0.001 - 1e-9)).toBe(false);
    }
  });

  it("are those of the sidecar, if it names any", () => {
    if (robot.sidecar.collision?.pairs === undefined) return;
    const named = new Set(robot.pairs.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`));
    // What is left out here must be left out there for a reason that holds: only few samples may miss a contact.
    for (const { a, b, reason } of findings) if (reason === "checked") expect(named.has(`${a} ${b}`)).toBe(true);
    for (const { a, b, reason } of findings) if (reason === "proven-apart") expect(named.has(`${a} ${b}`)).toBe(false);
  });

  it("are the same for the same seed", () => {
    const samples = deep(50, 200);
    expect(search(robot, samples)).toEqual(search(robot, samples));
  });
});

describe("the search for pairs", () => {
  it("knows neighbours' neighbours of an arm, and a hand that reaches its base", () => {
    const robot = loadRobot("lwr-arm");
    const findings = search(robot, 2000);
    expect(findingOf(robot, findings, "arm2", "arm4").reason).toBe("proven-apart");
    expect(findingOf(robot, findings, "armBase", "hand").reason).toBe("checked");
    expect(findingOf(robot, findings, "arm1", "arm2").reason).toBe("adjacent");
    expect(findingOf(robot, findings, "table", "armBase").reason).toBe("rigid");
    expect(findingOf(robot, findings, "table", "hand").touching).toBeGreaterThan(0.01);
  });

  it("finds by descending what samples miss: the least distance of few samples is hardly above that of many", () => {
    const robot = loadRobot("panda");
    const [few, many] = [search(robot, 300), search(robot, deep(4_000, 200_000))];
    for (const [k, { reason, least }] of few.entries()) {
      if (reason === "rigid" || reason === "adjacent") continue;
      expect(Math.max(0, least)).toBeLessThan(Math.max(0, many[k]!.least) + 0.02);
    }
  });

  it("sees that bodies always overlap", () => {
    const robot = loadRobot("lwr-arm");
    const around = { ...robot.hulls[3]!, radius: 3 };
    const grown: Robot = { ...robot, hulls: robot.hulls.map((hull, i) => (i === 3 ? around : hull)) };
    const reasons = search(grown, 100).filter(({ a, b }) => a === 3 || b === 3);
    expect(reasons.map(({ reason }) => reason)).not.toContain("checked");
    expect(reasons.map(({ reason }) => reason)).toContain("always-touching");
  });

  it("reports progress that grows up to the end", () => {
    const shares: number[] = [];
    searchPairs(loadRobot("panda"), {
      limitTolerance,
      random: new Random(1),
      samples: 1000,
      progress: (share) => shares.push(share),
    });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it("works for a robot with couplings and joints without limits", () => {
    const robot = smallArm();
    for (const { least } of search(robot, 200)) expect(least).not.toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the proof that two bodies stay apart", () => {
  it("fails beyond the distance that the limits really allow", () => {
    const robot = loadRobot("lwr-arm");
    const body = (name: string) => robot.hulls.findIndex((hull) => hull.name === name);
    // The elbow bends to 120° and 0.02 rad more: 0.2 m from it, the upper arm's capsules are 0.2·sin 60° from the forearm's.
    const least = 0.2 * Math.sin(Math.PI / 3 - 0.02) - 0.12;
    const [a, b] = [body("arm4"), body("arm2")];
    const dofs = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
    const scope = { dofs, limitTolerance, budget: 20_000, halved: "own-motion" } as const;
    expect(proveMinimumDistance(robot, a, b, least - 1e-3, scope)).toBe(true);
    expect(proveMinimumDistance(robot, a, b, least + 1e-3, scope)).toBe(false);
  });
});

it("of a robot of which only some joints move, pairs without one of them between are left out", () => {
  const robot = loadRobot("agile-justin");
  const { dofs } = robot.model.groups.find(({ name }) => name === "rightArm")!;
  const options = { random: new Random("pairs"), limitTolerance, samples: 100, proofBudget: 10 };
  const findings = searchPairs(robot, { ...options, moving: new Set(dofs) });
  for (const { a, b, reason } of findings) {
    const between = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
    const isMoved = between.some((dof) => dofs.includes(dof));
    if (reason !== "rigid" && reason !== "adjacent") expect(reason === "unmoved").toBe(!isMoved);
  }
  expect(findings.some(({ reason }) => reason === "unmoved")).toBe(true);
  expect(findings.some(({ reason }) => reason === "checked")).toBe(true);
});
