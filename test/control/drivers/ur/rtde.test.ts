import { describe, expect, it } from "vitest";
import {
  decodeText,
  encodeOutputs,
  encodeRequest,
  encodeVersionRequest,
  RtdePackage,
  RtdeReader,
} from "../../../../src/control/drivers/ur/rtde-package.js";
import {
  allFields,
  neededFields,
  RtdeRecipe,
  UrState,
  UrStateDecoder,
} from "../../../../src/control/drivers/ur/rtde-recipe.js";
import { Random } from "../../../../src/math/random.js";
import { deep } from "../../../support/deep.js";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Types of the needed fields as the protocol's table has them, and where each is in the payload of 317 bytes. */
const table: readonly (readonly [name: string, type: string, at: number])[] = [
  ["timestamp", "DOUBLE", 1],
  ["target_q", "VECTOR6D", 9],
  ["target_qd", "VECTOR6D", 57],
  ["actual_q", "VECTOR6D", 105],
  ["actual_qd", "VECTOR6D", 153],
  ["actual_current", "VECTOR6D", 201],
  ["target_moment", "VECTOR6D", 249],
  ["speed_scaling", "DOUBLE", 297],
  ["runtime_state", "UINT32", 305],
  ["robot_mode", "INT32", 309],
  ["safety_mode", "INT32", 313],
];
const types = table.map(([, type]) => type).join(",");

function recipeOf(names: readonly string[], list: string, id: number | null): RtdeRecipe {
  const answer = RtdeRecipe.answerOf(names, list, id);
  if (answer.kind !== "recipe") throw new Error(answer.kind);
  return answer.recipe;
}

describe("requests of RTDE", () => {
  it("have the bytes of the protocol", () => {
    expect(encodeVersionRequest(2)).toEqual(hex("0005 56 0002"));
    expect(encodeRequest(RtdePackage.controllerVersion)).toEqual(hex("0003 76"));
    expect(encodeRequest(RtdePackage.start)).toEqual(hex("0003 53"));
    // 500 is 0x407f400000000000 as a double.
    expect(encodeOutputs(["timestamp", "actual_q"], 500)).toEqual(
      Buffer.concat([hex("001d 4f 407f400000000000"), Buffer.from("timestamp,actual_q")]),
    );
    expect(encodeOutputs(["timestamp"], null)).toEqual(Buffer.concat([hex("000c 4f"), Buffer.from("timestamp")]));
  });
});

describe("the recipe", () => {
  it("puts each field where the protocol has it, in a package of 320 bytes", () => {
    const recipe = recipeOf(neededFields, types, 1);
    expect(neededFields).toEqual(table.map(([name]) => name));
    for (const [name, , at] of table) expect(recipe.offsetOf(name as "timestamp"), name).toBe(at);
    expect(recipe.size).toBe(317);
    expect(recipeOf(neededFields, types, null).size).toBe(316);
  });

  it("leaves out what the robot does not have, and names what it refuses", () => {
    const all = `${types},DOUBLE,NOT_FOUND,INT32,NOT_FOUND`;
    expect(RtdeRecipe.answerOf(allFields, all, 1)).toEqual({
      kind: "missing",
      names: ["payload", "output_int_register_25"],
    });
    const refusal = (list: string) => RtdeRecipe.answerOf(neededFields, list, 1);
    expect(refusal(types.replace("UINT32", "IN_USE"))).toEqual({
      kind: "refused",
      reason: "the field runtime_state is in use by another client",
    });
    expect(refusal(types.replace("UINT32", "INT32")).kind).toBe("refused");
    expect(refusal("DOUBLE").kind).toBe("refused");
    expect(refusal("").kind).toBe("refused");
  });
});

/** A data package written by the table, with a number of its own in each field. */
function dataPackage(): Buffer {
  const bytes = Buffer.alloc(320);
  bytes.writeUInt16BE(320, 0);
  bytes[2] = 85;
  bytes[3] = 1;
  for (const [k, [, type, at]] of table.entries()) {
    if (type === "VECTOR6D") for (let i = 0; i < 6; i++) bytes.writeDoubleBE(k + i / 10, 3 + at + 8 * i);
    else if (type === "DOUBLE") bytes.writeDoubleBE(k + 0.5, 3 + at);
    else bytes.writeInt32BE(k - 9, 3 + at);
  }
  bytes.writeUInt32BE(2, 3 + 305);
  return bytes;
}

describe("a state", () => {
  it("is read from the bytes of the table", () => {
    const decoder = new UrStateDecoder(recipeOf(neededFields, types, 1));
    const state = new UrState();
    expect(decoder.decode(dataPackage(), 3, 320, state)).toBe(true);
    expect(state.timestamp).toBe(0.5);
    expect(Array.from(state.targetQ)).toEqual([1, 1.1, 1.2, 1.3, 1.4, 1.5]);
    expect(state.q[5]).toBe(3.5);
    expect(state.qd[1]).toBe(4.1);
    expect(state.moment[0]).toBe(6);
    expect(state.speedScaling).toBe(7.5);
    expect(state).toMatchObject({ runtimeState: 2, robotMode: 0, safetyMode: 1 });
    expect(state.payload).toBeNaN();
  });

  it("of another length or recipe is refused", () => {
    const decoder = new UrStateDecoder(recipeOf(neededFields, types, 1));
    const state = new UrState();
    const bytes = dataPackage();
    expect(decoder.decode(bytes, 3, 319, state)).toBe(false);
    bytes[3] = 2;
    expect(decoder.decode(bytes, 3, 320, state)).toBe(false);
    expect(state.timestamp).toBeNaN();
  });
});

describe("text messages", () => {
  it("are read in both versions, and refused when their lengths do not fit", () => {
    const second = Buffer.concat([hex("02"), Buffer.from("hi"), hex("03"), Buffer.from("rob"), hex("01")]);
    expect(decodeText(second, 2)).toEqual({ text: "hi", source: "rob", level: 1 });
    for (let n = 0; n < second.length; n++) expect(decodeText(second.subarray(0, n), 2)).toBeNull();
    expect(decodeText(Buffer.concat([hex("02"), Buffer.from("hi")]), 1)).toEqual({ text: "hi", source: "", level: 2 });
    expect(decodeText(Buffer.alloc(0), 1)).toBeNull();
  });
});

describe("the reader", () => {
  it("finds the same packages however the bytes are cut", () => {
    const random = new Random(5);
    const packages = Array.from({ length: 200 }, (_, k) => {
      const payload = Buffer.alloc(Math.floor(random.uniform() * 400), k);
      const header = Buffer.alloc(3);
      header.writeUInt16BE(payload.length + 3, 0);
      header[2] = 65 + (k % 26);
      return Buffer.concat([header, payload]);
    });
    const stream = Buffer.concat(packages);
    const reader = new RtdeReader();
    const found: Buffer[] = [];
    for (let at = 0; at < stream.length; ) {
      const part = 1 + Math.floor(random.uniform() * 700);
      reader.take(stream.subarray(at, at + part), (_type, memory, start, end) => {
        found.push(Buffer.from(memory.subarray(start - 3, end)));
      });
      at += part;
    }
    expect(found).toHaveLength(packages.length);
    expect(Buffer.concat(found).equals(stream)).toBe(true);
  });

  it("survives anything, and stops at a size that no package has", () => {
    const random = new Random(6);
    const decoder = new UrStateDecoder(recipeOf(neededFields, types, 1));
    const state = new UrState();
    let broken = 0;
    for (let round = 0; round < deep(500, 20_000); round++) {
      const reader = new RtdeReader();
      const bytes = round % 2 === 0 ? Buffer.concat([dataPackage(), dataPackage()]) : Buffer.alloc(700);
      const changed = round % 2 === 0 ? 3 : bytes.length;
      for (let k = 0; k < changed; k++) bytes[Math.floor(random.uniform() * bytes.length)] = random.uniform() * 256;
      reader.take(bytes.subarray(0, Math.floor(random.uniform() * bytes.length)), (type, memory, start, end) => {
        if (end < start) expect.unreachable();
        if (type === RtdePackage.data) decoder.decode(memory, start, end, state);
        else decodeText(memory.subarray(start, end), round % 3 === 0 ? 1 : 2);
      });
      if (reader.isBroken) broken++;
    }
    expect(broken).toBeGreaterThan(0);
    const reader = new RtdeReader();
    reader.take(hex("0002 55"), () => expect.unreachable());
    expect(reader.isBroken).toBe(true);
  });
});
