/**
 * Makes `bench/reference/robots/<name>.json`: for each of the suite's throws at a shipped robot the best catch of a long search.
 * Takes some minutes of processor time a robot. What is stored for the robot as it is now is kept, so the command can be stopped.
 *
 *   node dist/bench/robots/make-stored-catches.js [name …]      default: all robots shipped
 */
import { listRobots, robotsFolder } from "../../src/robot/loading/robot-folders.js";
import { measuredArm } from "./named-robots.js";
import { ArmTrials } from "./search-quality.js";
import { storeCatches, storedCatches, throwSeed } from "./stored-catches.js";

const seed = throwSeed(1);
/** Catchable throws wanted, most throws for them, and how many are stored at a time. */
const CATCHABLE = 300;
const MOST_THROWS = 2000;
const BATCH = 20;

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : listRobots([robotsFolder])) {
  const trials = new ArmTrials(name, measuredArm(name), seed);
  let known = storedCatches(name, seed);
  for (;;) {
    const next = trials.longCatches(CATCHABLE, Math.min(known.length + BATCH, MOST_THROWS), known);
    if (next.length <= known.length) break;
    known = next;
    storeCatches(name, seed, known);
    const catchable = known.filter((best) => best !== null).length;
    process.stderr.write(`${name}: ${catchable} of ${known.length} throws are catchable\n`);
  }
}
