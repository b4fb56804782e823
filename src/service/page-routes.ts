import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { packageRoot } from "../runtime/package-root.js";
import { nameOfHost } from "./access-rules.js";
import type { Resource } from "./service-types.js";

/** Where `npm run build` puts the page. */
const pageFolder = join(packageRoot, "dist", "web");

/**
 * Nothing but the page's own files runs, and no page may frame it. Reports of replays are framed by the page itself. `stop` is the
 * address of the stop listener, as the page reaches it.
 */
export function pagePolicy(stop: string | null): string {
  return [...policyBefore, stop === null ? "connect-src 'self'" : `connect-src 'self' ${stop}`, ...policyAfter].join(
    "; ",
  );
}

const policyBefore = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
];
const policyAfter = [
  "worker-src 'self' blob:",
  "frame-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Names with a hash in them never change. */
const forever = "public, max-age=31536000, immutable";

/** The page: its files, from memory. */
export const pageRoutes: Resource = {
  name: "page",
  register(app, { live }) {
    const files = loadPageFiles(pageFolder);
    for (const [path, file] of files) {
      const send = (request: FastifyRequest, reply: FastifyReply) => {
        const stop = live.stopAddress === null ? null : stopAt(request.headers.host ?? "", live.stopAddress.port);
        void reply.header("content-security-policy", pagePolicy(stop));
        return sendFile(file, path, request, reply);
      };
      const schema = { hide: true };
      app.get(path, { schema, config: { isPublic: true } }, send);
      if (path === "/index.html") app.get("/", { schema, config: { isPublic: true } }, send);
    }
  },
};

/** The stop listener has the name by which the page was asked for. */
function stopAt(host: string, port: number): string | null {
  const name = nameOfHost(host);
  return /^[A-Za-z0-9.-]+$/.test(name) ? `http://${name}:${port}` : null;
}

function sendFile(file: PageFile, path: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers({
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

/** A file of the page, in memory. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, compressed; null where that does not pay. */
  readonly compressed: Buffer | null;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};
/** Compressed already. */
const dense: ReadonlySet<string> = new Set([".png", ".woff2"]);

/**
 * Reads all files of a folder once, by their address under it ("/index.html"). What is served later is served from
 * here: no request can name any other file. Files of unknown kinds are left out; a folder that is not there is empty.
 */
function loadPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const path of filesUnder(folder)) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(path);
    const compressed = dense.has(extname(path)) ? null : gzipSync(bytes, { level: 9 });
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    files.set(`/${relative(folder, path).split(sep).join("/")}`, { type, bytes, compressed, etag });
  }
  return files;
}

function filesUnder(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  } catch {
    return [];
  }
}
