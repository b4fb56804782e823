import { describe, expect, it } from "vitest";
import { JointCommand } from "../../src/messages/control.js";
import { PlanReply } from "../../src/messages/planning.js";
import { JointState } from "../../src/messages/sensing.js";
import { createSyncTable } from "../../src/transport/channels/sync-table.js";
import { createRing, RingDemand, RingInPort, RingOutPort } from "../../src/transport/ring-ports.js";

const table = createSyncTable(4);
const joints = (value: number) => new Float64Array(9).fill(value);
const command = (cycle: number): JointCommand => {
  const numbers = {
    q: joints(cycle),
    qd: joints(-cycle),
    qdd: joints(0.5),
    closedAt: Float64Array.of(Number.NaN, cycle),
  };
  return { time: cycle / 1e3, cycle, mode: "follow", ...numbers };
};

describe("ports on a ring", () => {
  it("hand over each message to every reader, or the newest", () => {
    const ring = createRing(JointCommand, table);
    const every = [new RingInPort(JointCommand, ring, "every"), new RingInPort(JointCommand, ring, "every")];
    const newest = new RingInPort(JointCommand, ring, "newest");
    const out = new RingOutPort(JointCommand, ring, () => 0);
    for (let k = 1; k <= 3; k++) out.put(command(k), 0);
    for (const port of every) {
      for (let k = 1; k <= 3; k++) expect(port.take(0)).toEqual(command(k));
      expect(port.take(0)).toBeNull();
    }
    expect(newest.waiting).toBe(3);
    expect(newest.take(0)).toEqual(command(3));
    expect([newest.take(0), newest.lost, newest.waiting]).toEqual([null, 2, 0]);
  });

  it("copy, into the memory they are given", () => {
    const ring = createRing(JointState, table);
    const port = new RingInPort(JointState, ring, "every");
    const out = new RingOutPort(JointState, ring, () => 0);
    const state = { time: 1, cycle: 1, q: joints(1), qd: joints(2), commanded: joints(3) };
    out.put(state, 0);
    state.q.fill(7);
    const first = port.take(0)!;
    expect(first.q).toEqual(joints(1));
    out.put(state, 0);
    const again = port.take(0, first);
    expect(again).toBe(first);
    expect(again?.q).toEqual(joints(7));
    const { q } = first;
    out.put({ ...state, time: 2 }, 0);
    expect(port.take(0, first)?.q).toBe(q);
  });

  it("keep what is for later until then, in order", () => {
    let now = 0;
    const ring = createRing(JointCommand, table);
    const port = new RingInPort(JointCommand, ring, "every");
    const out = new RingOutPort(JointCommand, ring, () => now);
    out.put(command(1), 10);
    out.put(command(2), 5);
    expect([port.take(0), out.flush(9)]).toEqual([null, 10]);
    now = 10;
    expect(out.flush(now)).toBe(Number.POSITIVE_INFINITY);
    expect([port.take(0)?.cycle, port.take(0)?.cycle]).toEqual([1, 2]);
  });

  it("encode nothing that is not read", () => {
    const ring = createRing(JointCommand, table);
    const demand = new RingDemand(RingDemand.memory(2));
    const port = new RingInPort(JointCommand, ring, "every");
    const out = new RingOutPort(
      JointCommand,
      ring,
      () => 0,
      () => demand.isRead(1),
    );
    out.put(command(1), 0);
    demand.change(1, 1);
    out.put(command(2), 0);
    demand.change(1, -1);
    out.put(command(3), 0);
    expect([port.take(0)?.cycle, port.take(0)]).toEqual([2, null]);
  });

  it("carry messages with optional groups, texts and choices", () => {
    const ring = createRing(PlanReply, table);
    const port = new RingInPort(PlanReply, ring, "every");
    const out = new RingOutPort(PlanReply, ring, () => 0);
    const times = { tSeen: 0.25, askedNs: 1e9, answeredNs: 2e9, tStart: 3.5 };
    const none = { plan: null, position: null, approach: null, reason: "too far: 3.2 m" };
    const answer: PlanReply = { arm: "leftArm", id: 4, track: -1, search: "warm", ...times, ...none };
    out.put(answer, 0);
    expect(port.take(0)).toEqual(answer);
  });
});
