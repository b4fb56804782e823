import type { ServerOptions } from "node:http";
import { type FastifyBaseLogger, type FastifySchemaCompiler, fastify, LogController } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Convert } from "typebox/value";
import { addRobotFolders, nameRobot } from "../robot/loading/robot-folders.js";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { componentLogger, type Logger } from "../runtime/logger.js";
import { findOverflows } from "../runtime/schema-bounds.js";
import { findProblems, problemLimit, SchemaError } from "../runtime/schema-problems.js";
import type { JsonSchema } from "../runtime/schema-words.js";
import { assertAccessIsSafe, installAccess } from "./access.js";
import { calibrationRoutes } from "./calibration-routes.js";
import { colourRoutes } from "./colour-routes.js";
import { ConnectionPlaces } from "./connection-places.js";
import { healthRoutes, metricsRoutes } from "./health-routes.js";
import { installHttpMetrics } from "./http-metrics.js";
import { installJsonBody } from "./json-body.js";
import { kinematicsRoutes } from "./kinematics-routes.js";
import { liveRoutes } from "./live-routes.js";
import { MetricsRegistry } from "./metrics.js";
import { installOpenApi } from "./openapi.js";
import { pageRoutes } from "./page-routes.js";
import { planRoutes } from "./plan-routes.js";
import {
  answerClientError,
  answerExpectations,
  errorRoutes,
  installProblemHandler,
  sendProblem,
} from "./problem-handler.js";
import { recordingRoutes } from "./recording-routes.js";
import { RobotLibrary } from "./robot-library.js";
import { robotRoutes } from "./robot-routes.js";
import { Readiness, type Resource, type ServiceContext, type ServiceInstance } from "./service-types.js";
import { SessionSlot } from "./session-slot.js";
import { messagesWithUpgradesTo } from "./websocket-upgrades.js";

/** All that the service offers. A new resource is a file and a line here. */
export const allResources: readonly Resource[] = [
  healthRoutes,
  robotRoutes,
  kinematicsRoutes,
  planRoutes,
  calibrationRoutes,
  recordingRoutes,
  liveRoutes,
  colourRoutes,
  pageRoutes,
  metricsRoutes,
  errorRoutes,
];

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Robots to serve; those shipped if left out. */
  readonly robots?: RobotLibrary;
  /** The live run to show; none if left out. */
  readonly live?: SessionSlot;
  /** Memory of the live run's `StopLine`, for the stop listener; left out: there is none. */
  readonly stopLine?: SharedArrayBuffer;
  /** What to offer; all there is if left out, as far as the profile runs it. */
  readonly resources?: readonly Resource[];
}

export interface BuiltService {
  readonly app: ServiceInstance;
  readonly places: ConnectionPlaces;
  readonly live: SessionSlot;
}

/**
 * The HTTP service, not yet listening: `startService` does that. Every error leaves it as a problem document; it refuses
 * to be made for a network address without a token.
 */
export async function createService(options: ServiceOptions): Promise<ServiceInstance> {
  return (await buildService(options)).app;
}

/** The same, with what `startService` needs beside. */
export async function buildService(options: ServiceOptions): Promise<BuiltService> {
  const { robots = new RobotLibrary(), resources = allResources } = options;
  addRobotFolders(options.config.robots);
  // A robot that is given by its path is known by its name from here on.
  const config = { ...options.config, robot: nameRobot(options.config.robot) };
  assertAccessIsSafe(config.service);
  const logger = componentLogger(options.logger, "service");
  const context: ServiceContext = {
    config,
    logger,
    robots,
    metrics: new MetricsRegistry(),
    readiness: new Readiness(),
    live: options.live ?? new SessionSlot("none"),
  };
  const app = createApp(config, logger);
  const places = new ConnectionPlaces(app.server, config.service.maxConnections, RESERVED_PLACES);

  installProblemHandler(app);
  answerExpectations(app);
  installClosing(app);
  installConnectionLimit(app, places);
  installAccess(app, config.service);
  installJsonBody(app, config.service.jsonDepthLimit);
  installHttpMetrics(app, context.metrics);
  await installOpenApi(app);
  for (const resource of resources) {
    if (resource.part !== undefined && !config.parts.includes(resource.part)) continue;
    await app.register(async (scope) => resource.register(scope as ServiceInstance, context));
  }
  await app.ready();
  return { app, places, live: context.live };
}

/** Connections beyond the limit, for what must be answered even then. */
const RESERVED_PLACES = 16;
const essentialRoutes: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/v1/live/stop"]);

/** What comes by a connection that is kept for health and stop is answered only if it is one of these. */
function installConnectionLimit(app: ServiceInstance, places: ConnectionPlaces): void {
  app.addHook("onRequest", async ({ raw, routeOptions }, reply) => {
    if (!places.isReserved(raw.socket)) return;
    void reply.header("connection", "close");
    if (essentialRoutes.has(routeOptions.url ?? "")) return;
    throw new FlycatcherError("FLY_SERVICE_CONNECTIONS", "All connections of the service are taken");
  });
}

function createApp({ service }: Config, logger: Logger): ServiceInstance {
  const webSockets = new Set<string>();
  const isWebSocket = (path: string): boolean => webSockets.has(path.replace(/(.)\/+$/, "$1"));
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: service.bodyLimitBytes,
    requestTimeout: service.requestTimeoutMs,
    http: { ...nodeTimeouts(service.requestTimeoutMs), IncomingMessage: messagesWithUpgradesTo(isWebSocket) },
    return503OnClosing: false,
    frameworkErrors: sendProblem,
    clientErrorHandler: answerClientError,
    routerOptions: { ignoreTrailingSlash: true },
  }) as unknown as ServiceInstance;
  app.addHook("onRoute", ({ websocket, url }) => {
    if (websocket === true) webSockets.add(url);
  });
  app.setValidatorCompiler(validatorCompiler);
  return app;
}

/** Period of the look for late requests [ms]. */
const CHECK_MS = 2000;

/**
 * Node takes the longer of the two timeouts for the whole request, so that for headers must not exceed it; and it looks
 * for late requests only at an interval, of 30 s by default.
 */
function nodeTimeouts(timeoutMs: number): ServerOptions {
  return {
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(timeoutMs, CHECK_MS),
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

const partNames: Readonly<Record<string, string>> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "header",
};

/**
 * Checks requests with TypeBox's own compiler, not with Fastify's Ajv, which by default would coerce "3" to 3 and drop
 * unknown keys from a body. Only texts by nature (path, query, headers) are converted to what the schema asks for.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "body" }) => {
  const validator = Compile(schema);
  return (value: unknown) => {
    const candidate = httpPart === "body" ? value : Convert(schema, value);
    // What is far too large is not checked in detail: that would take longer than it is worth.
    const overflows = findOverflows(schema as JsonSchema, candidate, problemLimit);
    if (overflows.length === 0 && validator.Check(candidate)) return { value: candidate };
    const found = overflows.length > 0 ? overflows : findProblems(schema, candidate);
    const problems = found.map((problem) => ({
      ...problem,
      source: partNames[httpPart] ?? "",
    }));
    return { error: new SchemaError("FLY_HTTP_REQUEST_INVALID", "The request is wrong", problems) };
  };
};
