import type { LogLine } from "../messages/system.js";
import type { LogRecord } from "../runtime/logger.js";
import type { Session } from "./session.js";

/** Lines that wait for a session at most. */
const MAX_WAITING = 100;

type SessionLine = Omit<LogLine, "time">;

/** Hands the log of the service's process on to the log of a live run, as soon as there is one. */
export class ServiceLog {
  readonly #waiting: SessionLine[] = [];
  #session: Pick<Session, "log"> | null = null;

  /** A line was logged. */
  readonly add = (record: LogRecord): void => {
    const line = lineOf(record);
    if (this.#session !== null) this.#session.log(line);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
  };

  attach(session: Pick<Session, "log">): void {
    this.#session = session;
    for (const line of this.#waiting.splice(0)) session.log(line);
  }
}

function lineOf({ level = "info", component = "service", msg = "", err }: LogRecord): SessionLine {
  const text = [msg, err?.message ?? ""].filter((part) => part !== "").join(": ");
  return { severity: severityOf(level), source: component, code: err?.code ?? "log", text };
}

/** Of pino's levels. */
function severityOf(level: string): LogLine["severity"] {
  if (level === "error" || level === "fatal") return "error";
  if (level === "warn") return "warning";
  return level === "info" ? "info" : "debug";
}
