import { Random } from "../../src/math/random.js";
import { quantiles } from "../../src/math/statistics.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotWorld } from "../../src/simulation/mujoco/robot-world.js";
import { drawTrial, runTrial } from "./hand-trial.js";

/**
 * What a step of the simulated world costs: with no ball in play, and with balls in the closed hands, which is the most
 * there is to compute. Prints microseconds a step (1 ms of simulated time) and the memory of a world.
 *
 *   node --expose-gc dist/bench/simulation/world-speed.js [robot …]
 */
const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : ["agile-justin", "lwr-arm", "iiwa-14", "panda"]) await measure(name);

async function measure(name: string): Promise<void> {
  const robot = loadRobot(name);
  const before = process.memoryUsage();
  const world = await RobotWorld.create(robot, { balls: 2 });
  const posture = robot.postures.get("ready")!;
  const after = process.memoryUsage();
  const closing = new Float64Array(robot.hands.length);
  // MuJoCo's first thousands of steps are slow.
  for (let k = 0; k < 5; k++) runTrial(world, posture, 0, drawTrial(new Random(k), 0, 0.01));
  const rows = [`no ball ${timeSteps(world, closing)}`];
  closing.fill(1);
  for (let ball = 0; ball < Math.min(2, robot.hands.length); ball++) {
    placeInHand(world, ball);
    rows.push(`${ball + 1} in hand ${timeSteps(world, closing)}`);
  }
  const megabytes = (after.rss - before.rss) / 2 ** 20;
  process.stdout.write(`${name}: ${rows.join("; ")}; ${megabytes.toFixed(1)} MB\n`);
  world.close();
}

/** Puts a ball on the palm of the hand of its number, and closes the hand about it. */
function placeInHand(world: RobotWorld, ball: number): void {
  const hand = world.robot.hands[ball]!;
  const pose = new Float64Array(12);
  world.worldFromLink(hand.catchLink, pose as Parameters<RobotWorld["worldFromLink"]>[1]);
  const depth = 0.085;
  const position = Float64Array.from({ length: 3 }, (_, k) => pose[9 + k]! - depth * pose[3 * k + 2]!);
  const state = { time: 0, position, velocity: new Float64Array(3), drag: 0 };
  world.throwBall(ball, state as Parameters<RobotWorld["throwBall"]>[1]);
  const command = world.holdCommand();
  command.closing.fill(1);
  for (let k = 0; k < 200; k++) world.step(command);
}

/** p50 and p99 of a step [µs]. */
function timeSteps(world: RobotWorld, closing: Float64Array): string {
  const command = { ...world.holdCommand(), closing };
  const times = Array.from({ length: 2000 }, () => {
    const begin = performance.now();
    world.step(command);
    return 1e3 * (performance.now() - begin);
  });
  const [p50, p99] = quantiles(times, [0.5, 0.99]) as [number, number];
  return `p50 ${p50.toFixed(0)} µs, p99 ${p99.toFixed(0)} µs`;
}
