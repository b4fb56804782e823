import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of a Markdown page. */
export interface CodeBlock {
  /** Page and line, for messages: `README.md:12`. */
  readonly place: string;
  /** What stands after the fence: `ts`, `sh`, `json`, … */
  readonly language: string;
  readonly code: string;
}

export function extractCodeBlocks(page: string, markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const fence = /^```(\S*)[^\n]*\n(.*?)^```$/gms;
  for (const match of markdown.matchAll(fence)) {
    const line = markdown.slice(0, match.index).split("\n").length;
    blocks.push({ place: `${page}:${line}`, language: match[1] ?? "", code: match[2] ?? "" });
  }
  return blocks;
}

/** The blocks of README.md, CONTRIBUTING.md and every page of docs/. */
export function documentedCode(root: string): CodeBlock[] {
  const docs = readdirSync(join(root, "docs")).filter((file) => file.endsWith(".md"));
  const pages = ["README.md", "CONTRIBUTING.md", ...docs.map((file) => `docs/${file}`)];
  return pages.flatMap((page) => extractCodeBlocks(page, readFileSync(join(root, page), "utf8")));
}
