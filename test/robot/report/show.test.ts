import { describe, expect, it } from "vitest";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { emptySidecar } from "../../../src/robot/loading/load-robot.js";
import { formatTree } from "../../../src/robot/report/show.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { smallArm, smallArmUrdf } from "../fixtures/small-arm.js";

describe("formatTree", () => {
  it("draws the tree with joints, limits in degrees, couplings and groups, then the parts", () => {
    expect(formatTree(smallArm(undefined, {}))).toBe(
      `small-arm: 10 links, 5 degrees of freedom

world
└─ carriage  (rail: prismatic -1 m … 1 m, 1.5 m/s, 3 m/s²) [rail]
   ├─ upper  (shoulder: revolute -80.2° … 80.2°, 143.2 °/s, 573 °/s²) [arm]
   │  └─ fore  (elbow: revolute -114.6° … 114.6°, 171.9 °/s, 1145.9 °/s²) [arm]
   │     └─ hand  (wrist: continuous, 229.2 °/s, 1718.9 °/s²) [arm]
   │        ├─ catch  (catchMount: fixed)
   │        ├─ fingerA  (gripA: revolute 0° … 57.3°, 515.7 °/s, 5729.6 °/s²)
   │        └─ fingerB  (gripB: revolute -114.6° … 114.6° = -1·gripA + 5.73°)
   │           └─ fingerC  (gripC: revolute -114.6° … 114.6° = -0.5·gripA + 2.865°)
   └─ eye  (eyeMount: fixed)

mass       7.45 kg
groups     rail (base): world → carriage, 1 joint
           arm (arm): carriage → catch, 3 joints, hand gripper
frames     world = world
           base = carriage
           chest = carriage
           head = carriage
           catch = catch
hands      gripper: catches at catch, 1 finger joint
postures   ready, drop
cameras    left: 800 × 600 at 25 Hz on eye
           right: 640 × 480 at 25 Hz on eye
imu        512 Hz on eye
collision  5 bodies, 9 points, 5 pairs
keep-out   ball: sphere on carriage
           post: capsule on world
           drum: cylinder on carriage
           crate: box on world
           floor: half-space on world
overlays   calibration of 2026-01-01, version 0`,
    );
  });

  it("shows a URDF alone", () => {
    const text = smallArmUrdf.replace('<limit lower="-2" upper="2" velocity="3" effort="40"/>', "");
    const robot = assembleRobot({ name: "small", urdf: parseUrdf(text), sidecar: emptySidecar("small.urdf") });
    const shown = formatTree(robot);
    expect(shown).toContain("fore  (elbow: revolute without range)\n");
    expect(shown).toContain("frames     world = world");
    expect(shown).not.toContain("groups");
  });

  it("shows several terms, one-sided ranges and joints that stand still", () => {
    const robot = smallArm((sidecar) => {
      const terms = [
        { joint: "shoulder", factor: -1 },
        { joint: "elbow", factor: 1.5 },
        { joint: "gripA", factor: -0.25 },
      ];
      sidecar.limits = { wrist: { lower: -3 } };
      sidecar.couplings = [
        { joint: "wrist", terms, offset: -0.5 },
        { joint: "rail", terms: [{ joint: "gripA", factor: 0 }], offset: 0.25 },
      ];
      sidecar.groups = [];
      sidecar.postures = {};
      for (const key of ["bodyRule", "simulation"]) Reflect.deleteProperty(sidecar, key);
    });
    const shown = formatTree(robot);
    expect(shown).toContain("(wrist: revolute -171.9° … ∞° = -1·shoulder + 1.5·elbow - 0.25·gripA - 28.6°)");
    expect(shown).toContain("(rail: prismatic -1 m … 1 m = 0.25 m)");
  });
});
