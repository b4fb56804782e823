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
      const message = "The request body nests too deeply";
      done(new FlycatcherError("FLY_HTTP_BODY_TOO_DEEP", message, { expected: `at most ${depthLimit} levels` }));
      return;
    }
    parse(request, text, (error, value) => {
      if (error === null || error === undefined) done(null, value);
      else done(new FlycatcherError("FLY_JSON_MALFORMED", `The request body is not JSON: ${error.message}`));
    });
  });
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
