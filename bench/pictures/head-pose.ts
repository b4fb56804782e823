/**
 * Draws how the head shakes during a fast catch, and the filter's estimate, to docs/images/head-pose.svg.
 *
 *   node dist/bench/pictures/head-pose.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as lie from "../../src/math/lie.js";
import * as pose from "../../src/math/pose.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { ShakenHead, WARM_UP } from "../tracking/shaken-head.js";
import { Plot, type Point, palette, renderSvg } from "./svg.js";

const SEED = 3;
const DURATION = 1.2;
const STEP = 0.004;

const head = new ShakenHead(loadRobot("agile-justin"), { seed: SEED });
head.advance(WARM_UP);

interface Sample {
  readonly time: number;
  readonly truth: Float64Array;
  readonly filtered: Float64Array;
}

/** How a pose lies beside another: position [m], then rotation [rad], in world axes. */
function beside(worldFromHead: pose.Pose, reference: pose.Pose): Float64Array {
  const turn = pose.compose(worldFromHead, pose.invert(reference, pose.create()), pose.create());
  const out = lie.se3Log(turn, new Float64Array(6));
  for (let i = 0; i < 3; i++) out[i] = worldFromHead[9 + i]! - reference[9 + i]!;
  return out;
}

const samples = Array.from({ length: Math.round(DURATION / STEP) }, (_, k): Sample => {
  const time = k * STEP;
  head.advance(WARM_UP + time + 0.04);
  const kinematic = pose.copy(head.estimate("off", WARM_UP + time).worldFromHead, pose.create());
  const filtered = pose.copy(head.estimate("on", WARM_UP + time).worldFromHead, pose.create());
  return { time, truth: beside(head.truth(WARM_UP + time), kinematic), filtered: beside(filtered, kinematic) };
});

/** One coordinate in thousandths, without what it was at the start. */
function curve(which: "truth" | "filtered", coordinate: number): Point[] {
  const start = samples[0]![which][coordinate]!;
  return samples.map((sample) => [sample.time, 1e3 * (sample[which][coordinate]! - start)]);
}

function draw(x: number, title: string, label: string, coordinate: number, size: number): Plot {
  const ticks = [-size, -size / 2, 0, size / 2, size];
  return new Plot({
    x,
    y: 30,
    width: 400,
    height: 220,
    title,
    horizontal: { label: "time since release [s]", from: 0, to: DURATION, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2] },
    vertical: { label, from: -size, to: size, ticks },
  })
    .line(
      [
        [0, 0],
        [DURATION, 0],
      ],
      palette[6],
      1.6,
    )
    .line(curve("truth", coordinate), palette[1], 3.2)
    .line(curve("filtered", coordinate), palette[0], 1.3)
    .text([0.02, 0.86 * size], "truth", palette[1])
    .text([0.16, 0.86 * size], "filter", palette[0])
    .text([0.31, 0.86 * size], "joints alone", palette[6]);
}

writeFileSync(
  join(packageRoot, "docs", "images", "head-pose.svg"),
  renderSvg("Deviation of the head from the joints' estimate, during a fast catch", 1000, 310, [
    draw(60, "yaw", "deviation from the joints [mrad]", 5, 10),
    draw(550, "forward", "deviation from the joints [mm]", 0, 16),
  ]),
);
