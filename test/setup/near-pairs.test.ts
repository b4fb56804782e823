import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { searchPairs } from "../../src/collision/pair-search.js";
import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { writeStl } from "../../src/robot/meshes/write-stl.js";
import type { Sidecar } from "../../src/robot/sidecar/sidecar-schema.js";
import { findNearPairs } from "../../src/setup/near-pairs.js";
import { boxes } from "../robot/meshes/sample-meshes.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-near-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A base like an L, and a lever behind two joints that turns in its corner without ever touching it.
const base = boxes([
  [-0.2, -0.2, -0.1, 0.2, 0.2, -0.06],
  [-0.2, -0.2, -0.1, -0.16, 0.2, 0.3],
]);
const lever = boxes([[-0.03, -0.01, -0.01, 0.03, 0.01, 0.01]]);
mkdirSync(join(folder, "meshes"));
writeFileSync(join(folder, "meshes", "base.stl"), writeStl(base));
writeFileSync(join(folder, "meshes", "lever.stl"), writeStl(lever));
const link = (name: string, mesh: string) =>
  `<link name="${name}"><collision><geometry><mesh filename="meshes/${mesh}.stl"/></geometry></collision></link>`;
const joint = (name: string, parent: string, child: string, axis: string) =>
  `<joint name="${name}" type="continuous"><parent link="${parent}"/><child link="${child}"/><axis xyz="${axis}"/></joint>`;
writeFileSync(
  join(folder, "robot.urdf"),
  `<robot name="corner">${link("base", "base")}<link name="between"/>${link("lever", "lever")}
  ${joint("first", "base", "between", "0 0 1")}${joint("second", "between", "lever", "0 1 0")}</robot>`,
);

/** One convex body about the whole L, and one about the lever. */
const hulls: NonNullable<Sidecar["collision"]>["hulls"] = [
  { name: "base", link: "base", radius: 0.001, points: corners(base.positions) },
  { name: "lever", link: "lever", radius: 0.001, points: corners(lever.positions) },
];

function corners(positions: ArrayLike<number>): [number, number, number][] {
  return Array.from({ length: positions.length / 3 }, (_, i) => {
    return [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
  });
}

it("proves apart by finer bodies what coarse ones would have touch", () => {
  const sidecar = { schemaVersion: 1, urdf: "robot.urdf", description: "", collision: { hulls } };
  writeFileSync(join(folder, "robot.json"), JSON.stringify(sidecar));
  const robot = loadRobot(join(folder, "robot.json"));
  const options = { random: new Random("near"), limitTolerance: 0.01, moving: new Set([0, 1]) };
  const [pair] = searchPairs(robot, { ...options, samples: 200 });
  expect(pair).toMatchObject({ reason: "always-touching", touching: 1 });
  expect(findNearPairs(robot, [pair!], options)).toEqual({ proven: [pair], inseparable: [] });

  // A lever that is longer does touch the L; then it is only said that they are never apart.
  writeFileSync(join(folder, "meshes", "lever.stl"), writeStl(boxes([[-0.18, -0.01, -0.01, 0.03, 0.01, 0.01]])));
  const longer = loadRobot(join(folder, "robot.json"));
  expect(findNearPairs(longer, [pair!], options)).toEqual({ proven: [], inseparable: [pair] });
});
