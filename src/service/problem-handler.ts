import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import { codedError, problemMediaType, problemOf } from "./problem.js";
import { RouteTable } from "./route-table.js";
import type { ServiceInstance } from "./service-types.js";

/** Answers every error, from wherever in a request's life, with a problem document. */
export function installProblemHandler(app: ServiceInstance): void {
  const routes = new RouteTable();
  app.addHook("onRoute", ({ url, method }) => routes.add(url, [method].flat()));
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = routes.methodsOf(path);
    if (allowed.length === 0) {
      throw new FlycatcherError("FLY_HTTP_ROUTE_UNKNOWN", `There is nothing at ${path}`);
    }
    void reply.header("allow", allowed.join(", "));
    throw new FlycatcherError("FLY_HTTP_METHOD_NOT_ALLOWED", `${path} does not answer ${request.method}`, {
      expected: allowed.join(" or "),
      found: request.method,
    });
  });
}

export function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = codedError(thrown);
  if (error.httpStatus >= 500 && error.httpStatus !== 503) request.log.error({ err: thrown }, "request failed");
  // As bytes: to a text Fastify would add a charset, which this media type does not have.
  const body = Buffer.from(JSON.stringify(problemOf(error, request.id)));
  if (request.headers.upgrade !== undefined) endAfterAnswer(request, reply);
  void reply.code(error.httpStatus).header("content-type", problemMediaType).send(body);
}

/** A connection that was to become a WebSocket is nobody's after a refusal: Node's server does not know it any more. */
function endAfterAnswer(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header("connection", "close");
  reply.raw.once("finish", () => request.raw.socket.destroySoon());
}

/** Node's HTTP parser refuses these before there is a request. */
const parserCodes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "FLY_HTTP_HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "FLY_HTTP_REQUEST_TIMEOUT",
};

/** The same for what is not even HTTP: written to the socket by hand, for there is no reply. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = parserCodes[error.code ?? ""] ?? "FLY_HTTP_MALFORMED";
  const problem = problemOf(new FlycatcherError(code, `The request cannot be read (${error.code ?? error.message})`));
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `content-type: ${problemMediaType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
