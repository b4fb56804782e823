import { spawn } from "node:child_process";
import { join } from "node:path";
import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type RunningService, startService } from "../../src/service/start-service.js";
import type { Metrics } from "../harness.js";

/** Planning requests a second. */
const RATE = 100;

interface ClientFigures {
  readonly asked: number;
  readonly answered: number;
  readonly turnedAway: number;
  readonly p50: number;
  readonly p99: number;
}

/** The service in this process, as the live demo has it beside itself. */
export function startLoadedService(): Promise<RunningService> {
  const overrides = ["service.port=0", "planning.workers=1", "log.level=warn"];
  const config = resolveConfig({ overrides });
  return startService({
    config: { ...config, parts: ["planning", "service"] },
    logger: createLogger({ ...config.log, level: "warn" }),
  });
}

/** Warm requests for `seconds`, from a process of its own; what came of them. */
export async function load(service: RunningService, seconds: number): Promise<Metrics> {
  const program = join(packageRoot, "dist", "bench", "control", "http-client.js");
  const child = spawn(process.execPath, [program, service.address, String(RATE), String(seconds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output += bytes.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  const { asked, answered, turnedAway, p50, p99 } = JSON.parse(output) as ClientFigures;
  return {
    http_asked: asked,
    http_answered: answered,
    http_rejected: turnedAway,
    http_plan_ms_p50: p50,
    http_plan_ms_p99: p99,
  };
}
