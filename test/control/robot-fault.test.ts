import { describe, expect, it } from "vitest";
import { RobotCare, RobotFaultWatch } from "../../src/control/robot-fault.js";

/** A robot's link, and what the watch says of it tick by tick. */
class Rig {
  readonly link = { isAtFault: false, fault: "silence", requestReset: () => undefined };
  readonly watch = new RobotFaultWatch(this.link);

  /** What is said over so many ticks, runs of the same word as one. */
  pass(ticks: number): RobotCare[] {
    const said = Array.from({ length: ticks }, () => this.watch.tick());
    return said.filter((care, k) => care !== said[k - 1]);
  }
}

describe("a robot that stops by itself", () => {
  it("is left alone, reset, held and led again", () => {
    const rig = new Rig();
    expect(rig.pass(1000)).toEqual([RobotCare.lead]);
    rig.link.isAtFault = true;
    expect(rig.pass(300)).toEqual([RobotCare.lost, RobotCare.wait, RobotCare.reset]);
    expect(rig.watch.isAtFault).toBe(true);
    rig.link.isAtFault = false;
    expect(rig.pass(20)).toEqual([RobotCare.hold]);
    expect(rig.pass(2)).toEqual([RobotCare.resumed, RobotCare.lead]);
    expect(rig.watch.isAtFault).toBe(false);
  });

  it("is asked again as long as it does not follow, and waited for anew when it stops again", () => {
    const rig = new Rig();
    rig.link.isAtFault = true;
    const said = Array.from({ length: 1000 }, () => rig.watch.tick());
    expect(said.filter((care) => care === RobotCare.reset)).toHaveLength(3);
    rig.link.isAtFault = false;
    rig.pass(10);
    rig.link.isAtFault = true;
    expect(rig.pass(5)).not.toContain(RobotCare.lost);
    rig.link.isAtFault = false;
    rig.pass(30);
    rig.link.isAtFault = true;
    expect(rig.pass(299)).toEqual([RobotCare.lost, RobotCare.wait]);
  });
});
