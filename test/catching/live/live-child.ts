import { liveDefaults } from "../../../src/catching/live/live-options.js";
import { LiveRun } from "../../../src/catching/live/live-run.module.js";

/**
 * A live run in a process of its own, to be killed or frozen by a test: connects to the robot whose ports are given, throws
 * one ball after the other, and says "reaching" on its standard output whenever an arm begins to move.
 */
const [udp, world] = process.argv.slice(2).map(Number) as [number, number];
const run = await LiveRun.start(
  {
    ...liveDefaults,
    rehearsals: 0,
    robot: "lwr-arm",
    perception: "truth",
    challenges: "none",
    address: { host: "127.0.0.1", udp, world },
  },
  {
    event: ({ text }) => {
      if (text.includes("watching → reaching")) process.stdout.write("reaching\n");
    },
  },
);
for (let id = 0; ; id++) await run.throwBalls([id]);
