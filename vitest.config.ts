import { defineConfig } from "vitest/config";
import { filesThatShareModules } from "./test/support/isolation.js";
import { LongestFirst } from "./test/support/longest-first.js";

const shared = filesThatShareModules(import.meta.dirname);

export default defineConfig({
  test: {
    pool: "forks",
    // What commands print is compared without colours, in a terminal too.
    env: { FORCE_COLOR: "0" },
    // Tests in real time need both cores: on a build server nothing runs beside them.
    maxWorkers: process.env.CI === "true" ? 1 : 2,
    // The whole random counts of `npm run test:deep` take minutes.
    hookTimeout: 120_000,
    // A stalled host makes a robot in real time miss its ball: on a build server a test may be tried twice. The report shows it.
    retry: process.env.CI === "true" ? 1 : 0,
    testTimeout: process.env.FLYCATCHER_DEEP === "1" ? 600_000 : 120_000,
    // Allocation tests measure the heap between two collections.
    execArgv: ["--expose-gc"],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "own process", include: ["test/**/*.test.ts"], exclude: shared } },
      // Each process would load the same hundreds of modules again for every file.
      { extends: true, test: { name: "shared process", include: shared, isolate: false } },
    ],
  },
});
