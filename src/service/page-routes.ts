import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { packageRoot } from "../runtime/package-root.js";
import { loadPageFiles, type PageFile } from "./page-files.js";
import type { Resource } from "./service-types.js";

/** Where `npm run build` puts the page. */
const pageFolder = join(packageRoot, "dist", "web");

/** Nothing but the page's own files runs, and nobody may frame it. Reports of replays are framed by the page itself. */
export const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Names with a hash in them never change. */
const forever = "public, max-age=31536000, immutable";

/** The page: its files, from memory. */
export const pageRoutes: Resource = {
  name: "page",
  register(app) {
    const files = loadPageFiles(pageFolder);
    for (const [path, file] of files) {
      const send = (request: FastifyRequest, reply: FastifyReply) => sendFile(file, path, request, reply);
      const schema = { hide: true };
      app.get(path, { schema, config: { isPublic: true } }, send);
      if (path === "/index.html") app.get("/", { schema, config: { isPublic: true } }, send);
    }
  },
};

function sendFile(file: PageFile, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers({
    "content-security-policy": pagePolicy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": path.startsWith("/assets/") ? forever : "no-cache",
    etag: file.etag,
    vary: "accept-encoding",
  });
  if (request.headers["if-none-match"] === file.etag) return reply.code(304).send();
  const mayCompress = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  void reply.type(file.type);
  if (file.compressed === null || !mayCompress) return reply.send(file.bytes);
  return reply.header("content-encoding", "gzip").send(file.compressed);
}
