import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { openRecording } from "../../src/recording/format/open-recording.js";
import { capturedRun } from "./captured-run.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-import-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("flycatcher import", () => {
  it("makes a recording, by the options given", async () => {
    const csv = file("vicon.csv", "Frame,Stamp,TX,TY,TZ\n1,0,100,0,1500\n2,10,200,0,1600\n");
    const target = join(folder, "vicon.mcap");
    const columns = ["--time", "Stamp", "--x", "TX", "--y", "TY", "--z", "TZ"];
    const units = ["--time-unit", "ms", "--unit", "mm", "--frame", "1,2,0", "--sigma", "0.01", "--latency-ms", "4"];
    const ball = ["--ball-diameter", "0.07", "--ball-mass", "0.06"];
    const { code, out } = await capturedRun(
      "import",
      csv,
      target,
      ...columns,
      ...units,
      ...ball,
      "--title",
      "two samples",
    );
    expect(code).toBe(0);
    expect(out).toContain("2 samples from 0.000 s to 0.010 s");
    const recording = await openRecording(target);
    expect(recording.header).toMatchObject({ title: "two samples", ball: { diameter: 0.07, mass: 0.06 }, robot: null });
    const items = [];
    for await (const item of recording.items()) items.push(item);
    await recording.close();
    expect(items).toMatchObject([
      { topic: "points", timeNs: 4e6, exposureNs: 0, position: Float64Array.of(1.1, 2, 1.5) },
      { topic: "points", timeNs: 14e6, exposureNs: 1e7, position: Float64Array.of(1.2, 2, 1.6) },
    ]);
  });

  it("keeps the ball, and the room's gravity in the world", async () => {
    const csv = file("tilted.csv", "t,x_in,y_in,z_in\n0,1,2,3\n0.01,4,5,6\n");
    const target = join(folder, "tilted.mcap");
    const frame = ["--axes", "x,z,-y", "--tilt", `${Math.PI / 2},0`, "--scale", "2", "--frame", "1,0,0"];
    const { code } = await capturedRun("import", csv, target, ...frame, "--gravity", "0.1,9.7,0", "--ball", "tennis");
    expect(code).toBe(0);
    const recording = await openRecording(target);
    const { header } = recording;
    expect(header.ball.diameter).toBe(0.067);
    // The axes make (0.1, 9.7, 0) into (0.1, 0, −9.7), a roll of 90° that into (0.1, 9.7, 0).
    const expected = [0.1, 9.7, 0];
    for (let n = 0; n < 3; n++) expect(header.tracker?.gravity?.[n]).toBeCloseTo(expected[n]!, 12);
    for await (const item of recording.items()) {
      if (item.topic !== "points" || item.exposureNs !== 0) continue;
      // (1, 2, 3) in becomes (1, 3, −2), then twice as long, then (1, 2, 3), then moved by a metre.
      const inches = [1, 2, 3];
      for (let n = 0; n < 3; n++) {
        expect(item.position[n]).toBeCloseTo(2 * 0.0254 * inches[n]! + (n === 0 ? 1 : 0), 12);
      }
    }
    await recording.close();
  });

  it("refuses a ball that is not known, with the nearest name", async () => {
    const csv = file("d.csv", "t,x,y,z\n0,1,2,3\n");
    const { code, err } = await capturedRun("import", csv, join(folder, "d.mcap"), "--ball", "tenis");
    expect(code).toBe(1);
    expect(err).toContain("FLY_BALL_UNKNOWN");
    expect(err).toContain("tennis");
  });

  it.each(["--ball-mass", "--ball-diameter", "--ball-drag"])("refuses %s of 0", async (option) => {
    const csv = file("d.csv", "t,x,y,z\n0,1,2,3\n");
    const { code, err } = await capturedRun("import", csv, join(folder, "d.mcap"), option, "0");
    expect(code).toBe(1);
    expect(err).toContain("FLY_BALL_OPTION");
    expect(err).toContain("above 0");
  });

  it("prints JSON for machines", async () => {
    const json = file("a.json", "[[0, 1, 2, 3], [0.02, 4, 5, 6]]");
    const { out } = await capturedRun("import", json, join(folder, "a.mcap"), "--json");
    expect(JSON.parse(out)).toMatchObject({ samples: 2, rate: 50 });
  });

  it.each([
    [["--sigma", "wide"], "a number"],
    [["--axes", "x,y"], "x, y, z"],
    [["--scale", "-1"], "above 0"],
    [["--tilt", "0.1"], "roll,pitch"],
    [["--gravity", "0,0"], "x,y,z [m/s²]"],
    [["--gravity", "0,0,-9810"], "less than 100"],
  ])("refuses %j", async (words, expected) => {
    const csv = file("b.csv", "t,x,y,z\n0,1,2,3\n");
    const { code, err } = await capturedRun("import", csv, join(folder, "b.mcap"), ...words);
    expect(code).toBe(1);
    expect(err).toContain("FLY_IMPORT_OPTION");
    expect(err).toContain(expected);
  });

  it.each([
    [["--unit", "inch"], "one of m, cm, mm, um, in, ft"],
    [["--format", "cvs"], "one of csv, json, tum. Did you mean csv?"],
  ])("does not understand %j", async (words, expected) => {
    const { code, err } = await capturedRun("import", "a.csv", join(folder, "b.mcap"), ...words);
    expect(code).toBe(2);
    expect(err).toContain(expected);
    expect(err).toContain("See `flycatcher import --help`.");
  });

  it("says where a file is wrong and leaves no recording", async () => {
    const csv = file("c.csv", "t,x,y,z\n0,1,2,three\n");
    const target = join(folder, "c.mcap");
    const { code, err } = await capturedRun("import", csv, target);
    expect(code).toBe(1);
    expect(err).toContain("line 2, column 4 (z)");
    expect(() => readFileSync(target)).toThrow();
  });
});
