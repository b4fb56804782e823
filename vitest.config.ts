import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    // Allocation tests measure the heap between two collections.
    execArgv: ["--expose-gc"],
  },
});
