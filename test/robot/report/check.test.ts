import { describe, expect, it } from "vitest";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { listRobots } from "../../../src/robot/loading/robot-folders.js";
import { checkRobot } from "../../../src/robot/report/check.js";
import type { Finding } from "../../../src/robot/report/finding.js";
import type { Sidecar } from "../../../src/robot/sidecar/sidecar-schema.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { smallArm, smallArmSidecar, smallArmUrdf } from "../fixtures/small-arm.js";

type Edit = (sidecar: Sidecar) => void;

function without(...keys: (keyof Sidecar)[]): Edit {
  return (sidecar) => {
    for (const key of keys) Reflect.deleteProperty(sidecar, key);
  };
}

function subjects(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, subject }) => `${severity}: ${subject}`);
}

/** The test robot with a change of its URDF. */
function checkUrdf(from: string | RegExp, to: string, edit?: Edit): Finding[] {
  const text = smallArmUrdf.replace(from, to);
  expect(text).not.toBe(smallArmUrdf);
  return checkRobot(assembleRobot({ name: "small-arm", urdf: parseUrdf(text), sidecar: smallArmSidecar(edit) }));
}

describe("checkRobot", () => {
  it("finds nothing wrong with a whole robot", () => {
    expect(checkRobot(smallArm())).toEqual([]);
  });

  it.each(listRobots())("finds no error in %s, which is shipped", (name) => {
    expect(checkRobot(loadRobot(name)).filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("tells of a URDF alone all that a sidecar must add, errors first", () => {
    expect(subjects(checkRobot(smallArmUrdf))).toEqual([
      "error: joints rail, shoulder, elbow, wrist, gripA",
      "error: groups",
      "error: hands",
      "error: posture ready",
      "warning: posture drop",
      "warning: cameras",
    ]);
  });

  it("tells what is wrong with a URDF that cannot be read", () => {
    const [only, ...others] = checkRobot(`<robot name="r"><link name="a"/><link name="b"/></robot>`);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ severity: "error", subject: "robot/link[b]" });
    expect(only!.sentence).toMatch(/^FLY_URDF_TWO_ROOTS: expected one root link, found 2: a, b\. Join all links/);
    expect(checkRobot("nonsense")[0]!.sentence).toContain("FLY_URDF_MALFORMED");
  });

  it("says everything in sentences", () => {
    for (const { sentence } of checkRobot(smallArmUrdf)) expect(sentence).toMatch(/^[A-Z].{20,}[.?]$/);
  });

  const lacking: readonly (readonly [string, Edit, string[]])[] = [
    ["accelerations", (s) => Reflect.deleteProperty(s.limits!, "elbow"), ["error: joint elbow"]],
    ["groups", without("groups", "bodyRule", "simulation"), ["error: groups", "error: hand gripper"]],
    [
      "a hand",
      (s) => [s, s.groups![1]!].map((part) => ["hand", "hands"].map((key) => Reflect.deleteProperty(part, key))),
      ["error: hands", "warning: joint gripA"],
    ],
    ["a group for its hand", (s) => Reflect.deleteProperty(s.groups![1]!, "hand"), ["error: hand gripper"]],
    ["a role for its catch link", (s) => Reflect.deleteProperty(s.frames!, "catch"), ["warning: hand gripper"]],
    [
      "a group for a joint",
      (s) => Object.assign(s.groups![1]!, { joints: ["shoulder", "wrist"] }),
      ["warning: joint elbow"],
    ],
    ["joints of an srs-arm", (s) => Object.assign(s.groups![1]!, { kind: "srs-arm" }), ["error: group arm"]],
    ["postures", without("postures"), ["error: posture ready", "warning: posture drop"]],
    ["collision bodies", (s) => Object.assign(s, { collision: { hulls: [] } }), ["error: collision bodies"]],
    ["a collision body", (s) => s.collision!.hulls.splice(1, 1), ["warning: link upper"]],
    ["cameras", without("cameras", "stereo"), ["warning: cameras"]],
    ["a stereo pair", without("stereo"), ["warning: stereo"]],
    ["an IMU", without("imu"), ["warning: imu"]],
    ["a head", (s) => Reflect.deleteProperty(s.frames!, "head"), ["warning: frame head"]],
    ["room to move", (s) => Object.assign(s.limits!.elbow!, { lower: -1, upper: -1 }), ["warning: joint elbow"]],
    [
      "room for a dependent joint",
      (s) => Object.assign(s.limits!, { gripC: { lower: -0.2 } }),
      ["warning: joint gripC"],
    ],
  ];
  it.each(lacking)("notices a robot without %s", (_, edit, expected) => {
    expect(subjects(checkRobot(smallArm(edit)))).toEqual(expected);
  });

  it("notices a posture that leads a dependent joint astray", () => {
    const findings = checkRobot(
      smallArm((s) => {
        Object.assign(s.limits!, { gripC: { lower: -0.2 } });
        Object.assign(s.postures!.drop!, { gripA: 0.9 });
      }),
    );
    expect(subjects(findings)).toEqual(["error: posture drop", "warning: joint gripC"]);
    expect(findings[0]!.sentence).toContain("gripC");
  });

  it("notices ranges, speeds and efforts the URDF lacks", () => {
    expect(subjects(checkUrdf('<limit lower="-2" upper="2" velocity="3" effort="40"/>', ""))).toEqual([
      "error: joint elbow", // range
      "error: joint elbow", // speed
      "warning: joint elbow", // effort
    ]);
    expect(subjects(checkUrdf('velocity="3" effort="40"', 'velocity="0" effort="0"'))).toEqual([
      "error: joint elbow",
      "warning: joint elbow",
    ]);
    expect(subjects(checkUrdf('upper="2" velocity="3"', 'upper="2" velocity="3"'.replace("3", "4")))).toEqual([]);
  });

  it("notices masses and inertias that are missing or cannot be", () => {
    expect(subjects(checkUrdf(/<link name="fingerA">.*<\/link>/, `<link name="fingerA"/>`))).toEqual([
      "warning: link fingerA",
    ]);
    const inertia = '<inertia ixx="0.008" ixy="0" ixz="0" iyy="0.008" iyz="0" izz="0.001"/>';
    expect(subjects(checkUrdf(inertia, '<inertia ixx="0" iyy="0" izz="0"/>'))).toEqual(["warning: link fore"]);
    const lopsided = checkUrdf(inertia, '<inertia ixx="0.008" iyy="0.001" izz="0.001"/>');
    expect(subjects(lopsided)).toEqual(["warning: link fore"]);
    expect(lopsided[0]!.sentence).toContain("No body can have this inertia");
  });

  it("cuts long lists short", () => {
    const links = Array.from({ length: 21 }, (_, i) => `<link name="l${i}"/>`).join("");
    const joints = Array.from(
      { length: 20 },
      (_, i) => `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/></joint>`,
    ).join("");
    const [first] = checkRobot(`<robot name="r">${links}${joints}</robot>`);
    expect(first!.subject).toBe("joints j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, and 8 more");
  });
});
