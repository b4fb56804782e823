import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { Frame, FrameCodec, FrameKind, FrameStatus, readFrame } from "../../../src/control/udp/frame.js";
import { FrameKey } from "../../../src/control/udp/frame-key.js";
import { RobotServer, type RobotServerOptions } from "../../../src/control/udp/robot-server.module.js";
import { RobotMode } from "../../../src/control/udp/robot-session.js";
import { eventually } from "../../support/eventually.js";

const count = 46;
const joints = (value: number) => new Float64Array(count).fill(value);
const fingerprint = Uint8Array.from({ length: 16 }, (_, i) => i);
const options: RobotServerOptions = {
  ...{ host: "127.0.0.1", port: 0, key: null, count, fingerprint },
  ...{ maxStep: joints(0.01), maxSpeed: joints(2), missedCycles: 5, goneCycles: 100 },
};

/** A sender on an address of its own, and what has come there. */
class Sender {
  readonly received: Uint8Array[] = [];
  readonly #socket: Socket;
  readonly #codec = new FrameCodec();
  #sequence = 0;

  static async open(server: RobotServer): Promise<Sender> {
    const socket = createSocket("udp4");
    socket.connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    return new Sender(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("message", (bytes) => this.received.push(bytes));
  }

  /** Bytes sent. */
  async send(kind: FrameKind, session: number): Promise<number> {
    const frame = Object.assign(new Frame(), { kind, count, session, sequence: ++this.#sequence });
    frame.fingerprint.set(fingerprint);
    const bytes = this.#codec.bytes.slice(0, this.#codec.write(frame));
    await new Promise((resolve) => this.#socket.send(bytes, resolve));
    return bytes.length;
  }

  /** Number of the session in the newest welcome. */
  get offered(): number | null {
    const frame = new Frame();
    const welcomes = this.received.filter(
      (bytes) => readFrame(bytes, frame) === FrameStatus.ok && frame.kind === FrameKind.welcome,
    );
    return welcomes.length === 0 ? null : frame.session;
  }

  get bytes(): number {
    return this.received.reduce((sum, { length }) => sum + length, 0);
  }

  close(): void {
    this.#socket.close();
  }
}

describe("the robot's end of the protocol", () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  async function listen(): Promise<RobotServer> {
    const server = await RobotServer.listen(options);
    closing.push(() => server.close());
    return server;
  }

  async function sender(server: RobotServer): Promise<Sender> {
    const made = await Sender.open(server);
    closing.push(() => made.close());
    return made;
  }

  function cycle(server: RobotServer): void {
    server.cycle(joints(0));
    server.tell({ q: joints(0), qd: joints(0), effort: joints(0) }, 1);
  }

  it("sends an address that has not answered no more than it got from there", async () => {
    const server = await listen();
    const victim = await sender(server);
    let sent = 0;
    for (let n = 0; n < 3; n++) sent += await victim.send(FrameKind.hello, 5);
    await eventually(() => victim.received.length === 3);
    for (let n = 0; n < 2000; n++) cycle(server);
    const other = await sender(server);
    await other.send(FrameKind.hello, 6);
    await eventually(() => other.offered !== null);
    expect(victim.bytes).toBeLessThanOrEqual(sent);
    expect(server.session.mode).toBe(RobotMode.idle);
  });

  it("streams to a client that has answered, and to no other that knows its session", async () => {
    const server = await listen();
    const client = await sender(server);
    await client.send(FrameKind.hello, 5);
    await eventually(() => client.offered !== null);
    await client.send(FrameKind.alive, client.offered!);
    await eventually(() => server.session.mode === RobotMode.monitor);
    cycle(server);
    await eventually(() => client.received.length > 1);
    const stranger = await sender(server);
    await stranger.send(FrameKind.release, client.offered!);
    await stranger.send(FrameKind.hello, 5);
    await eventually(() => server.session.refused.session === 2);
    expect(server.session.mode).toBe(RobotMode.monitor);
    expect(stranger.received).toEqual([]);
  });

  it("numbers sessions at random", async () => {
    const numbers = new Set<number>();
    for (let n = 0; n < 5; n++) {
      const server = await listen();
      const client = await sender(server);
      await client.send(FrameKind.hello, 5);
      await eventually(() => client.offered !== null);
      numbers.add(client.offered!);
    }
    expect(numbers.size).toBe(5);
    expect(Math.max(...numbers)).toBeGreaterThan(1000);
  });

  it("is open to a network with a key alone", async () => {
    await expect(RobotServer.listen({ ...options, host: "0.0.0.0" })).rejects.toMatchObject({ code: "FLY_ROBOT_KEY" });
    const server = await RobotServer.listen({ ...options, host: "0.0.0.0", key: new FrameKey("sixteen letters!") });
    await server.close();
  });
});
