import type { LogLine } from "../../../src/messages/system.js";

/** Lines that the page keeps; older ones are forgotten. */
export const MOST_LINES = 2000;

export const levels = ["debug", "info", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** What is shown of a log: from which node, from which level on, and with which words. */
export interface LogFilter {
  /** "" for all. */
  readonly source: string;
  readonly level: Level;
  readonly search: string;
}

/** Whether a line is shown. Words are found in any case, each anywhere in the line. */
export function matches({ severity, source, code, text }: LogLine, filter: LogFilter): boolean {
  if (filter.source !== "" && source !== filter.source) return false;
  if (levels.indexOf(severity) < levels.indexOf(filter.level)) return false;
  const line = `${source} ${code} ${text}`.toLowerCase();
  return filter.search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
}

/** The newest lines of a log. */
export class LogLines {
  #lines: LogLine[] = [];
  /** Lines that have come, those forgotten among them. */
  #count = 0;
  /** How often the log has begun. */
  generation = 0;

  /** The log begins with these. */
  reset(lines: readonly LogLine[]): void {
    this.#lines = lines.slice(-MOST_LINES);
    this.#count = this.#lines.length;
    this.generation++;
  }

  add(line: LogLine): void {
    this.#lines.push(line);
    this.#count++;
    if (this.#lines.length > 1.2 * MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
  }

  get count(): number {
    return this.#count;
  }

  /** Those that came after the first `count`, as far as they are kept. */
  since(count: number): readonly LogLine[] {
    const missing = Math.max(0, this.#count - count);
    return missing === 0 ? [] : this.#lines.slice(-Math.min(missing, MOST_LINES));
  }

  /** Where lines come from, in the order of the alphabet. */
  get sources(): string[] {
    return [...new Set(this.#lines.map(({ source }) => source))].sort();
  }
}
