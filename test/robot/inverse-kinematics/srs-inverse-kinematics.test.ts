import { describe, expect, it } from "vitest";
import { wrapAngle } from "../../../src/math/angle.js";
import type { Pose } from "../../../src/math/pose.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { SrsArm } from "../../../src/robot/inverse-kinematics/srs-inverse-kinematics.js";
import { KinematicChain } from "../../../src/robot/kinematics/chain.js";
import { JointKind } from "../../../src/robot/robot.js";
import { deep } from "../../support/deep.js";
import { boxedNumbers, heapBytesPerCall } from "../../support/heap.js";
import { maxDifference } from "../kinematics/reference-kinematics.js";
import { modelFrom, randomPose } from "../random-model.js";
import { groupChain, randomConfiguration, randomSrsChain } from "./srs-arms.js";

const shipped = [
  ["lwr-arm", "arm"],
  ["iiwa-14", "arm"],
  ["agile-justin", "leftArm"],
  ["agile-justin", "rightArm"],
] as const;

function armOf(chain: KinematicChain): SrsArm {
  const result = SrsArm.fromChain(chain);
  if (!result.ok) throw new Error(result.reason);
  return result.arm;
}

/** The same arm without joint limits. */
function unlimited(chain: KinematicChain): KinematicChain {
  const model = {
    ...chain.model,
    lower: new Float64Array(chain.model.dofCount).fill(Number.NEGATIVE_INFINITY),
    upper: new Float64Array(chain.model.dofCount).fill(Number.POSITIVE_INFINITY),
  };
  return new KinematicChain(model, chain.baseLink, chain.tipLink, chain.dofs);
}

const solutionsOf = (out: Float64Array, count: number): Float64Array[] =>
  Array.from({ length: count }, (_, k) => out.slice(7 * k, 7 * k + 7));

/** Greatest difference of two configurations, whole turns apart counting as equal. */
const angularDistance = (a: Float64Array, b: Float64Array): number =>
  Math.max(...a.map((angle, i) => Math.abs(wrapAngle(angle - b[i]!))));

interface Sweep {
  worstPose: number;
  worstElbow: number;
  nearest: number;
  fewest: number;
  total: number;
}

/** Random reachable poses at random elbow angles: all eight branches, each checked by forward kinematics. */
function sweep(chain: KinematicChain, arm: SrsArm, random: Random, cases: number): Sweep {
  const result = { worstPose: 0, worstElbow: 0, nearest: Math.PI, fewest: 8, total: 0 };
  const q = new Float64Array(7);
  const out = new Float64Array(56);
  const target = pose.create();
  for (let k = 0; k < cases; k++) {
    chain.update(randomConfiguration(random, chain, q));
    pose.copy(chain.baseFromTip, target);
    const elbowAngle = random.uniformIn(-Math.PI, Math.PI);
    const found = solutionsOf(out, arm.solve(target, elbowAngle, out));
    result.fewest = Math.min(result.fewest, found.length);
    result.total += found.length;
    found.forEach((solution, i) => {
      chain.update(solution);
      result.worstPose = Math.max(result.worstPose, maxDifference(chain.baseFromTip, target));
      const error = Math.abs(wrapAngle(arm.elbowAngleOf(solution) - elbowAngle));
      result.worstElbow = Math.max(result.worstElbow, error);
      for (const other of found.slice(0, i))
        result.nearest = Math.min(result.nearest, angularDistance(solution, other));
    });
  }
  return result;
}

describe("SRS inverse kinematics", () => {
  it.each(shipped)("of %s %s: eight distinct branches, each exact, at any elbow angle", (robot, group) => {
    const chain = unlimited(groupChain(robot, group));
    const result = sweep(chain, armOf(chain), new Random(`srs ${robot} ${group}`), deep(2500, 10_000));
    expect(result.fewest).toBe(8);
    expect(result.worstPose).toBeLessThan(1e-9);
    expect(result.worstElbow).toBeLessThan(1e-7);
    expect(result.nearest).toBeGreaterThan(0.1);
  });

  it("of any arm of this geometry: arbitrary zero positions, frames, elbow offsets and tools", () => {
    const random = new Random("srs random");
    for (let k = 0; k < deep(100, 1000); k++) {
      const chain = unlimited(randomSrsChain(random, 1));
      const result = sweep(chain, armOf(chain), random, 20);
      expect(result.fewest).toBe(8);
      expect(result.worstPose).toBeLessThan(1e-9);
      expect(result.worstElbow).toBeLessThan(1e-6);
    }
  });

  it("of an arm whose axes are slightly off is corrected, and as exact", () => {
    const random = new Random("srs flawed");
    const arms = deep(50, 500);
    let total = 0;
    for (let k = 0; k < arms; k++) {
      const chain = unlimited(randomSrsChain(random, 1, 2e-5));
      const result = sweep(chain, armOf(chain), random, 20);
      expect(result.worstPose).toBeLessThan(2e-9);
      total += result.total;
    }
    // Within the flaw of stretched the ideal arm may not reach what this one can.
    expect(total / (8 * 20 * arms)).toBeGreaterThan(0.99);
  });

  it.each(shipped)("of %s %s finds every configuration within the limits at its own elbow angle", (robot, group) => {
    const chain = groupChain(robot, group);
    const arm = armOf(chain);
    const random = new Random(`recover ${robot} ${group}`);
    const q = new Float64Array(7);
    const out = new Float64Array(56);
    let worst = 0;
    for (let k = 0; k < deep(2500, 10_000); k++) {
      chain.update(randomConfiguration(random, chain, q));
      const found = solutionsOf(out, arm.solve(chain.baseFromTip, arm.elbowAngleOf(q), out));
      worst = Math.max(
        worst,
        Math.min(Number.POSITIVE_INFINITY, ...found.map((solution) => maxDifference(solution, q))),
      );
    }
    expect(worst).toBeLessThan(1e-8);
  });

  it.each(shipped)(
    "of %s %s gives those solutions that lie within the limits, and says which branch",
    (robot, group) => {
      const chain = groupChain(robot, group);
      const [limited, free] = [armOf(chain), armOf(unlimited(chain))];
      const random = new Random(`limits ${robot} ${group}`);
      const q = new Float64Array(7);
      const [out, all] = [new Float64Array(56), new Float64Array(56)];
      let [kept, dropped] = [0, 0];
      for (let k = 0; k < 500; k++) {
        chain.update(randomConfiguration(random, chain, q));
        const elbowAngle = random.uniformIn(-3, 3);
        const count = limited.solve(chain.baseFromTip, elbowAngle, out);
        const every = solutionsOf(all, free.solve(chain.baseFromTip, elbowAngle, all));
        const inside = every.filter((x) => x.every((angle, i) => angle >= chain.lower[i]! && angle <= chain.upper[i]!));
        expect(count).toBe(inside.length);
        solutionsOf(out, count).forEach((solution, i) => {
          expect(maxDifference(solution, inside[i]!)).toBeLessThan(1e-12);
          const same = every.findIndex((x) => maxDifference(x, solution) < 1e-12);
          expect(limited.branches[i]).toBe(free.branches[same]);
        });
        kept += count;
        dropped += 8 - count;
      }
      expect(Math.min(kept, dropped)).toBeGreaterThan(100);
    },
  );

  it("turns the elbow about the line from shoulder to wrist, from the side of the reference", () => {
    const chain = unlimited(groupChain("lwr-arm", "arm"));
    const result = SrsArm.fromChain(chain, { elbowReference: vec3.create(0.1, 0.2, 1) });
    if (!result.ok) throw new Error(result.reason);
    const { arm } = result;
    const random = new Random("elbow");
    const q = randomConfiguration(random, chain, new Float64Array(7));
    const out = new Float64Array(56);
    chain.update(q);
    const target = pose.copy(chain.baseFromTip, pose.create());
    const wrist = pose.transformPoint(target, arm.tipWrist, vec3.create());
    const line = vec3.normalize(vec3.subtract(wrist, arm.shoulder, vec3.create()), vec3.create());
    const up = vec3.create(0.1, 0.2, 1);
    const u = vec3.addScaled(up, line, -vec3.dot(up, line), vec3.create());
    const v = vec3.cross(line, u, vec3.create());
    for (const elbowAngle of [-2, -0.5, 0, 1, 3]) {
      for (const solution of solutionsOf(out, arm.solve(target, elbowAngle, out))) {
        chain.update(solution);
        // Joint 4's origin is the elbow of this arm.
        const elbow = vec3.subtract(chain.jointOrigin.slice(9, 12) as vec3.Vec3, arm.shoulder, vec3.create());
        const angle = Math.atan2(vec3.dot(elbow, v), vec3.dot(elbow, u));
        expect(Math.abs(wrapAngle(angle - elbowAngle))).toBeLessThan(1e-9);
      }
    }
  });
});

describe("at singular configurations", () => {
  const singular: [string, number[]][] = [
    ["stretched elbow", [0.3, 0.5, -0.4, 0, 0.2, 0.7, 0.1]],
    ["aligned shoulder", [0.3, 0, -0.4, 1.1, 0.2, 0.7, 0.1]],
    ["aligned wrist", [0.3, 0.5, -0.4, 1.1, 0.2, 0, 0.1]],
    ["all at once", [0, 0, 0, 0, 0, 0, 0]],
    ["nearly all at once", [0, 1e-9, 0, -1e-9, 0, 1e-9, 0]],
  ];
  it.each(singular)("(%s) the solutions are finite and right, and the elbow angle is kept", (_, configuration) => {
    for (const [robot, group] of shipped) {
      const chain = unlimited(groupChain(robot, group));
      const arm = armOf(chain);
      const out = new Float64Array(56);
      const q = Float64Array.from(configuration);
      chain.update(q);
      const target = pose.copy(chain.baseFromTip, pose.create());
      for (const elbowAngle of [arm.elbowAngleOf(q), 0, 1, -2, Math.PI]) {
        const found = solutionsOf(out, arm.solve(target, elbowAngle, out));
        expect(found).toHaveLength(8);
        for (const solution of found) {
          chain.update(solution);
          expect(maxDifference(chain.baseFromTip, target)).toBeLessThan(1e-9);
          // Exactly stretched, either side of the elbow's axis may be called its direction.
          const error = Math.abs(wrapAngle(arm.elbowAngleOf(solution) - elbowAngle));
          const stretched = Math.abs(solution[3]!) < 1e-7;
          expect(Math.min(error, stretched ? Math.PI - error : error)).toBeLessThan(1e-6);
        }
      }
    }
  });

  it("a pose beyond reach, or with NaN, has no solution", () => {
    const chain = unlimited(groupChain("lwr-arm", "arm"));
    const arm = armOf(chain);
    const out = new Float64Array(56).fill(7);
    chain.update(new Float64Array(7));
    const target = (change: (p: Pose) => void): Pose => {
      const p = pose.copy(chain.baseFromTip, pose.create());
      change(p);
      return p;
    };
    const away = vec3.subtract(chain.baseFromTip.slice(9, 12) as vec3.Vec3, arm.shoulder, vec3.create());
    const direction = vec3.normalize(away, vec3.create());
    for (const further of [1e-6, 0.01, 10, Number.POSITIVE_INFINITY, Number.NaN]) {
      const beyond = target((p) => {
        for (let i = 0; i < 3; i++) p[9 + i] = p[9 + i]! + (direction[i]! === 0 ? 0 : further * direction[i]!);
      });
      expect(arm.solve(beyond, 0, out)).toBe(0);
    }
    expect(
      arm.solve(
        target(() => {}),
        Number.NaN,
        out,
      ),
    ).toBe(0);
    expect(
      arm.solve(
        target((p) => p.fill(Number.NaN)),
        0,
        out,
      ),
    ).toBe(0);
  });
});

describe("an arm of another geometry is refused with the reason", () => {
  const reasonOf = (chain: KinematicChain): string => {
    const result = SrsArm.fromChain(chain);
    return result.ok ? "" : result.reason;
  };

  it("Panda: the wrist's axes miss each other by the flange's offset", () => {
    expect(reasonOf(groupChain("panda", "arm"))).toMatch(/wrist's axes \(joints 5–7\) miss a common point by 0.0\d+ m/);
  });

  it("too few joints, sliding joints, coupled joints, skew axes", () => {
    const random = new Random("refuse");
    const revolute = (parent: number) => ({
      parent,
      kind: JointKind.revolute,
      placement: randomPose(random, 0.3),
    });
    const root = { parent: -1, kind: JointKind.fixed };
    const seven = Array.from({ length: 7 }, (_, i) => revolute(i));
    const dofs = [0, 1, 2, 3, 4, 5, 6];
    expect(reasonOf(new KinematicChain(modelFrom([root, ...seven.slice(0, 6)]), 0, 6, dofs.slice(0, 6)))).toMatch(
      /6 moving joints/,
    );
    const sliding = seven.map((joint, i) => (i === 2 ? { ...joint, kind: JointKind.prismatic } : joint));
    expect(reasonOf(new KinematicChain(modelFrom([root, ...sliding]), 0, 7, dofs))).toMatch(/joint3 does not turn/);
    const coupled = [...seven.slice(0, 6), { ...seven[6]!, coupling: [{ link: 1, factor: 0.5 }] }, root];
    coupled[7] = { ...revolute(0) };
    expect(reasonOf(new KinematicChain(modelFrom([root, ...coupled]), 0, 7, dofs))).toMatch(/joint7 is coupled/);
    expect(reasonOf(new KinematicChain(modelFrom([root, ...seven]), 0, 7, dofs))).toMatch(/off right angles/);
  });
});

it("analytic inverse kinematics allocates nothing", () => {
  const chain = groupChain("lwr-arm", "arm");
  const arm = armOf(chain);
  const out = new Float64Array(56);
  const q = Float64Array.of(0.3, 0.5, -0.4, 1.1, 0.2, 0.7, 0.1);
  chain.update(q);
  const target = pose.copy(chain.baseFromTip, pose.create());
  expect(arm.solve(target, 0.5, out)).toBeGreaterThan(0);
  expect(heapBytesPerCall(() => arm.solve(target, 0.5, out))).toBeLessThan(boxedNumbers);
});
