/**
 * Draws what each sweep encloses, by the operators themselves, into docs/images/sweeps.svg.
 *
 *   node dist/bench/pictures/sweeps.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { JointSweep, sweepPrismatic, sweepRevolute } from "../../src/collision/sweep/joint-sweep.js";
import { reducePoints } from "../../src/collision/sweep/reduce-points.js";
import { SweptHull } from "../../src/collision/sweep/swept-hull.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { Plot, type Point, palette, renderSvg } from "./svg.js";

/** A capsule in the plane z = 0. */
function capsule(from: Point, to: Point, radius: number): SweptHull {
  const hull = new SweptHull(32, 2);
  hull.setPoints(Float64Array.of(...from, 0, ...to, 0), 2);
  hull.radius = radius;
  return hull;
}

/** A joint at (x, y): along an axis in the plane for a slide, about z for a turn. */
function joint([x, y]: Point, axis: readonly [number, number, number], terms: readonly Point[]): JointSweep {
  const sweep = new JointSweep(2);
  sweep.origin.set([x, y, 0]);
  sweep.axis.set(axis);
  sweep.termCount = terms.length;
  for (const [k, [slot, amount]] of terms.entries()) {
    sweep.slot[k] = slot;
    sweep.amount[k] = amount;
  }
  return sweep;
}

/** The outline of a hull: from its support function h(φ), the point h·u + h′·u⊥ of each direction u. */
function outline(hull: SweptHull, directions: number): Point[] {
  const extent = (angle: number): number => hull.extentAlong(Math.cos(angle), Math.sin(angle), 0) + hull.radius;
  return Array.from({ length: directions + 1 }, (_, i): Point => {
    const angle = (2 * Math.PI * (i + 0.5)) / directions;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const h = extent(angle);
    const slope = (extent(angle + 1e-5) - extent(angle - 1e-5)) / 2e-5;
    return [h * c - slope * s, h * s + slope * c];
  });
}

function turned([x, y]: Point, [ox, oy]: Point, angle: number): Point {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [ox + c * (x - ox) - s * (y - oy), oy + s * (x - ox) + c * (y - oy)];
}

function panel(column: number, row: number, title: string): Plot {
  return new Plot({
    x: 60 + column * 250,
    y: 30 + row * 280,
    width: 165,
    height: 220,
    title,
    horizontal: { label: "x [m]", from: -0.1, to: 0.95, ticks: [0, 0.4, 0.8] },
    vertical: { label: "y [m]", from: -0.7, to: 0.7, ticks: [-0.4, 0, 0.4] },
  });
}

const [from, to]: [Point, Point] = [
  [0.35, -0.05],
  [0.65, 0.02],
];
const radius = 0.05;
const pivot: Point = [0, 0];
const samples = Array.from({ length: 9 }, (_, i) => -1 + i / 4);

/** The body at some places of its motion, then what the sweep says. */
function draw(plot: Plot, places: readonly (readonly [Point, Point])[], hulls: readonly SweptHull[]): Plot {
  for (const [a, b] of places) plot.line(outline(capsule(a, b, radius), 36), "#b5b5b5", 0.8);
  for (const [k, hull] of hulls.entries()) plot.line(outline(hull, 180), palette[k]!, 1.8);
  return plot;
}

function turnPlaces(half: number): (readonly [Point, Point])[] {
  return samples.map((share) => [turned(from, pivot, share * half), turned(to, pivot, share * half)] as const);
}

function slidePlot(): Plot {
  const axis = [0.6, 0.8, 0] as const;
  const moved = ([x, y]: Point, share: number): Point => [x + 0.12 * share, y + 0.16 * share];
  const hull = capsule(from, to, radius);
  sweepPrismatic(hull, joint(pivot, axis, [[0, 0.2]]), 1, hull);
  const places = samples.map((share) => [moved(from, share), moved(to, share)] as const);
  return draw(panel(0, 0, "slide by ±0.2 m: exact"), places, [hull]);
}

function turnPlot(column: number, row: number, title: string, half: number, pieces: number): Plot {
  const sweep = joint(pivot, [0, 0, 1], [[0, half]]);
  sweep.pieces = pieces;
  const hull = capsule(from, to, radius);
  sweepRevolute(hull, sweep, 1, hull);
  return draw(panel(column, row, title), turnPlaces(half), [hull]).dot(pivot, "#444", 3);
}

function coupledPlot(): Plot {
  const [half, elbow] = [0.3, [0.35, 0] as Point];
  const hull = capsule(from, to, radius);
  const apart = capsule(from, to, radius);
  sweepRevolute(hull, joint(elbow, [0, 0, 1], [[0, -half]]), 1, hull);
  sweepRevolute(hull, joint(pivot, [0, 0, 1], [[0, half]]), 1, hull);
  sweepRevolute(apart, joint(elbow, [0, 0, 1], [[0, -half]]), 1, apart);
  sweepRevolute(apart, joint(pivot, [0, 0, 1], [[1, half]]), 2, apart);
  const place = (p: Point, share: number): Point => turned(turned(p, elbow, -share * half), pivot, share * half);
  const places = samples.map((share) => [place(from, share), place(to, share)] as const);
  return draw(panel(1, 1, "coupled: q₂ = −q₁"), places, [hull, apart])
    .dot(pivot, "#444", 3)
    .dot(elbow, "#444", 3);
}

function reducePlot(): Plot {
  const sweep = joint(pivot, [0, 0, 1], [[0, 0.7]]);
  sweep.pieces = 4;
  const hull = capsule(from, to, radius);
  sweepRevolute(hull, sweep, 1, hull);
  const fewer = new SweptHull(32, 2);
  fewer.copy(hull, 1);
  reducePoints(fewer, 4);
  return draw(panel(2, 1, "eight points reduced to four"), turnPlaces(0.7), [hull, fewer]).dot(pivot, "#444", 3);
}

const plots = [
  slidePlot(),
  turnPlot(1, 0, "turn by ±0.15 rad", 0.15, 1),
  turnPlot(2, 0, "turn by ±0.7 rad", 0.7, 1),
  turnPlot(0, 1, "the same in four pieces", 0.7, 4),
  coupledPlot(),
  reducePlot(),
];
const svg = renderSvg("What the sweeps of a capsule enclose", 760, 560, plots);
writeFileSync(join(packageRoot, "docs", "images", "sweeps.svg"), svg);
