import { describe, expect, it } from "vitest";
import { allocatePacket } from "../../src/channels/packet.js";
import { Handover } from "../../src/control/motion-execution.js";
import { handoverOf, outcomeOf, plainMotion, ReceivedPlan, writePlan } from "../../src/control/plan-codec.module.js";
import { Plan } from "../../src/messages/plan.js";
import { JointRamps, rampFields } from "../../src/motion/joint-ramps.js";

const part = { name: "arm", dofs: [3, 1, 7] };

function someRamps(): JointRamps {
  const ramps = new JointRamps(3);
  const limits = Float64Array.of(2, 2, 2);
  ramps.plan(Float64Array.of(0.1, 0.2, 0.3), Float64Array.of(0, 0.1, 0), Float64Array.of(1, 0, 0.5), 2, limits, limits);
  return ramps;
}

describe("a plan in a packet", () => {
  it("comes back as it was, to the bit", () => {
    const packet = allocatePacket(Plan);
    const ramps = someRamps();
    const plan = { id: 7, tStart: 1_234_567_891 / 1e9, ramps, closeHandAt: 2_345_678_912 / 1e9 };
    writePlan(part, plan, { ...plainMotion, track: 4 }, packet);
    const received = new ReceivedPlan(part);
    received.read(packet);
    expect([received.id, received.tStart, received.closeHandAt]).toEqual([7, plan.tStart, plan.closeHandAt]);
    for (const field of [...rampFields, "end"] as const) expect([...received.ramps[field]]).toEqual([...ramps[field]]);
    expect(packet.group.read()).toBe("arm");
    expect(packet.track).toBe(4);
  });

  it("opens the hand where it does not close it, and is no number for joints it does not move", () => {
    const packet = allocatePacket(Plan);
    writePlan(
      part,
      { id: 1, tStart: 1, ramps: someRamps(), closeHandAt: Number.POSITIVE_INFINITY },
      plainMotion,
      packet,
    );
    const received = new ReceivedPlan(part);
    received.read(packet);
    expect(received.closeHandAt).toBe(Number.POSITIVE_INFINITY);
    const other = new ReceivedPlan({ name: "arm", dofs: [3, 1, 8] });
    other.read(packet);
    expect(other.ramps.q0[2]).toBeNaN();
  });

  it("is answered with the same words on both sides", () => {
    for (const handover of Object.values(Handover)) expect(handoverOf(outcomeOf(handover))).toBe(handover);
  });
});
