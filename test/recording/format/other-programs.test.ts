import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as foxglove from "@foxglove/schemas/jsonschema.js";
import { decompress, isLoaded } from "@foxglove/wasm-zstd";
import { McapIndexedReader } from "@mcap/core";
import { FileHandleReadable } from "@mcap/nodejs";
import { Ajv, type ValidateFunction } from "ajv";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { RecordingWriter } from "../../../src/recording/format/recording-writer.js";
import { buildRecordedRobot, recordedRobotOf } from "../../../src/recording/recorded-robot.js";
import { recordedTopics } from "../../../src/recording/recording.js";
import { plainHeader, RandomItems } from "../random-items.js";

const robot = recordedRobotOf("agile-justin");
const dofs = buildRecordedRobot(robot).model.dofCount;
const foxgloveSchemas = foxglove as unknown as Readonly<Record<string, object>>;

/** What `@mcap/nodejs` and `@mcap/core` find in a file of ours. */
interface Found {
  readonly reader: McapIndexedReader;
  readonly messages: {
    readonly topic: string;
    readonly schema: string;
    readonly timeNs: number;
    readonly json: unknown;
  }[];
  readonly invalid: string[];
}

async function readWithOthers(path: string): Promise<Found> {
  await isLoaded;
  const file = await open(path, "r");
  const reader = await McapIndexedReader.Initialize({
    readable: new FileHandleReadable(file),
    decompressHandlers: { zstd: (bytes, size) => decompress(bytes, Number(size)) },
  });
  const ajv = new Ajv({ strict: false, allErrors: false });
  const validators = new Map<number, ValidateFunction>();
  const messages: Found["messages"] = [];
  const invalid: string[] = [];
  for await (const { channelId, logTime, data } of reader.readMessages()) {
    const channel = reader.channelsById.get(channelId)!;
    const schema = reader.schemasById.get(channel.schemaId)!;
    const validate =
      validators.get(schema.id) ?? ajv.compile(JSON.parse(Buffer.from(schema.data).toString("utf8")) as object);
    validators.set(schema.id, validate);
    const json: unknown = JSON.parse(Buffer.from(data).toString("utf8"));
    if (!validate(json)) invalid.push(`${channel.topic}: ${ajv.errorsText(validate.errors)}`);
    messages.push({ topic: channel.topic, schema: schema.name, timeNs: Number(logTime), json });
  }
  await file.close();
  return { reader, messages, invalid };
}

describe("other programs", () => {
  const folder = mkdtempSync(join(tmpdir(), "flycatcher-mcap-"));
  const path = join(folder, "all.mcap");
  const finite = new RandomItems(new Random("others, finite"), "finite", dofs);
  // A robot with a joint at NaN is not drawn.
  const items = new RandomItems(new Random("others"), "any", dofs)
    .series(600)
    .map((item) => (item.topic === "joints" ? finite.item("joints", item.timeNs) : item));
  let found: Found;

  beforeAll(async () => {
    const writer = await RecordingWriter.create(path, plainHeader({ robot, perception: "images" }), {
      chunkBytes: 32768,
    });
    for (const item of items) writer.write(item);
    writer.close();
    found = await readWithOthers(path);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("read every message, each as its embedded schema says", () => {
    expect(found.invalid).toEqual([]);
    const own = found.messages.filter(
      ({ schema }) => schema.startsWith("flycatcher.") || schema === "foxglove.CompressedImage",
    );
    expect(own.length).toBe(items.length + 1);
    expect(new Set(found.messages.map(({ schema }) => schema)).size).toBeGreaterThan(recordedTopics.length);
  });

  it("find an index with statistics, checksums and metadata", async () => {
    const { statistics, chunkIndexes, metadataIndexes, dataSectionCrc } = found.reader;
    expect(statistics?.messageCount).toBe(BigInt(found.messages.length));
    expect(statistics?.chunkCount).toBe(chunkIndexes.length);
    expect(chunkIndexes.length).toBeGreaterThan(5);
    expect(chunkIndexes.every(({ compression }) => compression === "zstd")).toBe(true);
    expect(statistics?.messageEndTime).toBe(BigInt(items.at(-1)!.timeNs));
    expect(dataSectionCrc).not.toBe(0);
    expect(metadataIndexes.map(({ name }) => name)).toEqual(["flycatcher"]);
  });

  it("see Foxglove's topics as Foxglove's own schemas say", () => {
    const ajv = new Ajv({ strict: false });
    const byName = new Map<string, number>();
    for (const { schema, json, topic } of found.messages) {
      if (!schema.startsWith("foxglove.")) continue;
      const name = schema.slice("foxglove.".length);
      const validate = ajv.getSchema(name) ?? ajv.addSchema(foxgloveSchemas[name]!, name).getSchema(name)!;
      expect(validate(json), `${topic}: ${ajv.errorsText(validate.errors)}`).toBe(true);
      byName.set(name, (byName.get(name) ?? 0) + 1);
    }
    expect([...byName.keys()].sort()).toEqual([
      "CameraCalibration",
      "CompressedImage",
      "FrameTransforms",
      "ImageAnnotations",
      "JointStates",
      "Log",
      "PoseInFrame",
      "SceneUpdate",
    ]);
  });

  it("seek: a time in the middle is found through the index alone", async () => {
    const file = await open(path, "r");
    const readable = new FileHandleReadable(file);
    let bytes = 0n;
    const counting = {
      size: () => readable.size(),
      read: (offset: bigint, size: bigint) => {
        bytes += size;
        return readable.read(offset, size);
      },
    };
    const reader = await McapIndexedReader.Initialize({
      readable: counting,
      decompressHandlers: { zstd: (data, size) => decompress(data, Number(size)) },
    });
    const startTime = BigInt(items[300]!.timeNs);
    const { value } = await reader.readMessages({ startTime }).next();
    expect(value?.logTime).toBe(startTime);
    expect(bytes).toBeLessThan((await readable.size()) / 2n);
    await file.close();
  });
});
