import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { buildModel } from "../../../src/robot/loading/build-model.js";
import { checkRobot } from "../../../src/robot/report/check.js";
import { parseUrdf } from "../../../src/robot/urdf/urdf.js";
import { FlycatcherError } from "../../../src/runtime/errors.js";
import { deep } from "../../support/deep.js";
import { smallArmUrdf } from "../fixtures/small-arm.js";

const elements = smallArmUrdf.split(/(?=<)/);
const numbers = ["NaN", "-1", "1e999", "", "0", "1e308", "1e50", "-0", "Infinity", "0 0 0", "1,5", "1e-320"];
const names = [
  "world",
  "hand",
  "gripA",
  "gripC",
  "nobody",
  "__proto__",
  "fixed",
  "planar",
  "floating",
  "continuous",
  "spherical",
  "1 0 0 0",
];

/** One random change of the text, its elements or its attribute values. */
function mutate(text: string, random: Random): string {
  const at = random.integer(text.length);
  const length = 1 + random.integer(40);
  const other = elements[random.integer(elements.length)]!;
  switch (random.integer(7)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at + length) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(random.integer(300)) + text.slice(at + 1);
    case 3:
      return text.replace(elements[random.integer(elements.length)]!, "");
    case 4:
      return text.slice(0, text.indexOf("<", at)) + other + text.slice(text.indexOf("<", at));
    default:
      return replaceValue(text, random);
  }
}

function replaceValue(text: string, random: Random): string {
  const pool = random.integer(2) === 0 ? numbers : names;
  const values = [...text.matchAll(/"[^"]*"/g)];
  const chosen = values[random.integer(Math.max(values.length, 1))];
  if (chosen === undefined) return text;
  const replacement = `"${pool[random.integer(pool.length)]}"`;
  return text.slice(0, chosen.index) + replacement + text.slice(chosen.index + chosen[0].length);
}

describe("mutated URDFs", () => {
  it("either build a finite model or raise a coded error", { timeout: 180_000 }, () => {
    const random = new Random("urdf-fuzz");
    const outcomes = new Map<string, number>();
    for (let i = 0; i < deep(2_000, 40_000); i++) {
      let text = smallArmUrdf;
      const changes = 1 + random.integer(3);
      for (let k = 0; k < changes; k++) text = mutate(text, random);
      const outcome = outcomeOf(text);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // The mutations reach far into the reader, not only to the XML parser.
    expect(outcomes.get("built")).toBeGreaterThan(100);
    expect([...outcomes.keys()].length).toBeGreaterThan(10);
  });
});

function outcomeOf(text: string): string {
  try {
    const model = buildModel(parseUrdf(text));
    const sizes = [model.mass, model.centreOfMass, model.inertia, model.jointAxis, model.jointOffset, model.termFactor];
    expect([...sizes, ...model.parentFromJoint].every((array) => array.every(Number.isFinite))).toBe(true);
    expect(checkRobot(text).length).toBeGreaterThan(0);
    return "built";
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw new Error(`not a coded error for: ${text}`, { cause: error });
    expect(error.code).not.toBe("FLY_INTERNAL");
    return error.code;
  }
}
