import { drivenDofs, driverJointOf } from "../control/driven-joints.js";
import { DriverCommand, type DriverFactory, DriverState, type RobotDriver } from "../control/driver.js";
import { checkCapabilities, LEAST_RATE } from "../control/driver-check.js";
import { CommandMode } from "../messages/command-mode.js";
import type { JointCommand, RobotStatus } from "../messages/control.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Node, NodeCondition } from "../transport/node.js";
import { type PortsOf, takeEach } from "../transport/port.js";
import type { StopLine } from "../transport/stop-line.js";
import { CommandMemory, udpRobotPorts } from "./udp-robot.js";

/** The ports of a robot at the graph's edge, whatever it is spoken to by. */
export const driverRobotPorts = udpRobotPorts;

/** A group of joints, or a hand, and what drives it. */
export interface DrivenGroup {
  readonly group: string;
  readonly create: DriverFactory;
  /** Handed to `create`. */
  readonly options: unknown;
}

export interface DriverRobotOptions {
  readonly groups: readonly DrivenGroup[];
  readonly tickNs: number;
  /** Where it says that a braking command has left; a device confirms nothing. */
  readonly stopLine: StopLine;
  /** The run's clock [ns]. */
  readonly clock: () => number;
  /** See `NodeSite`. */
  readonly wake: () => void;
}

/** Drivers are looked at at least so often [ns]. */
const LOOK_NS = 20e6;
/** Between two statuses, unless something changes [ns]. */
const STATUS_NS = 100e6;

/** A driver, the joints it drives by their places in the model, and memory for what goes to and fro. */
interface Device {
  readonly driver: RobotDriver;
  readonly group: string;
  readonly dofs: readonly number[];
  readonly state: DriverState;
  readonly command: DriverCommand;
  hasState: boolean;
  /** Number of the period of the device in which a command was sent last. */
  period: number;
}

/** A robot behind one driver or several: commands are cut into their joints, states put together. */
export class DriverRobotNode implements Node {
  readonly #ports: PortsOf<typeof driverRobotPorts>;
  readonly #options: DriverRobotOptions;
  readonly #devices: readonly Device[];
  readonly #commands: CommandMemory;
  readonly #command: JointCommand;
  readonly #count: number;
  /** How late the robot follows its commands [s]. */
  readonly #delay: number;
  #published: RobotStatus = { isAtFault: false, fault: "none" };
  #publishedNs = Number.NEGATIVE_INFINITY;
  #isReceiving = false;
  #isStarting = false;
  /** Whether all devices have followed once: before, it is no fault that they do not. */
  #hasStarted = false;
  /** Why the last start failed; empty: it did not. */
  #failure = "";
  #isClosed = false;

  constructor(ports: PortsOf<typeof driverRobotPorts>, robot: Robot, options: DriverRobotOptions) {
    const { dofCount } = robot.model;
    const joints = () => new Float64Array(dofCount);
    checkGroups(robot, options.groups);
    this.#ports = ports;
    this.#options = options;
    options.stopLine.attachDriver();
    this.#count = dofCount;
    this.#delay = Math.max(0, ...(robot.commandDelay ?? []));
    this.#devices = options.groups.map((driven) => this.#device(robot, driven));
    this.#commands = new CommandMemory(dofCount);
    const scratch = { time: 0, cycle: 0, mode: "hold", q: joints(), qd: joints(), qdd: joints() } as const;
    this.#command = { ...scratch, closedAt: new Float64Array(0) };
  }

  #device(robot: Robot, { group, create, options }: DrivenGroup): Device {
    const { tickNs, clock } = this.#options;
    const dofs = drivenDofs(robot, group);
    const joints = dofs.map((dof) => driverJointOf(robot, dof));
    const site = { group, joints, tickNs, nowNs: clock, received: () => this.#received() };
    return {
      driver: create(site, options),
      ...{ group, dofs, hasState: false, period: -1 },
      state: new DriverState(dofs.length),
      command: new DriverCommand(dofs.length),
    };
  }

  get condition(): NodeCondition {
    const isAtFault = this.#fault !== "none";
    const details = this.#devices.map(({ driver }) => driver.detail);
    if (isAtFault && this.#failure !== "") details.push(this.#failure);
    return { health: isAtFault ? "degraded" : "running", detail: details.join("; ") };
  }

  /** The first device at fault speaks for all. */
  get #fault(): string {
    for (let k = 0; k < this.#devices.length; k++) {
      const { fault } = this.#devices[k]!.driver;
      if (fault !== "none") return fault;
    }
    return "none";
  }

  /** Whether a device has a fault after which a person must release the robot. */
  #needsRelease(): boolean {
    return this.#devices.some(({ driver }) => driver.fault !== "none" && driver.needsRelease === true);
  }

  /** Settles once all devices are open, can do what is needed, and follow. One that cannot ends all, before anything moves. */
  async warmUp(): Promise<void> {
    try {
      for (const { driver, group, dofs } of this.#devices) {
        await driver.open();
        checkCapabilities(driver.capabilities, { group, joints: dofs.length, rate: LEAST_RATE });
      }
      for (const { driver } of this.#devices) await driver.start();
      this.#failure = "";
      this.#hasStarted = true;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  step(nowNs: number): number {
    takeEach(this.#ports.in.requests, nowNs, ({ action }) => {
      if (action === "release" || !this.#needsRelease()) void this.#startAgain();
    });
    this.#takeCommands(nowNs);
    this.#receive();
    return nowNs + LOOK_NS;
  }

  /** A device has something to be received, between two steps. */
  #received(): void {
    // A driver may find a fault while it is asked for its state.
    if (this.#isClosed || this.#isReceiving || !this.#receive()) return;
    this.#options.wake();
  }

  /** Devices that have stopped follow again from where they stand; one that is not ready stays at fault. */
  async #startAgain(): Promise<void> {
    if (this.#isStarting || this.#isClosed) return;
    this.#isStarting = true;
    try {
      for (const { driver } of this.#devices) if (driver.fault !== "none" && !this.#isClosed) await driver.start();
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== this.#failure) this.#report("robot-not-ready", failure, this.#options.clock());
      this.#failure = failure;
    }
    this.#isStarting = false;
    this.#options.wake();
  }

  /** Only the newest is sent, at the device's own rate; all are remembered. */
  #takeCommands(nowNs: number): void {
    const { commands } = this.#ports.in;
    let newest: JointCommand | null = null;
    for (let got = commands.take(nowNs, this.#command); got !== null; got = commands.take(nowNs, this.#command)) {
      this.#commands.add(got.time, got.q);
      newest = got;
    }
    // Commands that have waited for a start are of a time when the robot stood elsewhere.
    if (newest === null || this.#published.isAtFault) return;
    for (let k = 0; k < this.#devices.length; k++) this.#send(this.#devices[k]!, newest);
  }

  #send(device: Device, { time, cycle, mode, q, qd, qdd }: JointCommand): void {
    const { driver, dofs, command } = device;
    const { rate } = driver.capabilities;
    const period = Math.floor(time * rate + PERIOD_MARGIN);
    if (period === device.period) return;
    device.period = period;
    command.time = time;
    command.cycle = cycle;
    command.mode = CommandMode[mode];
    for (let i = 0; i < dofs.length; i++) {
      command.q[i] = q[dofs[i]!]!;
      command.qd[i] = qd[dofs[i]!]!;
      command.qdd[i] = qdd[dofs[i]!]!;
    }
    driver.send(command);
    const { stopLine } = this.#options;
    if (mode === "brake" && stopLine.braked !== stopLine.sent) stopLine.noteSent(stopLine.braked);
  }

  /** True if something was published. */
  #receive(): boolean {
    const nowNs = this.#options.clock();
    let isNews = false;
    this.#isReceiving = true;
    for (let k = 0; k < this.#devices.length; k++) {
      const device = this.#devices[k]!;
      while (device.driver.receive(device.state)) {
        device.hasState = true;
        // The first device sets the pace; of the others the newest state counts.
        if (k > 0 || !this.#devices.every(({ hasState }) => hasState)) continue;
        this.#publish(device.state, nowNs);
        isNews = true;
      }
    }
    this.#isReceiving = false;
    return this.#publishStatus(nowNs) || isNews;
  }

  #publish({ time, cycle }: DriverState, nowNs: number): void {
    const q = new Float64Array(this.#count);
    const qd = new Float64Array(this.#count);
    for (const { state, dofs } of this.#devices) {
      for (let i = 0; i < dofs.length; i++) {
        q[dofs[i]!] = state.q[i]!;
        qd[dofs[i]!] = state.qd[i]!;
      }
    }
    const message = { time, cycle, q, qd, commanded: this.#commands.at(time - this.#delay) ?? q };
    this.#ports.out.state.put(message, nowNs);
    this.#ports.out.joints.put(message, nowNs);
  }

  /** Whether the robot can be commanded: when that changes, and now and then. A device at fault stops the others. */
  #publishStatus(nowNs: number): boolean {
    const fault = this.#fault;
    const isAtFault = fault !== "none";
    if (isAtFault && !this.#published.isAtFault) for (const { driver } of this.#devices) driver.stop();
    const isSame = isAtFault === this.#published.isAtFault && fault === this.#published.fault;
    if (isSame && nowNs - this.#publishedNs < STATUS_NS) return false;
    if (fault !== this.#published.fault && isAtFault && this.#hasStarted)
      this.#report("robot-fault", this.#words, nowNs);
    this.#published = { isAtFault, fault };
    this.#publishedNs = nowNs;
    this.#ports.out.status.put(this.#published, nowNs);
    return true;
  }

  /** Why the first device at fault does not follow. */
  get #words(): string {
    const words = this.#devices.find(({ driver }) => driver.fault !== "none")?.driver.detail ?? "";
    return this.#needsRelease()
      ? `${words}; a person must release the robot (key R on the page, POST /v1/live/reset)`
      : words;
  }

  #report(code: string, text: string, nowNs: number): void {
    this.#ports.out.events.put({ severity: "error", source: "robot", code, track: -1, text }, nowNs);
  }

  /** Takes leave, so that the robot stands still. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { driver } of this.#devices) driver.stop();
    await Promise.all(this.#devices.map(({ driver }) => driver.close()));
  }
}

/** A tick's time is not exactly a multiple of the device's period. */
const PERIOD_MARGIN = 0.01;

/** Each joint that moves has one driver. */
export function checkGroups(robot: Robot, groups: readonly DrivenGroup[]): void {
  const { dofNames } = robot.model;
  const drivers = new Array<number>(dofNames.length).fill(0);
  for (const { group } of groups) for (const dof of drivenDofs(robot, group)) drivers[dof]!++;
  for (const [dof, name] of dofNames.entries()) {
    if (drivers[dof] === 1) continue;
    throw new FlycatcherError("FLY_DRIVER_JOINTS", "a joint of the robot is not driven once", {
      path: name,
      expected: "one driver",
      found: String(drivers[dof]),
    });
  }
}
