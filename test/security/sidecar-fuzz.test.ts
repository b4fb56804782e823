import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { assembleRobot } from "../../src/robot/loading/assemble-robot.js";
import { parseSidecar } from "../../src/robot/loading/load-robot.js";
import { checkRobot } from "../../src/robot/report/check.js";
import { formatTree } from "../../src/robot/report/show.js";
import { parseUrdf } from "../../src/robot/urdf/urdf.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { smallArmSidecar, smallArmUrdf } from "../robot/fixtures/small-arm.js";
import { deep } from "../support/deep.js";
import { mutateJson, oddValues, pick, repeatedly } from "../support/mutate.js";
import { Outcomes } from "./support/outcomes.js";

const values = [...oddValues, "hand", "gripA", "gripB", "world", { hand: 1 }];

/** A small robot, and one shipped whose sidecar has nearly all there is. */
const robots = [
  { sidecar: smallArmSidecar() as unknown, urdf: parseUrdf(smallArmUrdf) },
  { sidecar: JSON.parse(shipped("robot.json")) as unknown, urdf: parseUrdf(shipped("panda.urdf")) },
];

function shipped(file: string): string {
  return readFileSync(join(packageRoot, "data", "robots", "panda", file), "utf8");
}

describe("mutated sidecars", () => {
  it("either assemble to a robot that can be checked and shown, or raise a coded error", { timeout: 900_000 }, () => {
    const random = new Random("sidecar-fuzz");
    const outcomes = new Outcomes();
    for (let i = 0; i < deep(400, 100_000); i++) {
      const { sidecar, urdf } = pick(robots, random);
      const changed = repeatedly(1 + random.integer(2), sidecar, (before) => mutateJson(before, random, values));
      outcomes.note(
        () => {
          const robot = assembleRobot({ name: "fuzzed", urdf, sidecar: parseSidecar(changed) });
          checkRobot(robot);
          expect(formatTree(robot).length).toBeGreaterThan(0);
        },
        () => JSON.stringify(changed),
      );
    }
    expect(outcomes.of("ok")).toBeGreaterThan(20);
    for (const code of ["FLY_SIDECAR_INVALID", "FLY_SIDECAR_REFERENCE", "FLY_SIDECAR_INCONSISTENT"]) {
      expect(outcomes.of(code)).toBeGreaterThan(3);
    }
  });
});
