import { type ErrorEntry, errorCatalogue } from "../runtime/error-catalogue.js";
import { errorPagePath } from "./problem.js";
import type { Resource } from "./service-types.js";

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
        `<dt id="${code}"><code>${code}</code> (${httpStatus})</dt><dd>${escapeHtml(meaning)} ${escapeHtml(remedy)}</dd>`,
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

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
