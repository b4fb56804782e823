import { describe, expect, it } from "vitest";
import { Random } from "../../src/math/random.js";
import { didYouMean, nearestNames } from "../../src/runtime/nearest-name.js";

const names = ["soft", "latest", "cool", "sure"];

describe("nearestNames", () => {
  it.each([
    ["a swap", "sotf", ["soft"]],
    ["a missing letter", "latst", ["latest"]],
    ["a letter too many", "coool", ["cool"]],
    ["a wrong letter", "sule", ["sure"]],
    ["another case", "SOFT", ["soft"]],
    ["something else", "elastic", []],
    ["nothing", "", []],
  ])("finds what was meant by %s", (_, word, found) => {
    expect(nearestNames(word, names)).toEqual(found);
  });

  it("has all that are equally near, each once", () => {
    expect(nearestNames("bsh", ["bash", "zsh", "fish", "bash"])).toEqual(["bash", "zsh"]);
    expect(didYouMean("bsh", ["bash", "zsh"])).toBe("Did you mean bash or zsh?");
    expect(didYouMean("fish", [])).toBe("");
  });

  it("finds every long name after one random edit", () => {
    const long = [
      "agile-justin",
      "iiwa-14",
      "lwr-arm",
      "clutterPerImage",
      "detectionProbability",
      "confirmProbability",
    ];
    const random = new Random("edits");
    for (let k = 0; k < 1000; k++) {
      const name = long[Math.floor(random.uniform() * long.length)]!;
      const at = Math.floor(random.uniform() * (name.length - 1));
      const [head, a, b, tail] = [name.slice(0, at), name[at]!, name[at + 1]!, name.slice(at + 2)];
      const edited = [head + b + a + tail, head + b + tail, `${head}x${a}${b}${tail}`, `${head}x${b}${tail}`];
      for (const word of edited) expect(nearestNames(word, long)).toEqual([name]);
    }
  });
});
