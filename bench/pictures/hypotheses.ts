/**
 * Draws the tree of hypotheses of a real run, and how sure the tracker becomes of what flies, into
 * docs/images/hypotheses.svg.
 *
 *   node dist/bench/pictures/hypotheses.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import { crossingBalls } from "../tracking/crossing-trial.js";
import { Lamp, RollingBall, ThrownBall, throwsOf, WalkingPerson } from "../tracking/round-objects.js";
import { FRAME_PERIOD, type RoundObject, ScanSimulator } from "../tracking/scan-simulator.js";
import { Plot, type Point, palette, renderSvg } from "./svg.js";

/** Two balls that cross among thirty false circles an image, one hidden for 200 ms: a run with some doubt in it. */
const SEED = 37;
const CLUTTER = 30;
/** Hypotheses drawn in each scan, the most probable ones. */
const SHOWN = 12;

/** A hypothesis after one scan. */
interface TreeNode {
  readonly scan: number;
  readonly rank: number;
  readonly parent: number;
  readonly probability: number;
  readonly tracks: number;
}

function growTree(): TreeNode[][] {
  const balls = crossingBalls(SEED);
  const simulator = new ScanSimulator({ seed: SEED, clutter: CLUTTER, detectionProbability: 0.9 });
  const tracker = new BallTracker({ clutterPerImage: CLUTTER, detectionProbability: 0.9, pruneRatio: 1e8 });
  const scans = Math.floor(Math.max(...balls.map(({ end }) => end)) / FRAME_PERIOD);
  return Array.from({ length: scans }, (_, scan) => {
    tracker.process(simulator.expose(scan * FRAME_PERIOD, balls));
    const { items, count } = tracker.hypotheses;
    return items.slice(0, Math.min(count, SHOWN)).map(({ logWeight, ancestors, count: tracks }, rank) => {
      return { scan, rank, parent: ancestors[1]!, probability: Math.exp(logWeight), tracks };
    });
  });
}

function treePlot(): Plot {
  const scans = growTree();
  const plot = new Plot({
    x: 60,
    y: 30,
    width: 680,
    height: 220,
    title: "the hypotheses after each scan, and their parents",
    horizontal: {
      label: "scan",
      from: -1,
      to: scans.length,
      ticks: [0, 5, 10, 15, 20, 25, 30].filter((k) => k < scans.length),
    },
    vertical: { label: "rank", from: SHOWN + 0.5, to: 0.3, ticks: [1, 4, 8, 12] },
  });
  const place = ({ scan, rank }: TreeNode): Point => [scan, rank + 1];
  for (const [k, nodes] of scans.entries()) {
    for (const node of nodes) {
      const parent = scans[k - 1]?.[node.parent];
      if (parent !== undefined) plot.line([place(parent), place(node)], "#999", 1);
    }
  }
  for (const node of scans.flat()) {
    const radius = 2 + 5 * Math.max(0, 1 + Math.log10(node.probability) / 8);
    plot.dot(place(node), palette[node.tracks % palette.length]!, radius);
  }
  const most = Math.max(...scans.flat().map(({ tracks }) => tracks));
  for (let tracks = 0; tracks <= most; tracks++) {
    const x = scans.length - 6;
    plot.dot([x, SHOWN - most + tracks - 0.1], palette[tracks % palette.length]!, 5);
    plot.text([x + 0.5, SHOWN - most + tracks], tracks === 1 ? "1 ball" : `${tracks} balls`);
  }
  return plot;
}

/** ln of the odds that the object flies, in every scan after its release or first sight. */
function oddsOf(object: RoundObject, release: number, scans: number): Point[] {
  const simulator = new ScanSimulator({ seed: 5, clutter: 10 });
  const tracker = new BallTracker({ clutterPerImage: 10 });
  const points: Point[] = [];
  const place = vec3.create();
  for (let k = 0; k < scans; k++) {
    const time = release + (k + 0.5) * FRAME_PERIOD;
    tracker.process(simulator.expose(time, [object]));
    if (!object.position(time, place)) continue;
    const track = tracker.tracks
      .slice(0, tracker.trackCount)
      .find(({ belief: { mean } }) => Math.hypot(mean[1]! - place[1], mean[2]! - place[2]) < 0.15);
    if (track === undefined) continue;
    const probability = Math.min(track.flyingProbability, 1 - 1e-5);
    points.push([k + 1, Math.log10(probability / (1 - probability))]);
  }
  return points;
}

function oddsPlot(): Plot {
  const plot = new Plot({
    x: 60,
    y: 320,
    width: 680,
    height: 200,
    title: "odds that it flies: five throws, a ball in a walking person's hand, a rolling one, a lamp",
    horizontal: { label: "scan since it was first in view", from: 0, to: 16, ticks: [1, 2, 3, 4, 6, 8, 10, 12, 14] },
    vertical: { label: "log₁₀ odds", from: -4, to: 5.5, ticks: [-4, -2, 0, 2, 4] },
  });
  const threshold = Math.log10(0.99 / 0.01);
  plot
    .line(
      [
        [0, threshold],
        [16, threshold],
      ],
      "#999",
      1,
      "4 4",
    )
    .text([15.9, threshold + 0.2], "thrown", "#444", "end");
  for (let id = 0; id < 5; id++) {
    const ball = new ThrownBall(throwsOf(3).make(id, 1));
    plot.line(oddsOf(ball, 1, 15), palette[0], 1.4);
  }
  plot.line(oddsOf(new WalkingPerson(new Random(1)), 2, 15), palette[1]);
  plot.line(oddsOf(new RollingBall(vec3.create(6.5, -1, 0), vec3.create(0.1, 2, 0)), 0, 15), palette[2]);
  plot.line(oddsOf(new Lamp(vec3.create(4, 0.5, 2)), 0, 15), palette[3], 1.8, "5 3");
  plot.text([9, 4.4], "throws", palette[0]).text([12, -2.2], "hand", palette[1]);
  return plot.text([13.3, -2.2], "rolling", palette[2]).text([14.8, -2.2], "lamp", palette[3]);
}

const svg = renderSvg("The tree of hypotheses of a run, and the odds of flying", 780, 570, [treePlot(), oddsPlot()]);
writeFileSync(join(packageRoot, "docs", "images", "hypotheses.svg"), svg);
