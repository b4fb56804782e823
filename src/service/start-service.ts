import type { AddressInfo } from "node:net";
import { FlycatcherError } from "../runtime/errors.js";
import type { ConnectionPlaces } from "./connection-places.js";
import { buildService, type ServiceOptions } from "./service.js";
import type { ServiceInstance } from "./service-types.js";
import { StopListener } from "./stop-listener.js";

export interface RunningService {
  readonly app: ServiceInstance;
  /** Where it is reached: `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly port: number;
  /** The emergency stop of the live run; null without one. */
  readonly stop: StopListener | null;
  /** Set where the port asked for was taken and another one is in use. */
  readonly takenPort?: number;
  /** Ends gracefully: answers what it has begun, but waits no longer than configured. */
  close(): Promise<void>;
}

const highestPort = 65_535;

/** Creates the service and listens, on the next free port where the one asked for is taken. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { app, places, live } = await buildService(options);
  const { host, port: wanted, closeTimeoutMs } = options.config.service;
  try {
    await listenOnFreePort(app, options.config.service);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  const hasMoved = wanted !== 0 && port !== wanted;
  if (hasMoved) options.logger.warn({ component: "service" }, `port ${wanted} is taken, using ${port} instead`);
  const stop = await startStop(options, port).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  live.stopAddress = stop?.address ?? null;
  live.beat = () => stop?.beat();
  return {
    app,
    stop,
    address: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    ...(hasMoved && { takenPort: wanted }),
    close: async () => {
      await closeWithin(app, places, closeTimeoutMs);
      await stop?.close();
    },
  };
}

async function startStop({ stopLine, config, logger }: ServiceOptions, port: number): Promise<StopListener | null> {
  return stopLine === undefined ? null : StopListener.start(config.service, stopLine, port, logger);
}

async function listenOnFreePort(
  app: ServiceInstance,
  { host, port: wanted, portTries }: ServiceOptions["config"]["service"],
): Promise<void> {
  const last = wanted === 0 ? 0 : Math.min(wanted + portTries - 1, highestPort);
  for (let port = wanted; ; port++) {
    try {
      await app.listen({ host, port });
      return;
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" && port < last) continue;
      const ports = port === wanted ? `port ${port}` : `ports ${wanted} to ${port}`;
      const message = `Cannot listen on ${host}, ${ports} (${code})`;
      throw new FlycatcherError("FLY_SERVICE_ADDRESS_UNAVAILABLE", message, {}, { cause });
    }
  }
}

/** Connections that became WebSockets, or are about to, are ended with the others. */
async function closeWithin(app: ServiceInstance, places: ConnectionPlaces, timeoutMs: number): Promise<void> {
  const patience = setTimeout(() => places.destroyAll(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearTimeout(patience);
  }
}
