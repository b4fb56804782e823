import { BadLines, parseNumber, type Sample, type SampleTable, shown } from "./samples.js";

/** Columns of the format of TUM's RGB-D data sets: a pose a line, translation and unit quaternion. */
const columns = ["t", "x", "y", "z", "qx", "qy", "qz", "qw"] as const;

/** A pose whose quaternion differs more from length 1 is no pose: the columns are others. */
const QUATERNION_TOLERANCE = 0.05;

/** Samples of a TUM pose file: `t x y z qx qy qz qw`, separated by blanks, # before comments; seconds and metres. */
export function readTum(text: string, file: string): SampleTable {
  const bad = new BadLines(file);
  const samples = text.split(/\r\n|\n|\r/).flatMap((content, k) => {
    const line = k + 1;
    const fields = content.trim().split(/\s+/);
    if (fields[0] === "" || fields[0]!.startsWith("#")) return [];
    if (fields.length !== columns.length) {
      const column = String(Math.min(fields.length, columns.length) + 1);
      bad.add(line, column, `${columns.length} numbers: ${columns.join(" ")}`, String(fields.length));
      return [];
    }
    return sampleOf(fields, line, bad);
  });
  bad.refuse();
  return { samples, timeUnit: "s", lengthUnit: "m" };
}

function sampleOf(fields: readonly string[], line: number, bad: BadLines): Sample[] {
  const values = fields.map(parseNumber);
  for (const [k, value] of values.entries()) {
    const isMissing = value === null && k > 0;
    if (value === undefined || (value === null && !isMissing)) {
      bad.add(line, `${k + 1} (${columns[k]})`, "a number", shown(fields[k]!));
    }
  }
  const [time, x, y, z, ...quaternion] = values.map((value) => value ?? null);
  if (typeof time !== "number") return [];
  const norm = Math.hypot(...quaternion.map((value) => value ?? Number.NaN));
  if (Math.abs(norm - 1) > QUATERNION_TOLERANCE) {
    bad.add(line, "5 to 8 (qx qy qz qw)", "a quaternion of length 1", norm.toFixed(3));
  }
  const isSeen = typeof x === "number" && typeof y === "number" && typeof z === "number";
  return [{ line, time, marker: "", position: isSeen ? [x, y, z] : null }];
}
