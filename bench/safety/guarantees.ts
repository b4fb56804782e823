import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { listRobots } from "../../src/robot/loading/robot-folders.js";
import { countViolations } from "../../test/safety/guarantees/conservative-bounds.js";
import { MonitoredMotions } from "../../test/safety/guarantees/monitored-motions.js";
import { countBrakedPlans } from "../../test/safety/guarantees/verified-plans.js";
import type { BenchContext, Metrics } from "../harness.js";

/** How much of each is tried: in a short run, and with `--full`. */
const short = { triples: 20_000, motions: 20, plans: 50 };
const full = { triples: 1_000_000, motions: 1000, plans: 10_000 };

/**
 * What the self-collision monitor promises, counted: bounds that a true distance undercuts (all robots), collisions it
 * does not stop, motions free of contact that it brakes, and verified plans that it brakes (agile-justin).
 */
export function measureGuarantees({ seed, full: isFull, progress }: BenchContext): Metrics {
  const wanted = isFull ? full : short;
  progress("conservative bounds");
  const counts = listRobots().map((name) => countViolations(loadRobot(name), new Random(seed), wanted.triples));
  const motions = new MonitoredMotions(loadRobot("agile-justin"), new Random(seed));
  progress("motions that collide");
  const missed = motions.countMissed(wanted.motions);
  progress("motions that do not");
  const falseBrakes = motions.countFalseBrakes(wanted.motions);
  const falseCatchBrakes = motions.countFalseCatchBrakes(wanted.motions);
  progress("verified plans");
  const { plans, braked } = countBrakedPlans("agile-justin", "rightArm", new Random(seed), wanted.plans);
  return {
    conservative_triples: counts.reduce((sum, { triples }) => sum + triples, 0),
    conservative_violations: counts.reduce((sum, { violations, escapes }) => sum + violations + escapes, 0),
    colliding_motions: wanted.motions,
    missed_collisions: missed,
    false_brake_ratio: falseBrakes / wanted.motions,
    false_catch_brake_ratio: falseCatchBrakes / wanted.motions,
    verified_plans: plans,
    verified_but_braked: braked,
  };
}
