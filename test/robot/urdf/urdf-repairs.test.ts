import { describe, expect, it } from "vitest";
import * as mat3 from "../../../src/math/mat3.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { emptySidecar } from "../../../src/robot/loading/load-robot.js";
import { checkRobot } from "../../../src/robot/report/check.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";

/** Three links in a row, on joints `j` and `k`. */
function chain(first: string, second = "", firstType = "revolute", secondType = "revolute"): string {
  return `<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="j" type="${firstType}"><parent link="a"/><child link="b"/>${first}</joint>
    <joint name="k" type="${secondType}"><parent link="b"/><child link="c"/>${second}</joint></robot>`;
}

function linkWith(inside: string): string {
  return `<robot name="r"><link name="a">${inside}</link></robot>`;
}

function inertial(mass: string, inertia: string): string {
  return linkWith(`<inertial><mass value="${mass}"/><inertia ${inertia}/></inertial>`);
}

/** What was repaired, as `path: sentence`. */
function repairsOf(text: string): string[] {
  return (parseUrdf(text).repairs ?? []).map(({ path, sentence }) => `${path}: ${sentence}`);
}

describe("harmless flaws are repaired, each with a note that names the element", () => {
  it("of a sound file none is noted", () => {
    expect(parseUrdf(chain("")).repairs).toBeUndefined();
  });

  it.each([
    ["a robot without a name", `<robot><link name="a"/></robot>`, "robot: The robot has no name"],
    ["an odd declaration", `<?xml version="0.0" ?>${linkWith("")}`, "robot: The file has an odd XML declaration"],
    ["a late declaration", `<!-- made by hand -->\n<?xml version="1.0"?>${linkWith("")}`, "robot: The file has an odd"],
    ["a NUL at the end", `${linkWith("")}\0`, "robot: The file has an odd XML declaration or NUL"],
    ["two axes", chain(`<axis xyz="0 1 0"/><axis xyz="0 0 1"/>`), "robot/joint[j]/axis: It stands 2 times"],
    [
      "a fixed joint that mimics",
      chain("", `<mimic joint="j"/>`, "revolute", "fixed"),
      "robot/joint[k]/mimic: A fixed",
    ],
    ["a mimic of no joint", chain("", `<mimic joint="x"/>`), "robot/joint[k]/mimic: There is no joint x"],
    ["a mimic of a planar joint", chain("", `<mimic joint="j"/>`, "planar"), "robot/joint[k]/mimic: Joint j is planar"],
    ["a mimic of a fixed joint", chain("", `<mimic joint="j"/>`, "fixed"), "robot/joint[k]/mimic: Joint j is fixed"],
    ["lower above upper", chain(`<limit lower="1" upper="-1"/>`), "robot/joint[j]/limit: Its lower limit 1 is above"],
    ["a negative speed", chain(`<limit velocity="-1"/>`), "robot/joint[j]/limit: Its velocity -1 is negative"],
    ["a negative jerk", chain(`<limit jerk="-1"/>`), "robot/joint[j]/limit: Its jerk -1 is negative"],
    ["a negative mass", inertial("-1", `ixx="1" iyy="1" izz="1"`), "robot/link[a]/inertial/mass: Its mass -1"],
    ["a negative moment", inertial("1", `ixx="-1" iyy="1" izz="1"`), "robot/link[a]/inertial/inertia: Its inertia has"],
    [
      "a product alone",
      inertial("1", `ixx="0" iyy="0" izz="0" ixz="2.4e-35"`),
      "robot/link[a]/inertial/inertia: Its inertia has a negative eigenvalue",
    ],
    [
      "an unknown shape",
      linkWith("<collision><geometry><cone/></geometry></collision>"),
      "robot/link[a]/collision/geometry: <cone> is not a shape of URDF",
    ],
    ["no shape", linkWith("<visual><geometry/></visual>"), "robot/link[a]/visual/geometry: It is empty"],
    [
      "a scale of four",
      linkWith(`<visual><geometry><mesh filename="a.stl" scale="1 2 3 4"/></geometry></visual>`),
      "robot/link[a]/visual/geometry/mesh: Its scale has four numbers",
    ],
  ])("%s", (_, text, note) => {
    const repairs = repairsOf(text);
    expect(repairs).toHaveLength(1);
    expect(repairs[0]).toContain(note);
    const urdf = parseUrdf(text);
    const robot = assembleRobot({ name: "r", urdf, sidecar: emptySidecar("r.urdf") });
    const said = checkRobot(robot).filter(({ sentence }) => sentence === urdf.repairs![0]!.sentence);
    expect(said).toEqual([{ severity: "warning", subject: urdf.repairs![0]!.path, sentence: expect.any(String) }]);
  });

  it("what is used instead is sensible", () => {
    expect(parseUrdf(chain(`<limit lower="1" upper="-2"/>`)).joints[0]!.limit).toEqual({ lower: -2, upper: 1 });
    expect(parseUrdf(chain(`<axis xyz="0 1 0"/><axis xyz="0 0 1"/>`)).joints[0]!.axis).toEqual([0, 1, 0]);
    const body = parseUrdf(inertial("2", `ixx="1" iyy="1" izz="4" ixy="3"`)).links[0]!.inertial!;
    expect(body).toMatchObject({ mass: 2, inertia: { ixx: 2, iyy: 2, izz: 2, ixy: 0, ixz: 0, iyz: 0 } });
    const moving = parseUrdf(chain("", `<mimic joint="x"/>`)).joints[1]!;
    expect(moving.mimic).toBeUndefined();
    expect(moving.type).toBe("revolute");
  });

  it("a joint that follows a fixed one stands at its offset", () => {
    const turned = parseUrdf(
      chain("", `<origin xyz="1 2 3" rpy="0 0 0.5"/><axis xyz="0 0 1"/><mimic joint="j" offset="0.25"/>`, "fixed"),
    ).joints[1]!;
    expect(turned).toMatchObject({ type: "fixed", origin: { xyz: [1, 2, 3] } });
    expect(turned.origin.rpy[2]).toBeCloseTo(0.75, 14);
    const shifted = parseUrdf(
      chain("", `<origin rpy="0 0 1.5707963267948966"/><mimic joint="j" offset="0.5"/>`, "fixed", "prismatic"),
    ).joints[1]!;
    expect(shifted.origin.xyz[1]).toBeCloseTo(0.5, 14);
  });
});

describe("URDF 1.1 and 1.2", () => {
  it("reads limits of acceleration, deceleration and jerk, and they become the robot's", () => {
    const text = chain(
      `<limit lower="-1" upper="1" velocity="2" effort="3" acceleration="4" deceleration="5" jerk="6"/>`,
    );
    const urdf = parseUrdf(text.replace(`name="r"`, `name="r" version="1.2"`));
    expect(urdf.joints[0]!.limit).toEqual({
      lower: -1,
      upper: 1,
      velocity: 2,
      effort: 3,
      acceleration: 4,
      deceleration: 5,
      jerk: 6,
    });
    const robot = assembleRobot({ name: "r", urdf, sidecar: emptySidecar("r.urdf") });
    expect([...robot.model.maxAcceleration]).toEqual([4, Number.POSITIVE_INFINITY]);
    expect([...robot.maxDeceleration]).toEqual([5, Number.POSITIVE_INFINITY]);
    expect([...robot.maxJerk!]).toEqual([6, Number.POSITIVE_INFINITY]);
    const sidecar = { ...emptySidecar("r.urdf"), limits: { j: { acceleration: 7, deceleration: 8, jerk: 9 } } };
    const told = assembleRobot({ name: "r", urdf, sidecar });
    expect(told.maxJerk![0]).toBe(9);
    expect([told.model.maxAcceleration[0], told.maxDeceleration[0]]).toEqual([7, 8]);
  });

  it("reads quaternions as the rotation they are", () => {
    const random = new Random("quaternions");
    const special = [
      [0, 0, 0, 1],
      [0, Math.SQRT1_2, 0, Math.SQRT1_2],
      [0.5, 0.5, -0.5, 0.5],
      [0.5, 0.5, 0.5, 0.5],
      [1e-9, Math.SQRT1_2, 0, Math.SQRT1_2],
    ];
    const drawn = Array.from({ length: 2000 }, () => [0, 0, 0, 0].map(() => random.normal()));
    for (const q of [...special, ...drawn]) {
      const { rpy } = parseUrdf(chain(`<origin quat_xyzw="${q.join(" ")}"/>`)).joints[0]!.origin;
      const [x, y, z, w] = q.map((value) => value / Math.hypot(...q)) as [number, number, number, number];
      const angle = 2 * Math.atan2(Math.hypot(x, y, z), w);
      const axis = vec3.create(x, y, z);
      const length = vec3.norm(axis);
      const wanted =
        length === 0 ? mat3.create() : mat3.fromAxisAngle(vec3.scale(axis, 1 / length, axis), angle, mat3.create());
      const found = mat3.fromRpy(...rpy, mat3.create());
      for (let k = 0; k < 9; k++) expect(Math.abs(found[k]! - wanted[k]!)).toBeLessThan(4e-15);
    }
  });

  it("a spherical joint turns about three axes", () => {
    const robot = assembleRobot({
      name: "r",
      urdf: parseUrdf(chain("", "", "spherical", "fixed")),
      sidecar: emptySidecar("r.urdf"),
    });
    expect(robot.model.dofNames).toEqual(["j_yaw", "j_pitch", "j_roll"]);
  });
});
