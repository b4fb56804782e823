import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { componentLogger, createLogger, formatLogLine } from "../../src/runtime/logger.js";
import { packageRoot } from "../../src/runtime/package-root.js";

function collect(config: Parameters<typeof createLogger>[0]) {
  const lines: string[] = [];
  return { lines, logger: createLogger(config, { write: (line) => void lines.push(line) }) };
}

describe("createLogger", () => {
  it("writes one JSON object a line, with time, level, component and fields", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    componentLogger(logger, "service").warn({ port: 8080 }, "taken");
    expect(lines).toHaveLength(1);
    const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
    expect(rest).toEqual({ level: "warn", component: "service", port: 8080, msg: "taken" });
    expect(new Date(time as string).toISOString()).toBe(time);
  });

  it("keeps to its level", () => {
    const { lines, logger } = collect({ level: "warn", format: "json" });
    logger.info("no");
    logger.error("yes");
    expect(lines).toHaveLength(1);
    const silent = collect({ level: "silent", format: "json" });
    silent.logger.fatal("no");
    expect(silent.lines).toEqual([]);
  });

  it("writes readable text where that is asked for", () => {
    const { lines, logger } = collect({ level: "info", format: "text" });
    componentLogger(logger, "service").info({ port: 8081 }, "listening");
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}service: listening port=8081\n$/);
  });

  it("masks tokens", () => {
    const { lines, logger } = collect({ level: "info", format: "json" });
    logger.info({ token: "hush", service: { token: "hush" }, req: { headers: { authorization: "Bearer hush" } } }, "x");
    expect(lines[0]).not.toContain("hush");
  });

  it("writes to the standard error stream, as JSON where that is no terminal", () => {
    const script = `
      import { createLogger } from ${JSON.stringify(join(packageRoot, "dist", "src", "runtime", "logger.js"))};
      createLogger({ level: "info", format: "auto" }).info("hello");
      process.exit(0);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({ level: "info", msg: "hello" });
  });
});

describe("formatLogLine", () => {
  it("keeps the stack of an error below its line", () => {
    const { lines, logger } = collect({ level: "info", format: "text" });
    logger.error({ err: new Error("broken") }, "cannot go on");
    expect(lines[0]).toMatch(/ERROR cannot go on\n {4}Error: broken\n {8}at /);
  });

  it("passes what is not a JSON object as it is", () => {
    expect(formatLogLine("plain\n")).toBe("plain\n");
    expect(formatLogLine("42")).toBe("42");
  });
});
