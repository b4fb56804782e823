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

  it.each([0.4, -0.4, -30])("is found again after it was set by %d s", (jump) => {
    const random = new Random(4);
    const clock = new RobotClock();
    const placedAfter = (k: number, set: number): number => {
      const time = k / 1000;
      const delay = 0.0002 - 0.0005 * Math.log(1 - random.uniform());
      return clock.place(time + set - 5, time + delay) - time;
    };
    for (let k = 0; k < 500; k++) placedAfter(k, 0);
    const errors = Array.from({ length: 500 }, (_, k) => placedAfter(500 + k, jump));
    for (const error of errors.slice(60)) expect(Math.abs(error)).toBeLessThan(0.002);
    if (jump < 0) expect(errors[0]).toBeCloseTo(jump, 2);
  });

  it("keeps its place when frames come in a heap after a pause", () => {
    const clock = new RobotClock();
    for (let k = 0; k < 200; k++) clock.place(k / 1000, k / 1000 + 0.0002);
    for (let k = 200; k < 320; k++) clock.place(k / 1000, 0.32 + (k - 200) * 1e-5);
    for (let k = 322; k < 400; k++) expect(clock.place(k / 1000, k / 1000 + 0.0002)).toBeCloseTo(k / 1000 + 0.0002, 4);
  });

  it("is not moved by a long pause, and begins anew when told to", () => {
    const clock = new RobotClock();
    clock.place(0, 10.001);
    expect(clock.place(1, 11.501)).toBeCloseTo(11.001, 3);
    clock.reset();
    expect(clock.place(2, 50)).toBe(50);
  });
});
