import { defineConfig } from "vitest/config";
import { testOptions } from "./test/support/vitest-options.js";

/** Tests from their sources, for single files and `npm run test:watch`. `npm test` runs them from the build. */
export default defineConfig({
  test: { ...testOptions, execArgv: [...testOptions.execArgv], include: ["test/**/*.test.ts"] },
});
