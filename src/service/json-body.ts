import { FlycatcherError } from "../runtime/errors.js";
import type { ServiceInstance } from "./service-types.js";

/** Bodies are JSON and nothing else, nested no deeper than the limit, without `__proto__` keys. */
export function installJsonBody(app: ServiceInstance, depthLimit: number): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addHook("onRequest", async ({ headers }) => {
    const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
    if (encoding === "identity") return;
    const details = { expected: "a body that is not compressed", found: JSON.stringify(encoding) };
    throw new FlycatcherError("FLY_HTTP_MEDIA_TYPE", "The request body is compressed", details);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (exceedsDepth(text, depthLimit)) {
      done(tooDeep(depthLimit));
      return;
    }
    parse(request, text, (error, value) => {
      if (error === null || error === undefined) done(null, value);
      else done(notJson(error));
    });
  });
}

/** The same for a thread that parses the bytes of a body itself. */
export function parseStrictJson(text: string, depthLimit: number): unknown {
  if (exceedsDepth(text, depthLimit)) throw tooDeep(depthLimit);
  try {
    const value: unknown = JSON.parse(text);
    if (hasPrototypeKey(value)) throw new SyntaxError("a key leads to a prototype");
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw notJson(cause);
  }
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.hasOwn(value, "__proto__")) return true;
  const { constructor: made } = value as { constructor?: unknown };
  if (Object.hasOwn(value, "constructor") && typeof made === "object" && Object.hasOwn(made ?? {}, "prototype")) {
    return true;
  }
  return Object.values(value).some(hasPrototypeKey);
}

function tooDeep(depthLimit: number): FlycatcherError {
  const details = { expected: `at most ${depthLimit} levels` };
  return new FlycatcherError("FLY_HTTP_BODY_TOO_DEEP", "The request body nests too deeply", details);
}

function notJson({ message }: Error): FlycatcherError {
  return new FlycatcherError("FLY_JSON_MALFORMED", `The request body is not JSON: ${message}`);
}

/** Whether JSON text nests deeper than `limit`, told without parsing it. */
export function exceedsDepth(text: string, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (isInString) {
      if (character === "\\") i++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "[" || character === "{") {
      if (++depth > limit) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
}
