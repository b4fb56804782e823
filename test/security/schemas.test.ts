import Type from "typebox";
import { describe, expect, it } from "vitest";
import { pageSchemas } from "../../src/messages/page.js";
import { calibrationTopics } from "../../src/recording/calibration/calibration-file.js";
import { headerSchema } from "../../src/recording/format/header-schema.js";
import { cameraRigSchema } from "../../src/recording/import/camera-rig.js";
import { recordedMessages } from "../../src/recording/recording.js";
import { OverlaySchema } from "../../src/robot/sidecar/overlay-schema.js";
import { SidecarSchema } from "../../src/robot/sidecar/sidecar-schema.js";
import { configSchema } from "../../src/runtime/config-schema.js";
import { findProblems, problemLimit } from "../../src/runtime/schema-problems.js";
import { createService } from "../../src/service/service.js";
import { jsonSchemaOf } from "../../src/transport/message-json.js";
import { serviceOptions } from "../service/make-service.js";
import { dereferenced } from "../support/dereference.js";

/** Places of lists without a bound, as `items` of one schema in another. */
function unbounded(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, maxItems, items, ...rest } = schema as Record<string, unknown>;
  // A tuple has as many entries as its `items` has schemas.
  const isBounded = typeof maxItems === "number" || Array.isArray(items);
  const own = type === "array" && !isBounded ? [path] : [];
  const inner = Object.entries({ ...rest, items }).flatMap(([key, value]) => unbounded(value, `${path}/${key}`));
  return [...own, ...inner];
}

describe("every list has a bound", () => {
  it.each([
    ["the configuration", configSchema],
    ["a robot's sidecar", SidecarSchema],
    ["a calibration overlay", OverlaySchema],
    ["a recording's header", headerSchema],
    ["a camera rig", cameraRigSchema],
    ["a calibration recording", calibrationTopics],
    ["messages of the stream", pageSchemas()],
    ["messages of recordings", Object.values(recordedMessages).map((type) => jsonSchemaOf(type))],
  ])("in %s", (_, schema) => {
    expect(unbounded(schema, "")).toEqual([]);
  });

  it("in HTTP requests and answers", async () => {
    const app = await createService(serviceOptions());
    const { paths } = dereferenced((await app.inject("/openapi.json")).json());
    await app.close();
    expect(Object.keys(paths).length).toBeGreaterThan(20);
    expect(unbounded(paths, "")).toEqual([]);
  });
});

/** A list that counts how often one of its entries is read. */
function countedList(entries: readonly unknown[]): { readonly list: readonly unknown[]; readonly reads: () => number } {
  let reads = 0;
  const list = new Proxy(entries, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  return { list, reads: () => reads };
}

describe("the work of naming problems is bounded", () => {
  const strict = { additionalProperties: false };
  const words = Type.Array(Type.Enum(["limits", "hand"]), { uniqueItems: true, maxItems: 5 });
  const schema = Type.Object(
    { words: Type.Optional(words), any: Type.Optional(Type.Union([words, Type.Record(Type.String(), Type.Number())])) },
    strict,
  );

  it.each(["words", "any"])("by the schema, not by a list that is too long: %s", (key) => {
    const { list, reads } = countedList(new Array(20_000).fill("limits"));
    expect(findProblems(schema, { [key]: list })).toEqual([
      expect.objectContaining({ path: `/${key}`, found: "a list of 20000" }),
    ]);
    expect(reads()).toBeLessThan(100);
  });

  it("by the number of problems named", () => {
    const keys = Object.fromEntries(Array.from({ length: 90 }, (_, k) => [`unknown${k}`, k]));
    expect(findProblems(schema, keys)).toHaveLength(problemLimit);
    const pairs = Type.Array(Type.Object({}, strict), { maxItems: 10 });
    const many = Array.from({ length: 10 }, () => keys);
    expect(findProblems(pairs, many).length).toBeGreaterThan(0);
    const wrong = Array.from({ length: 10_000 }, () => "x");
    expect(findProblems(Type.Array(Type.Number(), { maxItems: 10_000 }), wrong)).toHaveLength(problemLimit);
  });

  it("by the keys of an object", () => {
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, k) => [`key${k}`, "x"]));
    for (const value of [keys, { any: keys }]) {
      const problems = findProblems(schema, value);
      expect(problems).toEqual([expect.objectContaining({ found: "an object of 100000 keys" })]);
    }
  });
});
