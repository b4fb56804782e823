import Type, { type TSchema } from "typebox";

/** Parameters of a route to one of several things: a recording, a replay, a calibration. */
const Identity = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The answer to a request that deletes one of them. */
export const gone = { 204: Type.Null({ description: "It is gone." }) };

/** The schema of a route to one of them. */
export function identified<R>(tag: string, summary: string, response: R) {
  return { tags: [tag], summary, params: Identity, response };
}

/** An answer of another type than JSON, or of JSON that is not checked. */
export function content<S extends TSchema>(description: string, mediaType: string, schema: S) {
  return { 200: { description, content: { [mediaType]: { schema } } } };
}

/** A web page as the answer. */
export const html = content("HTML.", "text/html", Type.String());
