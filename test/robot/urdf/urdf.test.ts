import { describe, expect, it } from "vitest";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { maxUrdfLength } from "../../../src/robot/urdf/urdf-xml.js";
import type { ErrorCode } from "../../../src/runtime/error-catalogue.js";
import { expectCode, smallArmUrdf } from "../fixtures/small-arm.js";

describe("parseUrdf", () => {
  const robot = parseUrdf(smallArmUrdf);
  const link = (name: string) => robot.links.find((candidate) => candidate.name === name)!;
  const joint = (name: string) => robot.joints.find((candidate) => candidate.name === name)!;

  it("reads links and joints in document order", () => {
    expect(robot.name).toBe("small");
    expect(robot.links.map(({ name }) => name)).toEqual(
      ["world", "carriage", "upper", "fore", "hand", "catch", "eye", "fingerA", "fingerB", "fingerC"], // as written
    );
    expect(robot.joints.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "rail prismatic",
      "shoulder revolute",
      "elbow revolute",
      "wrist continuous",
      "catchMount fixed",
      "eyeMount fixed",
      "gripA revolute",
      "gripB revolute",
      "gripC revolute",
    ]);
  });

  it("reads inertials and shapes with their materials", () => {
    expect(link("carriage")).toEqual({
      name: "carriage",
      inertial: {
        origin: { xyz: [0, 0, 0.1], rpy: [0, 0, Math.PI / 2] },
        mass: 4,
        inertia: { ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.025 },
      },
      visuals: [
        {
          name: "plate",
          origin: { xyz: [0, 0, 0.05], rpy: [0, 0, 0] },
          geometry: { type: "box", size: [0.3, 0.2, 0.1] },
          rgba: [0, 0, 1, 1],
        },
      ],
      collisions: [{ origin: { xyz: [0, 0, 0], rpy: [0, 0, 0] }, geometry: { type: "box", size: [0.3, 0.2, 0.1] } }],
    });
    expect(link("world").inertial).toBeUndefined();
    expect(link("upper").collisions[0]!.geometry).toEqual({ type: "cylinder", radius: 0.05, length: 0.4 });
    expect(link("fore").collisions[0]!.geometry).toEqual({ type: "capsule", radius: 0.04, length: 0.3 });
    expect(link("hand").collisions[0]!.geometry).toEqual({ type: "sphere", radius: 0.06 });
    expect(link("hand").visuals[0]!.geometry).toEqual({
      type: "mesh",
      filename: "package://small/hand.stl",
      scale: [0.001, 0.001, 0.001],
    });
  });

  it("reads joints with unit axes, limits, dynamics and mimic", () => {
    expect(joint("rail")).toEqual({
      name: "rail",
      type: "prismatic",
      parent: "world",
      child: "carriage",
      origin: { xyz: [0, 0, 0], rpy: [0, 0, 0] },
      axis: [0, 1, 0],
      limit: { lower: -1, upper: 1, velocity: 1.5, effort: 100 },
      dynamics: { damping: 3, friction: 0.5 },
    });
    expect(joint("elbow").origin).toEqual({ xyz: [0, 0, 0.4], rpy: [0.1, 0.2, 0.3] });
    expect(joint("gripB").mimic).toEqual({ joint: "gripA", multiplier: -1, offset: 0.1 });
    expect(joint("gripC").mimic).toEqual({ joint: "gripB", multiplier: 0.5, offset: 0 });
    expect(joint("wrist").limit).toEqual({ velocity: 4, effort: 10 });
  });

  it("fills in what URDF leaves to defaults", () => {
    const [first, second] = parseUrdf(
      chain(`<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit upper="1" velocity="2"/></joint>
        <link name="c"/><joint name="k" type="prismatic"><parent link="b"/><child link="c"/><limit effort="5"/></joint>`),
    ).joints;
    expect(first).toMatchObject({ axis: [1, 0, 0], limit: { lower: 0, upper: 1, velocity: 2 } });
    expect(second!.limit).toEqual({ effort: 5 });
  });

  it("takes one link for a robot, and names that are keys of every object", () => {
    expect(parseUrdf(`<robot name="r"><link name="only"/></robot>`).links).toHaveLength(1);
    const odd = parseUrdf(
      `<robot name="r"><link name="__proto__"/><link name="constructor"/>
       <joint name="toString" type="fixed"><parent link="__proto__"/><child link="constructor"/></joint></robot>`,
    );
    expect(odd.joints[0]!.child).toBe("constructor");
  });
});

/** Two links a and b, and whatever joins them. */
function chain(joints: string): string {
  return `<robot name="r"><link name="a"/><link name="b"/>${joints}</robot>`;
}

function joint(inside: string, attributes = `name="j" type="revolute"`): string {
  return chain(`<joint ${attributes}><parent link="a"/><child link="b"/>${inside}</joint>`);
}

function linkWith(inside: string): string {
  return `<robot name="r"><link name="a">${inside}</link></robot>`;
}

function inertial(mass: string, inertia: string): string {
  return linkWith(`<inertial><mass value="${mass}"/><inertia ${inertia}/></inertial>`);
}

const lolEntities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("");
const entityBomb = `<!DOCTYPE r [<!ENTITY l0 "lol">${lolEntities}]><robot name="&l9;"><link name="a"/></robot>`;

const cases: readonly (readonly [what: string, text: string, code: ErrorCode, path?: string])[] = [
  ["nothing", "", "FLY_URDF_MALFORMED"],
  ["no XML", "robot: small", "FLY_URDF_MALFORMED", "line 1, column 1"],
  ["an unclosed element", `<robot name="r">\n<link name="a">\n</robot>`, "FLY_URDF_MALFORMED", "line 3, column 1"],
  ["an undeclared entity", `<robot name="&who;"/>`, "FLY_URDF_MALFORMED"],
  ["a control character", `<robot name="r\u0001"/>`, "FLY_URDF_MALFORMED"],
  ["a document type", `<!DOCTYPE robot><robot name="r"><link name="a"/></robot>`, "FLY_URDF_DOCTYPE"],
  ["an entity bomb", entityBomb, "FLY_URDF_DOCTYPE"],
  [
    "an external entity",
    `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"><link name="a"/></robot>`,
    "FLY_URDF_DOCTYPE",
  ],
  ["too much text", `<robot name="r">${" ".repeat(maxUrdfLength)}</robot>`, "FLY_URDF_TOO_LARGE"],
  ["too deep nesting", `${"<robot>".repeat(100_000)}${"</robot>".repeat(100_000)}`, "FLY_URDF_TOO_LARGE"],
  ["too many links", `<robot name="r">${`<link name="a"/>`.repeat(10_001)}</robot>`, "FLY_URDF_TOO_LARGE"],
  ["a name without end", `<robot name="r"><link name="${"a".repeat(3000)}"/></robot>`, "FLY_URDF_TOO_LARGE"],
  ["another kind of file", `<sdf version="1.7"/>`, "FLY_URDF_NOT_A_ROBOT"],
  ["a link without a name", `<robot name="r"><link/></robot>`, "FLY_URDF_MISSING", "robot/link"],
  ["a link with an empty name", `<robot name="r"><link name=" "/></robot>`, "FLY_URDF_MISSING", "robot/link"],
  [
    "a joint without a parent",
    chain(`<joint name="j" type="fixed"><child link="b"/></joint>`),
    "FLY_URDF_MISSING",
    "robot/joint[j]",
  ],
  [
    "a joint without a child",
    chain(`<joint name="j" type="fixed"><parent link="a"/></joint>`),
    "FLY_URDF_MISSING",
    "robot/joint[j]",
  ],
  ["a joint without a type", joint("", `name="j"`), "FLY_URDF_MISSING", "robot/joint[j]"],
  ["an inertial without mass", linkWith("<inertial/>"), "FLY_URDF_MISSING", "robot/link[a]/inertial"],
  ["an inertia without izz", inertial("1", `ixx="1" iyy="1"`), "FLY_URDF_MISSING", "robot/link[a]/inertial/inertia"],
  ["a visual without geometry", linkWith("<visual/>"), "FLY_URDF_MISSING", "robot/link[a]/visual"],
  ["a mimic of nothing", joint("<mimic/>"), "FLY_URDF_MISSING", "robot/joint[j]/mimic"],
  [
    "two links of a name",
    `<robot name="r"><link name="a"/><link name="a"/></robot>`,
    "FLY_URDF_DUPLICATE",
    "robot/link[a]",
  ],
  [
    "two joints of a name",
    `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
      <joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`,
    "FLY_URDF_DUPLICATE",
    "robot/joint[j]",
  ],
  ["NaN as a limit", joint(`<limit lower="NaN" upper="1"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/limit@lower"],
  ["an infinite limit", joint(`<limit lower="0" upper="inf"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/limit@upper"],
  ["a number too large", joint(`<limit velocity="1e999"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/limit@velocity"],
  ["a hexadecimal number", joint(`<limit velocity="0x10"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/limit@velocity"],
  ["an unexpanded xacro", joint(`<origin xyz="\${x} 0 0"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/origin@xyz"],
  ["two numbers for three", joint(`<origin rpy="0 0"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/origin@rpy"],
  ["an empty number", joint(`<limit effort=""/>`), "FLY_URDF_NUMBER", "robot/joint[j]/limit@effort"],
  [
    "a negative radius",
    linkWith(`<collision><geometry><sphere radius="-1"/></geometry></collision>`),
    "FLY_URDF_NUMBER",
    "robot/link[a]/collision/geometry/sphere@radius",
  ],
  [
    "a negative box",
    linkWith(`<collision><geometry><box size="1 -1 1"/></geometry></collision>`),
    "FLY_URDF_NUMBER",
    "robot/link[a]/collision/geometry/box@size",
  ],
  ["an unknown joint type", joint("", `name="j" type="ball"`), "FLY_URDF_JOINT_TYPE", "robot/joint[j]"],
  [
    "an unknown attribute of an origin",
    joint(`<origin quat_wxyz="1 0 0 0"/>`),
    "FLY_URDF_ATTRIBUTE",
    "robot/joint[j]/origin@quat_wxyz",
  ],
  [
    "a rotation twice",
    joint(`<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>`),
    "FLY_URDF_ATTRIBUTE",
    "robot/joint[j]/origin",
  ],
  ["a zero quaternion", joint(`<origin quat_xyzw="0 0 0 0"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/origin@quat_xyzw"],
  ["an axis that is turned", joint(`<axis xyz="1 0 0" rpy="0 0 1"/>`), "FLY_URDF_ATTRIBUTE", "robot/joint[j]/axis@rpy"],
  ["an axis with its letters mixed up", joint(`<axis xzy="1 0 0"/>`), "FLY_URDF_ATTRIBUTE", "robot/joint[j]/axis@xzy"],
  ["a mimic with a power", joint(`<mimic joint="k" power="2"/>`), "FLY_URDF_ATTRIBUTE", "robot/joint[j]/mimic@power"],
  ["a later version", `<robot name="r" version="2.0"><link name="a"/></robot>`, "FLY_URDF_ATTRIBUTE", "robot@version"],
  ["a zero axis", joint(`<axis xyz="0 0 0"/>`), "FLY_URDF_AXIS", "robot/joint[j]/axis"],
  ["an absurd number", joint(`<axis xyz="0 0 1e60"/>`), "FLY_URDF_NUMBER", "robot/joint[j]/axis@xyz"],
  [
    "an unknown parent",
    chain(`<joint name="j" type="fixed"><parent link="x"/><child link="b"/></joint>`),
    "FLY_URDF_LINK_UNKNOWN",
    "robot/joint[j]/parent",
  ],
  [
    "an unknown child",
    chain(`<joint name="j" type="fixed"><parent link="a"/><child link="x"/></joint>`),
    "FLY_URDF_LINK_UNKNOWN",
    "robot/joint[j]/child",
  ],
  ["no link", `<robot name="r"/>`, "FLY_URDF_NO_LINK", "robot"],
  [
    "two parents",
    `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>
      <joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint></robot>`,
    "FLY_URDF_TWO_PARENTS",
    "robot/link[c]",
  ],
  ["two roots", chain(""), "FLY_URDF_TWO_ROOTS", "robot/link[b]"],
  [
    "a loop beside the root",
    `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint>
      <joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint></robot>`,
    "FLY_URDF_LOOP",
    "robot/link[b]",
  ],
  [
    "a link on itself",
    `<robot name="r"><link name="a"/><joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint></robot>`,
    "FLY_URDF_LOOP",
    "robot/link[a]",
  ],
  ["a mimic of itself", joint(`<mimic joint="j"/>`), "FLY_URDF_MIMIC", "robot/joint[j]/mimic"],
  [
    "a circle of mimics",
    `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
      <joint name="j" type="revolute"><parent link="a"/><child link="b"/><mimic joint="k"/></joint>
      <joint name="k" type="revolute"><parent link="b"/><child link="c"/><mimic joint="j"/></joint></robot>`,
    "FLY_URDF_MIMIC",
  ],
];

describe("a bad URDF is refused with a code and the place", () => {
  it.each(cases.map(([what, text, code, path]) => ({ what, text, code, path })))("$what", ({ text, code, path }) => {
    const error = expectCode(() => parseUrdf(text), code, path);
    expect(error.message.length).toBeLessThan(400);
  });

  it("every URDF code has a case", async () => {
    const { errorCatalogue } = await import("../../../src/runtime/error-catalogue.js");
    const codes = Object.keys(errorCatalogue).filter((code) => code.startsWith("FLY_URDF_"));
    expect([...new Set(cases.map(([, , code]) => code))].sort()).toEqual(codes.sort());
  });

  it("an absurdly long chain is still a tree", () => {
    const links = Array.from({ length: 9_999 }, (_, i) => `<link name="l${i}"/>`);
    const joints = links.slice(1).map(
      (_, i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/>
        ${i > 0 ? `<mimic joint="j${i - 1}"/>` : ""}</joint>`,
    );
    expect(parseUrdf(`<robot name="r">${links.join("")}${joints.join("")}</robot>`).joints).toHaveLength(9_998);
  });
});
