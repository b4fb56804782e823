import { beforeEach, describe, expect, it } from "vitest";
import { ClientMode, ClientSession } from "../../../src/control/udp/client-session.js";
import { crc32, Frame, FrameKind } from "../../../src/control/udp/frame.js";
import {
  faultName,
  Reception,
  RobotAction,
  RobotFault,
  RobotMode,
  RobotSession,
} from "../../../src/control/udp/robot-session.js";
import { Random } from "../../../src/math/random.js";
import { CommandMode } from "../../../src/messages/command-mode.js";

const count = 2;
const fingerprint = Uint8Array.from({ length: 16 }, (_, i) => i);
const missedCycles = 5;
const goneCycles = 100;

/** The address of the client, and that of somebody else. */
const ours = "10.0.0.1:5000";
const theirs = "10.0.0.2:5000";
/** Numbers that a test may know: of the sender, and of the sessions before. */
const sessionNumber = (sender: string, sessions: number) => crc32(new TextEncoder().encode(`${sessions} ${sender}`));

const robotOptions = {
  count,
  fingerprint,
  maxStep: Float64Array.of(0.003, 0.003),
  maxSpeed: Float64Array.of(2, 2),
  missedCycles,
  goneCycles,
  sessionNumber,
};

/** A robot that goes where it is told at once, and its client, with a link between them that may lose and swap frames. */
class Link {
  readonly robot = new RobotSession(robotOptions);
  readonly client = new ClientSession({ count, fingerprint, helloNumber: () => 7 });
  readonly q = new Float64Array(count);
  action: RobotAction = RobotAction.hold;
  time = 0;

  greet(): void {
    const hello = new Frame();
    this.client.fill(hello, FrameKind.hello, CommandMode.hold, this.time);
    if (this.receive(hello) !== Reception.welcome) return;
    const welcome = new Frame();
    this.robot.fill(welcome, FrameKind.welcome, this.time);
    this.client.receive(welcome, this.time);
    this.say(FrameKind.alive);
  }

  receive(frame: Frame, sender = ours): Reception {
    return this.robot.receive(frame, sender);
  }

  command(...position: number[]): Frame {
    const frame = new Frame();
    this.client.fill(frame, FrameKind.command, CommandMode.follow, this.time);
    frame.position.set(position);
    return frame;
  }

  state(): Frame {
    const frame = new Frame();
    this.robot.fill(frame, FrameKind.state, this.time);
    frame.position.set(this.q);
    return frame;
  }

  /** One cycle of the robot. */
  cycle(): RobotAction {
    this.time += 1e-3;
    this.action = this.robot.cycle(this.q);
    if (this.action === RobotAction.follow) this.q.set(this.robot.target);
    return this.action;
  }

  say(kind: FrameKind): void {
    const frame = new Frame();
    this.client.fill(frame, kind, CommandMode.hold, this.time);
    this.receive(frame);
  }
}

describe("a session over UDP", () => {
  let link: Link;
  beforeEach(() => {
    link = new Link();
    link.greet();
  });

  it("begins with a greeting, and follows once commanded", () => {
    expect(link.client.mode).toBe(ClientMode.connected);
    expect(link.robot.mode).toBe(RobotMode.monitor);
    expect(link.cycle()).toBe(RobotAction.hold);
    link.receive(link.command(0.002, -0.002));
    expect(link.cycle()).toBe(RobotAction.follow);
    expect(link.robot.mode).toBe(RobotMode.command);
    expect([...link.q]).toEqual([0.002, -0.002]);
    expect(link.client.receive(link.state(), link.time)).toBe(true);
    expect(link.client.robotMode).toBe(RobotMode.command);
  });

  it("welcomes the same client twice, another one not, and none that means another robot", () => {
    const received = (known: Uint8Array, sender: string) => {
      const hello = new Frame();
      const client = new ClientSession({ count, fingerprint: known, helloNumber: () => 8 });
      client.fill(hello, FrameKind.hello, CommandMode.hold, 0);
      return link.receive(hello, sender);
    };
    expect(received(fingerprint, ours)).toBe(Reception.welcome);
    expect(received(fingerprint, theirs)).toBe(Reception.none);
    expect(received(fingerprint.with(3, 99), ours)).toBe(Reception.none);
    expect(link.robot.refused).toEqual({ session: 1, fingerprint: 1, stale: 0 });
  });

  it("tells a client that the robot is another one", () => {
    const client = new ClientSession({ count, fingerprint: fingerprint.with(0, 1), helloNumber: () => 7 });
    const welcome = new Frame();
    link.robot.fill(welcome, FrameKind.welcome, 0);
    client.receive(welcome, 0);
    expect(client.mode).toBe(ClientMode.mistaken);
  });

  it("waits for a command while it is led, until the next one has come", () => {
    expect(link.robot.isWaitingForCommand).toBe(false);
    link.receive(link.command(0, 0));
    link.cycle();
    expect(link.robot.isWaitingForCommand).toBe(true);
    link.receive(link.command(0, 0));
    expect(link.robot.isWaitingForCommand).toBe(false);
    link.cycle();
    for (let n = 0; n <= missedCycles; n++) link.cycle();
    expect(faultName(link.robot.fault)).toBe("silence");
    expect(link.robot.isWaitingForCommand).toBe(false);
  });

  it("extrapolates over the cycles it may miss, then brakes until it is reset", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    for (let n = 0; n < missedCycles; n++) expect(link.cycle()).toBe(RobotAction.extrapolate);
    expect(link.cycle()).toBe(RobotAction.brake);
    expect(link.robot.fault).toBe(RobotFault.silence);
    link.receive(link.command(0, 0));
    expect(link.cycle()).toBe(RobotAction.brake);
    link.say(FrameKind.reset);
    expect(link.robot.mode).toBe(RobotMode.monitor);
    expect(link.cycle()).toBe(RobotAction.hold);
    link.receive(link.command(0, 0));
    expect(link.cycle()).toBe(RobotAction.follow);
  });

  it("begins where the joints are measured, too: fingers about a ball are not where they were sent", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    const measured = Float64Array.of(0, 0.2);
    // One that is led goes on from where it was sent.
    link.receive(link.command(0, 0.2));
    expect(link.robot.cycle(link.q, 1, measured)).toBe(RobotAction.brake);
    for (const [target, action] of [
      [0.1, RobotAction.brake],
      [0.2, RobotAction.follow],
    ] as const) {
      link.say(FrameKind.reset);
      link.receive(link.command(0, target));
      expect(link.robot.cycle(link.q, 1, measured)).toBe(action);
    }
  });

  it("brakes at a jump, at NaN, at a speed beyond its own and at another number of joints", () => {
    const spoil: [(frame: Frame) => void, RobotFault][] = [
      [(frame) => frame.position.set([0, 0.0031]), RobotFault.jump],
      [(frame) => frame.position.set([Number.NaN, 0]), RobotFault.notFinite],
      [(frame) => frame.velocity.set([0, Number.POSITIVE_INFINITY]), RobotFault.notFinite],
      [(frame) => frame.effort.set([0, Number.NaN]), RobotFault.notFinite],
      [(frame) => frame.velocity.set([0, 2.01]), RobotFault.velocity],
      [(frame) => frame.velocity.set([-1e300, 0]), RobotFault.velocity],
      [(frame) => Object.assign(frame, { count: 1 }), RobotFault.notFinite],
    ];
    for (const [change, fault] of spoil) {
      const fresh = new Link();
      fresh.greet();
      const frame = fresh.command(0, 0);
      change(frame);
      fresh.receive(frame);
      expect(fresh.cycle()).toBe(RobotAction.brake);
      expect(fresh.robot.fault).toBe(fault);
    }
  });

  it("allows a longer way after missed cycles", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    link.cycle();
    link.cycle();
    link.receive(link.command(0.0089, 0));
    expect(link.cycle()).toBe(RobotAction.follow);
  });

  it("takes no command that is older than one it had, and counts what was lost", () => {
    const [first, second, third] = [link.command(0.001, 0), link.command(0.002, 0), link.command(0.003, 0)];
    link.receive(first);
    link.receive(third);
    link.receive(second);
    link.cycle();
    expect(link.q[0]).toBe(0.003);
    expect(link.robot.refused.stale).toBe(1);
    expect(link.robot.lost).toBe(1);
  });

  it("forgets a client that is gone, and lets the next one in", () => {
    link.receive(link.command(0, 0));
    for (let n = 0; n <= goneCycles; n++) link.cycle();
    expect(link.robot.mode).toBe(RobotMode.idle);
    expect(link.receive(link.command(0, 0))).toBe(Reception.none);
    expect(link.robot.refused.session).toBe(1);
    link.client.reconnect();
    link.greet();
    expect(link.client.mode).toBe(ClientMode.connected);
    expect(link.robot.mode).toBe(RobotMode.monitor);
  });

  it("ends with a release", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    link.say(FrameKind.release);
    expect(link.robot.mode).toBe(RobotMode.idle);
    expect(link.cycle()).toBe(RobotAction.hold);
  });

  it("measures the round trip by echoed times", () => {
    link.time = 1;
    link.receive(link.command(0, 0));
    link.client.receive(link.state(), 1.004);
    expect(link.client.roundTrip).toBeCloseTo(0.004, 12);
  });

  it("never moves a joint farther in a cycle than its step, whatever a bad link does", () => {
    const random = new Random("bad link");
    for (let run = 0; run < 50; run++) {
      const bad = new Link();
      bad.greet();
      let late: Frame[] = [];
      let [brakes, longest] = [0, 0];
      for (let n = 0; n < 500; n++) {
        const frame = bad.command(0.2 * Math.sin(0.01 * n), 0.1 * Math.cos(0.01 * n) - 0.1);
        if (random.uniform() < 0.2) late.push(frame);
        else if (random.uniform() < 0.9) bad.receive(frame);
        if (random.uniform() < 0.3) {
          for (const old of late) bad.receive(old);
          late = [];
        }
        const before = bad.q.slice();
        const { missed } = bad.robot;
        if (bad.cycle() === RobotAction.brake) brakes++;
        longest = Math.max(longest, Math.abs(bad.q[0]! - before[0]!) / (missed + 1));
      }
      expect(longest).toBeLessThanOrEqual(0.003);
      expect(bad.robot.lost).toBeGreaterThan(0);
      expect(brakes === 0 || bad.robot.mode === RobotMode.fault).toBe(true);
    }
  });

  it("has no client before a second frame, and keeps nothing of those who only greet", () => {
    const robot = new RobotSession(robotOptions);
    const hello = new Frame();
    link.client.reconnect();
    link.client.fill(hello, FrameKind.hello, CommandMode.hold, 0);
    for (const sender of [theirs, ours, theirs]) expect(robot.receive(hello, sender)).toBe(Reception.welcome);
    expect(robot.mode).toBe(RobotMode.idle);
    const alive = new Frame();
    link.client.fill(alive, FrameKind.alive, CommandMode.hold, 0);
    alive.session = sessionNumber(theirs, 0);
    expect(robot.receive(alive, ours)).toBe(Reception.none);
    alive.session = sessionNumber(ours, 0);
    expect(robot.receive(alive, ours)).toBe(Reception.joined);
    expect(robot.mode).toBe(RobotMode.monitor);
  });

  it("takes nothing from another address, whatever it knows, nor a number far ahead", () => {
    const spy = (kind: FrameKind, sequence: number) =>
      Object.assign(new Frame(), { kind, count, session: link.robot.session, sequence });
    link.receive(link.command(0, 0));
    link.cycle();
    link.receive(spy(FrameKind.release, 100), theirs);
    expect(link.robot.mode).toBe(RobotMode.command);
    link.receive(spy(FrameKind.command, 0x4000_0000), theirs);
    link.receive(spy(FrameKind.command, 0x4000_0000), ours);
    expect(link.robot.refused).toMatchObject({ session: 2, stale: 1 });
    link.receive(link.command(0.001, 0));
    expect(link.cycle()).toBe(RobotAction.follow);
  });

  it("numbers each session anew", () => {
    const before = link.robot.session;
    const old = link.command(0, 0);
    link.say(FrameKind.release);
    expect(link.receive(old)).toBe(Reception.none);
    link.client.reconnect();
    link.greet();
    expect(link.robot.mode).toBe(RobotMode.monitor);
    expect(link.robot.session).not.toBe(before);
  });

  it("stands, and lets the next client in, when the goodbye comes in the cycle of a command", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    link.receive(link.command(0.001, 0));
    link.say(FrameKind.release);
    for (let n = 0; n <= missedCycles + 1; n++) expect(link.cycle()).toBe(RobotAction.hold);
    expect(link.robot.mode).toBe(RobotMode.idle);
    expect(link.robot.fault).toBe(RobotFault.none);
    const other = new ClientSession({ count, fingerprint, helloNumber: () => 9 });
    const hello = new Frame();
    other.fill(hello, FrameKind.hello, CommandMode.hold, 0);
    expect(link.receive(hello, theirs)).toBe(Reception.welcome);
  });

  it("counts no reset as a command: one that only resets is silent", () => {
    link.receive(link.command(0, 0));
    link.cycle();
    for (let n = 0; n < missedCycles; n++) {
      link.say(FrameKind.reset);
      expect(link.cycle()).toBe(RobotAction.extrapolate);
    }
    link.say(FrameKind.reset);
    expect(link.cycle()).toBe(RobotAction.brake);
  });

  it("takes no welcome that answers another greeting", () => {
    const client = new ClientSession({ count, fingerprint, helloNumber: () => 12 });
    const welcome = new Frame();
    link.robot.fill(welcome, FrameKind.welcome, 0);
    client.receive(welcome, 0);
    expect(client.mode).toBe(ClientMode.connecting);
    expect(client.counts.foreign).toBe(1);
  });
});
