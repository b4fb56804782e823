import { describe, expect, it } from "vitest";
import { DelayLine } from "../../src/catching/delay-line.js";

describe("a delay line", () => {
  it("gives everything once, when its time has come, to the nanosecond", () => {
    const line = new DelayLine<string>();
    line.put("a", 10);
    line.put("b", 20);
    line.put("c", 20);
    expect(line.take(9)).toEqual([]);
    expect(line.take(10)).toEqual(["a"]);
    expect(line.take(19)).toEqual([]);
    expect(line.take(50)).toEqual(["b", "c"]);
    expect(line.take(99)).toEqual([]);
  });

  it("lets nothing overtake", () => {
    const line = new DelayLine<string>();
    line.put("slow", 30);
    line.put("quick", 10);
    expect(line.take(20)).toEqual([]);
    expect(line.take(30)).toEqual(["slow", "quick"]);
  });
});
