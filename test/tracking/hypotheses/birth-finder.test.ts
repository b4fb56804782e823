import { describe, expect, it } from "vitest";
import { ScanSimulator } from "../../../bench/tracking/scan-simulator.js";
import { defaultBall } from "../../../src/flight/ball.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";
import { BallFilter } from "../../../src/tracking/filter/ball-filter.js";
import { Background } from "../../../src/tracking/hypotheses/background.js";
import { BirthFinder, StereoGate } from "../../../src/tracking/hypotheses/birth-finder.js";
import { StoredScan } from "../../../src/tracking/hypotheses/stored-scan.js";
import { settingsOf } from "../../../src/tracking/hypotheses/tracker-options.js";
import { deep } from "../../support/deep.js";

/** Scans of one ball at random places, and false circles. */
function* scans(seed: string, count: number, clutter: number): Generator<[StoredScan, vec3.Vec3]> {
  const random = new Random(seed);
  const simulator = new ScanSimulator({ seed, clutter, detectionProbability: 1 });
  for (let n = 0; n < count; n++) {
    const place = vec3.create(random.uniformIn(2, 6), random.uniformIn(-0.5, 0.5), random.uniformIn(1.4, 2));
    const { left, right } = simulator.expose(n, [{ position: (_, out) => vec3.copy(place, out) === out }]);
    const scan = new StoredScan();
    scan.reset("circles", n);
    scan.images[0]!.store(left!, n);
    scan.images[1]!.store(right!, n);
    yield [scan, place];
  }
}

describe("StereoGate", () => {
  it("has distances with the mean and spread of three degrees of freedom", () => {
    const gate = new StereoGate(defaultBall.diameter / 2);
    const count = deep(800, 20_000);
    let [sum, beyond] = [0, 0];
    for (const [scan] of scans("gate", count, 0)) {
      expect(gate.place(scan.images[0]!, 0, scan.images[1]!)).toBe(true);
      const distance = gate.squaredDistance(scan.images[1]!.circles, 0);
      sum += distance;
      if (distance > 11.345) beyond++;
    }
    // 11.345 is the 99 % quantile; the mean of `count` has a standard deviation of √(6/count).
    expect(Math.abs(sum / count - 3)).toBeLessThan(4 * Math.sqrt(6 / count) + 0.05);
    expect(beyond / count).toBeLessThan(0.01 + 4 * Math.sqrt(0.01 / count));
  });
});

describe("BirthFinder", () => {
  const settings = settingsOf({ clutterPerImage: 10 });
  const finder = new BirthFinder(settings, new BallFilter(), new Background());

  it("finds the ball where it is, among few false ones", () => {
    const count = deep(500, 5000);
    let [found, wrong] = [0, 0];
    for (const [scan, place] of scans("births", count, 10)) {
      finder.find(scan);
      for (let k = 0; k < scan.births.count; k++) {
        const away = Math.hypot(...[0, 1, 2].map((n) => scan.births.position[3 * k + n]! - place[n]!));
        if (away < 0.05 * place[0]) found++;
        else wrong++;
      }
    }
    expect(found / count).toBeGreaterThan(0.99);
    expect(wrong / count).toBeLessThan(0.02);
  });

  it("finds none in one image", () => {
    for (const [scan] of scans("one", 20, 10)) {
      scan.images[1]!.clear();
      finder.find(scan);
      expect(scan.births.count).toBe(0);
    }
  });
});
