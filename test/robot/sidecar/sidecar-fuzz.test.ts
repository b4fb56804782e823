import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { assembleRobot } from "../../../src/robot/loading/assemble-robot.js";
import { parseSidecar } from "../../../src/robot/loading/load-robot.js";
import { checkRobot } from "../../../src/robot/report/check.js";
import { formatTree } from "../../../src/robot/report/show.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { smallArmSidecar, smallArmUrdf } from "../fixtures/small-arm.js";

const urdf = parseUrdf(smallArmUrdf);
const odd = [null, 0, -1, 1e300, -1e300, "", "hand", "gripA", "gripB", "world", true, [], {}, [0, 0, 0], { hand: 1 }];

type Tree = Record<string, unknown>;

/** Every object and list of a JSON value. */
function branches(value: unknown): Tree[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Tree, ...Object.values(value).flatMap(branches)];
}

/** Deletes, replaces, renames or doubles one entry somewhere in the tree. */
function mutate(tree: unknown, random: Random): void {
  const all = branches(tree).filter((branch) => Object.keys(branch).length > 0);
  const branch = all[random.integer(all.length)]!;
  const keys = Object.keys(branch);
  const key = keys[random.integer(keys.length)]!;
  const other = all[random.integer(all.length)]!;
  switch (random.integer(5)) {
    case 0:
      if (Array.isArray(branch)) branch.splice(Number(key), 1);
      else Reflect.deleteProperty(branch, key);
      return;
    case 1:
      if (Array.isArray(branch)) branch.push(structuredClone(branch[Number(key)]));
      else branch[`${key}x`] = structuredClone(branch[key]);
      return;
    case 2:
      branch[key] = structuredClone(Object.values(other)[0]);
      return;
    default:
      branch[key] = structuredClone(odd[random.integer(odd.length)]);
  }
}

describe("mutated sidecars", () => {
  it("either assemble to a robot that can be checked and shown, or raise a coded error", { timeout: 180_000 }, () => {
    const random = new Random("sidecar-fuzz");
    const whole = smallArmSidecar();
    const outcomes = new Map<string, number>();
    for (let i = 0; i < deep(1_000, 20_000); i++) {
      const sidecar = structuredClone(whole);
      mutate(sidecar, random);
      const outcome = outcomeOf(sidecar);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get("assembled")).toBeGreaterThan(50);
    for (const code of ["FLY_SIDECAR_INVALID", "FLY_SIDECAR_REFERENCE", "FLY_SIDECAR_INCONSISTENT"]) {
      expect(outcomes.get(code)).toBeGreaterThan(10);
    }
  });
});

function outcomeOf(sidecar: unknown): string {
  try {
    const robot = assembleRobot({ name: "fuzzed", urdf, sidecar: parseSidecar(sidecar) });
    checkRobot(robot);
    expect(formatTree(robot)).toContain("world");
    return "assembled";
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw new Error(`not coded: ${JSON.stringify(sidecar)}`, { cause: error });
    expect(error.code).not.toBe("FLY_INTERNAL");
    return error.code;
  }
}
