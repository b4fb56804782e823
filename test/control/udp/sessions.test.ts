import { beforeEach, describe, expect, it } from "vitest";
import { ClientMode, ClientSession } from "../../../src/control/udp/client-session.js";
import { Frame, FrameKind } from "../../../src/control/udp/frame.js";
import { faultName, RobotAction, RobotFault, RobotMode, RobotSession } from "../../../src/control/udp/robot-session.js";
import { Random } from "../../../src/math/random.js";
import { CommandMode } from "../../../src/messages/command-mode.js";

const count = 2;
const fingerprint = Uint8Array.from({ length: 16 }, (_, i) => i);
const missedCycles = 5;
const goneCycles = 100;

const robotOptions = { count, fingerprint, maxStep: Float64Array.of(0.003, 0.003), missedCycles, goneCycles };

/** A robot that goes where it is told at once, and its client, with a link between them that may lose and swap frames. */
class Link {
  readonly robot = new RobotSession(robotOptions);
  readonly client = new ClientSession({ count, fingerprint, helloNumber: 7 });
  readonly q = new Float64Array(count);
  action: RobotAction = RobotAction.hold;
  time = 0;

  greet(): void {
    const hello = new Frame();
    this.client.fill(hello, FrameKind.hello, CommandMode.hold, this.time);
    if (!this.robot.receive(hello)) return;
    const welcome = new Frame();
    this.robot.fill(welcome, FrameKind.welcome, this.time);
    this.client.receive(welcome, this.time);
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
    this.robot.receive(frame);
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
    link.robot.receive(link.command(0.002, -0.002));
    expect(link.cycle()).toBe(RobotAction.follow);
    expect(link.robot.mode).toBe(RobotMode.command);
    expect([...link.q]).toEqual([0.002, -0.002]);
    expect(link.client.receive(link.state(), link.time)).toBe(true);
    expect(link.client.robotMode).toBe(RobotMode.command);
  });

  it("welcomes the same client twice, another one not, and nobody who means another robot", () => {
    const welcomed = (options: { helloNumber: number; fingerprint: Uint8Array }) => {
      const hello = new Frame();
      new ClientSession({ count, ...options }).fill(hello, FrameKind.hello, CommandMode.hold, 0);
      return link.robot.receive(hello);
    };
    expect(welcomed({ helloNumber: 7, fingerprint })).toBe(true);
    expect(welcomed({ helloNumber: 8, fingerprint })).toBe(false);
    expect(welcomed({ helloNumber: 7, fingerprint: fingerprint.with(3, 99) })).toBe(false);
    expect(link.robot.refused).toEqual({ session: 1, fingerprint: 1, stale: 0 });
  });

  it("tells a client that the robot is another one", () => {
    const client = new ClientSession({ count, fingerprint: fingerprint.with(0, 1), helloNumber: 1 });
    const welcome = new Frame();
    link.robot.fill(welcome, FrameKind.welcome, 0);
    client.receive(welcome, 0);
    expect(client.mode).toBe(ClientMode.mistaken);
  });

  it("waits for a command while it is led, until the next one has come", () => {
    expect(link.robot.isWaitingForCommand).toBe(false);
    link.robot.receive(link.command(0, 0));
    link.cycle();
    expect(link.robot.isWaitingForCommand).toBe(true);
    link.robot.receive(link.command(0, 0));
    expect(link.robot.isWaitingForCommand).toBe(false);
    link.cycle();
    for (let n = 0; n <= missedCycles; n++) link.cycle();
    expect(faultName(link.robot.fault)).toBe("silence");
    expect(link.robot.isWaitingForCommand).toBe(false);
  });

  it("extrapolates over the cycles it may miss, then brakes until it is reset", () => {
    link.robot.receive(link.command(0, 0));
    link.cycle();
    for (let n = 0; n < missedCycles; n++) expect(link.cycle()).toBe(RobotAction.extrapolate);
    expect(link.cycle()).toBe(RobotAction.brake);
    expect(link.robot.fault).toBe(RobotFault.silence);
    link.robot.receive(link.command(0, 0));
    expect(link.cycle()).toBe(RobotAction.brake);
    link.say(FrameKind.reset);
    expect(link.robot.mode).toBe(RobotMode.monitor);
    expect(link.cycle()).toBe(RobotAction.hold);
    link.robot.receive(link.command(0, 0));
    expect(link.cycle()).toBe(RobotAction.follow);
  });

  it("brakes at a jump, at NaN and at another number of joints", () => {
    const spoil: [(frame: Frame) => void, RobotFault][] = [
      [(frame) => frame.position.set([0, 0.0031]), RobotFault.jump],
      [(frame) => frame.position.set([Number.NaN, 0]), RobotFault.notFinite],
      [(frame) => frame.velocity.set([0, Number.POSITIVE_INFINITY]), RobotFault.notFinite],
      [(frame) => Object.assign(frame, { count: 1 }), RobotFault.notFinite],
    ];
    for (const [change, fault] of spoil) {
      const fresh = new Link();
      fresh.greet();
      const frame = fresh.command(0, 0);
      change(frame);
      fresh.robot.receive(frame);
      expect(fresh.cycle()).toBe(RobotAction.brake);
      expect(fresh.robot.fault).toBe(fault);
    }
  });

  it("allows a longer way after missed cycles", () => {
    link.robot.receive(link.command(0, 0));
    link.cycle();
    link.cycle();
    link.cycle();
    link.robot.receive(link.command(0.0089, 0));
    expect(link.cycle()).toBe(RobotAction.follow);
  });

  it("takes no command that is older than one it had, and counts what was lost", () => {
    const [first, second, third] = [link.command(0.001, 0), link.command(0.002, 0), link.command(0.003, 0)];
    link.robot.receive(first);
    link.robot.receive(third);
    link.robot.receive(second);
    link.cycle();
    expect(link.q[0]).toBe(0.003);
    expect(link.robot.refused.stale).toBe(1);
    expect(link.robot.lost).toBe(1);
  });

  it("forgets a client that is gone, and lets the next one in", () => {
    link.robot.receive(link.command(0, 0));
    for (let n = 0; n <= goneCycles; n++) link.cycle();
    expect(link.robot.mode).toBe(RobotMode.idle);
    expect(link.robot.receive(link.command(0, 0))).toBe(false);
    expect(link.robot.refused.session).toBe(1);
    link.client.reconnect();
    link.greet();
    expect(link.client.mode).toBe(ClientMode.connected);
    expect(link.robot.mode).toBe(RobotMode.monitor);
  });

  it("ends with a release", () => {
    link.robot.receive(link.command(0, 0));
    link.cycle();
    link.say(FrameKind.release);
    expect(link.robot.mode).toBe(RobotMode.idle);
    expect(link.cycle()).toBe(RobotAction.hold);
  });

  it("measures the round trip by echoed times", () => {
    link.time = 1;
    link.robot.receive(link.command(0, 0));
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
        else if (random.uniform() < 0.9) bad.robot.receive(frame);
        if (random.uniform() < 0.3) {
          for (const old of late) bad.robot.receive(old);
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
});
