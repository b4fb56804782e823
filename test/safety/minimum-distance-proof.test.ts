import { describe, expect, it } from "vitest";
import { KinematicChain } from "../../src/robot/kinematics/chain.js";
import { dofsBetween } from "../../src/robot/kinematics/kinematics.js";
import { listRobots, loadRobot } from "../../src/robot/loading/load-robot.js";
import { areProvenApart } from "../../src/safety/apart-proof.js";
import { ChainBodies } from "../../src/safety/chain-bodies.js";
import { chainScope, proveMinimumDistance } from "../../src/safety/minimum-distance-proof.js";
import { completeNumbers } from "../../src/safety/monitor/monitor-options.js";
import { areNeverNearer } from "../../src/safety/never-nearer.js";

const { limitTolerance } = completeNumbers({});

describe.each(listRobots())("the one proof gives the verdicts of the two before it for %s", (name) => {
  const robot = loadRobot(name);
  const pairs = robot.hulls.flatMap((_, a) => robot.hulls.slice(a + 1).map((_, i) => [a, a + 1 + i] as const));

  it.each([0.002, 0.01, 0.03, 0.05, 0.1, 0.15])("of an arm, at %f m", (margin) => {
    const posture = robot.postures.get("ready")!;
    for (const { baseLink, tipLink, dofs } of robot.model.groups.filter(({ hand }) => hand !== undefined)) {
      const chain = new KinematicChain(robot.model, baseLink, tipLink, dofs);
      const placed = new ChainBodies(robot, chain, posture);
      for (const [a, b] of pairs) {
        const [outer, inner] = placed.carrier[a]! > placed.carrier[b]! ? [a, b] : [b, a];
        if (placed.carrier[outer] === placed.carrier[inner]) continue;
        const scope = chainScope(robot, chain, placed, outer, inner, posture);
        const verdict = scope !== null && proveMinimumDistance(robot, outer, inner, margin, scope);
        expect([outer, inner, verdict]).toEqual([outer, inner, areNeverNearer(placed, chain, outer, inner, margin)]);
      }
    }
  });

  it.each([0.001, 0.01])("of the whole robot, at %f m", (margin) => {
    for (const [a, b] of pairs) {
      const dofs = dofsBetween(robot.model, robot.hulls[a]!.link, robot.hulls[b]!.link);
      const scope = { dofs, limitTolerance, budget: 20_000, halved: "own-motion" } as const;
      const verdict = dofs.length <= 4 && proveMinimumDistance(robot, a, b, margin, scope);
      expect([a, b, verdict]).toEqual([a, b, areProvenApart(robot, a, b, margin)]);
    }
  });
});
