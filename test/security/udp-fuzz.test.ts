import { describe, expect, it } from "vitest";
import { ClientMode, ClientSession } from "../../src/control/udp/client-session.js";
import { crc32, Frame, FrameCodec, FrameKind, FrameStatus, readFrame } from "../../src/control/udp/frame.js";
import { FrameKey, TAG_SIZE } from "../../src/control/udp/frame-key.js";
import { Reception, RobotAction, RobotMode, RobotSession } from "../../src/control/udp/robot-session.js";
import { Random } from "../../src/math/random.js";
import { deep } from "../support/deep.js";
import { mutateBytes, pick, repeatedly } from "../support/mutate.js";

const count = 7;
const missedCycles = 5;
const goneCycles = 100;
const fingerprint = Uint8Array.from({ length: 16 }, (_, i) => i);
const limits = { maxStep: new Float64Array(count).fill(0.01), maxSpeed: new Float64Array(count).fill(2) };
const kinds = Object.values(FrameKind);
/** The client's address, another port there, and another machine. */
const senders = ["10.0.0.1:5000", "10.0.0.1:5001", "10.0.0.2:5000"] as const;

/** A robot, a client that has joined it or not, and datagrams that are nearly right. */
class Scene {
  readonly robot: RobotSession;
  readonly client: ClientSession;
  readonly q = new Float64Array(count);
  readonly #random: Random;
  readonly #key: FrameKey | null;
  readonly #codec: FrameCodec;
  readonly #frame = new Frame();
  /** Bytes from and to each address that has not answered. */
  readonly traffic = new Map<string, { got: number; sent: number }>();

  constructor(random: Random, key: FrameKey | null) {
    const secret = random.integer(2 ** 32);
    const sessionNumber = (sender: string, sessions: number) =>
      crc32(new TextEncoder().encode(`${secret} ${sessions} ${sender}`));
    this.robot = new RobotSession({ count, fingerprint, ...limits, missedCycles, goneCycles, sessionNumber });
    this.client = new ClientSession({ count, fingerprint, helloNumber: () => random.integer(2 ** 32) });
    this.#random = random;
    this.#key = key;
    this.#codec = new FrameCodec(key);
  }

  /** A frame of the client as it would send it, or nearly. */
  datagram(): Uint8Array {
    const random = this.#random;
    const frame = this.#frame;
    this.client.fill(frame, pick(kinds, random), 1, 0);
    for (let i = 0; i < count; i++) {
      frame.position[i] = this.q[i]! + random.uniformIn(-0.012, 0.012);
      frame.velocity[i] = random.uniformIn(-2.2, 2.2);
      frame.effort[i] = 0;
    }
    const bytes = this.#codec.bytes.slice(0, this.#codec.write(frame));
    if (random.uniform() < 0.5) return bytes;
    const mutated = repeatedly(1 + random.integer(3), bytes, (input) => Uint8Array.from(mutateBytes(input, random)));
    return random.uniform() < 0.7 ? withCheckSum(mutated, this.#key === null ? 0 : TAG_SIZE) : mutated;
  }

  /** The robot gets a datagram, as its server would hand it on. */
  receive(bytes: Uint8Array, sender: string): Reception {
    const traffic = this.traffic.get(sender) ?? { got: 0, sent: 0 };
    this.traffic.set(sender, traffic);
    traffic.got += bytes.length;
    const frame = new Frame();
    if (readFrame(bytes, frame, this.#key) !== FrameStatus.ok) return Reception.none;
    const reception = this.robot.receive(frame, sender);
    if (reception !== Reception.welcome) return reception;
    const welcome = new Frame();
    this.robot.fill(welcome, FrameKind.welcome, 0);
    traffic.sent += this.#codec.write(welcome);
    if (sender === senders[0]) this.client.receive(welcome, 0);
    return reception;
  }

  cycle(): RobotAction {
    const action = this.robot.cycle(this.q);
    if (action === RobotAction.follow) this.q.set(this.robot.target);
    return action;
  }
}

/** Makes the check sum of damaged bytes right: what is wrong with them is to be found otherwise. */
function withCheckSum(bytes: Uint8Array, tagSize: number): Uint8Array {
  const end = bytes.length - tagSize - 4;
  if (end < 0) return bytes;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(end, crc32(bytes, end), true);
  return bytes;
}

describe("datagrams that are nearly right", () => {
  it("never move a joint farther or faster than it can, and bring no more than they weigh", () => {
    const random = new Random("udp fuzz");
    const modes = new Set<RobotMode>();
    for (let run = 0; run < deep(40, 20_000); run++) {
      const scene = new Scene(random, null);
      const joined = new Set<string>();
      for (let n = 0; n < 150; n++) {
        const sender = random.uniform() < 0.8 ? senders[0] : pick(senders, random);
        if (scene.receive(scene.datagram(), sender) === Reception.joined) joined.add(sender);
        if (scene.client.mode === ClientMode.connected && random.uniform() < 0.02) scene.client.reconnect();
        if (random.uniform() < 0.5) continue;
        const before = scene.q.slice();
        const { missed } = scene.robot;
        const action = scene.cycle();
        modes.add(scene.robot.mode);
        for (let i = 0; i < count; i++) {
          expect(Math.abs(scene.q[i]! - before[i]!)).toBeLessThanOrEqual((missed + 1) * 0.01);
          expect(Math.abs(scene.robot.targetVelocity[i]!)).toBeLessThanOrEqual(2);
        }
        if (action === RobotAction.follow) expect(joined.size).toBeGreaterThan(0);
        if (scene.robot.mode === RobotMode.fault) expect(action).toBe(RobotAction.brake);
      }
      for (const [sender, { got, sent }] of scene.traffic)
        if (!joined.has(sender)) expect(sent).toBeLessThanOrEqual(got);
      for (let n = 0; n < missedCycles; n++) scene.cycle();
      expect([RobotAction.brake, RobotAction.hold]).toContain(scene.cycle());
    }
    expect(modes.size).toBe(4);
  });

  it("are taken by no robot with a key, unless they are signed to the bit", () => {
    const random = new Random("udp fuzz with a key");
    const key = new FrameKey("a key of sixteen letters");
    for (let run = 0; run < deep(10, 5000); run++) {
      const scene = new Scene(random, key);
      const stranger = new Scene(random, random.uniform() < 0.5 ? null : new FrameKey("another of sixteen"));
      for (let n = 0; n < 100; n++) {
        scene.receive(stranger.datagram(), pick(senders, random));
        expect(scene.cycle()).toBe(RobotAction.hold);
      }
      expect(scene.robot.mode).toBe(RobotMode.idle);
    }
  });

  it("leave a client as it is that they do not come from its robot", () => {
    const random = new Random("udp fuzz of the client");
    const codec = new FrameCodec();
    const frame = new Frame();
    for (let run = 0; run < deep(2000, 1_000_000); run++) {
      const scene = new Scene(random, null);
      scene.robot.fill(frame, pick([FrameKind.welcome, FrameKind.state], random), 0);
      const bytes = codec.bytes.slice(0, codec.write(frame));
      const damaged = withCheckSum(Uint8Array.from(mutateBytes(bytes, random)), 0);
      if (readFrame(damaged, frame) !== FrameStatus.ok) continue;
      scene.client.receive(frame, 0);
      expect(scene.client.mode).toBe(ClientMode.connecting);
    }
  });
});
