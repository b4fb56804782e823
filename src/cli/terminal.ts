import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { InvalidArgumentError } from "commander";
import type { Quantiles, Rate } from "../messages/session.js";
import { colour } from "../runtime/colours.js";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import { printable } from "../runtime/printable-text.js";

const WIDTH = 30;

/** A bar that fills while a command works, on stderr and only in a terminal. */
export class ProgressBar {
  readonly #label: string;
  readonly #out: NodeJS.WriteStream;
  #shown = "";

  constructor(label: string, out: NodeJS.WriteStream = process.stderr) {
    this.#label = label;
    this.#out = out;
  }

  /** Shows the share done, from 0 to 1, and what is being done. */
  show(share: number, work = ""): void {
    if (!this.#out.isTTY) return;
    const filled = Math.round(WIDTH * share);
    const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
    const text = `${this.#label} ${bar} ${String(Math.floor(100 * share)).padStart(3)} %  ${work}`;
    const line = text.slice(0, (this.#out.columns ?? 80) - 1).trimEnd();
    if (line === this.#shown) return;
    this.#shown = line;
    this.#out.write(`\r${line}\u001b[K`);
  }

  /** Wipes the bar away. */
  clear(): void {
    if (this.#out.isTTY && this.#shown !== "") this.#out.write("\r\u001b[K");
  }
}

/** Does some work with a bar that shows how much of it is done. */
export async function withProgress<T>(label: string, work: (show: (share: number) => void) => T): Promise<Awaited<T>> {
  const bar = new ProgressBar(label);
  try {
    return await work((share) => bar.show(share));
  } finally {
    bar.clear();
  }
}

const signals = ["SIGINT", "SIGTERM"] as const;

/** Waits for the first interruption, in which `first` is called at once; a second one ends the process. */
export function interruption(first: () => void = () => undefined): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      first();
      for (const name of signals) process.off(name, onSignal).once(name, () => process.exit(1));
      resolve(signal);
    };
    for (const name of signals) process.on(name, onSignal);
  });
}

/** How long an end may take [ms]. */
const END_MS = 3000;

/** Waits for an end, but no longer than 3 s: what hangs then is cut off with the process. */
export async function endInTime(ending: Promise<unknown>): Promise<void> {
  const patience = setTimeout(() => {
    process.stderr.write(`The end took longer than ${END_MS / 1000} s: what was left is cut off.\n`);
    process.exit(1);
  }, END_MS);
  await ending;
  clearTimeout(patience);
}

/** A table: the first column to the left, the others to the right, two spaces between. Cells may be coloured. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, k) => Math.max(title.length, ...rows.map((row) => shownWidth(row[k] ?? ""))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, k) => {
        const space = " ".repeat(widths[k]! - shownWidth(cell));
        return k === 0 ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd();
  return [colour("heading", line(header)), ...rows.map(line)].join("\n");
}

/** Columns that a text takes in a terminal: colours take none. */
function shownWidth(text: string): number {
  return stripVTControlCharacters(text).length;
}

/** Lines of a name and what belongs to it, one below the other. */
export function formatRows(rows: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${colour("secondary", name.padEnd(width))}  ${value}`).join("\n");
}

/** What became of a ball, in its colour. */
export function colourOutcome(outcome: string): string {
  const word = outcome.trimEnd();
  return colour(word === "caught" ? "good" : word.startsWith("no") ? "doubtful" : "bad", outcome);
}

/** A rate with its 95 % interval. */
export function formatRate({ count, of, rate, low, high }: Rate): string {
  if (rate === null) return "none";
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return `${count} of ${of}: ${percent(rate)} (95 %: ${percent(low)} to ${percent(high)})`;
}

/** Median, 95th percentile and worst, with so many digits behind the point. */
export function formatQuantiles(values: Quantiles | null, unit: string, digits = 2): string {
  if (values === null) return "none";
  const { p50, p95, max } = values;
  return `p50 ${p50.toFixed(digits)} ${unit}, p95 ${p95.toFixed(digits)} ${unit}, worst ${max.toFixed(digits)} ${unit}`;
}

/** One line, or several, to stdout. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** Options that are texts as they were written, or not there. */
export type TextOptions<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** Reads an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/**
 * The value of an option that has one of several names, undefined for one that was not given; else refused with the code and
 * message of `refusal`.
 */
export function oneOf<const Name extends string, Found extends string | undefined>(
  found: Found,
  names: readonly Name[],
  path: string,
  [code, message]: readonly [code: ErrorCode, message: string],
): Name | Extract<Found, undefined> {
  if (found === undefined) return found as Extract<Found, undefined>;
  const text: string = found;
  const name = names.find((candidate) => candidate === text);
  if (name !== undefined) return name;
  throw new FlycatcherError(code, message, {
    ...{ path, expected: names.join(", "), found: text },
    suggestion: didYouMean(text, names),
  });
}

export const HIGHEST_PORT = 65_535;
/** Most balls at a time that a command takes: beyond, hands and memory have long run out. */
export const MOST_BALLS = 16;

/** Reads an option that is a whole number from `least` to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = most < Number.MAX_SAFE_INTEGER ? ` from ${least} to ${most}` : least > 0 ? ` above ${least - 1}` : "";
  return (text) => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`expected a whole number${range}`);
  };
}

/** Writes a file that a user has named. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new FlycatcherError("FLY_FILE_UNWRITABLE", `the file cannot be written (${code})`, { path: file }, { cause });
  }
}
