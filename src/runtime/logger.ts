import { isatty } from "node:tty";
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from "pino";
import { colour } from "./colours.js";
import type { Config } from "./config-schema.js";
import { printable } from "./printable-text.js";

export type { Logger } from "pino";

/** The file descriptor of the standard error stream: the standard output stays free for results. */
const standardError = 2;

/** Never written, wherever in a log object they stand. */
const secrets = ["token", "*.token", "*.*.token", "req.headers.authorization", "headers.authorization"];

/**
 * The logger of a process or of a worker thread: JSON lines, or readable text on a terminal, on the standard error
 * stream. Writes are synchronous, so that the last words of a dying process are not lost and threads do not tear one
 * another's lines.
 * @param observe Gets each line that is written, too.
 */
export function createLogger(
  config: Config["log"],
  output?: DestinationStream,
  observe: (record: LogRecord) => void = () => undefined,
): Logger {
  const sink = output ?? destination({ dest: standardError, sync: true });
  const isTTY = output === undefined && isatty(standardError);
  const wantsText = config.format === "text" || (config.format === "auto" && isTTY);
  return pino(
    {
      level: config.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err },
      redact: { paths: secrets, censor: "***" },
    },
    {
      write: (line: string) => {
        sink.write(wantsText ? formatLogLine(line, isTTY ? colourLevel : (level) => level) : line);
        const record = parseRecord(line);
        if (record !== undefined) observe(record);
      },
    },
  );
}

/** The logger of one component, whose name stands in each of its lines. */
export function componentLogger(logger: Logger, component: string): Logger {
  return logger.child({ component });
}

/** What pino wrote, as far as the text format treats it on its own. */
export interface LogRecord {
  readonly time?: string;
  readonly level?: string;
  readonly component?: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly code?: string; readonly stack?: string };
  readonly [key: string]: unknown;
}

/**
 * A JSON log line as readable text:
 *
 *     12:34:56.789 WARN  service: port 8080 is taken, using 8081 host="127.0.0.1"
 *
 * Errors keep their stack, on indented lines below. A line that is not JSON passes as it is.
 */
export function formatLogLine(line: string, paint: (level: string) => string = (level) => level): string {
  const record = parseRecord(line);
  if (record === undefined) return line;
  const { time = "", level = "", component, msg = "", err, ...rest } = record;
  const clock = time.slice("2000-01-01T".length, -1);
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const head = [
    clock,
    paint(level.toUpperCase().padEnd(5)),
    component === undefined ? "" : `${component}:`,
    printable(msg),
    ...fields,
  ];
  const stack = err === undefined ? "" : `\n${indent(err.stack ?? err.message ?? JSON.stringify(err))}`;
  return `${head.filter((part) => part !== "").join(" ")}${stack}\n`;
}

function colourLevel(level: string): string {
  const meaning = /WARN/.test(level) ? "doubtful" : /ERROR|FATAL/.test(level) ? "bad" : "secondary";
  return colour(meaning, level, { isTTY: true });
}

function parseRecord(line: string): LogRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === "object" && record !== null ? (record as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ");
}
