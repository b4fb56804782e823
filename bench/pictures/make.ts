/**
 * Draws the pictures of the documentation from real plans, into docs/images/.
 *
 *   node dist/bench/pictures/make.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pose from "../../src/math/pose.js";
import type { Vec3 } from "../../src/math/vec3.js";
import * as vec3 from "../../src/math/vec3.js";
import { iterationBudget } from "../../src/optimisation/solver-interface.js";
import type { CatchMode } from "../../src/planning/problem/objectives.js";
import type { CatchSolution } from "../../src/planning/search/catch-solution.js";
import { CatchSolver } from "../../src/planning/search/catch-solver.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import { RobotState } from "../../src/robot/state.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { PlanningSetting } from "../planning/setting.js";
import { Plot, type Point, palette, renderSvg } from "./svg.js";

/** The arm on its table, and a throw that every mode can catch: the thesis' Fig. 3.9. */
const THROW = 14;
const DELAY = 0.25;
const setting = new PlanningSetting("lwr-arm", "arm");
const { arm } = setting;
const still = new Float64Array(setting.ready.length);

const state = new RobotState(arm.robot.model);
state.q.set(arm.robot.postures.get("ready")!);
forwardKinematics(state);
const worldFromBase = pose.copy(state.worldFromLink[arm.chain.baseLink]!, pose.create());

function plan(mode: CatchMode): CatchSolution {
  const task = setting.task(mode, setting.flight(THROW, DELAY), setting.ready, still);
  const solver = new CatchSolver(arm, task);
  const solution = solver.createSolution();
  solver.cold(task, { starts: 24, solve: iterationBudget(200) }, solution);
  if (!solution.found) throw new Error(`throw ${THROW} cannot be caught in mode ${mode}`);
  return solution;
}

function inWorld(v: Vec3): Point {
  const world = pose.transformPoint(worldFromBase, v, vec3.create());
  return [world[0], world[2]];
}

/** The arm from its base to the catch frame, seen from the side. */
function armPoints(q: Float64Array): Point[] {
  const { chain } = arm;
  chain.update(q);
  const joints = Array.from({ length: chain.jointCount }, (_, j) => inWorld(vec3.view(chain.jointOrigin, 3 * j)));
  return [inWorld(vec3.create()), ...joints, inWorld(pose.getTranslation(chain.baseFromTip, vec3.create()))];
}

function ballPoints(until: number): Point[] {
  const flight = setting.flight(THROW, DELAY);
  const times = Array.from({ length: 80 }, (_, k) => -DELAY + ((until + DELAY) * k) / 79);
  return times.map((t) => inWorld(flight.position(t, vec3.create())));
}

function sideView(x: number, y: number, title: string, solution: CatchSolution, color: string): Plot {
  const plot = new Plot({
    x,
    y,
    width: 300,
    height: 190,
    title,
    horizontal: { label: "x [m]", from: -0.5, to: 3, ticks: [0, 1, 2, 3] },
    vertical: { label: "height [m]", from: 0.5, to: 2.716, ticks: [0.5, 1, 1.5, 2, 2.5] },
  });
  const time = solution.x.at(-1)!;
  const ball = inWorld(setting.flight(THROW, DELAY).position(time, vec3.create()));
  return plot
    .line(
      ballPoints(time).filter(([px, pz]) => px < 3 && pz < 2.7),
      "#999",
      2,
      "2 5",
    )
    .line(armPoints(setting.ready), "#bbb", 5)
    .line(armPoints(solution.x), color, 5)
    .dot(ball, "#d55e00", 6)
    .text([2.9, 0.6], `caught at ${time.toFixed(2)} s`, "#444", "end");
}

function rampView(x: number, y: number, title: string, solution: CatchSolution): Plot {
  const plot = new Plot({
    x,
    y,
    width: 300,
    height: 190,
    title,
    horizontal: { label: "t [s]", from: 0, to: 1, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
    vertical: { label: "joint speed [rad/s]", from: -2.8, to: 2.8, ticks: [-2, -1, 0, 1, 2] },
  });
  const [q, w, a] = [new Float64Array(7), new Float64Array(7), new Float64Array(7)];
  const samples = Array.from({ length: 201 }, (_, k) => {
    solution.ramps.evaluate(k / 200, q, w, a);
    return [...w];
  });
  for (let i = 0; i < 7; i++) {
    const points = samples.map((speeds, k): Point => [k / 200, speeds[i]!]);
    plot.line(points, palette[i]!);
  }
  const time = solution.x.at(-1)!;
  plot.line(
    [
      [time, -2.8],
      [time, 2.8],
    ],
    "#d55e00",
    1.2,
    "4 4",
  );
  return plot.text([time + 0.01, 2.45], "ball", "#d55e00");
}

function write(name: string, svg: string): void {
  writeFileSync(join(packageRoot, "docs", "images", name), svg);
}

const soft = plan("soft");
write(
  "catch.svg",
  renderSvg("A catch: where and when, and the joint speeds", 780, 260, [
    sideView(60, 30, "where and when", soft, palette[0]),
    rampView(450, 30, "and how", soft),
  ]),
);

const modes = (["soft", "latest", "cool"] as const).map((mode) => ({ mode, solution: plan(mode) }));
const plots = modes.flatMap(({ mode, solution }, column) => [
  sideView(60 + 380 * column, 30, mode, solution, palette[0]),
  rampView(60 + 380 * column, 290, `${mode}: joint speeds`, solution),
]);
write("modes.svg", renderSvg("One throw caught in the modes soft, latest and cool", 1150, 530, plots));
