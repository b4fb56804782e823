import { describe, expect, it } from "vitest";
import { stateAt } from "../../../src/robot/kinematics/kinematics.js";
import { withAddedLinks } from "../../../src/robot/loading/add-links.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import type { AddedLink } from "../../../src/robot/sidecar/added-links.js";
import type { Sidecar } from "../../../src/robot/sidecar/sidecar-schema.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { expectCode } from "../fixtures/small-arm.js";

const urdf = parseUrdf(`<robot name="r"><link name="base"/><link name="tip"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`);

function robotWith(part: Partial<Sidecar>) {
  return assembleRobot({ name: "r", urdf, sidecar: { schemaVersion: 1, urdf: "r.urdf", description: "", ...part } });
}

describe("links of the sidecar", () => {
  it("hang on links of the URDF, with shapes, mass and joints", () => {
    const jaw = { type: "prismatic", axis: [2, 0, 0], lower: 0, upper: 0.1, velocity: 1, effort: 5 } as const;
    const { model, shapes } = robotWith({
      links: [
        { name: "net", parent: "tip", origin: { xyz: [0, 0, 0.5] }, shapes: [{ type: "sphere", radius: 0.1 }] },
        { name: "jaw", parent: "net", joint: { ...jaw, axis: [2, 0, 0] }, inertial: { mass: 2, moments: [1, 1, 1] } },
      ],
    });
    expect(model.linkNames).toEqual(["base", "tip", "net", "jaw"]);
    expect(model.dofNames).toEqual(["turn", "jaw"]);
    expect(model.mass[3]).toBe(2);
    expect([...model.jointAxis.subarray(9, 12)]).toEqual([1, 0, 0]);
    expect(shapes[2]!.collisions).toHaveLength(1);
    expect(stateAt(model, Float64Array.of(0, 0.1)).worldFromLink[3]!.slice(9)).toEqual(Float64Array.of(0.1, 0, 1.5));
  });

  it("carry the URDF's root where `mount` says", () => {
    const { model } = robotWith({ links: [{ name: "floor" }], mount: { parent: "floor", origin: { xyz: [1, 0, 2] } } });
    expect(model.linkNames).toEqual(["floor", "base", "tip"]);
    expect(stateAt(model).worldFromLink[2]!.slice(9)).toEqual(Float64Array.of(1, 0, 3));
  });

  it("leave a URDF alone where there are none", () => {
    expect(withAddedLinks(urdf, {})).toBe(urdf);
  });

  it.each<[string, readonly AddedLink[], Sidecar["mount"], string]>([
    ["a name that is taken", [{ name: "tip", parent: "base" }], undefined, "/links/0/name"],
    ["an unknown parent", [{ name: "a", parent: "nothing" }], undefined, "/links/0/parent"],
    [
      "a child before its parent",
      [
        { name: "a", parent: "b" },
        { name: "b", parent: "tip" },
      ],
      undefined,
      "/links/0/parent",
    ],
    ["no parent and no mount", [{ name: "a" }], undefined, "/mount"],
    ["a mount without a root", [{ name: "a", parent: "tip" }], { parent: "a" }, "/links"],
    ["a mount on a link of the URDF", [{ name: "a" }], { parent: "tip" }, "/mount/parent"],
    [
      "a mount on what hangs on the robot",
      [{ name: "a" }, { name: "b", parent: "tip" }],
      { parent: "b" },
      "/mount/parent",
    ],
    [
      "limits the wrong way round",
      [
        {
          name: "a",
          parent: "tip",
          joint: { type: "revolute", axis: [0, 0, 1], lower: 1, upper: 0, velocity: 1, effort: 1 },
        },
      ],
      undefined,
      "/links/0/joint/lower",
    ],
    [
      "a flat box",
      [{ name: "a", parent: "tip", shapes: [{ type: "box", size: [1, 0, 1] }] }],
      undefined,
      "/links/0/shapes/0/size",
    ],
  ])("refuse %s", (_, links, mount, path) => {
    const part = { links: [...links], ...(mount !== undefined && { mount }) };
    expectCode(() => robotWith(part), "FLY_SIDECAR_INCONSISTENT", path);
  });
});
