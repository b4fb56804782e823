import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // What commands print is compared without colours, in a terminal too.
    env: { FORCE_COLOR: "0" },
    maxWorkers: 2,
    // The whole random counts of `npm run test:deep` take minutes.
    hookTimeout: 120_000,
    testTimeout: process.env.FLYCATCHER_DEEP === "1" ? 600_000 : 120_000,
    // Allocation tests measure the heap between two collections.
    execArgv: ["--expose-gc"],
  },
});
