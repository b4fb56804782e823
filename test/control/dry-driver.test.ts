import { describe, expect, it } from "vitest";
import {
  type DriverCapabilities,
  DriverCommand,
  type DriverSite,
  DriverState,
  type RobotDriver,
} from "../../src/control/driver.js";
import { dryDriver } from "../../src/control/dry-driver.js";

const capabilities: DriverCapabilities = {
  ...{ device: "arm", joints: 2, clock: "run", rate: 500, commands: ["position"] },
  ...{ streaming: true, feedForward: false, brakes: true },
};

/** A device that must only be read. */
class ReadOnly implements RobotDriver {
  readonly capabilities = capabilities;
  fault = "no-connection";
  readonly detail = "stands";
  readonly calls: string[] = [];
  time = 0;

  async open(): Promise<void> {
    this.calls.push("open");
  }
  async start(): Promise<void> {
    this.calls.push("start");
  }
  receive(out: DriverState): boolean {
    this.time += 0.002;
    out.time = this.time;
    out.q.fill(0.5);
    return true;
  }
  send(): void {
    this.calls.push("send");
  }
  stop(): void {
    this.calls.push("stop");
  }
  async close(): Promise<void> {
    this.calls.push("close");
  }
}

const joints = ["a", "b"].map((name) => ({ name, lower: -1, upper: 1, maxSpeed: 1 }));
const site: DriverSite = { group: "arm", joints, tickNs: 1e6, nowNs: () => 0, received: () => undefined };

describe("a dry run's driver", () => {
  it("opens and reads the device, and commands nothing", async () => {
    const device = new ReadOnly();
    const driver = dryDriver(() => device, 0)(site, null);
    await driver.open();
    expect(driver.fault).toBe("not started");
    await driver.start();
    expect(driver.fault).toBe("none");
    const command = new DriverCommand(2);
    driver.send(command);
    driver.stop();
    expect(driver.fault).toBe("not started");
    await driver.close();
    expect(device.calls).toEqual(["open", "close"]);
    expect(driver.detail).toContain("nothing is commanded");
  });

  it("stands where the device stands, then follows commands as late as the robot would", async () => {
    const device = new ReadOnly();
    const driver = dryDriver(() => device, 0.01)(site, null);
    await driver.open();
    await driver.start();
    const state = new DriverState(2);
    expect(driver.receive(state)).toBe(true);
    expect(state.q[0]).toBe(0.5);
    const command = new DriverCommand(2);
    for (let k = 1; k <= 600; k++) {
      command.time = k / 1000;
      command.q.fill(command.time);
      driver.send(command);
    }
    device.time = 0.398;
    driver.receive(state);
    expect(state.q[0]).toBeCloseTo(0.39, 9);
    // Older than all that is kept: the oldest.
    device.time = 0;
    driver.receive(state);
    expect(state.q[0]).toBeCloseTo(0.089, 9);
  });

  it("shows the device's own faults", async () => {
    const device = new ReadOnly();
    const driver = dryDriver(() => device, 0)(site, null);
    await driver.open();
    await driver.start();
    device.fault = "silent";
    expect(driver.fault).toBe("silent");
  });
});
