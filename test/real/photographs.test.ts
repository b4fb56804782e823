import { describe, expect, it } from "vitest";
import { type LabelBox, matchCircles, overlapOf } from "../../bench/real/label-match.js";
import { type Photograph, parseLabels, splitPhotographs } from "../../bench/real/photograph-set.js";
import { curveOf, pointAt } from "../../bench/real/recall-curve.js";
import { readTar } from "../../bench/real/tar.js";

const [width, height] = [608, 800];
const label: LabelBox = { left: 100, top: 200, right: 120, bottom: 220 };

describe("labels of photographs", () => {
  it("are boxes of class 0, in pixels whose centres are whole numbers", () => {
    const text = "0 0.5 0.25 0.1 0.05\n2 0.1 0.1 0.1 0.1\n\n0 broken\n";
    const [box, ...others] = parseLabels(text, 600, 800);
    expect(others).toEqual([]);
    expect(box!.left).toBeCloseTo(269.5, 9);
    expect(box!.right).toBeCloseTo(329.5, 9);
    expect(box!.top).toBeCloseTo(179.5, 9);
    expect(box!.bottom).toBeCloseTo(219.5, 9);
  });

  it("are found by circles of their size and place, and by no others", () => {
    expect(overlapOf(label, { u: 110, v: 210, r: 10 }, width, height)).toBeCloseTo(1, 9);
    expect(overlapOf(label, { u: 110, v: 210, r: 8 }, width, height)).toBeCloseTo(0.64, 9);
    const found = (circle: { u: number; v: number; r: number }) => matchCircles([label], [circle], width, height)[0];
    expect(found({ u: 111, v: 209, r: 7 })).toBe(0);
    expect(found({ u: 110, v: 210, r: 5 })).toBe(-1);
    expect(found({ u: 110, v: 210, r: 20 })).toBe(-1);
    expect(found({ u: 117, v: 210, r: 10 })).toBe(-1);
    expect(found({ u: Number.NaN, v: 210, r: 10 })).toBe(-1);
  });

  it("of a ball that the border cuts are compared with what is seen of the circle", () => {
    // A cap of 40 px height: its chord is narrower than the circle.
    const half = Math.sqrt(70 ** 2 - 30 ** 2);
    const cap = { left: 300 - half, top: 759.5, right: 300 + half, bottom: 799.5 };
    expect(overlapOf(cap, { u: 300, v: 829.5, r: 70 }, width, height)).toBeCloseTo(1, 9);
  });

  it("go to the circle that overlaps them most, each once", () => {
    const circles = [
      { u: 110, v: 210, r: 8 },
      { u: 110, v: 210, r: 10 },
      { u: 400, v: 400, r: 10 },
    ];
    expect(matchCircles([label], circles, width, height)).toEqual([-1, 0, -1]);
    expect(matchCircles([label, label], circles, width, height)).toEqual([1, 0, -1]);
  });
});

describe("curves of recall", () => {
  it("count circles from the best score down", () => {
    const circles = [
      { score: 0.5, isBall: true },
      { score: 0.9, isBall: true },
      { score: 0.7, isBall: false },
      { score: 0.5, isBall: false },
    ];
    const curve = curveOf(circles, 4, 2);
    expect(pointAt(curve, 0)).toEqual({ falsePerImage: 0, recall: 0.25 });
    expect(pointAt(curve, 0.5)).toEqual({ falsePerImage: 0, recall: 0.25 });
    expect(pointAt(curve, 1)).toEqual({ falsePerImage: 1, recall: 0.5 });
    expect(pointAt(curve, Number.NaN).recall).toBe(0);
  });
});

describe("the set of photographs", () => {
  it("is halved by lot, the same for the same seed", () => {
    const image = { width: 1, height: 1, order: "rgb", pixels: new Uint8Array(3) } as const;
    const all: Photograph[] = Array.from({ length: 21 }, (_, n) => ({ name: `${n}`, image, balls: [] }));
    const { tuning, report } = splitPhotographs(all, 1);
    expect([tuning.length, report.length]).toEqual([10, 11]);
    expect(new Set([...tuning, ...report].map(({ name }) => name)).size).toBe(21);
    expect(splitPhotographs(all, 1)).toEqual({ tuning, report });
    expect(splitPhotographs(all, 2).tuning).not.toEqual(tuning);
  });

  it("is read from the plain files of a tar archive", () => {
    const archive = Buffer.alloc(512 * 5);
    const header = (at: number, name: string, size: number, kind: string): void => {
      archive.write(name, at);
      archive.write(size.toString(8).padStart(11, "0"), at + 124);
      archive.write(kind, at + 156);
    };
    header(0, "folder/", 0, "5");
    header(512, "folder/a.txt", 5, "0");
    archive.write("hello", 1024);
    const files = readTar(archive);
    expect([...files.keys()]).toEqual(["folder/a.txt"]);
    expect(Buffer.from(files.get("folder/a.txt")!).toString()).toBe("hello");
  });
});
