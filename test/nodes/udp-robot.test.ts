import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { robotFingerprint } from "../../src/control/udp/frame.js";
import { FrameKey } from "../../src/control/udp/frame-key.js";
import { RobotServer } from "../../src/control/udp/robot-server.module.js";
import { RobotAction, RobotMode } from "../../src/control/udp/robot-session.js";
import type { JointCommand, RobotRequest, RobotStatus } from "../../src/messages/control.js";
import type { Event } from "../../src/messages/report.js";
import type { JointState } from "../../src/messages/sensing.js";
import { UdpRobotNode } from "../../src/nodes/udp-robot.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { takeNewest } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";
import { StopLine } from "../../src/transport/stop-line.js";

const { model } = loadRobot("lwr-arm");
const count = model.dofCount;
const fingerprint = robotFingerprint(model);
const nowNs = (): number => performance.now() * 1e6;

/** Keys of both ends. */
interface Keys {
  readonly robot: FrameKey | null;
  readonly client: FrameKey | null;
}

/** The node between queues, and the robot's end of the wire. */
class Scene {
  readonly commands = new Queue<JointCommand>(0, "every");
  readonly requests = new Queue<RobotRequest>(0, "every");
  readonly states = new Queue<JointState>(0, "every");
  readonly statuses = new Queue<RobotStatus>(0, "every");
  readonly stopLine = new StopLine();
  readonly events = new Queue<Event>(0, "every");
  readonly server: RobotServer;
  readonly node: UdpRobotNode;
  readonly q = new Float64Array(count);
  #newest: JointState | null = null;

  static async start(known = fingerprint, keys: Keys = { robot: null, client: null }): Promise<Scene> {
    const [maxStep, maxSpeed] = [new Float64Array(count).fill(0.01), new Float64Array(count).fill(2)];
    const session = { count, fingerprint: known, maxStep, maxSpeed, missedCycles: 5, goneCycles: 1000 };
    return new Scene(
      await RobotServer.listen({ host: "127.0.0.1", port: 0, key: keys.robot, ...session }),
      keys.client,
    );
  }

  private constructor(server: RobotServer, key: FrameKey | null) {
    this.server = server;
    const state = new QueueOutPort<JointState>();
    const status = new QueueOutPort<RobotStatus>();
    state.join(this.states);
    status.join(this.statuses);
    const events = new QueueOutPort<Event>();
    events.join(this.events);
    const out = { state, joints: new QueueOutPort<JointState>(), status, events };
    this.node = new UdpRobotNode(
      { in: { commands: this.commands, requests: this.requests }, out },
      {
        host: "127.0.0.1",
        port: server.port,
        count,
        fingerprint,
        key,
        latency: 0.002,
        connectTimeoutMs: 300,
        clock: nowNs,
        stopLine: this.stopLine,
        wake: () => undefined,
      },
    );
  }

  get newest(): JointState | null {
    this.#newest = takeNewest(this.states, Number.POSITIVE_INFINITY) ?? this.#newest;
    return this.#newest;
  }

  /** One cycle of the robot, and what it publishes of itself. */
  async cycle(): Promise<RobotAction> {
    const action = this.server.cycle(this.q);
    if (action === RobotAction.follow) this.q.set(this.server.session.target);
    const zeros = new Float64Array(count);
    this.server.tell({ q: this.q, qd: zeros, effort: zeros }, performance.now() / 1e3);
    await pause(2);
    return action;
  }

  command(position: number, mode: JointCommand["mode"] = "follow"): void {
    const joints = (value: number) => new Float64Array(count).fill(value);
    const numbers = { q: joints(position), qd: joints(0), qdd: joints(0), closedAt: new Float64Array(0) };
    this.commands.put({ time: nowNs() / 1e9, cycle: 0, mode, ...numbers }, 0);
    this.node.step(nowNs());
  }

  /** Steps node and robot until it holds. */
  async until(holds: () => boolean, act: () => void = () => this.node.step(nowNs())): Promise<void> {
    for (let k = 0; k < 400 && !holds(); k++) {
      act();
      await this.cycle();
    }
    expect(holds()).toBe(true);
  }
}

describe("a robot behind the UDP protocol", () => {
  let scene: Scene;
  afterEach(async () => {
    await scene.node.close();
    await scene.server.close();
  });

  it("is led by commands, and its states come with the time of measurement", async () => {
    scene = await Scene.start();
    await scene.node.warmUp();
    expect(scene.node.condition.health).toBe("running");
    await scene.until(
      () => scene.q[0] === 0.005,
      () => scene.command(0.005),
    );
    await scene.until(() => scene.newest?.q[0] === 0.005 && scene.newest.commanded[0] === 0.005);
    const state = scene.newest!;
    expect(state.time).toBeLessThan(nowNs() / 1e9 - 0.001);
    expect(state.time).toBeGreaterThan(nowNs() / 1e9 - 5);
  });

  it("publishes that the robot has braked, and resets it when that is asked for", async () => {
    scene = await Scene.start();
    await scene.node.warmUp();
    await scene.until(
      () => scene.server.session.mode === RobotMode.command,
      () => scene.command(0),
    );
    const faults: RobotStatus[] = [];
    const isFault = (): boolean => {
      const status = takeNewest(scene.statuses, Number.POSITIVE_INFINITY);
      if (status?.isAtFault === true) faults.push(status);
      return faults.length > 0;
    };
    await scene.until(isFault);
    expect(faults[0]).toEqual({ isAtFault: true, fault: "silence" });
    scene.requests.put({ action: "reset" }, 0);
    await scene.until(
      () => scene.server.session.mode === RobotMode.command,
      () => scene.command(0),
    );
  });

  it("notes when a braking command has left, and when the robot has got it", async () => {
    scene = await Scene.start();
    await scene.node.warmUp();
    const { stopLine } = scene;
    const command = (mode: "follow" | "brake") => () => scene.command(0, mode);
    await scene.until(() => scene.server.session.mode === RobotMode.command, command("follow"));
    const number = stopLine.ask();
    stopLine.noteBraked(number);
    scene.command(0);
    expect(stopLine.reached(number)).toBe("braked");
    scene.command(0, "brake");
    expect(stopLine.reached(number)).toBe("sent");
    await scene.until(() => stopLine.reached(number) === "confirmed", command("brake"));
    expect(stopLine.timeOf("confirmed")).toBeGreaterThanOrEqual(stopLine.timeOf("sent"));
  });

  it("greets again after silence on the wire, and says so in its condition", async () => {
    scene = await Scene.start();
    await scene.node.warmUp();
    await scene.until(() => scene.states.waiting > 0);
    scene.server.isWhole = false;
    await scene.until(() => scene.node.condition.health === "degraded");
    expect(scene.node.condition.detail).toContain("does not answer");
    expect(scene.events.take(Number.POSITIVE_INFINITY)?.code).toBe("robot-silent");
    scene.server.isWhole = true;
    await scene.until(() => scene.node.condition.health === "running");
    await scene.until(() => scene.events.waiting > 0);
    expect(scene.events.take(Number.POSITIVE_INFINITY)?.code).toBe("robot-heard");
  });

  it("is led with a key that both ends have", async () => {
    const key = new FrameKey("a key that both ends have");
    scene = await Scene.start(fingerprint, { robot: key, client: key });
    await scene.node.warmUp();
    await scene.until(
      () => scene.q[0] === 0.005,
      () => scene.command(0.005),
    );
    await scene.until(() => scene.newest?.q[0] === 0.005);
  });

  it("is not reached without its key, or with another one", async () => {
    const robot = new FrameKey("the key of the robot");
    for (const client of [null, new FrameKey("the key of a stranger")]) {
      scene = await Scene.start(fingerprint, { robot, client });
      await expect(scene.node.warmUp()).rejects.toMatchObject({ code: "FLY_ROBOT_UNREACHABLE" });
      expect(scene.server.unreadable).toBeGreaterThan(0);
      expect(scene.server.session.mode).toBe(RobotMode.idle);
      await scene.server.close();
    }
    scene = await Scene.start();
  });

  it("does not lead another robot than the one it knows", async () => {
    scene = await Scene.start(new Uint8Array(fingerprint.length).fill(7));
    await expect(scene.node.warmUp()).rejects.toMatchObject({ code: "FLY_ROBOT_UNREACHABLE" });
  });
});
