import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { buildModel } from "../../src/robot/loading/build-model.js";
import { checkRobot } from "../../src/robot/report/check.js";
import { parseUrdf } from "../../src/robot/urdf/urdf.js";
import { smallArmUrdf } from "../robot/fixtures/small-arm.js";
import { deep } from "../support/deep.js";
import { mutateElements, mutateText, oddNumbers, repeatedly } from "../support/mutate.js";
import { Outcomes } from "./support/outcomes.js";

const names = ["world", "hand", "gripA", "gripC", "nobody", "__proto__", "1 0 0 0"];
const types = ["fixed", "planar", "floating", "continuous", "spherical"];
const snippets = [
  ...oddNumbers,
  ...names,
  ...types,
  "<link/>",
  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  "&b;",
  "]]>",
  "<robot>",
];

function mutate(text: string, random: Random): string {
  return random.integer(4) === 0 ? mutateElements(text, random) : mutateText(text, random, snippets);
}

describe("mutated URDFs", () => {
  it("either build a finite model or raise a coded error", { timeout: 14_400_000 }, () => {
    const random = new Random("urdf-fuzz");
    const outcomes = new Outcomes();
    for (let i = 0; i < deep(800, 1_000_000); i++) {
      const text = repeatedly(1 + random.integer(3), smallArmUrdf, (before) => mutate(before, random));
      outcomes.note(
        () => expectFinite(text),
        () => text,
      );
    }
    // The mutations reach far into the reader, not only to the XML parser.
    expect(outcomes.of("ok")).toBeGreaterThan(50);
    expect(outcomes.kinds).toBeGreaterThan(10);
  });
});

function expectFinite(text: string): void {
  const model = buildModel(parseUrdf(text));
  const sizes = [model.mass, model.centreOfMass, model.inertia, model.jointAxis, model.jointOffset, model.termFactor];
  expect([...sizes, ...model.parentFromJoint].every((array) => array.every(Number.isFinite))).toBe(true);
  expect(checkRobot(text).length).toBeGreaterThan(0);
}
