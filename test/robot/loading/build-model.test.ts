import { describe, expect, it } from "vitest";
import * as mat3 from "../../../src/math/mat3.js";
import * as pose from "../../../src/math/pose.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { buildModel } from "../../../src/robot/loading/build-model.js";
import { JointKind, type RobotModel } from "../../../src/robot/robot.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { deep } from "../../support/deep.js";
import { shuffle, unitVector } from "../../support/random-draws.js";
import { expectCode, smallArm, smallArmSidecar, smallArmUrdf } from "../fixtures/small-arm.js";

const urdf = parseUrdf(smallArmUrdf);
const model = buildModel(urdf, smallArmSidecar());
const link = (name: string, of: RobotModel = model) => of.linkNames.indexOf(name);
const joint = (name: string, of: RobotModel = model) => of.jointNames.indexOf(name);

/** Position of a joint by the model's terms. */
function positionOf(of: RobotModel, i: number, q: ArrayLike<number>): number {
  let position = of.jointOffset[i]!;
  for (let k = of.termStart[i]!; k < of.termStart[i + 1]!; k++) position += of.termFactor[k]! * q[of.termDof[k]!]!;
  return position;
}

/** Pose of a link in the root, written out plainly. */
function rootFromLink(of: RobotModel, i: number, q: ArrayLike<number>): pose.Pose {
  if (i === 0) return pose.create();
  const motion = pose.create();
  const axis = vec3.view(of.jointAxis, 3 * i);
  const position = positionOf(of, i, q);
  if (of.jointKind[i] === JointKind.revolute) {
    pose.fromMat3Translation(mat3.fromAxisAngle(axis, position, mat3.create()), vec3.create(), motion);
  } else if (of.jointKind[i] === JointKind.prismatic) {
    pose.setTranslation(motion, vec3.scale(axis, position, vec3.create()), motion);
  }
  const above = pose.compose(rootFromLink(of, of.parentLink[i]!, q), of.parentFromJoint[i]!, pose.create());
  return pose.compose(above, motion, above);
}

describe("buildModel", () => {
  it("orders links depth first, each joint at its link's index", () => {
    expect(model.linkNames).toEqual(
      ["world", "carriage", "upper", "fore", "hand", "catch", "fingerA", "fingerB", "fingerC", "eye"], // depth first
    );
    expect(model.jointNames[link("fore")]).toBe("elbow");
    expect([...model.parentLink]).toEqual([-1, 0, 1, 2, 3, 4, 4, 4, 7, 1]);
    expect([...model.parentLink].every((parent, i) => parent < i)).toBe(true);
    expect(model.dofNames).toEqual(["rail", "shoulder", "elbow", "wrist", "gripA"]);
    expect([...model.dofJoint].map((i) => model.jointNames[i])).toEqual([...model.dofNames]);
  });

  it("keeps fixed joints, and takes continuous ones for revolute", () => {
    expect(model.jointKind[joint("catchMount")]).toBe(JointKind.fixed);
    expect(model.jointKind[joint("wrist")]).toBe(JointKind.revolute);
    expect(model.jointKind[joint("rail")]).toBe(JointKind.prismatic);
    expect([...model.jointAxis.subarray(3, 6)]).toEqual([0, 1, 0]);
  });

  it("resolves chains of mimic to independent coordinates", () => {
    const q = [0, 0, 0, 0, 0.6];
    expect(positionOf(model, joint("gripB"), q)).toBeCloseTo(-0.6 + 0.1, 15);
    expect(positionOf(model, joint("gripC"), q)).toBeCloseTo(0.5 * (-0.6 + 0.1), 15);
    expect(model.termStart[joint("catchMount") + 1]! - model.termStart[joint("catchMount")]!).toBe(0);
  });

  it("places links as the URDF says", () => {
    const q = [0.3, 0, 0, 0.7, 0];
    const eye = rootFromLink(model, link("eye"), q);
    expect([...eye.subarray(9)]).toEqual([0, 0.3, 0.5]);
    // rpy = (−90°, 0, 0): the eye's z axis looks along the carriage's +y.
    expect(eye[5]).toBeCloseTo(1, 12);
    const upright = rootFromLink(model, link("fore"), q);
    expect([...upright.subarray(9)]).toEqual([0, 0.3, 0.6000000000000001]);
    const expected = mat3.fromRpy(0.1, 0.2, 0.3, mat3.create());
    for (let k = 0; k < 9; k++) expect(upright[k]).toBeCloseTo(expected[k]!, 14);
  });

  it("turns inertias into the link's axes", () => {
    // The carriage's inertial frame is turned by 90° about z, which swaps the moments about x and y.
    const own = model.inertia.subarray(9 * link("carriage"), 9 * link("carriage") + 9);
    for (const [k, value] of [0.02, 0, 0, 0, 0.01, 0, 0, 0, 0.025].entries()) expect(own[k]).toBeCloseTo(value, 15);
    expect(model.mass[link("carriage")]).toBe(4);
    expect([...model.centreOfMass.subarray(3, 6)]).toEqual([0, 0, 0.1]);
    expect(model.mass[link("eye")]).toBe(0);
  });

  it("takes limits from the URDF unless the sidecar says otherwise", () => {
    const dof = (name: string) => model.dofNames.indexOf(name);
    const limits = (name: string) => [
      model.lower[dof(name)],
      model.upper[dof(name)],
      model.maxVelocity[dof(name)],
      model.maxAcceleration[dof(name)],
      model.maxEffort[dof(name)],
    ];
    expect(limits("rail")).toEqual([-1, 1, 1.5, 3, 100]);
    expect(limits("shoulder")).toEqual([-1.4, 1.4, 2.5, 10, 90]);
    expect(limits("wrist")).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 4, 30, 10]);
    expect(model.jointLower[joint("gripC")]).toBe(-2);
    expect(model.jointUpper[joint("eyeMount")]).toBe(Number.POSITIVE_INFINITY);
    expect([...buildModel(urdf).maxAcceleration]).toEqual(Array(5).fill(Number.POSITIVE_INFINITY));
  });

  it("resolves groups to dofs from base to tip", () => {
    expect(model.groups).toEqual([
      { name: "rail", kind: "base", dofs: [0], baseLink: 0, tipLink: 1 },
      { name: "arm", kind: "arm", dofs: [1, 2, 3], baseLink: 1, tipLink: link("catch"), hand: "gripper" },
    ]);
  });
});

describe("couplings", () => {
  it("make a joint depend on several others, and through them on mimicked ones", () => {
    const coupled = buildModel(urdf, {
      couplings: [
        {
          joint: "wrist",
          terms: [
            { joint: "shoulder", factor: -1 },
            { joint: "elbow", factor: -1 },
          ],
          offset: 0.2,
        },
        {
          joint: "rail",
          terms: [
            { joint: "gripC", factor: 2 },
            { joint: "wrist", factor: 1 },
          ],
        },
      ],
    });
    expect(coupled.dofNames).toEqual(["shoulder", "elbow", "gripA"]);
    const q = [0.3, 0.5, 0.7];
    expect(positionOf(coupled, joint("wrist", coupled), q)).toBeCloseTo(-0.8 + 0.2, 14);
    expect(positionOf(coupled, joint("rail", coupled), q)).toBeCloseTo(2 * 0.5 * (-0.7 + 0.1) - 0.6, 14);
  });

  it("agree with evaluating them one after the other, on random graphs", () => {
    const random = new Random("couplings");
    for (let round = 0; round < deep(200, 5_000); round++) checkRandomCouplings(random);
  });

  it("that cancel leave no term", () => {
    const still = buildModel(urdf, {
      couplings: [
        {
          joint: "wrist",
          terms: [
            { joint: "elbow", factor: 1 },
            { joint: "elbow", factor: -1 },
          ],
        },
      ],
    });
    const i = joint("wrist", still);
    expect(still.termStart[i + 1]! - still.termStart[i]!).toBe(0);
  });

  const cases: readonly (readonly [string, object[], string])[] = [
    ["of a joint on itself", [{ joint: "elbow", terms: [{ joint: "elbow", factor: 1 }] }], "/couplings/0"],
    [
      "in a circle",
      [
        { joint: "elbow", terms: [{ joint: "wrist", factor: 1 }] },
        { joint: "wrist", terms: [{ joint: "elbow", factor: 1 }] },
      ],
      "/couplings/0",
    ],
    ["in a circle with a mimic", [{ joint: "gripA", terms: [{ joint: "gripC", factor: 1 }] }], "/couplings/0"],
    ["of a fixed joint", [{ joint: "eyeMount", terms: [{ joint: "elbow", factor: 1 }] }], "/couplings/0/joint"],
    ["to a fixed joint", [{ joint: "elbow", terms: [{ joint: "eyeMount", factor: 1 }] }], "/couplings/0/terms/0/joint"],
    ["of a joint that mimics", [{ joint: "gripB", terms: [{ joint: "elbow", factor: 1 }] }], "/couplings/0/joint"],
    [
      "of a joint twice",
      [
        { joint: "elbow", terms: [{ joint: "wrist", factor: 1 }] },
        { joint: "elbow", terms: [{ joint: "rail", factor: 1 }] },
      ],
      "/couplings/1/joint",
    ],
    [
      "beyond all numbers",
      [
        { joint: "elbow", terms: [{ joint: "wrist", factor: 1e200 }] },
        { joint: "rail", terms: [{ joint: "elbow", factor: 1e200 }] },
      ],
      "/couplings/1",
    ],
  ];
  it.each(cases)("%s are refused", (_, couplings, path) => {
    expectCode(() => buildModel(urdf, { couplings: couplings as never }), "FLY_SIDECAR_COUPLING", path);
  });

  it("by mimics that multiply beyond all numbers are refused", () => {
    const names = Array.from({ length: 9 }, (_, i) => `j${i}`);
    const steep = continuousChain(names, (i) => (i === 0 ? "" : `<mimic joint="j${i - 1}" multiplier="1e50"/>`));
    expectCode(() => buildModel(steep), "FLY_URDF_MIMIC", "robot/joint[j7]/mimic");
  });
});

/** A chain of joints, some coupled to random earlier or later ones without a circle. */
function checkRandomCouplings(random: Random): void {
  const count = 3 + random.integer(8);
  const names = Array.from({ length: count }, (_, i) => `j${i}`);
  const order = [...names];
  shuffle(random, order);
  const couplings = order.flatMap((joint, place) => {
    if (place === 0 || random.uniform() < 0.4) return [];
    const terms = Array.from({ length: 1 + random.integer(3) }, () => ({
      joint: order[random.integer(place)]!,
      factor: random.uniformIn(-2, 2),
    }));
    return [{ joint, terms, offset: random.uniformIn(-1, 1) }];
  });
  shuffle(random, couplings);
  const robot = buildModel(continuousChain(names), { couplings });
  const q = Float64Array.from(robot.dofNames, () => random.uniformIn(-1, 1));
  const byName = new Map(robot.dofNames.map((name, dof) => [name, q[dof]!]));
  for (const name of order) {
    const coupling = couplings.find((candidate) => candidate.joint === name);
    if (coupling === undefined) continue;
    const sum = coupling.terms.reduce((total, term) => total + term.factor * byName.get(term.joint)!, coupling.offset);
    byName.set(name, sum);
  }
  for (const name of names) expect(positionOf(robot, joint(name, robot), q)).toBeCloseTo(byName.get(name)!, 9);
}

function continuousChain(joints: readonly string[], inside: (i: number) => string = () => "") {
  const links = ["root", ...joints].map((name) => `<link name="${name}Link"/>`);
  const text = joints.map((name, i) => {
    const parent = i === 0 ? "rootLink" : `${joints[i - 1]}Link`;
    const ends = `<parent link="${parent}"/><child link="${name}Link"/>`;
    return `<joint name="${name}" type="continuous">${ends}${inside(i)}</joint>`;
  });
  return parseUrdf(`<robot name="chain">${links.join("")}${text.join("")}</robot>`);
}

describe("planar and floating joints", () => {
  const based = (type: string, axis: string) =>
    parseUrdf(`<robot name="r"><link name="world"/><link name="base"/><link name="tip"/>
      <joint name="move" type="${type}"><parent link="world"/><child link="base"/>
        <origin xyz="1 2 3" rpy="0 0 0.5"/>${axis}<limit lower="-9" upper="9" velocity="1" effort="1"/></joint>
      <joint name="mount" type="fixed"><parent link="base"/><child link="tip"/><origin xyz="0.1 0 0"/></joint></robot>`);

  it("a planar joint becomes x, y, yaw in its plane", () => {
    const planar = buildModel(based("planar", `<axis xyz="0 0 1"/>`));
    expect(planar.dofNames).toEqual(["move_x", "move_y", "move_yaw"]);
    expect(planar.linkNames).toEqual(["world", "move_x_link", "move_y_link", "base", "tip"]);
    expect([...planar.mass]).toEqual([0, 0, 0, 0, 0]);
    expect([...planar.lower]).toEqual(Array(3).fill(Number.NEGATIVE_INFINITY));
    const tip = rootFromLink(planar, 4, [0.2, -0.3, 0.7]);
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    expect(tip[9]).toBeCloseTo(1 + c * 0.2 + s * 0.3 + 0.1 * Math.cos(1.2), 12);
    expect(tip[10]).toBeCloseTo(2 + s * 0.2 - c * 0.3 + 0.1 * Math.sin(1.2), 12);
    expect(tip[11]).toBeCloseTo(3, 12);
  });

  it("the plane's axes are right-handed with any normal", () => {
    const random = new Random("planar");
    for (let i = 0; i < 50; i++) {
      const n = unitVector(random, vec3.create());
      const planar = buildModel(based("planar", `<axis xyz="${n.join(" ")}"/>`));
      const x = vec3.view(planar.jointAxis, 3);
      const y = vec3.view(planar.jointAxis, 6);
      const cross = vec3.cross(x, y, vec3.create());
      for (let k = 0; k < 3; k++) expect(cross[k]).toBeCloseTo(n[k]!, 12);
    }
  });

  it("a floating joint becomes x, y, z, yaw, pitch, roll", () => {
    const floating = buildModel(based("floating", ""));
    expect(floating.dofNames).toEqual(["x", "y", "z", "yaw", "pitch", "roll"].map((axis) => `move_${axis}`));
    const base = rootFromLink(floating, link("base", floating), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    const expected = pose.fromRpyTranslation(0.6, 0.5, 0.4, 0.1, 0.2, 0.3, pose.create());
    pose.compose(pose.fromRpyTranslation(0, 0, 0.5, 1, 2, 3, pose.create()), expected, expected);
    for (let k = 0; k < 12; k++) expect(base[k]).toBeCloseTo(expected[k]!, 12);
  });

  it("names that are taken get an underscore", () => {
    const text = `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="m" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
      <joint name="m_x" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`;
    expect(buildModel(parseUrdf(text)).dofNames).toEqual(["m_x_", "m_y", "m_yaw"]);
  });

  it("may be limited and grouped by the names of their parts", () => {
    const planar = buildModel(based("planar", `<axis xyz="0 0 1"/>`), {
      limits: { move_y: { velocity: 1.4, acceleration: 2, lower: -3, upper: 3 } },
      groups: [
        { name: "base", kind: "base", joints: ["move_x", "move_y", "move_yaw"], baseLink: "world", tipLink: "base" },
      ],
    });
    expect([planar.lower[1], planar.maxVelocity[1], planar.maxAcceleration[1]]).toEqual([-3, 1.4, 2]);
    expect(planar.groups[0]!.dofs).toEqual([0, 1, 2]);
  });
});

describe("overlays in the model", () => {
  it("offsets shift a joint and those that follow it, and leave the limits on the measured position", () => {
    const { model: shifted } = smallArm(undefined, { jointOffsets: { gripA: 0.05, elbow: -0.02, gripC: 0.001 } });
    const q = [0, 0, 0.5, 0, 0.6];
    expect(positionOf(shifted, joint("elbow"), q)).toBeCloseTo(0.48, 14);
    expect(positionOf(shifted, joint("gripB"), q)).toBeCloseTo(-0.65 + 0.1, 14);
    expect(positionOf(shifted, joint("gripC"), q)).toBeCloseTo(0.5 * (-0.65 + 0.1) + 0.001, 14);
    expect([...shifted.lower]).toEqual([...model.lower]);
    expect(shifted.jointLower[joint("elbow")]).toBeCloseTo(-2.02, 14);
    expect(shifted.jointUpper[joint("elbow")]).toBeCloseTo(1.98, 14);
  });

  it("link poses correct the mounting in the mounted frame", () => {
    const correction = {
      xyz: [0.01, 0.02, 0.03] as [number, number, number],
      rpy: [0.1, 0, 0] as [number, number, number],
    };
    const { model: moved } = smallArm(undefined, { linkPoses: { eye: correction } });
    const nominal = pose.fromRpyTranslation(-Math.PI / 2, 0, 0, 0, 0, 0.5, pose.create());
    const expected = pose.fromRpyTranslation(0.1, 0, 0, 0.01, 0.02, 0.03, pose.create());
    pose.compose(nominal, expected, expected);
    for (let k = 0; k < 12; k++) expect(moved.parentFromJoint[link("eye")]![k]).toBeCloseTo(expected[k]!, 14);
  });
});
