import { beforeEach, describe, expect, it } from "vitest";
import type {
  ControlState,
  JointCommand,
  OperatorCommand,
  RobotRequest,
  RobotStatus,
} from "../../src/messages/control.js";
import type { Motion } from "../../src/messages/planning.js";
import type { JointState } from "../../src/messages/sensing.js";
import { JointRamps } from "../../src/motion/joint-ramps.js";
import { ControlNode, controlPorts } from "../../src/nodes/control.js";
import { buildCatchArm } from "../../src/planning/problem/catch-arm.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { movingParts, waitingPosture } from "../../src/run/run-parts.js";
import { type InPort, nothingIn, type OutPort, takeEach, takeNewest } from "../../src/transport/port.js";
import { Queue, QueueOutPort } from "../../src/transport/queue.js";
import { StopLine } from "../../src/transport/stop-line.js";

const TICK = 1e6;
const robot = loadRobot("lwr-arm");
const waiting = waitingPosture(robot);
const parts = movingParts(robot, [buildCatchArm(robot, "arm", waiting)]);

/** Control between queues, and a robot that does at once what it is commanded. */
class Bench {
  readonly commands = new Queue<JointCommand>(0, "every");
  readonly states = new Queue<ControlState>(0, "every");
  readonly motions = new Queue<Motion>(0, "every");
  readonly operator = new Queue<OperatorCommand>(0, "every");
  readonly statuses = new Queue<RobotStatus>(0, "every");
  readonly requests = new Queue<RobotRequest>(0, "every");
  readonly stopLine = new StopLine();
  readonly node: ControlNode;
  readonly #state = new Queue<JointState>(0, "every");
  #q = waiting.slice();
  nowNs = 0;

  constructor(warmUpTicks: number, onBegin: () => void = () => undefined) {
    const ins: Record<string, InPort<never>> = {};
    const outs: Record<string, OutPort<never>> = {};
    for (const port of Object.keys(controlPorts.in)) ins[port] = nothingIn;
    for (const port of Object.keys(controlPorts.out)) outs[port] = new QueueOutPort<never>();
    (outs.commands as unknown as QueueOutPort<JointCommand>).join(this.commands);
    (outs.control as unknown as QueueOutPort<ControlState>).join(this.states);
    (outs.requests as unknown as QueueOutPort<RobotRequest>).join(this.requests);
    const { motions, operator, statuses: status } = this;
    const joined = { ...ins, state: this.#state, motions, operator, status };
    this.node = new ControlNode({ in: joined, out: outs } as never, robot, {
      tickNs: TICK,
      waiting,
      posture: waiting,
      parts,
      history: 10,
      monitor: {},
      idleMonitor: null,
      stopLine: this.stopLine,
      neck: null,
      watched: [],
      takeBeat: () => false,
      warmUpTicks,
      onBegin,
    });
  }

  /** One tick; what was commanded in it. */
  tick(): JointCommand | null {
    this.nowNs += TICK;
    const zeros = new Float64Array(this.#q.length);
    const state = { time: this.nowNs / 1e9, cycle: 0, q: this.#q, qd: zeros, commanded: this.#q };
    this.#state.put(state, this.nowNs);
    this.node.step(this.nowNs);
    const command = takeNewest(this.commands, this.nowNs);
    if (command !== null) this.#q = command.q.slice();
    return command;
  }

  /** A motion of the first joint that begins soon. */
  move(): void {
    const { dofs } = parts[0]!;
    const pick = (values: Float64Array) => Float64Array.from(dofs, (dof) => values[dof]!);
    const q0 = pick(waiting);
    const goal = q0.slice();
    goal[0] = goal[0]! + 0.3;
    const ramps = new JointRamps(dofs.length);
    const { maxVelocity, maxAcceleration } = robot.model;
    ramps.plan(q0, new Float64Array(dofs.length), goal, 1, pick(maxVelocity), pick(maxAcceleration));
    const facts = { closeHandAt: null, track: -1, tCatch: null, objective: null, isInjected: true };
    this.motions.put({ part: "arm", id: 1, tStart: (this.nowNs + 5 * TICK) / 1e9, ramps, ...facts }, this.nowNs);
  }
}

describe("the control node", () => {
  let begun = 0;
  beforeEach(() => {
    begun = 0;
  });

  it("commands nothing while it warms up, and then begins where the robot stands", () => {
    const bench = new Bench(20, () => begun++);
    for (let k = 0; k < 20; k++) expect(bench.tick()).toBeNull();
    expect(begun).toBe(1);
    // To begin again takes its time: the ticks that were missed meanwhile are not made up for.
    bench.nowNs += 50 * TICK;
    const command = bench.tick();
    expect(command?.mode).not.toBe("brake");
    expect(command?.q).toEqual(waiting);
    expect(takeNewest(bench.states, bench.nowNs)?.isReady).toBe(true);
  });

  it("passes on that a person releases a robot at fault, and asks for resets by itself", () => {
    const bench = new Bench(0);
    const asked = () => {
      const actions: string[] = [];
      takeEach(bench.requests, bench.nowNs, ({ action }) => actions.push(action));
      return actions;
    };
    for (let k = 0; k < 5; k++) bench.tick();
    bench.operator.put({ action: "resume" }, bench.nowNs);
    bench.tick();
    expect(asked()).toEqual([]);
    bench.statuses.put({ isAtFault: true, fault: "protective-stop" }, bench.nowNs);
    for (let k = 0; k < 310; k++) bench.tick();
    expect(asked()).toEqual(["reset"]);
    bench.operator.put({ action: "resume" }, bench.nowNs);
    bench.tick();
    expect(asked()).toEqual(["release"]);
  });

  it("brakes before its thread ends, and reports when all stands", () => {
    const bench = new Bench(0);
    bench.tick();
    bench.move();
    for (let k = 0; k < 300; k++) bench.tick();
    const isMoving = (command: JointCommand | null) => command?.qd.some((speed) => speed !== 0) === true;
    expect(isMoving(bench.tick())).toBe(true);
    expect(bench.node.windDown()).toBe(false);
    let ticks = 0;
    while (!bench.node.windDown() && ticks < 1500) {
      bench.tick();
      ticks++;
    }
    expect(ticks).toBeLessThan(500);
    expect(isMoving(bench.tick())).toBe(false);
  });

  it("gives a receipt for a person's stop", () => {
    const bench = new Bench(0);
    for (let k = 0; k < 5; k++) bench.tick();
    const number = bench.stopLine.ask();
    const command = bench.tick();
    expect(command?.mode).toBe("brake");
    const state = takeNewest(bench.states, bench.nowNs);
    expect([state?.hold, state?.holdTime]).toEqual([number, command?.time]);
    expect(bench.stopLine.reached(number)).toBe("braked");
  });
});
