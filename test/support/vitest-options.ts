import { LongestFirst } from "./longest-first.js";

const isBuildServer = process.env.CI === "true";

/** What holds for tests from their sources and from the build alike. */
export const testOptions = {
  pool: "forks",
  // What commands print is compared without colours, in a terminal too.
  env: { FORCE_COLOR: "0" },
  // One more than there are cores: tests in real time wait most of their time.
  maxWorkers: 3,
  // The whole random counts of `npm run test:deep` take minutes.
  hookTimeout: 120_000,
  // A stalled host makes a robot in real time miss its ball: on a build server a test may be tried twice. The report shows it.
  retry: isBuildServer ? 1 : 0,
  testTimeout: process.env.FLYCATCHER_DEEP === "1" ? 600_000 : 120_000,
  // Allocation tests measure the heap between two collections; stacks name the sources.
  execArgv: ["--expose-gc", "--enable-source-maps"],
  sequence: { sequencer: LongestFirst },
} as const;
