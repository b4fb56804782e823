import { describe, expect, it } from "vitest";
import { misfitSentence } from "../../src/report/flight-misfit.js";

describe("a flight that is not as modelled", () => {
  it.each([4, 50])("is one whose chi-square is far too large for %i degrees of freedom", (degreesOfFreedom) => {
    const unlikely = degreesOfFreedom + 4 * Math.sqrt(2 * degreesOfFreedom);
    const bound = Math.max(unlikely, 3 * degreesOfFreedom);
    expect(misfitSentence("ball 1", { chiSquare: bound - 0.01, degreesOfFreedom })).toBeNull();
    expect(misfitSentence("ball 1", { chiSquare: bound + 0.01, degreesOfFreedom })).toContain(
      `ball 1 does not fly as modelled, chi-square is ${(bound / degreesOfFreedom).toFixed(1)} per degree of freedom`,
    );
  });

  it("is not one that is not known", () => {
    expect(misfitSentence("ball 1", { chiSquare: Number.NaN, degreesOfFreedom: 4 })).toBeNull();
    expect(misfitSentence("ball 1", null)).toBeNull();
  });
});
