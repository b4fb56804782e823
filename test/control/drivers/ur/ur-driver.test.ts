import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { RobotDriver } from "../../../../src/control/driver.js";
import { DriverCommand, type DriverJoint, DriverState } from "../../../../src/control/driver.js";
import { createUrDriver } from "../../../../src/control/drivers/ur/ur-driver.js";
import { type UrOptions, urDefaults } from "../../../../src/control/drivers/ur/ur-options.js";
import { eventually } from "../../../support/eventually.js";
import { FakeUr } from "./fake-ur.js";

const joints: DriverJoint[] = Array.from({ length: 6 }, (_, k) => ({
  name: `arm${k + 1}`,
  lower: -3,
  upper: 3,
  maxSpeed: 2,
}));

/** A driver and the controller it speaks to. */
class Scene {
  readonly fake: FakeUr;
  readonly driver: RobotDriver;
  readonly state = new DriverState(6);
  /** Time of the run [s]: it goes on when the test says so. */
  time = 5;
  #isOpen = false;

  static async make(
    change: (fake: FakeUr) => void = () => undefined,
    options: Partial<UrOptions> = {},
  ): Promise<Scene> {
    const fake = await FakeUr.start();
    change(fake);
    const scene = new Scene(fake, { ...urDefaults, host: "127.0.0.1", reverse: 0, ...fake.ports, ...options });
    scenes.push(scene);
    return scene;
  }

  private constructor(fake: FakeUr, options: UrOptions) {
    this.fake = fake;
    const site = { group: "arm", joints, tickNs: 1e6, nowNs: () => 1e9 * this.time, received: () => undefined };
    this.driver = createUrDriver(site, options);
  }

  async begin(): Promise<this> {
    await this.driver.open();
    await this.driver.start();
    this.#isOpen = true;
    return this;
  }

  /** The robot reports its state until something holds. */
  async until(holds: () => boolean): Promise<void> {
    await eventually(() => {
      this.time += 0.002;
      this.fake.report();
      this.driver.receive(this.state);
      return holds();
    });
  }

  /** Sends a command with all joints there. */
  command(q: number): void {
    const command = new DriverCommand(6);
    this.time += 0.002;
    command.time = this.time;
    command.q.fill(q);
    this.driver.send(command);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.driver.close();
    else await this.driver.close().catch(() => undefined);
    await this.fake.close();
  }
}

function set(fake: FakeUr, values: Partial<FakeUr>): void {
  Object.assign(fake, values);
}

const scenes: Scene[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
});

describe("the driver of a robot by Universal Robots", () => {
  it("sets up RTDE, sends its program and commands set points in micro-radians", async () => {
    const scene = await Scene.make();
    const { fake, driver } = await scene.begin();
    expect(fake.requests).toEqual(["V", "v", "O", "O", "S"]);
    expect(fake.programs).toHaveLength(1);
    expect(fake.programs[0]).toMatch(/^stop program\ndef flycatcher\(\):\n {2}FLY_HOST = "127\.0\.0\.1"\n/);
    await eventually(() => fake.commands === 1);
    expect(fake.command).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(driver.fault).toBe("none");
    expect(driver.capabilities).toMatchObject({ rate: 500, joints: 6, clock: "run" });
    scene.command(0.01);
    await eventually(() => fake.commands === 2);
    expect(fake.command).toEqual([20, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 1]);
    expect(driver.detail).toContain("payload 1.25 kg");
    expect(driver.detail).toContain("remote control");
  });

  it("hands on the joints, on the run's clock, and counts gaps", async () => {
    const scene = await (await Scene.make()).begin();
    const { fake, driver, state } = scene;
    await scene.until(() => state.q[3] === 0 && state.cycle > 0);
    fake.q = [0, 0, 0, 0.01, 0, 0];
    await scene.until(() => state.q[3] === 0.01);
    expect(state.time).toBeGreaterThan(4.9);
    expect(state.time).toBeLessThanOrEqual(scene.time);
    fake.report(0.02);
    await scene.until(() => driver.detail.includes("9 states lost"));
  });

  it("speaks version 1 with a CB3 at 125 Hz", async () => {
    const scene = await Scene.make((fake) => {
      fake.version = 1;
      fake.major = 3;
    });
    await scene.begin();
    expect(scene.fake.requests).toEqual(["V", "V", "v", "O", "O", "S"]);
    expect(scene.driver.capabilities.rate).toBe(125);
    expect(scene.driver.fault).toBe("none");
  });

  it.each<[string, (fake: FakeUr) => void, string?]>([
    ["protective-stop", (fake) => set(fake, { safetyMode: 3 }), "needs release"],
    ["safeguard-stop", (fake) => set(fake, { safetyMode: 5 }), "needs release"],
    ["robot-emergency-stop", (fake) => set(fake, { safetyMode: 7 }), "needs release"],
    ["power-off", (fake) => set(fake, { robotMode: 3 }), "needs release"],
    ["speed-slider", (fake) => set(fake, { speedScaling: 0.5 })],
    ["program-ended", (fake) => fake.endProgram()],
    ["state-not-finite", (fake) => set(fake, { q: [0, 0, Number.NaN, 0, 0, 0] }), "needs release"],
    ["state-jump", (fake) => set(fake, { q: [0, 0, 1, 0, 0, 0] }), "needs release"],
    ["clock", (fake) => set(fake, { timestamp: 50 }), "needs release"],
    ["silent", (fake) => fake.dropState()],
    ["silent", (fake) => fake.babble(Buffer.alloc(40))],
  ])("names %s, and commands nothing afterwards", async (fault, cause, release) => {
    const scene = await (await Scene.make()).begin();
    const { fake, driver } = scene;
    scene.command(0);
    await eventually(() => fake.commands === 2);
    cause(fake);
    await scene.until(() => driver.fault !== "none");
    expect(driver.fault).toBe(fault);
    expect(driver.needsRelease).toBe(release !== undefined);
    scene.command(0);
    // The connection has ended: what was sent before has come.
    await eventually(() => !fake.hasProgram);
    expect(fake.setPoints).toBe(1);
  });

  it("falls silent with the robot", async () => {
    const scene = await (await Scene.make()).begin();
    scene.time += 0.2;
    scene.driver.receive(scene.state);
    expect(scene.driver.fault).toBe("silent");
  });

  it("names the cause that the controller reports after the program has ended", async () => {
    const scene = await (await Scene.make()).begin();
    const { fake, driver } = scene;
    fake.endProgram();
    await scene.until(() => driver.detail !== "" && !fake.hasProgram);
    fake.safetyMode = 3;
    await scene.until(() => driver.fault !== "none");
    expect(driver.fault).toBe("protective-stop");
  });

  it("follows again only after a start, with the program sent again, from where the robot stands", async () => {
    const scene = await (await Scene.make()).begin();
    const { fake, driver, state } = scene;
    fake.safetyMode = 3;
    await scene.until(() => driver.fault === "protective-stop");
    await expect(driver.start()).rejects.toMatchObject({ code: "FLY_ROBOT_NOT_READY" });
    expect(fake.programs).toHaveLength(1);
    fake.safetyMode = 1;
    fake.q = [0.02, 0.02, 0.02, 0.02, 0.02, 0.02];
    await scene.until(() => state.q[0] === 0.02);
    expect(driver.fault).toBe("protective-stop");
    await driver.start();
    expect(fake.programs).toHaveLength(2);
    expect(driver.fault).toBe("none");
    // A command from before the stop.
    scene.command(-0.5);
    expect(driver.fault).toBe("command-jump");
  });

  it("sets everything up again after the connection was lost", async () => {
    const scene = await (await Scene.make()).begin();
    const { fake, driver } = scene;
    fake.dropState();
    await eventually(() => driver.fault === "silent");
    await driver.start();
    expect(fake.requests.filter((type) => type === "S")).toHaveLength(2);
    expect(driver.fault).toBe("none");
  });

  it("refuses commands that are no numbers or that no joint can follow", async () => {
    const scene = await (await Scene.make()).begin();
    scene.command(0);
    scene.command(0.004);
    expect(scene.driver.fault).toBe("none");
    scene.command(0.1);
    expect(scene.driver.fault).toBe("command-jump");
    await scene.driver.start();
    scene.command(Number.NaN);
    expect(scene.driver.fault).toBe("command-not-finite");
  });

  it.each<[string, string, (fake: FakeUr) => void]>([
    ["FLY_ROBOT_NOT_READY", "local control", (fake) => set(fake, { isRemote: false })],
    ["FLY_ROBOT_NOT_READY", "power is off", (fake) => set(fake, { robotMode: 3 })],
    ["FLY_ROBOT_NOT_READY", "emergency stop", (fake) => set(fake, { safetyMode: 6 })],
    ["FLY_ROBOT_MISMATCH", "arm2", (fake) => set(fake, { q: [0, 4, 0, 0, 0, 0] })],
    ["FLY_ROBOT_PROTOCOL", "does not have actual_q", (fake) => set(fake, { missing: ["actual_q"] })],
    [
      "FLY_ROBOT_NOT_READY",
      "local control",
      (fake) => {
        // Error 210 with level 3.
        const error = "00000023 14 0000000000000000 00 06 000000d2 00000000 00000003 00000000 00000000";
        fake.refusal = Buffer.from(error.replaceAll(" ", ""), "hex");
      },
    ],
  ])("refuses with %s (%s) before anything moves", async (code, words, change) => {
    const scene = await Scene.make(change);
    const error = await scene.begin().catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(words);
    expect(scene.fake.commands).toBe(0);
  });

  it("refuses another number of joints than six", () => {
    const site = { group: "arm", joints: joints.slice(1), tickNs: 1e6, nowNs: () => 0, received: () => undefined };
    expect(() => createUrDriver(site, { ...urDefaults, host: "127.0.0.1" })).toThrow(
      expect.objectContaining({ code: "FLY_DRIVER_JOINTS" }),
    );
  });

  it("unlocks and powers on only where it is told to", async () => {
    const change = (fake: FakeUr) => {
      fake.robotMode = 3;
    };
    const scene = await Scene.make(change, { powerOn: true });
    const { fake } = scene;
    const begun = scene.begin();
    await eventually(() => fake.orders.includes("power on"));
    fake.robotMode = 5;
    fake.report();
    await eventually(() => fake.orders.includes("brake release"));
    fake.robotMode = 7;
    fake.report();
    await begun;
    fake.safetyMode = 3;
    await scene.until(() => scene.driver.fault === "protective-stop");
    await expect(scene.driver.start()).rejects.toThrow();
    expect(fake.orders).not.toContain("unlock protective stop");
  });

  it("lets nothing but the robot connect where its program is waited for", async () => {
    const scene = await (await Scene.make()).begin();
    const port = Number(/FLY_REVERSE_PORT = (\d+)/.exec(scene.fake.programs[0] ?? "")?.[1]);
    const stranger = connect({ host: "127.0.0.1", port });
    stranger.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => stranger.once("close", () => resolve()));
    stranger.resume();
    await closed;
    expect(scene.driver.fault).toBe("none");
    scene.command(0);
    await eventually(() => scene.fake.commands === 2);
  });

  it("stops the program when it is closed", async () => {
    const scene = await (await Scene.make()).begin();
    scene.command(0);
    await eventually(() => scene.fake.commands === 2);
    await scene.driver.close();
    await eventually(() => scene.fake.command[7] === -2);
  });
});
