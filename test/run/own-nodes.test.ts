import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BroadcastChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import type { JointCommand } from "../../src/messages/control.js";
import type { JointState } from "../../src/messages/sensing.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { lockStepRun } from "../../src/run/lock-step-host.js";
import { nodePorts } from "../../src/run/node-library.js";
import { importOwnNodes, type NodeFactory, type NodeSlot, ownNodePorts } from "../../src/run/own-nodes.js";
import { realTimeDefaults } from "../../src/run/real-time-options.js";
import { createRealTimeRun, realTimeRun, startRealTimeRun } from "../../src/run/real-time-run.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { takeNewest } from "../../src/transport/port.js";
import { eventually } from "../support/eventually.js";

const robot = loadRobot("lwr-arm");
const scene = { robot, world: "kinematic", perception: "truth", seed: 1 } as const;

describe("a node of one's own", () => {
  it("has ports that the graph's nodes have, too", () => {
    const kinds = { robot: ["robot", "udp-robot"], imu: ["imu"], points: ["points"] };
    for (const [name, own] of Object.entries(ownNodePorts)) {
      for (const kind of kinds[name as keyof typeof kinds] ?? ["camera"]) {
        const { in: from, out } = nodePorts[kind]!;
        for (const [port, type] of Object.entries(own.in)) expect(from[port]).toBe(type);
        for (const [port, type] of Object.entries(own.out)) expect(out[port]).toBe(type);
      }
    }
  });

  it("that builds the original changes no bit of a run", async () => {
    const slots: NodeSlot[] = [];
    const driver: NodeFactory<"robot"> = (slot) => {
      slots.push(slot as NodeSlot);
      return slot.original();
    };
    const plain = await lockStepRun(scene);
    const own = await lockStepRun({ ...scene, nodes: { robot: driver } });
    expect(await own.throwBalls([0])).toEqual(await plain.throwBalls([0]));
    expect(slots).toMatchObject([{ name: "robot", robot: { name: "lwr-arm" }, tickNs: 1e6 }]);
    expect(slots[0]!.nowNs()).toBe(own.host.clock.nowNs());
    await Promise.all([plain.close(), own.close()]);
  });

  it("takes commands and puts states instead of the robot", async () => {
    const commands: JointCommand[] = [];
    const still: NodeFactory<"robot"> = ({ ports, robot: { model, postures }, tickNs }) => {
      const q = postures.get("ready") ?? new Float64Array(model.dofCount);
      const stateAt = (time: number): JointState => ({
        time,
        cycle: 0,
        q,
        qd: new Float64Array(q.length),
        commanded: q,
      });
      ports.out.state.put(stateAt(0), 0);
      return {
        step(nowNs) {
          const command = takeNewest(ports.in.commands, nowNs);
          if (command !== null) commands.push(command);
          ports.out.state.put(stateAt((nowNs + tickNs) / 1e9), nowNs);
          return nowNs + tickNs;
        },
      };
    };
    const run = await lockStepRun({ ...scene, nodes: { robot: still } });
    const states = run.tap<JointState>("robot.state", "newest");
    for (let tick = 0; tick < 50; tick++) await run.host.advance();
    expect(commands).toHaveLength(50);
    expect(states.take(Number.POSITIVE_INFINITY)?.time).toBeCloseTo(0.051, 9);
    await run.close();
  });

  it("is refused where the run has no such node", async () => {
    const nodes = { "camera-left": () => ({ step: () => 0 }) };
    await expect(lockStepRun({ ...scene, nodes })).rejects.toMatchObject({
      code: "FLY_GRAPH",
      details: { expected: "one of robot", found: "camera-left" },
    });
    await expect(lockStepRun({ ...scene, nodes: { robto: nodes["camera-left"] } as never })).rejects.toThrow(
      "Did you mean robot?",
    );
  });

  it("comes from a module that exports createNode", async () => {
    const empty = "data:text/javascript,export const a = 1";
    await expect(importOwnNodes({ robot: empty }, ["robot"])).rejects.toMatchObject({ code: "FLY_GRAPH" });
    expect(await importOwnNodes({ robot: empty }, ["imu"])).toEqual({});
  });

  it("that cannot be loaded ends a start in real time, and the robot's process with it", async () => {
    const options = {
      ...realTimeDefaults,
      robot: "lwr-arm",
      perception: "truth" as const,
      challenges: "none" as const,
      nodes: { robot: "data:text/javascript,export const a = 1" },
    };
    const run = createRealTimeRun(options, {});
    await expect(startRealTimeRun(run, options)).rejects.toMatchObject({ code: "FLY_WORKER_LOAD_FAILED" });
    const { robotProcess } = run.host;
    expect(robotProcess).not.toBeNull();
    expect(() => process.kill(robotProcess!.pid, 0)).toThrow("ESRCH");
  });

  it("runs in the thread of its placement in real time, and passes commands on", async () => {
    const messages: { name?: string; robot?: string; threadId?: number; count?: number }[] = [];
    const channel = new BroadcastChannel("own-driver");
    channel.onmessage = ({ data }: { data?: object }) => void messages.push(data ?? {});
    const run = await realTimeRun({
      ...realTimeDefaults,
      robot: "lwr-arm",
      perception: "truth",
      challenges: "none",
      warmUpThrows: 0,
      nodes: { robot: pathToFileURL(join(packageRoot, "dist", "test", "run", "own-driver.js")).href },
    });
    try {
      await eventually(() => messages.some(({ count }) => count === 100));
      expect(messages[0]).toMatchObject({ name: "robot", robot: "lwr-arm" });
      expect(messages[0]!.threadId).toBeGreaterThan(0);
    } finally {
      await run.close();
      channel.close();
    }
  });
});
