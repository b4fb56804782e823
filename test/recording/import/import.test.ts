import { describe, expect, it } from "vitest";
import { Random } from "../../../src/math/random.js";
import { parseAxes, parseFrame } from "../../../src/recording/import/file-frame.js";
import { type ImportOptions, type ImportSummary, importText } from "../../../src/recording/import/import-recording.js";
import type { ItemOf } from "../../../src/recording/recording.js";
import { MemorySink } from "../memory-sink.js";
import { readBack } from "../recordings.js";

interface Imported {
  readonly summary: ImportSummary;
  readonly items: readonly ItemOf<"points">[];
}

async function imported(text: string, file: string, options: ImportOptions = {}): Promise<Imported> {
  const sink = new MemorySink();
  const summary = await importText(text, file, sink, options);
  const { items, problems, header } = await readBack(sink.bytes());
  expect(problems).toEqual([]);
  expect(header.perception).toBe("points");
  return { summary, items: items as ItemOf<"points">[] };
}

/** Times, and positions as flat numbers. */
const seen = ({ items }: Imported): [number, readonly number[]][] =>
  items.map(({ exposureNs, position }) => [exposureNs, Array.from(position)]);

describe("importing CSV", () => {
  it("finds columns by their usual names and units by theirs", async () => {
    const text = "time_ms,marker,x_mm,y_mm,z_mm,residual\n1000,b,1,2,3,0\n1004,b,4,5,6,0\n";
    const result = await imported(text, "a.csv");
    expect(seen(result)).toEqual([
      [1e9, [0.001, 0.002, 0.003]],
      [1.004e9, [0.004, 0.005, 0.006]],
    ]);
    expect(result.summary).toMatchObject({ samples: 2, missing: 0, markers: ["b"], from: 1, to: 1.004, rate: 250 });
  });

  it("takes columns by name and number, semicolons, quotes, comments and Windows' line ends", async () => {
    const text = '# made by hand\r\n"the, time";TX;TY;TZ\r\n0;1;2;3\r\n"0.01";4;5;6\r\n\r\n';
    const options = { columns: { time: "the, time", x: "TX", y: "3", z: "TZ" } };
    expect(seen(await imported(text, "a.csv", options))).toEqual([
      [0, [1, 2, 3]],
      [1e7, [4, 5, 6]],
    ]);
  });

  it("takes files without a header", async () => {
    expect(seen(await imported("0.5,1,2,3\n0.54,4,5,6\n", "a.csv"))).toEqual([
      [5e8, [1, 2, 3]],
      [5.4e8, [4, 5, 6]],
    ]);
  });

  it("keeps times at which nothing was seen, and joins markers seen at the same time", async () => {
    const text = "t,ball,x,y,z\n0,a,1,1,1\n0,b,2,2,2\n0.01,a,,NaN,1\n0.02,b,3,3,3\n";
    const result = await imported(text, "a.csv");
    expect(seen(result)).toEqual([
      [0, [1, 1, 1, 2, 2, 2]],
      [1e7, []],
      [2e7, [3, 3, 3]],
    ]);
    expect(result.summary).toMatchObject({ samples: 4, missing: 1, markers: ["a", "b"] });
  });

  it("takes rates from 25 to 500 Hz, as irregular as they come, to the nanosecond", async () => {
    const random = new Random("irregular");
    let time = 3.86;
    const rows = Array.from({ length: 200 }, () => {
      time += random.uniformIn(0.002, 0.04);
      return { time: time.toFixed(6), x: random.normal().toFixed(6) };
    });
    const text = `t,x,y,z\n${rows.map(({ time: t, x }) => `${t},${x},0,1`).join("\n")}`;
    const { items } = await imported(text, "a.csv");
    expect(items.map(({ exposureNs }) => exposureNs)).toEqual(
      rows.map(({ time: t }) => Number(t.replace(".", "")) * 1e3),
    );
    expect(items.map(({ position }) => position[0])).toEqual(rows.map(({ x }) => Number(x)));
  });

  it("takes chosen markers alone", async () => {
    const text = "t,marker,x,y,z\n0,a,1,1,1\n0.01,b,2,2,2\n0.02,a,3,3,3\n";
    expect(seen(await imported(text, "a.csv", { markers: ["a"] }))).toEqual([
      [0, [1, 1, 1]],
      [2e7, [3, 3, 3]],
    ]);
  });

  it("counts from the first sample where times are since 1970", async () => {
    const { items, summary } = await imported("t,x,y,z\n1763300000.25,1,2,3\n1763300000.29,1,2,3\n", "a.csv");
    // A double tells such times to a quarter of a microsecond.
    expect(items[0]!.exposureNs).toBe(0);
    expect(Math.abs(items[1]!.exposureNs - 4e7)).toBeLessThan(250);
    expect(summary.zero).toBe(1763300000.25);
  });

  it("says line and column of everything it does not understand", async () => {
    const text = "t,x,y,z\n0,1,2,3\n0.01,abc,2,3\n0.02,1,2\n0.03,1,2,0x\n,1,2,3\n";
    const error = importText(text, "a.csv", new MemorySink());
    await expect(error).rejects.toMatchObject({
      code: "FLY_IMPORT_LINE",
      details: { path: "a.csv, line 3, column 2 (x)", expected: "a number" },
    });
    await expect(error).rejects.toThrow(
      /4 fields.*"abc".*line 4, column 4: 3.*line 5, column 4 \(z\): "0x".*line 6, column 1/,
    );
  });

  it.each([
    ["no column", "a,b,c\n1,2,3\n", {}, "FLY_IMPORT_COLUMN"],
    ["a column that is not there", "t,x,y,z\n0,1,2,3\n", { columns: { x: "TX" } }, "FLY_IMPORT_COLUMN"],
    ["nothing", "", {}, "FLY_IMPORT_NOTHING"],
    ["a header alone", "t,x,y,z\n", {}, "FLY_IMPORT_NOTHING"],
    ["no position at all", "t,x,y,z\n0,,,\n", {}, "FLY_IMPORT_NOTHING"],
    ["a marker that is not there", "t,marker,x,y,z\n0,a,1,2,3\n", { markers: ["b"] }, "FLY_IMPORT_NOTHING"],
    ["times that fall", "t,x,y,z\n0,1,2,3\n0.1,1,2,3\n0.05,1,2,3\n", {}, "FLY_IMPORT_TIME"],
    ["a time twice", "t,x,y,z\n0,1,2,3\n0,1,2,3\n", {}, "FLY_IMPORT_TIME"],
    ["milliseconds taken for seconds", "t,x,y,z\n0,1,2,3\n40,1,2,3\n80,1,2,3\n", {}, "FLY_IMPORT_TIME"],
    ["an accuracy of zero", "t,x,y,z\n0,1,2,3\n", { sigma: 0 }, "FLY_IMPORT_OPTION"],
    ["an accuracy that is no number", "t,x,y,z\n0,1,2,3\n", { sigma: Number.NaN }, "FLY_IMPORT_OPTION"],
    ["a latency below zero", "t,x,y,z\n0,1,2,3\n", { latency: -1 }, "FLY_IMPORT_OPTION"],
  ])("refuses %s", async (_, text, options, code) => {
    await expect(importText(text, "a.csv", new MemorySink(), options)).rejects.toMatchObject({ code });
  });
});

describe("importing TUM poses", () => {
  it("takes the translation and passes over comments", async () => {
    const text = "# timestamp tx ty tz qx qy qz qw\n1.5 1 2 3 0 0 0 1\n1.52 4 5 6 0 0.6 0 0.8\n";
    expect(seen(await imported(text, "a.tum"))).toEqual([
      [1.5e9, [1, 2, 3]],
      [1.52e9, [4, 5, 6]],
    ]);
  });

  it.each([
    ["1 2 3 4\n", "line 1, column 5"],
    ["0 1 2 3 0 0 0 1\n1 1 x 3 0 0 0 1\n", "line 2, column 3 (y)"],
    ["0 1 2 3 0 0 0 9\n", "line 1, column 5 to 8"],
  ])("refuses %j", async (text, place) => {
    await expect(importText(text, "a.txt", new MemorySink())).rejects.toThrow(place);
  });
});

describe("importing JSON", () => {
  it.each([
    ["[[0, 1, 2, 3], [0.02, null, 5, 6]]"],
    ['{"samples": [{"t": 0, "x": 1, "y": 2, "z": 3}, {"t": 0.02, "x": null, "y": 5, "z": 6}]}'],
    ['[{"time": 0, "position": [1, 2, 3]}, {"time": 0.02, "position": null}]'],
  ])("takes %s", async (text) => {
    expect(seen(await imported(text, "a.json"))).toEqual([
      [0, [1, 2, 3]],
      [2e7, []],
    ]);
  });

  it.each([
    ["{", "FLY_JSON_MALFORMED"],
    ["3", "FLY_IMPORT_LINE"],
    ['{"rows": []}', "FLY_IMPORT_LINE"],
    ["[[0, 1, 2]]", "FLY_IMPORT_LINE"],
    ['[{"t": "now", "x": 1, "y": 2, "z": 3}]', "FLY_IMPORT_LINE"],
    ['[[0, 1, 2, 3], "next"]', "FLY_IMPORT_LINE"],
  ])("refuses %s", async (text, code) => {
    await expect(importText(text, "a.json", new MemorySink())).rejects.toMatchObject({ code });
  });
});

describe("the frame of a file", () => {
  it("is turned, mirrored and moved into the world", async () => {
    // A file with y up and z towards the thrower, a quarter turned about the vertical and 1 m to the left.
    const frame = { axes: parseAxes("z,x,y"), scale: 1, worldFromFile: parseFrame(`0,1,0.5,0,0,${Math.PI / 2}`) };
    const { items } = await imported("t,x,y,z\n0,10,20,30\n", "a.csv", { lengthUnit: "cm", frame });
    const [x, y, z] = items[0]!.position;
    expect(x).toBeCloseTo(-0.1, 12);
    expect(y).toBeCloseTo(1.3, 12);
    expect(z).toBeCloseTo(0.7, 12);
  });

  it.each(["x,y", "x,x,z", "a,b,c", "x;y;z"])("refuses the axes %s", (text) => {
    expect(() => parseAxes(text)).toThrow(expect.objectContaining({ code: "FLY_IMPORT_OPTION" }));
  });

  it.each(["1,2", "1,2,3,4", "1,,3", "1,2,x", "1,2,3,0,0,Infinity"])("refuses the pose %s", (text) => {
    expect(() => parseFrame(text)).toThrow(expect.objectContaining({ code: "FLY_IMPORT_OPTION" }));
  });
});

describe("thinning", () => {
  it("keeps the first time of each period, whatever the rounding, and numbers anew", async () => {
    const rows = Array.from({ length: 61 }, (_, k) => `${(1 + k / 300).toFixed(6)},${k},0,1`);
    const sink = new MemorySink();
    const summary = await importText(`t,x,y,z\n${rows.join("\n")}\n`, "fast.csv", sink, { rate: 25 });
    expect(summary).toMatchObject({ samples: 61, times: 6 });
    expect(summary.rate).toBeCloseTo(25, 3);
  });

  it("refuses a rate that is none", async () => {
    const text = "t,x,y,z\n0,1,2,3\n0.1,1,2,3\n";
    await expect(importText(text, "a.csv", new MemorySink(), { rate: 0 })).rejects.toThrow(/--rate/);
  });
});
