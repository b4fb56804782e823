import { describe, expect, it } from "vitest";
import { RobotClock } from "../../../src/control/udp/robot-clock.js";
import { Random } from "../../../src/math/random.js";

describe("the robot's clock on ours", () => {
  it("is found to a fraction of the delays' spread", () => {
    const random = new Random(3);
    const clock = new RobotClock();
    const offset = 123.4;
    let worst = 0;
    for (let k = 0; k < 5000; k++) {
      const robotTime = k / 1000;
      const delay = 0.0002 - 0.002 * Math.log(1 - random.uniform());
      const placed = clock.place(robotTime, robotTime + offset + delay);
      if (k > 200) worst = Math.max(worst, Math.abs(placed - (robotTime + offset + 0.0002)));
    }
    expect(worst).toBeLessThan(0.0002);
  });

  it("is not moved by a long pause, and begins anew when told to", () => {
    const clock = new RobotClock();
    clock.place(0, 10.001);
    expect(clock.place(1, 11.501)).toBeCloseTo(11.001, 3);
    clock.reset();
    expect(clock.place(2, 50)).toBe(50);
  });
});
