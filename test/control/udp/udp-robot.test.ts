import { createSocket } from "node:dgram";
import { afterEach, describe, expect, it } from "vitest";
import { ChannelDriver } from "../../../src/control/channel-driver.module.js";
import { DriverCommand, DriverState } from "../../../src/control/driver.js";
import { robotFingerprint } from "../../../src/control/udp/fingerprint.js";
import { RobotServer } from "../../../src/control/udp/robot-server.module.js";
import { RobotAction, RobotFault, RobotMode } from "../../../src/control/udp/robot-session.js";
import { UdpRobot } from "../../../src/control/udp/udp-driver.module.js";
import { CommandMode } from "../../../src/messages/joint-command.js";
import { loadRobot } from "../../../src/robot/loading/load-robot.js";
import { RealTimeClock } from "../../../src/runtime/clock.js";

const { model } = loadRobot("lwr-arm");
const count = model.dofCount;
const fingerprint = robotFingerprint(model);
const maxStep = new Float64Array(count).fill(0.01);
const clock = new RealTimeClock();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A robot that goes where it is told at once, and stands still otherwise; its cycles run every 2 ms. */
class SwiftRobot {
  readonly server: RobotServer;
  readonly q = new Float64Array(count);
  readonly qd = new Float64Array(count);
  readonly effort = new Float64Array(count);
  readonly actions: RobotAction[] = [];
  readonly #timer: NodeJS.Timeout;

  static async start(missedCycles = 50): Promise<SwiftRobot> {
    const options = { host: "127.0.0.1", port: 0, count, fingerprint, maxStep, missedCycles, goneCycles: 200 };
    return new SwiftRobot(await RobotServer.listen(options));
  }

  private constructor(server: RobotServer) {
    this.server = server;
    this.#timer = setInterval(() => this.#cycle(), 2);
  }

  #cycle(): void {
    const action = this.server.cycle(this.q);
    if (action === RobotAction.follow) this.q.set(this.server.session.target);
    this.actions.push(action);
    this.server.tell(this, clock.nowSeconds());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.server.close();
  }
}

describe("a robot over UDP", () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close();
  });

  async function connect(robot: SwiftRobot, overrides: object = {}): Promise<UdpRobot> {
    const options = { host: "127.0.0.1", port: robot.server.port, count, fingerprint, clock: clock.origin };
    const link = await UdpRobot.connect({ ...options, latency: 0, connectTimeoutMs: 3000, ...overrides });
    open.push(link);
    return link;
  }

  async function startRobot(missedCycles?: number): Promise<SwiftRobot> {
    const robot = await SwiftRobot.start(missedCycles);
    open.push(robot);
    return robot;
  }

  /** Sends commands until the robot stands where it is told, or patience ends. */
  async function leadTo(driver: ChannelDriver, q: number, state: DriverState, times = 300): Promise<void> {
    const command = new DriverCommand(count);
    command.mode = CommandMode.follow;
    for (let n = 0; n < times && state.q[0] !== q; n++) {
      command.cycle = n;
      command.q.fill(q);
      driver.send(command);
      await pause(2);
      driver.receive(state);
    }
  }

  function drive(link: UdpRobot): ChannelDriver {
    const { states, commands } = link;
    return new ChannelDriver({ name: "udp", count, states: states.handle, commands: commands.handle });
  }

  it("tells its state and follows commands", async () => {
    const robot = await startRobot();
    const link = await connect(robot);
    const state = new DriverState(count);
    await leadTo(drive(link), 0.005, state);
    expect([...state.q]).toEqual(Array(count).fill(0.005));
    expect(link.status.robotMode).toBe(RobotMode.command);
    expect(link.status.counts.received).toBeGreaterThan(0);
    expect(link.status.counts.unreadable).toBe(0);
    expect(state.time).toBeLessThanOrEqual(clock.nowSeconds());
  });

  it("brakes when commands stop, and follows again after a reset", async () => {
    const robot = await startRobot(3);
    const link = await connect(robot);
    const driver = drive(link);
    const state = new DriverState(count);
    await leadTo(driver, 0.005, state);
    await pause(60);
    expect(robot.server.session.fault).toBe(RobotFault.silence);
    expect(robot.actions.at(-1)).toBe(RobotAction.brake);
    link.status.requestReset();
    await leadTo(driver, 0.001, state);
    expect(state.q[0]).toBe(0.001);
    expect(robot.server.session.mode).toBe(RobotMode.command);
  });

  it("is let go on closing, and another client may come", async () => {
    const robot = await startRobot();
    const link = await connect(robot);
    await leadTo(drive(link), 0.002, new DriverState(count));
    await link.close();
    await pause(20);
    expect(robot.server.session.mode).toBe(RobotMode.idle);
    const next = await connect(robot);
    expect(next.status.robotMode).toBeLessThanOrEqual(RobotMode.monitor);
  });

  it("drops what is no frame, and counts it", async () => {
    const robot = await startRobot();
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.send("hello", robot.server.port, "127.0.0.1", () => resolve()));
    await pause(30);
    expect(robot.server.unreadable).toBe(1);
    socket.close();
  });

  it("says plainly when nobody answers", async () => {
    const robot = await startRobot();
    const other = fingerprint.with(0, fingerprint[0]! ^ 1);
    await expect(connect(robot, { fingerprint: other, connectTimeoutMs: 100 })).rejects.toMatchObject({
      code: "FLY_ROBOT_UNREACHABLE",
    });
    expect(robot.server.session.refused.fingerprint).toBeGreaterThan(0);
  });

  it("says plainly when its port is taken", async () => {
    const robot = await startRobot();
    const options = { host: "127.0.0.1", port: robot.server.port, count, fingerprint, maxStep };
    const second = RobotServer.listen({ ...options, missedCycles: 1, goneCycles: 1 });
    await expect(second).rejects.toMatchObject({ code: "FLY_ROBOT_ADDRESS_UNAVAILABLE" });
  });
});
