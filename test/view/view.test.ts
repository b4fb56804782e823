import { describe, expect, it } from "vitest";
import type { ControlState, JointCommand } from "../../src/messages/control.js";
import type { ArmStates } from "../../src/messages/report.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { nothingIn } from "../../src/transport/port.js";
import { Queue } from "../../src/transport/queue.js";
import { View } from "../../src/view/view.js";
import { viewPorts } from "../../src/view/view-ports.js";

const robot = loadRobot("lwr-arm");

describe("a view of a run", () => {
  const commands = new Queue<JointCommand>(0, "newest");
  const states = new Queue<ArmStates>(0, "newest");
  const control = new Queue<ControlState>(0, "newest");
  const ports = viewPorts({ graph: { nodes: [], edges: [] }, tap: () => nothingIn });
  const target = { publish: () => undefined, publishImage: () => undefined };
  const view = new View(robot, [], { ...ports, commands, states, control }, target);

  function command(time: number): void {
    const joints = () => new Float64Array(robot.model.dofCount);
    const numbers = { q: joints(), qd: joints(), qdd: joints(), closedAt: new Float64Array(1) };
    commands.put({ time, cycle: 0, mode: "hold", ...numbers }, 1e9 * time);
    view.poll(1e9 * time);
  }

  it("says that control is silent rather than what it said last, until it is heard again", () => {
    const ready = { isReady: true, isAtFault: false, isNeckResting: true, phase: "safe", reason: null } as const;
    control.put({ ...ready, brakes: 0, hold: 0, holdTime: 0 }, 0);
    states.put({ isWaiting: true, arms: [] }, 0);
    command(1);
    expect(view.state(1.5)?.activity).toBe("waiting");
    expect(view.state(2.1)).toMatchObject({
      activity: "fault",
      monitor: { reason: expect.stringContaining("silent") },
    });
    command(2.2);
    expect(view.state(2.3)?.activity).toBe("waiting");
  });
});
