import { beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../../../src/math/random.js";
import { type HeldInputs, RtdeSession } from "../../../../src/simulation/controllers/ur/rtde-session.js";
import { UrController } from "../../../../src/simulation/controllers/ur/ur-controller.js";

const joints = (value: number) => Float64Array.from({ length: 6 }, (_, i) => value + i);
const observer = { connect: () => undefined, disconnect: () => undefined, error: () => undefined };

/** The recipe of the protocol's sheet, and where each value stands in the payload. */
const recipe = {
  timestamp: ["DOUBLE", 1],
  target_q: ["VECTOR6D", 9],
  target_qd: ["VECTOR6D", 57],
  actual_q: ["VECTOR6D", 105],
  actual_qd: ["VECTOR6D", 153],
  actual_current: ["VECTOR6D", 201],
  target_moment: ["VECTOR6D", 249],
  speed_scaling: ["DOUBLE", 297],
  runtime_state: ["UINT32", 305],
  robot_mode: ["INT32", 309],
  safety_mode: ["INT32", 313],
} as const;

let controller: UrController;
let held: HeldInputs;
beforeEach(() => {
  const limits = { lower: new Float64Array(6).fill(-6), upper: new Float64Array(6).fill(6) };
  const start = new Float64Array(6).fill(0.25);
  const maxVelocity = new Float64Array(6).fill(2);
  controller = new UrController({ start, ...limits, maxVelocity, period: 0.002, timestep: 0.001 }, observer);
  held = new Map();
});

class Client {
  readonly answers: Buffer[] = [];
  hasFailed = false;
  readonly session = new RtdeSession({
    ...{ controller, held },
    send: (bytes) => this.answers.push(Buffer.from(bytes)),
    fail: () => {
      this.hasFailed = true;
    },
  });

  /** Sends a package; its answer's payload. */
  ask(kind: string, payload: Buffer = Buffer.alloc(0)): Buffer {
    const head = Buffer.from([0, 3 + payload.length, kind.charCodeAt(0)]);
    this.answers.length = 0;
    if (payload.length > 252) head.writeUInt16BE(3 + payload.length, 0);
    this.session.receive(Buffer.concat([head, payload]));
    const answer = this.answers[0]!;
    expect(answer.readUInt16BE(0)).toBe(answer.length);
    expect(String.fromCharCode(answer[2]!)).toBe(kind);
    return answer.subarray(3);
  }

  setUp(names: readonly string[], rate = 500): string {
    expect([...this.ask("V", Buffer.from([0, 2]))]).toEqual([1]);
    const payload = Buffer.alloc(8 + names.join(",").length);
    payload.writeDoubleBE(rate, 0);
    payload.write(names.join(","), 8, "latin1");
    return this.ask("O", payload).toString("latin1");
  }

  /** The payload of the newest data package. */
  read(): Buffer {
    this.session.publish({ q: joints(10), qd: joints(20), effort: joints(36) });
    return this.answers.at(-1)!.subarray(3);
  }
}

describe("RtdeSession", () => {
  it("sends the recipe of the sheet in 320 bytes, each value in its place", () => {
    const client = new Client();
    expect(client.setUp(Object.keys(recipe))).toBe(
      `\u0001${Object.values(recipe)
        .map(([type]) => type)
        .join(",")}`,
    );
    expect([...client.ask("S")]).toEqual([1]);
    const data = client.read();
    expect(client.answers.at(-1)!.length).toBe(320);
    expect(data[0]).toBe(1);
    expect(data.readDoubleBE(recipe.timestamp[1])).toBe(controller.time);
    expect(data.readDoubleBE(recipe.target_q[1])).toBe(0.25);
    expect(data.readDoubleBE(recipe.actual_q[1] + 40)).toBe(15);
    expect(data.readDoubleBE(recipe.actual_qd[1])).toBe(20);
    expect(data.readDoubleBE(recipe.target_moment[1])).toBe(36);
    expect(data.readDoubleBE(recipe.speed_scaling[1])).toBe(1);
    expect(data.readUInt32BE(recipe.runtime_state[1])).toBe(1);
    expect(data.readInt32BE(recipe.robot_mode[1])).toBe(7);
    expect(data.readInt32BE(recipe.safety_mode[1])).toBe(1);
  });

  it("sends as often as was agreed, by its own time", () => {
    const client = new Client();
    client.setUp(["timestamp"], 125);
    client.ask("S");
    client.answers.length = 0;
    for (let tick = 0; tick < 1000; tick++) {
      controller.advance(controller.arm.q);
      client.session.publish({ q: joints(0), qd: joints(0), effort: joints(0) });
    }
    expect(client.answers.length).toBe(125);
  });

  it("says which names it has not, and does not start with them", () => {
    const client = new Client();
    expect(client.setUp(["timestamp", "actual_smell", "constructor"])).toBe("\u0000DOUBLE,NOT_FOUND,NOT_FOUND");
    expect([...client.ask("S")]).toEqual([0]);
  });

  it("gives an input to one client at a time", () => {
    const names = Buffer.from("speed_slider_mask,speed_slider_fraction");
    const [first, second] = [new Client(), new Client()];
    expect(first.ask("I", names).toString("latin1")).toBe("\u0001UINT32,DOUBLE");
    expect(second.ask("I", names).toString("latin1")).toBe("\u0000IN_USE,IN_USE");
    const slider = Buffer.alloc(13);
    slider.writeUInt8(1, 0);
    slider.writeUInt32BE(1, 1);
    slider.writeDoubleBE(0.5, 5);
    first.session.receive(Buffer.concat([Buffer.from([0, 16, 85]), slider]));
    expect(controller.speedScaling).toBe(0.5);
    first.session.close();
    expect(second.ask("I", names).toString("latin1")).toBe("\u0001UINT32,DOUBLE");
  });

  it("speaks version 1 to who asks for it, and no other", () => {
    const client = new Client();
    expect([...client.ask("V", Buffer.from([0, 3]))]).toEqual([0]);
    expect([...client.ask("V", Buffer.from([0, 1]))]).toEqual([1]);
    expect(client.ask("O", Buffer.from("timestamp,robot_mode")).toString("latin1")).toBe("DOUBLE,INT32");
    client.ask("S");
    expect(client.read().length).toBe(12);
  });

  it("outlives whatever bytes", () => {
    const random = new Random("rtde");
    for (let round = 0; round < 2000; round++) {
      const client = new Client();
      const bytes = Buffer.alloc(random.integer(80));
      for (let k = 0; k < bytes.length; k++) bytes[k] = random.integer(256);
      if (round % 2 === 0 && bytes.length > 3) bytes.writeUInt16BE(bytes.length, 0);
      if (round % 4 === 0 && bytes.length > 3) bytes[2] = [86, 118, 79, 73, 83, 80, 85][random.integer(7)]!;
      client.session.receive(bytes);
      client.session.publish({ q: joints(0), qd: joints(0), effort: joints(0) });
    }
  });
});
