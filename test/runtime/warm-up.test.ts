import { describe, expect, it } from "vitest";
import { WarmUp, type WarmUpProgress } from "../../src/runtime/warm-up.js";

function recorded(weights: Record<string, number>): { warmUp: WarmUp; reports: WarmUpProgress[] } {
  const reports: WarmUpProgress[] = [];
  return { warmUp: new WarmUp(weights, (progress) => reports.push(progress)), reports };
}

describe("WarmUp", () => {
  it("reports parts side by side, and the share by their weights", async () => {
    const { warmUp, reports } = recorded({ cameras: 3, tracker: 1 });
    const ends: (() => void)[] = [];
    const wait = () => new Promise<void>((resolve) => ends.push(resolve));
    const both = [warmUp.part("cameras", wait), warmUp.part("tracker", wait)];
    expect(warmUp.progress).toEqual({ share: 0, parts: ["cameras", "tracker"] });
    ends[0]!();
    await both[0];
    expect(warmUp.progress).toEqual({ share: 0.75, parts: ["tracker"] });
    ends[1]!();
    await Promise.all(both);
    expect(reports.at(-1)).toEqual({ share: 1, parts: [] });
    expect(reports).toHaveLength(4);
  });

  it("hands on results and failures", async () => {
    const { warmUp } = recorded({ a: 1, b: 1 });
    expect(await warmUp.part("a", () => 7)).toBe(7);
    await expect(warmUp.part("b", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(warmUp.progress.parts).toEqual([]);
  });

  it("ends once, with parts that were not needed", () => {
    const { warmUp, reports } = recorded({ a: 1, "trial throw": 1 });
    warmUp.end();
    warmUp.end();
    expect(reports).toEqual([{ share: 1, parts: [] }]);
  });
});
