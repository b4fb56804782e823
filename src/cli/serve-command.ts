import type { Command } from "commander";
import { createLogger } from "../runtime/logger.js";
import type { RunningService } from "../service/start-service.js";
import { addConfigOptions, type ConfigOptions, configFrom } from "./config-command.js";
import { endInTime, interruption, print } from "./terminal.js";

interface ServeOptions extends ConfigOptions {
  readonly host?: string;
  readonly port?: string;
  readonly token?: string;
}

const examples = `
Examples:
  flycatcher serve
  flycatcher serve --port 9000 --set robot=panda
  flycatcher serve --host 0.0.0.0 --token "$FLYCATCHER_TOKEN"     for other machines`;

/** `flycatcher serve`: the HTTP service, until it is interrupted. */
export function registerServeCommand(program: Command): void {
  addConfigOptions(program.command("serve"), "serve")
    .description("Run the planning service over HTTP until interrupted.")
    .option("--host <address>", "address to listen on; any but a loopback address needs a token")
    .option("--port <number>", "port to listen on; if it is taken, the next free one is used")
    .option("--token <token>", "bearer token that requests must carry")
    .addHelpText("after", examples)
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const { host, port, token } = options;
  const config = configFrom(options, { "service.host": host, "service.port": port, "service.token": token });
  const logger = createLogger(config.log);
  // Loaded here, so that the other commands do not wait for the service's libraries.
  const { startService } = await import("../service/start-service.js");
  const service = await startService({ config, logger });
  const interrupted = interruption();
  print(announce(service, config.robot));
  const signal = await interrupted;
  logger.info({ component: "service", signal }, "closing");
  await endInTime(service.close());
}

function announce({ address, takenPort }: RunningService, robot: string): string {
  const moved = takenPort === undefined ? "" : ` (port ${takenPort} is taken)`;
  return `Flycatcher serves ${robot} at ${address}${moved}; API documentation at ${address}/docs`;
}
