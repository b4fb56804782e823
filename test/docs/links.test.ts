import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";

const docs = readdirSync(join(packageRoot, "docs")).filter((file) => file.endsWith(".md"));
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...docs.map((file) => `docs/${file}`)];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.matchAll(/^#+ (.+)$/gm);
  return new Set(Array.from(headings, ([, text = ""]) => anchorOf(text)));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** What is wrong with a link of `page`; null if nothing is. */
function problemOf(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? join(packageRoot, page) : join(packageRoot, dirname(page), path);
  if (!existsSync(file)) return `${link}: no such file`;
  if (anchor === undefined || anchorsOf(readFileSync(file, "utf8")).has(anchor)) return null;
  return `${link}: no such heading`;
}

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: packageRoot });
const files = listed.toString().trim().split("\n");
const readmes = files.filter((file) => /^(src|test|bench|data)\/.*\.md$/.test(file));

describe("the files named in the documentation", () => {
  // The change log speaks of files that are gone.
  it.each([...pages, ...readmes].filter((page) => page !== "CHANGELOG.md"))("%s names programs that exist", (page) => {
    const markdown = readFileSync(join(packageRoot, page), "utf8");
    const names = Array.from(markdown.matchAll(/`([\w./-]+\.ts)`/g), ([, name = ""]) => name);
    expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });
});

describe("the links in the documentation", () => {
  it.each(pages)("%s leads to files and headings that exist", (page) => {
    const markdown = readFileSync(join(packageRoot, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
    const links = Array.from(markdown.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link);
    expect(links.map((link) => problemOf(page, link)).filter((problem) => problem !== null)).toEqual([]);
  });

  it("README links every page of docs/", () => {
    const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
    expect(docs.filter((file) => !readme.includes(`(docs/${file})`))).toEqual([]);
  });
});
