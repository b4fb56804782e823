import { closingLead } from "../../src/control/hand-motion.js";
import { Random } from "../../src/math/random.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { RobotWorld } from "../../src/simulation/mujoco/robot-world.js";
import { drawTrial, type HandTrial, runTrial } from "./hand-trial.js";

/**
 * Which balls a still hand holds, and when it must begin to close. Two tables of the share of balls held: over the
 * distance from the hand's middle and the lead of the closing command, with speed and direction drawn; and at the lead
 * that control uses, over speed and direction. They are those of docs/simulation.md.
 *
 *   node dist/bench/simulation/hand-window.js [robot] [balls a cell]
 */
const [name = "agile-justin", count = "40"] = process.argv.slice(2);
const balls = Number(count);

const offsets = [0, 0.01, 0.02, 0.03, 0.04];
const leads = [-60, -40, -20, -10, 0, 5, 10, 15, 20, 30, 40, 60].map((ms) => ms / 1e3);
const speeds = [5, 6, 7, 8];
const tilts = [0, 5, 10, 15].map((degrees) => (degrees * Math.PI) / 180);

const robot = loadRobot(name);
const posture = robot.postures.get("ready")!;
const world = await RobotWorld.create(robot, { balls: 1 });
const index = robot.hands.length - 1;
const hand = robot.hands[index]!;

print(`${name}, ${hand.name}: share held of ${balls} balls a cell, 5–8 m/s, up to 10° off the hand's axis\n`);
printTable(
  "lead [ms]",
  leads.map((lead) => ({
    label: String(Math.round(1e3 * lead)),
    cells: offsets.map((offset) => heldShare(offset, lead, {})),
  })),
);
const lead = closingLead(hand);
print(`\nThe same at a lead of ${(1e3 * lead).toFixed(1)} ms, by speed and direction\n`);
printTable("", [
  ...speeds.map((speed) => ({
    label: `${speed} m/s`,
    cells: offsets.map((offset) => heldShare(offset, lead, { speed })),
  })),
  ...tilts.map((tilt) => ({
    label: `${Math.round((180 / Math.PI) * tilt)}°`,
    cells: offsets.map((offset) => heldShare(offset, lead, { tilt })),
  })),
]);
world.close();

/** The same balls for every lead, so that rows differ by the lead alone. */
function heldShare(offset: number, lead: number, fixed: Partial<HandTrial>): number {
  let held = 0;
  for (let k = 0; k < balls; k++) {
    const trial = { ...drawTrial(new Random(`hand window ${offset} ${k}`), offset, lead), ...fixed };
    if (runTrial(world, posture, index, trial) === "held") held++;
  }
  return held / balls;
}

function printTable(corner: string, rows: readonly { readonly label: string; readonly cells: number[] }[]): void {
  print(`| ${corner} | ${offsets.map((offset) => `${Math.round(100 * offset)} cm`).join(" | ")} |`);
  print(`|---|${offsets.map(() => "---").join("|")}|`);
  for (const { label, cells } of rows) {
    print(`| ${label} | ${cells.map((share) => `${Math.round(100 * share)} %`).join(" | ")} |`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
