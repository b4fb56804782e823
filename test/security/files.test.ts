import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Random } from "../../src/math/random.js";
import { formatHistory } from "../../src/recording/format/migrations.js";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { readPoints } from "../../src/recording/import/import-recording.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { configSchema } from "../../src/runtime/config-schema.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { findProblems } from "../../src/runtime/schema-problems.js";
import { checkedFactsOf } from "../../src/service/recording-facts.js";
import { plainHeader, RandomItems } from "../recording/random-items.js";
import { recordingOf } from "../recording/recordings.js";
import { deep } from "../support/deep.js";
import { descriptors } from "../support/descriptors.js";
import { mutateBytes, mutateJson, mutateText, oddNumbers, pick, repeatedly } from "../support/mutate.js";

vi.setConfig({ testTimeout: deep(120_000, 14_400_000) });

const folder = mkdtempSync(join(tmpdir(), "file-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The code of the refusal, or "taken"; any other error fails the test. */
async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return "taken";
  } catch (error) {
    if (error instanceof FlycatcherError) return error.code;
    throw error;
  }
}

describe("damaged files are taken or refused with a code:", () => {
  it("recordings, as uploads are read, and no descriptor stays open", async () => {
    const random = new Random("mcap fuzz");
    const items = new RandomItems(new Random("mcap items"), "finite").series(20);
    const whole = await recordingOf(items, plainHeader(), { chunkBytes: 2000 });
    const limits = { records: 1000, chunks: 1000, unpackedBytes: 50_000_000 };
    const before = await descriptors();
    const outcomes = new Set<string>();
    for (let k = 0; k < deep(300, 1_000_000); k++) {
      const bytes = repeatedly(1 + random.integer(4), whole as Uint8Array, (file) => mutateBytes(file, random));
      const path = join(folder, "upload.mcap");
      writeFileSync(path, bytes);
      const outcome = await outcomeOf(() => checkedFactsOf({ path, limits }));
      expect(outcome).toMatch(/^(taken|FLY_RECORDING_[A-Z]+)$/);
      outcomes.add(outcome);
      if (k % 10 === 0) {
        await outcomeOf(async () => {
          const recording = await openRecording(bytes, formatHistory, limits);
          for await (const _item of recording.items());
        });
      }
    }
    expect(outcomes.size).toBeGreaterThan(2);
    expect(await descriptors()).toBeLessThanOrEqual(before);
  });

  it("positions to be imported", async () => {
    const random = new Random("csv fuzz");
    const rows = Array.from({ length: 30 }, (_, k) => `${k / 100},${5 - k / 20},0.1,${1.5 + k / 50}`);
    const csv = ["time,x,y,z", ...rows].join("\n");
    const json = JSON.stringify(
      rows.map((row) => ({ time: Number(row.split(",")[0]), position: row.split(",").slice(1).map(Number) })),
    );
    const tum = rows.map((row) => `${row.replaceAll(",", " ")} 0 0 0 1`).join("\n");
    const files = [
      ["a.csv", csv],
      ["a.json", json],
      ["a.tum", tum],
    ] as const;
    const odd = [...oddNumbers, "\u001b[2J", "1e15", '"', ";", "\t", "\r", "time", "1,2,3,4,5,6"];
    const outcomes = new Set<string>();
    for (let k = 0; k < deep(1000, 1_000_000); k++) {
      const [name, text] = pick(files, random);
      const changed = repeatedly(1 + random.integer(4), text, (file) => mutateText(file, random, odd));
      outcomes.add(await outcomeOf(() => readPoints(changed, name)));
    }
    for (const outcome of outcomes) expect(outcome).toMatch(/^(taken|FLY_(IMPORT|RECORDING|JSON|FILE)_[A-Z]+)$/);
    expect(outcomes.size).toBeGreaterThan(2);
  });

  it("profiles and settings, of which only what fits the schema comes into force", async () => {
    const random = new Random("config fuzz");
    const { token: _, ...service } = resolveConfig().service;
    const profile = { description: "a trial", extends: "serve", config: { ...resolveConfig(), service } };
    const path = join(folder, "profile.json");
    const keys = ["service.port", "planning.starts", "parts", "constructor", "__proto__.x", "service.token", "log", ""];
    for (let k = 0; k < deep(200, 1_000_000); k++) {
      const tree = repeatedly(random.integer(3), profile as unknown, (value) => mutateJson(value, random));
      const text = JSON.stringify(tree) ?? "";
      writeFileSync(path, random.integer(4) === 0 ? mutateText(text, random) : text);
      const overrides = random.integer(2) === 0 ? [] : [`${pick(keys, random)}=${pick(oddNumbers, random)}`];
      const outcome = await outcomeOf(() => {
        const config = resolveConfig({ profile: path, overrides });
        expect(findProblems(configSchema, config)).toEqual([]);
      });
      expect(outcome).toMatch(/^(taken|FLY_(CONFIG|PROFILE|JSON|FILE)_[A-Z_]+)$/);
    }
    expect(Object.prototype).not.toHaveProperty("x");
  });
});
