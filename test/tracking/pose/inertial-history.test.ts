import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { Correction, InertialHistory } from "../../../src/tracking/pose/inertial-history.js";
import { SampleStatus } from "../../../src/tracking/pose/time-ring.js";

const corrections = [Correction.none, Correction.due, Correction.done];

describe("the history of IMU samples", () => {
  it("knows the first that waits for its correction, as a list of all does, whatever comes late and leaves", () => {
    const random = new Random("first due");
    const capacity = 12;
    const history = new InertialHistory(capacity);
    let list: { time: number; correction: Correction }[] = [];
    for (let k = 0; k < 3000; k++) {
      const time = k + random.uniformIn(-8, 0);
      const status = history.add(time, vec3.create(), vec3.create());
      if (status === SampleStatus.accepted || status === SampleStatus.late) {
        list = [...list, { time, correction: Correction.none }].sort((a, b) => a.time - b.time).slice(-capacity);
      }
      // Long stretches without any that waits, and without any that does not.
      const kinds = k % 200 < 80 ? [Correction.none, Correction.done] : corrections;
      const place = Math.floor(random.uniform() * list.length);
      const correction = kinds[Math.floor(random.uniform() * kinds.length)]!;
      history.setCorrection(history.ring.slot(place), correction);
      list[place] = { ...list[place]!, correction };
      expect(history.firstDue()).toBe(list.findIndex((sample) => sample.correction === Correction.due));
    }
  });
});
