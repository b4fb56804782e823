import type { ServerOptions } from "node:http";
import { type FastifyBaseLogger, fastify, LogController } from "fastify";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { componentLogger, type Logger } from "../runtime/logger.js";
import { assertAccessIsSafe, installAccess } from "./access.js";
import { installHttpMetrics } from "./http-metrics.js";
import { installJsonBody } from "./json-body.js";
import { StageSlot } from "./live/stage-slot.js";
import { MetricsRegistry } from "./metrics.js";
import { installOpenApi } from "./openapi.js";
import { answerClientError, installProblemHandler, sendProblem } from "./problem-handler.js";
import { Readiness } from "./readiness.js";
import { resources as allResources } from "./resources.js";
import { RobotLibrary } from "./robot-library.js";
import type { Resource, ServiceContext, ServiceInstance } from "./service-types.js";
import { validatorCompiler } from "./validation.js";

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Robots to serve; those shipped if left out. */
  readonly robots?: RobotLibrary;
  /** The live run to show; none if left out. */
  readonly live?: StageSlot;
  /** What to offer; all there is if left out, as far as the profile runs it. */
  readonly resources?: readonly Resource[];
}

/**
 * The HTTP service, not yet listening: `startService` does that. Every error leaves it as a problem document; it refuses
 * to be made for a network address without a token.
 */
export async function createService(options: ServiceOptions): Promise<ServiceInstance> {
  const { config, robots = new RobotLibrary(), resources = allResources } = options;
  assertAccessIsSafe(config.service);
  const logger = componentLogger(options.logger, "service");
  const context: ServiceContext = {
    config,
    logger,
    robots,
    metrics: new MetricsRegistry(),
    readiness: new Readiness(),
    live: options.live ?? new StageSlot("none"),
  };
  const app = createApp(config, logger);

  installProblemHandler(app);
  installClosing(app);
  installAccess(app, config.service);
  installJsonBody(app, config.service.jsonDepthLimit);
  installHttpMetrics(app, context.metrics);
  await installOpenApi(app);
  for (const resource of resources) {
    if (resource.part !== undefined && !config.parts.includes(resource.part)) continue;
    await app.register(async (scope) => resource.register(scope as ServiceInstance, context));
  }
  await app.ready();
  return app;
}

function createApp({ service }: Config, logger: Logger): ServiceInstance {
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: service.bodyLimitBytes,
    requestTimeout: service.requestTimeoutMs,
    http: nodeTimeouts(service.requestTimeoutMs),
    return503OnClosing: false,
    frameworkErrors: sendProblem,
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true },
  }) as unknown as ServiceInstance;
  app.setValidatorCompiler(validatorCompiler);
  return app;
}

/**
 * Node takes the longer of the two timeouts for the whole request, so that for headers must not exceed it; and it looks
 * for late requests only at an interval, of 30 s by default.
 */
function nodeTimeouts(timeoutMs: number): ServerOptions {
  return {
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(timeoutMs, 30_000),
  };
}

/** A request that arrives on an open connection while the service closes is told so. */
function installClosing(app: ServiceInstance): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", async () => {
    if (isClosing) throw new FlycatcherError("FLY_SERVICE_CLOSING", "The service is closing");
  });
}
