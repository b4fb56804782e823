import { expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { SampleStatus, TimeRing } from "../../../src/tracking/pose/time-ring.js";

it("keeps the newest samples sorted, whatever their order of arrival", () => {
  const random = new Random("ring");
  const ring = new TimeRing(16);
  const values = new Float64Array(16);
  let reference: number[] = [];
  for (let k = 0; k < 2000; k++) {
    const time = Math.round(k + random.uniformIn(-8, 1));
    const isKnown = reference.includes(time);
    const isTooLate = reference.length === 16 && time < reference[0]!;
    const isLate = time < (reference.at(-1) ?? Number.NEGATIVE_INFINITY);
    const status = ring.insert(time);
    if (isKnown) expect(status).toBe(SampleStatus.duplicate);
    else if (isTooLate) expect(status).toBe(SampleStatus.tooLate);
    else {
      expect(status).toBe(isLate ? SampleStatus.late : SampleStatus.accepted);
      values[ring.slot(ring.position)] = time;
      reference = [...reference, time].sort((a, b) => a - b).slice(-16);
    }
    expect(Array.from({ length: ring.count }, (_, i) => ring.time(i))).toEqual(reference);
    expect(Array.from({ length: ring.count }, (_, i) => values[ring.slot(i)])).toEqual(reference);
    const asked = time + 0.5;
    expect(ring.find(asked)).toBe(reference.findLastIndex((t) => t <= asked));
  }
});

it("refuses times that are none", () => {
  const ring = new TimeRing(4);
  expect(ring.insert(Number.NaN)).toBe(SampleStatus.invalid);
  expect(ring.insert(Number.POSITIVE_INFINITY)).toBe(SampleStatus.invalid);
  expect(ring.count).toBe(0);
  expect(ring.find(1)).toBe(-1);
});
