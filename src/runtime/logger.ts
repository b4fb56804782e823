import { isatty } from "node:tty";
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from "pino";
import type { Config } from "./config-schema.js";
import { formatLogLine } from "./log-format.js";

export type { Logger } from "pino";

/** The file descriptor of the standard error stream: the standard output stays free for results. */
const standardError = 2;

/** Never written, wherever in a log object they stand. */
const secrets = ["token", "*.token", "*.*.token", "req.headers.authorization", "headers.authorization"];

/**
 * The logger of a process or of a worker thread: JSON lines, or readable text on a terminal, on the standard error
 * stream. Writes are synchronous, so that the last words of a dying process are not lost and threads do not tear one
 * another's lines.
 */
export function createLogger(config: Config["log"], output?: DestinationStream): Logger {
  const sink = output ?? destination({ dest: standardError, sync: true });
  const wantsText = config.format === "text" || (config.format === "auto" && isatty(standardError));
  return pino(
    {
      level: config.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err },
      redact: { paths: secrets, censor: "***" },
    },
    wantsText ? { write: (line: string) => sink.write(formatLogLine(line)) } : sink,
  );
}

/** The logger of one component, whose name stands in each of its lines. */
export function componentLogger(logger: Logger, component: string): Logger {
  return logger.child({ component });
}
