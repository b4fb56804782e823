import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { isLoopback } from "../runtime/loopback.js";
import { bearerIn, nameOfHost, tokenCheck } from "./access-rules.js";
import { errorPagePath } from "./problem.js";
import type { ServiceInstance } from "./service-types.js";
import { tokenOfProtocols } from "./stream-protocol.js";

/** Refuses to be open to a network without a token. */
export function assertAccessIsSafe({ host, token }: Config["service"]): void {
  if (token !== "" || isLoopback(host)) return;
  throw new FlycatcherError("FLY_SERVICE_TOKEN_REQUIRED", `Listening on ${host} exposes the service to the network`, {
    path: "/service/token",
    expected: "a token",
    found: "none",
  });
}

/** What anyone may read: whether the service lives, and its documentation, which is public anyway. */
const openRoutes = new Set(["/healthz", "/readyz", "/openapi.json", errorPagePath]);

function isOpen({ routeOptions: { url, config } }: FastifyRequest): boolean {
  if (config.isPublic === true) return true;
  return url !== undefined && (openRoutes.has(url) || url === "/docs" || url.startsWith("/docs/"));
}

/** Methods that change nothing. */
const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * With a token: requests must carry it. Without: only requests that were addressed to this machine by a loopback name,
 * so that a page in a browser cannot reach the service through a name of its own (DNS rebinding). In both cases a page of
 * another origin may neither change anything nor listen to a stream.
 */
export function installAccess(app: ServiceInstance, { token }: Config["service"]): void {
  const isToken = tokenCheck(token);
  app.addHook("onRequest", async (request: FastifyRequest, reply: FastifyReply) => {
    refuseForeignOrigin(request);
    if (token === "") {
      refuseForeignHost(request);
    } else if (!isOpen(request) && !isToken(bearerToken(request))) {
      void reply.header("www-authenticate", 'Bearer realm="flycatcher"');
      throw new FlycatcherError("FLY_HTTP_TOKEN_WRONG", "The request carries no token, or a wrong one");
    }
  });
}

/** From the header for it; a browser's WebSocket can only send it among its protocols. */
function bearerToken({ headers }: FastifyRequest): string {
  return (
    bearerIn(headers.authorization) ?? (isUpgrade(headers) ? tokenOfProtocols(headers["sec-websocket-protocol"]) : "")
  );
}

function isUpgrade({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade?.toLowerCase() === "websocket";
}

/** Browsers say which page a request comes from; other programs do not. */
function refuseForeignOrigin({ method, headers, routeOptions: { config } }: FastifyRequest): void {
  const { origin } = headers;
  if (config.isForAllOrigins === true) return;
  if (origin === undefined || (readingMethods.has(method) && !isUpgrade(headers))) return;
  const from = URL.canParse(origin) ? new URL(origin).host : origin;
  if (from === headers.host) return;
  throw new FlycatcherError("FLY_HTTP_ORIGIN_REFUSED", "The request comes from a page of another origin", {
    expected: JSON.stringify(headers.host ?? ""),
    found: JSON.stringify(origin),
  });
}

function refuseForeignHost(request: FastifyRequest): void {
  const host = request.headers.host ?? "";
  const name = nameOfHost(host);
  if (name === "" || isLoopback(name)) return;
  throw new FlycatcherError("FLY_HTTP_HOST_REFUSED", "The request was addressed to another name than this machine's", {
    expected: "localhost or a loopback address",
    found: JSON.stringify(host),
  });
}
