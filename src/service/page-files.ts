import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** A file of the page, in memory. */
export interface PageFile {
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
export function loadPageFiles(folder: string): ReadonlyMap<string, PageFile> {
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
