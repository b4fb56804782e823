import { FlycatcherError } from "../../runtime/errors.js";
import {
  BadLines,
  type LengthUnit,
  lengthUnits,
  parseNumber,
  type Sample,
  type SampleTable,
  shown,
  type TimeUnit,
  timeUnits,
} from "./samples.js";

/** Names that columns have, without case and without their unit. */
const usualNames = {
  time: ["time", "t", "timestamp", "stamp", "seconds"],
  x: ["x", "px", "pos_x", "position_x", "x_position"],
  y: ["y", "py", "pos_y", "position_y", "y_position"],
  z: ["z", "pz", "pos_z", "position_z", "z_position"],
  marker: ["marker", "ball", "body", "id", "track", "label"],
} as const;

type Role = keyof typeof usualNames;

/** Columns of a CSV file by name or by number from 1; those left out are found by their usual names. */
export type ColumnChoice = Readonly<Partial<Record<Role, string>>>;

interface Column {
  readonly index: number;
  readonly name: string;
}

/**
 * Samples of a CSV file: a header with the columns' names, or none and the columns time, x, y, z. Separated by commas,
 * semicolons or tabs; lines that begin with # are comments. Fields without a value are samples that were not seen.
 */
export function readCsv(text: string, file: string, choice: ColumnChoice = {}): SampleTable {
  const lines = text.split(/\r\n|\n|\r/).map((content, k) => ({ content, line: k + 1 }));
  const filled = lines.filter(({ content }) => content.trim() !== "" && !content.startsWith("#"));
  const [first] = filled;
  if (first === undefined) return { samples: [], timeUnit: null, lengthUnit: null };
  const separator = separatorOf(first.content);
  const names = splitLine(first.content, separator);
  const hasHeader = names.some((name) => parseNumber(name) === undefined);
  const columns = hasHeader ? namedColumns(names, file, choice) : numberedColumns(names.length, file, choice);
  const bad = new BadLines(file);
  const rows = hasHeader ? filled.slice(1) : filled;
  const samples = rows.flatMap(({ content, line }) => {
    const fields = splitLine(content, separator);
    if (fields.length === names.length) return sampleOf(fields, line, columns, bad);
    bad.add(line, String(Math.min(fields.length, names.length) + 1), `${names.length} fields`, `${fields.length}`);
    return [];
  });
  bad.refuse();
  return {
    samples,
    timeUnit: unitOf(columns.time.name, timeUnits),
    lengthUnit: unitOf(columns.x.name, lengthUnits),
  };
}

type Columns = Readonly<Record<Exclude<Role, "marker">, Column>> & { readonly marker: Column | null };

function sampleOf(fields: readonly string[], line: number, columns: Columns, bad: BadLines): Sample[] {
  const numberAt = ({ index, name }: Column): number | null => {
    const value = parseNumber(fields[index]!);
    if (value === undefined) bad.add(line, `${index + 1} (${name})`, "a number", shown(fields[index]!));
    return value ?? null;
  };
  const time = numberAt(columns.time);
  if (time === null) {
    if (parseNumber(fields[columns.time.index]!) === null) {
      bad.add(line, `${columns.time.index + 1} (${columns.time.name})`, "a time", "nothing");
    }
    return [];
  }
  const [x, y, z] = [numberAt(columns.x), numberAt(columns.y), numberAt(columns.z)];
  const marker = columns.marker === null ? "" : fields[columns.marker.index]!.trim();
  return [{ line, time, marker, position: x === null || y === null || z === null ? null : [x, y, z] }];
}

function separatorOf(line: string): string {
  const counts = [",", ";", "\t"].map((separator) => ({ separator, count: line.split(separator).length }));
  counts.sort((a, b) => b.count - a.count);
  return counts[0]!.separator;
}

/** Fields of a line; quotes keep separators, doubled quotes are quotes. */
function splitLine(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  let field = "";
  let isQuoted = false;
  for (let k = 0; k < line.length; k++) {
    const character = line[k]!;
    if (character === '"') {
      if (isQuoted && line[k + 1] === '"') field += line[++k];
      else isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      fields.push(field.trim());
      field = "";
    } else field += character;
  }
  return [...fields, field.trim()];
}

function namedColumns(names: readonly string[], file: string, choice: ColumnChoice): Columns {
  const require = (role: Exclude<Role, "marker">): Column => {
    const column = findColumn(names, role, choice[role]);
    if (column !== null) return column;
    throw missingColumn(file, role, choice[role], names);
  };
  const marker = findColumn(names, "marker", choice.marker);
  if (marker === null && choice.marker !== undefined) throw missingColumn(file, "marker", choice.marker, names);
  return { time: require("time"), x: require("x"), y: require("y"), z: require("z"), marker };
}

function findColumn(names: readonly string[], role: Role, given: string | undefined): Column | null {
  const index =
    given === undefined
      ? names.findIndex((name) => (usualNames[role] as readonly string[]).includes(withoutUnit(name)))
      : Math.max(names.indexOf(given), names.includes(given) ? -1 : Number(given) - 1);
  const name = names[index];
  return name === undefined ? null : { index, name };
}

function numberedColumns(count: number, file: string, choice: ColumnChoice): Columns {
  const columnAt = (role: Exclude<Role, "marker">, usual: number): Column => {
    const index = choice[role] === undefined ? usual : Number(choice[role]) - 1;
    if (Number.isInteger(index) && index >= 0 && index < count) return { index, name: role };
    throw missingColumn(file, role, choice[role], [`${count} columns without names`]);
  };
  const marker = choice.marker === undefined ? null : { index: Number(choice.marker) - 1, name: "marker" };
  if (marker !== null && !(marker.index >= 0 && marker.index < count)) {
    throw missingColumn(file, "marker", choice.marker, [`${count} columns without names`]);
  }
  return { time: columnAt("time", 0), x: columnAt("x", 1), y: columnAt("y", 2), z: columnAt("z", 3), marker };
}

function missingColumn(file: string, role: Role, given: string | undefined, names: readonly string[]): FlycatcherError {
  return new FlycatcherError("FLY_IMPORT_COLUMN", `no column for ${role}`, {
    path: file,
    expected: given === undefined ? `a column named ${usualNames[role].join(", ")}` : shown(given),
    found: names.join(", "),
  });
}

/** Of x_mm, "x [mm]" and "x (mm)": x. */
function withoutUnit(name: string): string {
  return name
    .toLowerCase()
    .replace(/(_|\s+|\s*[[(])(ns|us|ms|s|um|mm|cm|m|in|ft)[\])]?$/, "")
    .trim();
}

/** Of x_mm, "x [mm]" and "x (mm)": mm. */
function unitOf<Unit extends LengthUnit | TimeUnit>(name: string, units: Readonly<Record<Unit, number>>): Unit | null {
  const unit = /[_ [(](\w+)[\])]?$/.exec(name.toLowerCase())?.[1];
  return unit !== undefined && Object.hasOwn(units, unit) ? (unit as Unit) : null;
}
