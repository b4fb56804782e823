import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallTracker } from "../../../src/tracking/ball-tracker.js";
import type { TrackerEvent } from "../../../src/tracking/events/tracker-event.js";
import { PointSet } from "../../../src/tracking/filter/scan.js";

const SIGMA = 0.002;
const ball = { diameter: 0.07, mass: 0.12, drag: 0 };

/** Warnings about flights, of throws under `fall` that the tracker believes to be 9.81 m/s². */
function warningsOf(fall: number, throws: number): TrackerEvent[] {
  const events: TrackerEvent[] = [];
  const options = { ball, gravity: vec3.create(0, 0, -9.81), floorHeight: -10 };
  const tracker = new BallTracker(options, (event) => events.push(event));
  const random = new Random(`flights ${fall}`);
  const points = new PointSet();
  points.covariance.set([SIGMA ** 2, 0, 0, 0, SIGMA ** 2, 0, 0, 0, SIGMA ** 2]);
  for (let id = 0; id < throws; id++) {
    const [vx, vz] = [random.uniformIn(-5, -3), random.uniformIn(2, 4)];
    for (let k = 0; k < 30; k++) {
      const t = k / 50;
      points.count = 1;
      points.position.set([4 + vx * t, id * 0.1, 1.5 + vz * t - (fall / 2) * t * t]);
      for (let axis = 0; axis < 3; axis++) points.position[axis]! += SIGMA * random.normal();
      tracker.process({ kind: "points", time: 3 * id + t, points });
    }
  }
  return events.filter(({ code }) => code === "flight-unmodelled");
}

describe("the watch over flights", () => {
  it("says nothing of balls that fly as modelled", () => {
    expect(warningsOf(9.81, 12)).toEqual([]);
  });

  it.each([9, 10.8])("says that balls do not, where gravity is %f m/s²", (fall) => {
    const warnings = warningsOf(fall, 12);
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(7);
    expect(warnings[0]!.text).toMatch(
      /do not fly as modelled: 200 ms ahead, predictions miss by [\d.]+ of their sigmas/,
    );
  });
});
