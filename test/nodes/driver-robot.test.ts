import { describe, expect, it } from "vitest";
import type {
  DriverCapabilities,
  DriverCommand,
  DriverSite,
  DriverState,
  RobotDriver,
} from "../../src/control/driver.js";
import type { JointCommand, RobotRequest, RobotStatus } from "../../src/messages/control.js";
import type { Event } from "../../src/messages/report.js";
import type { JointState } from "../../src/messages/sensing.js";
import { type DrivenGroup, DriverRobotNode } from "../../src/nodes/driver-robot.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { takeEach, takeNewest } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";
import { StopLine } from "../../src/transport/stop-line.js";
import { eventually } from "../support/eventually.js";

const able: DriverCapabilities = {
  device: "arm",
  joints: 6,
  clock: "run",
  rate: 500,
  commands: ["position"],
  streaming: true,
  feedForward: false,
  brakes: true,
};

/** A device without a wire: it follows at once. */
class Bench implements RobotDriver {
  fault = "closed";
  detail = "bench";
  readonly calls: string[] = [];
  readonly sent: number[][] = [];
  /** States that wait to be received: time and position of all joints. */
  readonly states: (readonly [time: number, q: number])[] = [];
  startError: Error | null = null;
  needsRelease = false;

  readonly site: DriverSite;
  readonly capabilities: DriverCapabilities;

  constructor(site: DriverSite, capabilities: DriverCapabilities) {
    this.site = site;
    this.capabilities = capabilities;
  }

  async open(): Promise<void> {
    this.calls.push("open");
  }

  async start(): Promise<void> {
    this.calls.push("start");
    if (this.startError !== null) throw this.startError;
    this.fault = "none";
  }

  receive(out: DriverState): boolean {
    const next = this.states.shift();
    if (next === undefined) return false;
    out.time = next[0];
    out.q.fill(next[1]);
    return true;
  }

  send({ q }: DriverCommand): void {
    this.sent.push(Array.from(q));
  }

  stop(): void {
    this.calls.push("stop");
    if (this.fault === "none") this.fault = "stopped";
  }

  async close(): Promise<void> {
    this.calls.push("close");
  }
}

const justin = loadRobot("agile-justin");
const arm = loadRobot("ur10e-net");

class Scene {
  readonly commands = new Queue<JointCommand>(0, "every");
  readonly requests = new Queue<RobotRequest>(0, "every");
  readonly states = new Queue<JointState>(0, "every");
  readonly statuses = new Queue<RobotStatus>(0, "every");
  readonly events = new Queue<Event>(0, "every");
  readonly devices: Bench[] = [];
  readonly node: DriverRobotNode;
  nowNs = 0;

  constructor(groups: readonly string[], capabilities = able, robot = arm) {
    const state = new QueueOutPort<JointState>();
    const status = new QueueOutPort<RobotStatus>();
    const events = new QueueOutPort<Event>();
    state.join(this.states);
    events.join(this.events);
    status.join(this.statuses);
    const driven: DrivenGroup[] = groups.map((group) => ({
      group,
      options: null,
      create: (site) => {
        const device = new Bench(site, { ...capabilities, joints: Math.min(capabilities.joints, site.joints.length) });
        this.devices.push(device);
        return device;
      },
    }));
    this.node = new DriverRobotNode(
      {
        in: { commands: this.commands, requests: this.requests },
        out: { state, joints: new QueueOutPort(), status, events },
      },
      robot,
      { groups: driven, tickNs: 1e6, stopLine: new StopLine(), clock: () => this.nowNs, wake: () => undefined },
    );
  }

  get status(): RobotStatus | null {
    return takeNewest(this.statuses, Number.POSITIVE_INFINITY);
  }

  /** One tick of control: a command with joint i at `q + i`. */
  tick(q: number, robot = arm): void {
    this.nowNs += 1e6;
    const count = robot.model.dofCount;
    const rest = { qd: new Float64Array(count), qdd: new Float64Array(count), closedAt: new Float64Array(0) };
    const joints = Float64Array.from({ length: count }, (_, i) => q + i);
    this.commands.put({ time: this.nowNs / 1e9, cycle: 0, mode: "follow", q: joints, ...rest }, 0);
    this.node.step(this.nowNs);
  }
}

describe("a robot behind a driver", () => {
  it("is opened, checked and started, and gets the newest command at its own rate", async () => {
    const scene = new Scene(["arm"]);
    await scene.node.warmUp();
    const [device] = scene.devices;
    expect(device!.calls).toEqual(["open", "start"]);
    for (let k = 0; k < 100; k++) scene.tick(k);
    expect(device!.sent.length).toBeGreaterThanOrEqual(49);
    expect(device!.sent.length).toBeLessThanOrEqual(51);
    expect(device!.sent.at(-1)![1]).toBe(device!.sent.at(-1)![0]! + 1);
  });

  it("is told to the graph: its joints, and what was commanded for that time", async () => {
    const scene = new Scene(["arm"]);
    await scene.node.warmUp();
    for (let k = 1; k <= 60; k++) scene.tick(k);
    scene.devices[0]!.states.push([0.05, 0.25]);
    scene.devices[0]!.site.received();
    const state = takeNewest(scene.states, Number.POSITIVE_INFINITY);
    expect(state).toMatchObject({ time: 0.05 });
    expect(Array.from(state!.q)).toEqual(new Array(6).fill(0.25));
    // This robot follows its commands 34 ms late.
    expect(state!.commanded[0]).toBe(16);
  });

  it("stays at fault until control asks for a reset and the device is ready", async () => {
    const scene = new Scene(["arm"]);
    await scene.node.warmUp();
    const device = scene.devices[0]!;
    scene.tick(0);
    expect(scene.status).toEqual({ isAtFault: false, fault: "none" });
    device.fault = "protective-stop";
    device.site.received();
    expect(scene.status).toEqual({ isAtFault: true, fault: "protective-stop" });
    const sent = device.sent.length;
    for (let k = 0; k < 10; k++) scene.tick(0);
    expect(device.sent).toHaveLength(sent);
    device.startError = new Error("still locked");
    scene.requests.put({ action: "reset" }, 0);
    scene.tick(0);
    await eventually(() => scene.node.condition.detail.includes("still locked"));
    expect(scene.node.condition.health).toBe("degraded");
    const events: string[] = [];
    takeEach(scene.events, Number.POSITIVE_INFINITY, ({ code, text }) => events.push(`${code}: ${text}`));
    expect(events).toEqual(["robot-fault: bench", "robot-not-ready: still locked"]);
    device.startError = null;
    scene.requests.put({ action: "reset" }, 0);
    scene.tick(0);
    await eventually(() => device.fault === "none");
    scene.tick(0);
    scene.tick(0);
    scene.tick(0);
    expect(device.sent.length).toBeGreaterThan(sent);
  });

  it("starts again after a fault of people only when a person has released it", async () => {
    const scene = new Scene(["arm"]);
    await scene.node.warmUp();
    const device = scene.devices[0]!;
    device.fault = "protective-stop";
    device.needsRelease = true;
    device.site.received();
    for (let k = 0; k < 3; k++) {
      scene.requests.put({ action: "reset" }, 0);
      scene.tick(0);
    }
    const texts: string[] = [];
    takeEach(scene.events, Number.POSITIVE_INFINITY, ({ text }) => texts.push(text));
    expect(texts).toEqual(["bench; a person must release the robot (key R on the page, POST /v1/live/reset)"]);
    expect(device.calls).toEqual(["open", "start", "stop"]);
    scene.requests.put({ action: "release" }, 0);
    scene.tick(0);
    await eventually(() => device.fault === "none");
    expect(device.calls).toEqual(["open", "start", "stop", "start"]);
  });

  it.each<[string, Partial<DriverCapabilities>]>([
    ["has 5 joints, not 6", { joints: 5 }],
    ["takes 50 commands per second", { rate: 50 }],
    ["takes 0 commands", { rate: 0 }],
    ["takes NaN commands", { rate: Number.NaN }],
    ["takes no positions", { commands: ["velocity"] }],
    ["whole motions only", { streaming: false }],
    ["does not brake by itself", { brakes: false }],
  ])("that %s is refused before it starts", async (words, lacks) => {
    const scene = new Scene(["arm"], { ...able, ...lacks });
    const refusal = scene.node.warmUp();
    await expect(refusal).rejects.toMatchObject({ code: "FLY_DRIVER_UNSUITABLE" });
    await expect(refusal).rejects.toThrow(words);
    expect(scene.devices[0]!.calls).not.toContain("start");
    expect(scene.devices[0]!.calls).toContain("close");
  });
});

describe("a robot behind several drivers", () => {
  const parts = [...justin.model.groups, ...justin.hands];
  const groups = parts.map(({ name }) => name);

  it("needs one for each joint", () => {
    const make = (names: readonly string[]) => () => new Scene(names, able, justin);
    const refused = expect.objectContaining({ code: "FLY_DRIVER_JOINTS" });
    expect(make([])).toThrow(refused);
    expect(make(["leg"])).toThrow(refused);
    expect(() => new Scene(["arm", "arm"])).toThrow(refused);
    expect(make(groups.slice(1))).toThrow(refused);
  });

  it("gives each its own joints, and puts their states together; one at fault stops the others", async () => {
    const { model } = justin;
    const covered = new Set(parts.flatMap(({ dofs }) => dofs));
    expect(covered.size).toBe(model.dofCount);
    const scene = new Scene(groups, { ...able, joints: 99 }, justin);
    await scene.node.warmUp();
    scene.tick(100, justin);
    scene.tick(100, justin);
    for (const [k, device] of scene.devices.entries()) {
      expect(device.sent.at(-1)).toEqual(parts[k]!.dofs.map((dof) => 100 + dof));
      device.states.push([0.001, k]);
    }
    scene.tick(100, justin);
    scene.devices[0]!.states.push([0.002, 0]);
    scene.tick(100, justin);
    const state = takeNewest(scene.states, Number.POSITIVE_INFINITY)!;
    for (const [k, { dofs }] of parts.entries()) for (const dof of dofs) expect(state.q[dof]).toBe(k);
    scene.devices[1]!.fault = "power-off";
    scene.tick(100, justin);
    expect(scene.status).toEqual({ isAtFault: true, fault: "power-off" });
    for (const device of scene.devices) expect(device.calls).toContain("stop");
  });
});
