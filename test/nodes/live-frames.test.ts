import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LiveFrames } from "../../src/nodes/live-frames.js";
import { eventually } from "../support/eventually.js";
import { gdpCaps, gdpFrame } from "../support/gdp.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-live-frames-"));
afterAll(() => rmSync(folder, { recursive: true }));

const base = baseTime();

/** A program that sends images of one brightness each, stamped from the same zero on. */
function sending(name: string, frames: readonly (readonly [stampNs: number, gray: number])[]): string {
  const file = join(folder, name);
  const bytes = frames.map(([stampNs, gray]) => gdpFrame(new Uint8Array(8).fill(gray), stampNs));
  writeFileSync(file, Buffer.concat([gdpCaps("GRAY8", 4, 2), ...bytes]));
  return `echo "base_time ${base}" >&2; sleep 0.2; cat ${file}; sleep 600`;
}

/** This second, on the machine's monotonic clock, as GStreamer writes it. */
function baseTime(): string {
  const seconds = Number(process.hrtime.bigint() / 1_000_000_000n);
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000000000`;
}

describe("LiveFrames", () => {
  it("gives each camera's frame of the newest moment that all have", async () => {
    const live = await LiveFrames.open([
      sending("one", [
        [0, 10],
        [40e6, 20],
        [80e6, 30],
      ]),
      sending("other", [
        [1e6, 110],
        [41e6, 120],
      ]),
    ]);
    await eventually(() => live.newest()[0]?.pixels[0] === 20);
    expect(live.newest().map(({ camera, pixels }) => [camera, pixels[0]])).toEqual([
      [0, 20],
      [1, 120],
    ]);
    expect(live.cameras).toEqual([
      { width: 4, height: 2 },
      { width: 4, height: 2 },
    ]);
    live.close();
  });

  it("says which camera does not send, and what its program complains about", async () => {
    const good = sending("good", [[0, 1]]);
    const opening = LiveFrames.open([good, "echo no such device >&2; exit 3"]);
    await expect(opening).rejects.toMatchObject({
      code: "FLY_CAMERA",
      details: { found: "no such device" },
    });
  });
});
