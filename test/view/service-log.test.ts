import { expect, it } from "vitest";
import type { LogLine } from "../../src/messages/system.js";
import { componentLogger, createLogger } from "../../src/runtime/logger.js";
import { ServiceLog } from "../../src/view/service-log.js";

it("hands the service's log lines on to a run's log, those before its start first", () => {
  const log = new ServiceLog();
  const written: string[] = [];
  const logger = createLogger({ level: "info", format: "text" }, { write: (line) => written.push(line) }, log.add);
  const lines: Omit<LogLine, "time">[] = [];
  logger.info("early");
  log.attach({ log: (line) => lines.push(line) });
  componentLogger(logger, "planning").warn({ port: 1 }, "slow");
  logger.error({ err: Object.assign(new Error("no room"), { code: "FLY_X" }) }, "failed");
  logger.debug("not written");
  expect(written).toHaveLength(3);
  expect(lines).toEqual([
    { severity: "info", source: "service", code: "log", text: "early" },
    { severity: "warning", source: "planning", code: "log", text: "slow" },
    { severity: "error", source: "service", code: "FLY_X", text: "failed: no room" },
  ]);
});
