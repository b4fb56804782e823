import { describe, expect, it } from "vitest";
import { type PrimaryMessage, PrimaryReader } from "../../../../src/control/drivers/ur/primary-client.js";
import { encodeReverseCommand, ReverseMode } from "../../../../src/control/drivers/ur/reverse-command.js";
import { standingFault } from "../../../../src/control/drivers/ur/ur-modes.js";
import { urProgram } from "../../../../src/control/drivers/ur/ur-program.js";
import { Random } from "../../../../src/math/random.js";
import { deep } from "../../../support/deep.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("a command to the robot's program", () => {
  it("has the 32 bytes of the protocol", () => {
    const bytes = Buffer.alloc(32);
    encodeReverseCommand(ReverseMode.servo, 20, Float64Array.of(1.5, -1, 0, 0.0000005, 6.283185, -6.283185), bytes);
    // Time-out, six joints in 1e-6 rad, mode.
    expect(bytes).toEqual(hex("00000014 0016e360 fff0bdc0 00000000 00000001 005fdfb1 ffa0204f 00000001"));
    encodeReverseCommand(ReverseMode.stop, 0, new Float64Array(6), bytes);
    expect(bytes).toEqual(hex(`${"00000000".repeat(7)} fffffffe`));
  });
});

describe("the robot's program", () => {
  const values = {
    host: "192.168.1.2",
    reversePort: 50_011,
    lookahead: 0.05,
    gain: 1500,
    maxSpeed: 2.5,
  };

  it("has each value on a line of its own at the top", () => {
    expect(urProgram(values).split("\n").slice(0, 8)).toEqual([
      "def flycatcher():",
      '  FLY_HOST = "192.168.1.2"',
      "  FLY_REVERSE_PORT = 50011",
      "  FLY_TRAJECTORY_PORT = 0",
      "  FLY_LOOKAHEAD = 0.05",
      "  FLY_GAIN = 1500",
      "  FLY_SCALE = 1000000",
      "  FLY_MAX_SPEED = 2.5",
    ]);
  });

  it("is one definition whose blocks all end", () => {
    const lines = urProgram(values)
      .split("\n")
      .map((line) => line.replace(/#.*$/, "").trim())
      .filter((line) => line !== "");
    let depth = 0;
    for (const [k, line] of lines.entries()) {
      if (/^(def|thread|while|if) ?.*:$/.test(line)) depth++;
      if (line === "end") depth--;
      expect(depth, `${k}: ${line}`).toBeGreaterThanOrEqual(k === lines.length - 1 ? 0 : 1);
    }
    expect(depth).toBe(0);
    const count = (word: string) => lines.filter((line) => line === word).length;
    expect(count("enter_critical")).toBe(count("exit_critical"));
  });

  it("takes no host that would end the text it stands in", () => {
    expect(() => urProgram({ ...values, host: 'a"\n  powerdown()' })).toThrow(
      expect.objectContaining({ code: "FLY_DRIVER_ADDRESS" }),
    );
  });
});

/** An error of the primary interface: time, source, kind 6, code, argument, level, type of data, data, text. */
function errorPackage(code: number, level: number, text: string): Buffer {
  const words = Buffer.from(text);
  const bytes = Buffer.alloc(5 + 10 + 20 + words.length);
  bytes.writeInt32BE(bytes.length, 0);
  bytes[4] = 20;
  bytes[14] = 6;
  bytes.writeInt32BE(code, 15);
  bytes.writeInt32BE(level, 23);
  words.copy(bytes, 35);
  return bytes;
}

function read(...parts: readonly Buffer[]): PrimaryMessage[] {
  const found: PrimaryMessage[] = [];
  const reader = new PrimaryReader();
  for (const part of parts) reader.take(part, (message) => found.push(message));
  return found;
}

describe("the reader of the primary port", () => {
  const state = Buffer.concat([hex("00000009 10"), Buffer.alloc(4)]);

  it("finds errors among all else, however the bytes are cut", () => {
    const stream = Buffer.concat([state, errorPackage(210, 3, "read only"), errorPackage(7, 1, "a hint"), state]);
    const expected = [{ kind: "error", code: 210, text: "read only" }];
    expect(read(stream)).toEqual(expected);
    expect(read(...Array.from(stream, (byte) => Buffer.of(byte)))).toEqual(expected);
  });

  it("finds the line of a runtime exception", () => {
    const bytes = Buffer.concat([hex("0000001b 14 0000000000000000 00 0a 00000011 00000004"), Buffer.from("oops")]);
    expect(read(bytes)).toEqual([{ kind: "exception", code: 17, text: "oops" }]);
  });

  it("survives anything", () => {
    const random = new Random(7);
    for (let round = 0; round < deep(500, 20_000); round++) {
      const bytes = Buffer.concat([state, errorPackage(1, 5, "x".repeat(round % 20)), state]);
      for (let k = 0; k < 4; k++) bytes[Math.floor(random.uniform() * bytes.length)] = random.uniform() * 256;
      read(bytes.subarray(0, Math.floor(random.uniform() * bytes.length)), bytes);
    }
    const reader = new PrimaryReader();
    reader.take(hex("7fffffff 14"), () => expect.unreachable());
    expect(reader.isBroken).toBe(true);
  });
});

describe("modes of the robot", () => {
  it("let it move only when it runs and its safety system is content", () => {
    expect(standingFault(7, 1)).toBe("none");
    expect(standingFault(7, 2)).toBe("none");
    expect(standingFault(7, 3)).toBe("protective-stop");
    expect(standingFault(3, 7)).toBe("robot-emergency-stop");
    expect(standingFault(3, 1)).toBe("power-off");
    expect(standingFault(5, 1)).toBe("brakes-on");
    expect(standingFault(2, 1)).toBe("not-running");
    for (const safety of [0, 4, 5, 6, 8, 9, 10, 11, 12, 99, -1, Number.NaN]) {
      expect(standingFault(7, safety), String(safety)).not.toBe("none");
    }
  });
});
