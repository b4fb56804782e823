import { describe, expect, it } from "vitest";
import { BatchFit } from "../../../bench/real/batch-fit.js";
import { JointFlights } from "../../../src/calibration/flight/joint-flights.js";
import { madeFlights } from "./made-flights.js";

const room = { gravity: [0.1, 0, -9.7], drag: 0.06, lift: 0.3, acceleration: 0, sigma: 0.002, stated: 0.002 } as const;

describe("the batch fit of the suite `real`", () => {
  it("is that of a joint fit of one flight, which shares no code with it", () => {
    for (const flight of madeFlights(5, room, "one by one")) {
      const batch = new BatchFit();
      const prior = { drag: 0.05, dragSigma: 0.02, gravity: room.gravity, gravitySigma: 0.01 };
      expect(batch.solve(flight, room.stated, { ...prior, liftSigma: 0.3 })).toBe(true);
      const joint = new JointFlights([flight], prior);
      expect(joint.solve(0.3)).toBe(true);
      const { parameters } = joint.blocks[0]!;
      for (let n = 0; n < 6; n++) expect(batch.parameters[n]).toBeCloseTo(parameters[n]!, 5);
      for (let n = 0; n < 3; n++) expect(batch.lift[n]).toBeCloseTo(parameters[6 + n]!, 3);
      expect(batch.drag).toBeCloseTo(joint.shared[0]!, 4);
    }
  });

  it("predicts with errors as large as its covariance says", () => {
    let [sum, count] = [0, 0];
    for (const flight of madeFlights(60, room, "ahead")) {
      const seen = { time: flight.time.slice(0, 12), position: flight.position.slice(0, 36) };
      const batch = new BatchFit();
      const prior = { drag: 0.06, dragSigma: 0, liftSigma: 0.3, gravity: room.gravity, gravitySigma: 0 };
      expect(batch.solve(seen, room.stated, prior)).toBe(true);
      const at = batch.position(flight.time[20]!, new Float64Array(3));
      const covariance = batch.positionCovariance(flight.time[20]!, new Float64Array(9));
      for (let n = 0; n < 3; n++) {
        sum += (flight.position[60 + n]! - at[n]!) ** 2 / (covariance[4 * n]! + room.stated ** 2);
        count++;
      }
    }
    expect(sum / count).toBeGreaterThan(0.7);
    expect(sum / count).toBeLessThan(1.4);
  });
});
