/**
 * One catch on the simulation's clock: the whole graph in this thread, with the same bits in every run.
 *
 * Run:    node dist/examples/03-lock-step-catch.js
 * Prints: what the arm does from the release to the catch, and what became of the ball.
 */
import { loadRobot, lockStepRun, type Predictions, type Transition, takeEach } from "flycatcher";

const run = await lockStepRun({
  robot: loadRobot("lwr-arm"),
  // Servos, fingers and contacts in MuJoCo; "kinematic" is quicker and has none of them.
  world: "physics",
  perception: "points",
  seed: 1,
});

// A tap is another reader of an out-port: `flycatcher graph` lists them all.
const transitions = run.tap<Transition>("catching.transitions");
const predictions = run.tap<Predictions>("tracker.predictions");

const [result] = await run.throwBalls([0]);
takeEach(transitions, Number.POSITIVE_INFINITY, ({ timeNs, from, to }) => {
  if (from !== to) console.log(`${(timeNs / 1e9).toFixed(3)} s: ${from} → ${to}`);
});
console.log(`${predictions.waiting} predictions`);
if (result?.verdict == null || result.catchTime === null) throw new Error("no grasp");
const { outcome, catchTime, verdict } = result;
console.log(
  `${outcome} after ${catchTime.toFixed(3)} s, ${(1e3 * verdict.lateral).toFixed(1)} mm off the hand's centre`,
);
await run.close();
