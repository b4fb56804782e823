import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/runtime/package-root.js";
import { generatedPages } from "../../tools/docs/generated-pages.js";

describe("the generated pages of the documentation and files of the client", () => {
  it.each(generatedPages)("$path is what `npm run docs` writes", async ({ path, render }) => {
    expect(readFileSync(join(packageRoot, path), "utf8")).toBe(await render());
  });
});
