import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { robotFingerprint } from "../../src/control/udp/frame.js";
import { FrameKey } from "../../src/control/udp/frame-key.js";
import type { JointCommand, RobotRequest, RobotStatus } from "../../src/messages/control.js";
import type { JointState } from "../../src/messages/sensing.js";
import { UdpRobotNode } from "../../src/nodes/udp-robot.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { takeNewest } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";
import { StopLine } from "../../src/transport/stop-line.js";

const { model } = loadRobot("lwr-arm");
const count = model.dofCount;
const nowNs = (): number => performance.now() * 1e6;
const key = "a key of sixteen characters";

/** The example's robot in its process, and our node that leads it. */
class Scene {
  readonly commands = new Queue<JointCommand>(0, "every");
  readonly requests = new Queue<RobotRequest>(0, "every");
  readonly states = new Queue<JointState>(0, "every");
  readonly statuses = new Queue<RobotStatus>(0, "every");
  readonly node: UdpRobotNode;
  readonly robot: ChildProcess;
  q = Number.NaN;
  status: RobotStatus = { isAtFault: false, fault: "none" };

  static async start(theirs: Uint8Array, secret = ""): Promise<Scene> {
    const posture = new Array(count).fill("0.1").join(",");
    const robot = spawn(
      "python3",
      [join(packageRoot, "examples/udp-robot/robot.py"), Buffer.from(theirs).toString("hex"), posture],
      {
        stdio: ["pipe", "pipe", "inherit"],
        env: { ...process.env, FLYCATCHER_ROBOT_KEY: secret },
      },
    );
    const lines = createInterface({ input: robot.stdout });
    const port = await new Promise<string>((resolve) => lines.once("line", resolve));
    return new Scene(robot, Number(port), secret);
  }

  private constructor(robot: ChildProcess, port: number, secret: string) {
    this.robot = robot;
    const state = new QueueOutPort<JointState>();
    const status = new QueueOutPort<RobotStatus>();
    state.join(this.states);
    status.join(this.statuses);
    const out = { state, joints: new QueueOutPort<JointState>(), status, events: new QueueOutPort() as never };
    this.node = new UdpRobotNode(
      { in: { commands: this.commands, requests: this.requests }, out },
      {
        ...{ host: "127.0.0.1", port, count, fingerprint: robotFingerprint(model), latency: 0, connectTimeoutMs: 3000 },
        ...{
          key: secret === "" ? null : new FrameKey(secret),
          clock: nowNs,
          stopLine: new StopLine(),
          wake: () => undefined,
        },
      },
    );
  }

  /** Commands `q` all the while until it holds. On a busy machine commands may cease for long enough that the robot brakes: it goes on. */
  async until(holds: () => boolean, q: () => number | null): Promise<void> {
    for (let k = 0; k < 3000 && !holds(); k++) {
      const value = q();
      if (value !== null) {
        if (this.status.fault === "silence") this.requests.put({ action: "reset" }, 0);
        this.#command(value);
      }
      this.node.step(nowNs());
      await pause(1);
      this.q = takeNewest(this.states, Number.POSITIVE_INFINITY)?.q[0] ?? this.q;
      this.status = takeNewest(this.statuses, Number.POSITIVE_INFINITY) ?? this.status;
    }
    expect(holds()).toBe(true);
  }

  #command(value: number): void {
    const joints = (number: number) => new Float64Array(count).fill(number);
    const numbers = { q: joints(value), qd: joints(0), qdd: joints(0), closedAt: new Float64Array(0) };
    this.commands.put({ time: nowNs() / 1e9, cycle: 0, mode: "follow", ...numbers }, 0);
  }

  async close(): Promise<void> {
    await this.node.close();
    this.robot.stdin!.end();
    if (this.robot.exitCode === null) await new Promise((resolve) => this.robot.once("exit", resolve));
  }
}

describe("the robot of the Python example", () => {
  let scene: Scene;
  afterEach(() => scene.close());

  it.each([
    ["without a key", ""],
    ["with a key", key],
  ])("%s follows, brakes by itself, and goes on after a reset", async (_, secret) => {
    scene = await Scene.start(robotFingerprint(model), secret);
    await scene.node.warmUp();
    await scene.until(
      () => scene.q === 0.1,
      () => null,
    );
    await scene.until(
      () => scene.q >= 0.2,
      () => Math.min(0.2, scene.q + 0.001),
    );
    // No command any more.
    await scene.until(
      () => scene.status.fault === "silence",
      () => null,
    );
    expect(scene.status.isAtFault).toBe(true);
    await scene.until(
      () => !scene.status.isAtFault,
      () => 0.2,
    );
    // A jump is a fault and no motion.
    await scene.until(
      () => scene.status.fault === "jump",
      () => 1,
    );
    expect(scene.q).toBe(0.2);
  });

  it("answers no client that knows another robot", async () => {
    scene = await Scene.start(new Uint8Array(16));
    await expect(scene.node.warmUp()).rejects.toMatchObject({ code: "FLY_ROBOT_UNREACHABLE" });
  });
});
