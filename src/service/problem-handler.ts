import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { escapeText } from "../calibration/report/svg-plots.js";
import { type ErrorCode, type ErrorEntry, errorCatalogue } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import { codedError, errorPagePath, problemMediaType, problemOf } from "./problem.js";
import type { Resource, ServiceInstance } from "./service-types.js";
import { isUpgrading } from "./websocket-upgrades.js";

/** Answers every error, from wherever in a request's life, with a problem document. */
export function installProblemHandler(app: ServiceInstance): void {
  const routes = new RouteTable();
  app.addHook("onRoute", ({ url, method }) => routes.add(url, [method].flat()));
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = routes.methodsOf(path);
    // A method that the path answers is not the reason: the file below it is not there.
    if (allowed.length === 0 || allowed.includes(request.method)) {
      throw new FlycatcherError("FLY_HTTP_ROUTE_UNKNOWN", `There is nothing at ${path}`);
    }
    void reply.header("allow", allowed.join(", "));
    throw new FlycatcherError("FLY_HTTP_METHOD_NOT_ALLOWED", `${path} does not answer ${request.method}`, {
      expected: allowed.join(" or "),
      found: request.method,
    });
  });
}

/** What Node's server would refuse without a body: an expectation other than `100-continue`. */
export function answerExpectations(app: ServiceInstance): void {
  app.server.on("checkExpectation", ({ headers: { expect } }: IncomingMessage, response: ServerResponse) => {
    const details = { expected: "100-continue", found: JSON.stringify(expect) };
    const problem = problemOf(new FlycatcherError("FLY_HTTP_EXPECTATION", "The request expects too much", details));
    const headers = { "content-type": problemMediaType, connection: "close" };
    response.writeHead(problem.status, headers).end(JSON.stringify(problem));
  });
}

export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = codedError(thrown);
  if (error.httpStatus >= 500 && error.httpStatus !== 503) request.log.error({ err: thrown }, "request failed");
  // As bytes: to a text Fastify would add a charset, which this media type does not have.
  const body = Buffer.from(JSON.stringify(problemOf(error, request.id)));
  if (isUpgrading(request.raw)) endAfterAnswer(request, reply);
  void reply.code(error.httpStatus).header("content-type", problemMediaType).send(body);
}

/** After a refusal the connection of a WebSocket must be closed here: Node's server no longer owns it. */
function endAfterAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header("connection", "close");
  reply.raw.once("finish", () => request.raw.socket.destroySoon());
}

/** Node's HTTP parser refuses these before there is a request. */
const parserCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "FLY_HTTP_HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "FLY_HTTP_REQUEST_TIMEOUT",
};

/** How long a client may take to read why it is refused [ms]. */
const LINGER_MS = 1000;

/** The same for what is not even HTTP: written to the socket by hand, for there is no reply. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = parserCodes[error.code ?? ""] ?? "FLY_HTTP_MALFORMED";
  endWithProblem(socket, new FlycatcherError(code, `The request cannot be read (${error.code ?? error.message})`));
}

/** Answers, by hand, on a socket that has no reply, and ends it. */
export function endWithProblem(socket: Duplex, error: FlycatcherError): void {
  const problem = problemOf(error);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${problemMediaType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  // A client that does not read keeps nothing open, either.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/**
 * Which methods a path answers: what Fastify's router cannot tell, and what makes the difference between "there is
 * nothing here" (404) and "not with this method" (405).
 */
export class RouteTable {
  readonly #routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** `url` as Fastify takes it: segments may be `:name`, the last one `*`. */
  add(url: string, methods: readonly string[]): void {
    const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method.toUpperCase());
    this.#routes.set(url, route);
  }

  methodsOf(path: string): string[] {
    const matching = [...this.#routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split("/").map((segment) => {
    if (segment.startsWith(":")) return "[^/]+";
    return segment === "*" ? ".*" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${segments.join("/")}$`);
}

/** `GET /errors`: the page that the `type` of every problem document leads to. */
export const errorRoutes: Resource = {
  name: "errors",
  register(app) {
    const page = renderErrorPage();
    app.get(errorPagePath, { schema: { hide: true } }, (_request, reply) =>
      reply.header("content-type", "text/html; charset=utf-8").send(page),
    );
  },
};

function renderErrorPage(): string {
  const entries = (Object.entries(errorCatalogue) as [string, ErrorEntry][])
    .map(
      ([code, { meaning, remedy, httpStatus }]) =>
        `<dt id="${code}"><code>${code}</code> (${httpStatus})</dt><dd>${escapeText(meaning)} ${escapeText(remedy)}</dd>`,
    )
    .join("\n");
  const style =
    "body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto}:target{background:#ff8}dd{margin:0 0 1em}";
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Flycatcher: errors</title><style>${style}</style>
<h1>Errors</h1>
<dl>
${entries}
</dl>
</html>
`;
}
