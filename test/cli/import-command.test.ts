import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { runCli } from "../../src/cli/program.js";
import { openRecording } from "../../src/recording/format/open-recording.js";

const folder = mkdtempSync(join(tmpdir(), "flycatcher-import-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

/** Runs the command line; what it printed, and its exit code. */
async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: "", err: "" };
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.err += String(text);
    return true;
  });
  const code = await runCli(["node", "flycatcher", ...words]);
  return { code, ...written };
}

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
    const { code, out } = await run("import", csv, target, ...columns, ...units, ...ball, "--title", "two samples");
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

  it("prints JSON for machines", async () => {
    const json = file("a.json", "[[0, 1, 2, 3], [0.02, 4, 5, 6]]");
    const { out } = await run("import", json, join(folder, "a.mcap"), "--json");
    expect(JSON.parse(out)).toMatchObject({ samples: 2, rate: 50 });
  });

  it.each([
    [["--sigma", "wide"], "a number"],
    [["--ball-mass", "0"], "above 0"],
    [["--axes", "x,y"], "x, y, z"],
  ])("refuses %j", async (words, expected) => {
    const csv = file("b.csv", "t,x,y,z\n0,1,2,3\n");
    const { code, err } = await run("import", csv, join(folder, "b.mcap"), ...words);
    expect(code).toBe(1);
    expect(err).toContain("FLY_IMPORT_OPTION");
    expect(err).toContain(expected);
  });

  it.each([
    [["--unit", "inch"], "one of m, cm, mm"],
    [["--format", "cvs"], "one of csv, json, tum. Did you mean csv?"],
  ])("does not understand %j", async (words, expected) => {
    const { code, err } = await run("import", "a.csv", join(folder, "b.mcap"), ...words);
    expect(code).toBe(2);
    expect(err).toContain(expected);
    expect(err).toContain("See `flycatcher import --help`.");
  });

  it("says where a file is wrong and leaves no recording", async () => {
    const csv = file("c.csv", "t,x,y,z\n0,1,2,three\n");
    const target = join(folder, "c.mcap");
    const { code, err } = await run("import", csv, target);
    expect(code).toBe(1);
    expect(err).toContain("line 2, column 4 (z)");
    expect(() => readFileSync(target)).toThrow();
  });
});
