import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/math/random.js";
import { UrArm } from "../../../../src/simulation/controllers/ur/ur-arm.js";
import { readParameters, UrProgram } from "../../../../src/simulation/controllers/ur/ur-program.js";

const period = 0.002;
const text = `def flycatcher():
  FLY_HOST = "127.0.0.1"
  FLY_REVERSE_PORT = 50001
  FLY_LOOKAHEAD = 0.03
  FLY_GAIN = 2000
  FLY_SCALE = 1000000
  FLY_MAX_SPEED = 3.5
end`;

/** A command of 32 bytes by the table of the protocol. */
function command(timeoutMs: number, mode: number, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.writeInt32BE(timeoutMs, 0);
  for (let i = 0; i < 6; i++) bytes.writeInt32BE(Math.round(1e6 * (values[i] ?? 0)), 4 + 4 * i);
  bytes.writeInt32BE(mode, 28);
  return bytes;
}

class Scene {
  readonly arm = new UrArm({ start: new Float64Array(6), maxVelocity: new Float64Array(6).fill(3), timestep: period });
  readonly program = new UrProgram(readParameters(text)!, this.arm, period);

  step(times = 1): void {
    for (let n = 0; n < times; n++) {
      this.program.step();
      this.arm.advance();
    }
  }

  /** Leads joint 1 at `speed` for `steps`. */
  lead(speed: number, steps: number, from = 0): number {
    for (let n = 1; n <= steps; n++) {
      this.program.receive(command(20, 1, from + speed * n * period));
      this.step();
    }
    return from + speed * steps * period;
  }
}

describe("the parameters of a program", () => {
  it("are read from the lines at its top", () => {
    expect(readParameters(text)).toEqual({
      ...{ host: "127.0.0.1", reversePort: 50001, lookahead: 0.03, gain: 2000, scale: 1e6, maxSpeed: 3.5 },
    });
  });

  it.each([
    ["FLY_HOST", 'FLY_HOST = "a b"'],
    ["FLY_REVERSE_PORT", "FLY_REVERSE_PORT = 70000"],
    ["FLY_LOOKAHEAD", "FLY_LOOKAHEAD = 0.01"],
    ["FLY_GAIN", "FLY_GAIN = 50"],
    ["FLY_MAX_SPEED", "FLY_MAX_SPEED = -1"],
  ])("are refused where %s cannot be", (name, line) => {
    expect(readParameters(text.replace(new RegExp(`${name} = .*`), line))).toBeNull();
    expect(readParameters(text.replace(new RegExp(`.*${name} = .*\n`), ""))).toBeNull();
  });
});

describe("UrProgram", () => {
  it("leads the joints by servoj, from bytes in any pieces", () => {
    const scene = new Scene();
    const stream = Buffer.concat(Array.from({ length: 100 }, (_, n) => command(200, 1, 0.001 * (n + 1))));
    const random = new Random("pieces");
    for (let at = 0; at < stream.length; ) {
      const next = Math.min(stream.length, at + 1 + random.integer(40));
      scene.program.receive(stream.subarray(at, next));
      scene.step();
      at = next;
    }
    scene.step(20);
    expect(scene.arm.q[0]).toBeGreaterThan(0.08);
    expect(scene.program).toMatchObject({ end: null, refused: 0 });
  });

  it("goes on for three steps without a set-point, then holds, and stops when the time-out is over", () => {
    const scene = new Scene();
    const last = scene.lead(1, 100);
    scene.step(9);
    expect(scene.program.extrapolated).toBe(3);
    expect(scene.program.end).toBeNull();
    scene.step(2);
    expect(scene.program.end).toBe("time-out");
    scene.step(500);
    expect(scene.arm.isStanding).toBe(true);
    expect(scene.arm.q[0]).toBeLessThan(last + 3 * period + 0.01 + 1 / 8);
    scene.program.receive(command(20, 1, last));
    scene.step();
    expect(scene.arm.isStanding).toBe(true);
  });

  it("waits for ever in idle with a time-out of 0, and never longer than 200 ms in servoj", () => {
    const scene = new Scene();
    scene.program.receive(command(0, 0));
    scene.step(5000);
    expect(scene.program.end).toBeNull();
    scene.program.receive(command(60_000, 1));
    scene.step(102);
    expect(scene.program.end).toBe("time-out");
  });

  it("refuses a set-point that is too fast, and takes the next that is not", () => {
    const scene = new Scene();
    const last = scene.lead(1, 50);
    scene.program.receive(command(20, 1, last + 0.5));
    scene.step();
    expect(scene.program.refused).toBe(1);
    scene.lead(1, 50, last + period);
    expect(scene.program).toMatchObject({ end: null, refused: 1 });
  });

  it.each([
    ["stops when it is told to", command(0, -2), "asked"],
    ["stops at a mode that it has not", command(20, 6), "command unknown"],
  ] as const)("%s", (_, bytes, end) => {
    const scene = new Scene();
    scene.lead(1, 50);
    scene.program.receive(bytes);
    scene.step(500);
    expect(scene.program.end).toBe(end);
    expect(scene.arm.isStanding).toBe(true);
  });

  it("comes to rest after whatever bytes", () => {
    const random = new Random("garbage");
    for (let round = 0; round < 200; round++) {
      const scene = new Scene();
      scene.lead(1, 20);
      const bytes = Buffer.alloc(random.integer(4000));
      for (let k = 0; k < bytes.length; k++) bytes[k] = random.integer(256);
      scene.program.receive(bytes);
      scene.step(600);
      expect(scene.arm.isStanding || scene.program.end === null).toBe(true);
      expect(scene.arm.q.every(Number.isFinite)).toBe(true);
    }
  });
});
