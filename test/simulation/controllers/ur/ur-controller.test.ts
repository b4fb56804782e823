import { beforeEach, describe, expect, it } from "vitest";
import { answerDashboard } from "../../../../src/simulation/controllers/ur/dashboard.js";
import { errorPackage, ScriptReader } from "../../../../src/simulation/controllers/ur/primary.js";
import { UrController } from "../../../../src/simulation/controllers/ur/ur-controller.js";

const script = `def flycatcher():
  FLY_HOST = "127.0.0.1"
  FLY_REVERSE_PORT = 50001
  FLY_LOOKAHEAD = 0.03
  FLY_GAIN = 2000
  FLY_SCALE = 1000000
  FLY_MAX_SPEED = 3.5
end`;

let calls: string[];
let controller: UrController;
beforeEach(() => {
  calls = [];
  const limits = { lower: new Float64Array(6).fill(-1), upper: new Float64Array(6).fill(1) };
  const [start, maxVelocity] = [new Float64Array(6), new Float64Array(6).fill(2)];
  controller = new UrController(
    { start, ...limits, maxVelocity, period: 0.002, timestep: 0.001 },
    {
      connect: (host, port) => calls.push(`connect ${host}:${port}`),
      disconnect: () => calls.push("disconnect"),
      error: (code) => calls.push(`error ${code}`),
    },
  );
});

/** Leads joint 1 at 1 rad/s for `ticks` milliseconds. */
function lead(ticks: number): void {
  for (let tick = 1; tick <= ticks; tick++) {
    const bytes = Buffer.alloc(32);
    bytes.writeInt32BE(20, 0);
    bytes.writeInt32BE(Math.round(1000 * tick), 4);
    bytes.writeInt32BE(1, 28);
    if (tick % 2 === 1) controller.program?.receive(bytes);
    controller.advance(controller.arm.q);
  }
}

function wait(seconds: number): void {
  for (let tick = 0; tick < 1000 * seconds; tick++) controller.advance(controller.arm.q);
}

describe("UrController", () => {
  it("runs a program, and says so", () => {
    controller.runScript("stop program");
    controller.runScript(script);
    expect(calls).toEqual(["connect 127.0.0.1:50001"]);
    expect(controller.runtimeState).toBe(2);
    lead(200);
    expect(controller.arm.q[0]).toBeGreaterThan(0.1);
    controller.runScript("stop program");
    expect(calls).toEqual(["connect 127.0.0.1:50001", "disconnect"]);
    expect(controller.runtimeState).toBe(0);
    wait(1);
    expect(controller.runtimeState).toBe(1);
  });

  it("takes no program in local control", () => {
    controller.isRemote = false;
    controller.runScript(script);
    expect(calls).toEqual(["error 210"]);
    expect(answerDashboard("is in remote control", controller)).toBe("false");
  });

  it("stops by itself when its joint reaches a limit, and the program must be sent again", () => {
    controller.runScript(script);
    lead(1200);
    expect(controller.safetyMode).toBe(3);
    expect(controller.speedScaling).toBe(0);
    expect(calls).toEqual(["connect 127.0.0.1:50001", "disconnect", "error 191"]);
    wait(1);
    expect(controller.arm.isStanding).toBe(true);
    controller.runScript(script);
    expect(controller.program).toBeNull();
  });

  it("is released from a protective stop after five seconds", () => {
    controller.protectiveStop();
    expect(answerDashboard("unlock protective stop", controller)).toMatch(/^Cannot unlock/);
    wait(5.1);
    expect(answerDashboard("unlock protective stop", controller)).toBe("Protective stop releasing");
    controller.runScript(script);
    expect(controller.program).not.toBeNull();
  });

  it("has no power after an emergency stop, until it is switched on and the brakes are released", () => {
    controller.runScript(script);
    lead(100);
    controller.emergencyStop("pressed");
    wait(1);
    expect(controller.arm.isStanding).toBe(true);
    expect(answerDashboard("power on", controller)).toBe("Failed to execute: power on");
    controller.emergencyStop("released");
    expect(answerDashboard("robotmode", controller)).toBe("Robotmode: POWER_OFF");
    expect(answerDashboard("power on", controller)).toBe("Powering on");
    expect(answerDashboard("brake release", controller)).toBe("Brake releasing");
    expect(answerDashboard("robotmode", controller)).toBe("Robotmode: RUNNING");
  });

  it("stops when a joint is not where it was sent to", () => {
    controller.runScript(script);
    lead(50);
    const elsewhere = controller.arm.q.slice();
    elsewhere[2] = elsewhere[2]! + 0.4;
    controller.advance(elsewhere);
    expect(calls.at(-1)).toBe("error 153");
    expect(controller.safetyMode).toBe(3);
  });
});

describe("the primary interface", () => {
  it("cuts programs and single lines out of any pieces", () => {
    const reader = new ScriptReader();
    const bytes = Buffer.from(`stop program\n${script}\n\nset_digital_out(1, True)\n`);
    const scripts = Array.from(bytes).flatMap((byte) => reader.take(Buffer.from([byte])));
    expect(scripts).toEqual(["stop program", script, "set_digital_out(1, True)"]);
  });

  it("reports errors in packages of the sheet", () => {
    const bytes = Buffer.from(errorPackage(1.5, 210, 3, 2, "read-only"));
    expect(bytes.readInt32BE(0)).toBe(bytes.length);
    expect([bytes[4], bytes[14]]).toEqual([20, 6]);
    expect(bytes.readBigUInt64BE(5)).toBe(1_500_000n);
    expect([bytes.readInt32BE(15), bytes.readInt32BE(19), bytes.readInt32BE(23)]).toEqual([210, 3, 2]);
    expect(bytes.subarray(35).toString()).toBe("read-only");
  });
});
