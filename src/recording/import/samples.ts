import { FlycatcherError } from "../../runtime/errors.js";

/** One row of a file: where something was at a time, in the file's own units and frame. */
export interface Sample {
  /** Place in the file for error messages: a line, or the index of an entry; from 1. */
  readonly line: number;
  /** In the file's unit. */
  readonly time: number;
  /** Which of several bodies; "" if the file tells none apart. */
  readonly marker: string;
  /** x, y, z in the file's unit and frame; null where it was not seen. */
  readonly position: readonly [number, number, number] | null;
}

/** What a file holds. */
export interface SampleTable {
  readonly samples: readonly Sample[];
  /** Units that the file's own column names tell; null where they do not. */
  readonly timeUnit: TimeUnit | null;
  readonly lengthUnit: LengthUnit | null;
}

/** Seconds in each unit. */
export const timeUnits = { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 } as const;
export type TimeUnit = keyof typeof timeUnits;
/** Metres in each unit. */
export const lengthUnits = { m: 1, cm: 1e-2, mm: 1e-3, um: 1e-6, in: 0.0254, ft: 0.3048 } as const;
export type LengthUnit = keyof typeof lengthUnits;

/** Bad lines that are told; a file of another kind has thousands. */
const TOLD = 8;

/** Something in a file that cannot be understood. */
interface BadLine {
  readonly line: number;
  readonly column: string;
  readonly expected: string;
  readonly found: string;
}

/** Gathers what is wrong with a file, so that a person sees all of it at once. */
export class BadLines {
  readonly #file: string;
  readonly #bad: BadLine[] = [];
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** @param column Its name or number. */
  add(line: number, column: string, expected: string, found: string): void {
    this.#count++;
    if (this.#bad.length < TOLD) this.#bad.push({ line, column, expected, found });
  }

  /** Throws if there was anything. */
  refuse(): void {
    const [first, ...others] = this.#bad;
    if (first === undefined) return;
    const more = others.map(({ line, column, found }) => `line ${line}, column ${column}: ${found}`);
    if (this.#count > this.#bad.length) more.push(`${this.#count - this.#bad.length} more`);
    const also = more.length === 0 ? "" : `; also ${more.join("; ")}`;
    throw new FlycatcherError("FLY_IMPORT_LINE", `${this.#count} fields cannot be understood`, {
      path: `${this.#file}, line ${first.line}, column ${first.column}`,
      expected: first.expected,
      found: `${first.found}${also}`,
    });
  }
}

/** Text of a field for a message: short, and clearly bounded. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text);
}

const missing = new Set(["", "nan", "na", "null", "none", "-"]);

/** A number, null for a sample that was not seen, undefined for anything else. */
export function parseNumber(text: string): number | null | undefined {
  const trimmed = text.trim();
  if (missing.has(trimmed.toLowerCase())) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}
