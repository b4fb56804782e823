import { defineConfig } from "vitest/config";
import { compiledTests } from "./test/support/compiled-tests.js";
import { testOptions } from "./test/support/vitest-options.js";

const { ownProcess, sharedProcess, fromSources } = compiledTests(import.meta.dirname);
const options = { ...testOptions, execArgv: [...testOptions.execArgv] };
/** Modules of the build load as the product loads them, in a third of the time. */
const compiled = { experimental: { viteModuleRunner: false, nodeLoader: false } };

/** All tests, as `npm test` runs them: from the build. */
export default defineConfig({
  test: {
    ...options,
    projects: [
      { extends: true, test: { name: "own process", include: ownProcess, ...compiled } },
      { extends: true, test: { name: "from sources", include: fromSources } },
      // Each process would load the same hundreds of modules again for every file.
      { extends: true, test: { name: "shared process", include: sharedProcess, isolate: false, ...compiled } },
    ],
  },
});
