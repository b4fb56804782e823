/** `npm run docs`: writes the generated pages of `docs/` again, and the generated files of the client. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";
import { generatedPages } from "./generated-pages.js";

for (const page of generatedPages) {
  writeFileSync(join(packageRoot, page.path), await page.render());
  process.stdout.write(`${page.path}\n`);
}
