import { describe, expect, it } from "vitest";
import { commentOf, declarationOf, typeOf } from "../../tools/client/schema-types.js";

describe("typeOf", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "integer" }, "number"],
    [{ type: "null" }, "null"],
    [{}, "unknown"],
    [{ const: "box" }, '"box"'],
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    [{ $ref: "#/components/schemas/Pose" }, "Pose"],
    [{ type: "array", items: { type: "array", items: { type: "number" } } }, "number[][]"],
    [{ type: "array", items: { anyOf: [{ type: "number" }, { type: "null" }] } }, "Array<number | null>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    [{ type: "object", additionalProperties: {} }, "Record<string, unknown>"],
  ] as const)("%j is %s", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it("quotes names that are none, and marks what may be left out", () => {
    const schema = { type: "object", properties: { a: { type: "string" }, "b-c": {} }, required: ["a"] } as const;
    expect(typeOf(schema)).toBe('{\na: string;\n"b-c"?: unknown;\n}');
  });
});

describe("declarationOf", () => {
  it("is an interface for an object, else another name", () => {
    const description = "What it is.";
    expect(declarationOf("A", { description, type: "object", properties: { b: { type: "number" } } })).toBe(
      "/** What it is. */\nexport interface A {\nb?: number;\n}\n",
    );
    expect(declarationOf("A", { anyOf: [{ type: "string" }, { type: "null" }] })).toBe(
      "export type A = string | null;\n",
    );
  });
});

describe("commentOf", () => {
  it("wraps long texts, and lets none end the comment", () => {
    expect(commentOf(undefined)).toBe("");
    expect(commentOf("a */ b")).toBe("/** a *\\/ b */\n");
    expect(commentOf(Array.from({ length: 50 }, () => "word").join(" ")).split("\n")).toHaveLength(6);
  });
});
