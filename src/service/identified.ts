import type { FastifyReply } from "fastify";
import Type, { type TSchema } from "typebox";

/** Parameters of a route to one of several things: a recording, a replay, a calibration. */
const Identity = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The answer to a request that deletes one of them. */
export const gone = { 204: Type.Null({ description: "It is gone." }) };

/** The schema of a route to one of them. */
export function identified<R>(tag: string, operationId: string, summary: string, response: R) {
  return { tags: [tag], operationId, summary, params: Identity, response };
}

/** An answer of another type than JSON, or of JSON that is not checked. */
export function content<S extends TSchema>(description: string, mediaType: string, schema: S) {
  return { 200: { description, content: { [mediaType]: { schema } } } };
}

/** A report may show itself and nothing else: no script, nothing from elsewhere. */
const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Answers with a report, which may hold texts of files. */
export function sendReport(reply: FastifyReply, page: string): FastifyReply {
  void reply.type("text/html; charset=utf-8").header("content-security-policy", REPORT_POLICY);
  return reply.header("x-content-type-options", "nosniff").send(page);
}

/** A web page as the answer. */
export const html = content("HTML.", "text/html", Type.String());
