import { escapeText } from "../calibration/report/svg-plots.js";
import type { ThrowReport, Triple } from "./report-types.js";

/** The picture's size [px]. */
const WIDTH = 460;
const HEIGHT = 300;
/** From where the scene is looked at: from the right, behind and above the robot's shoulder, as angles [rad]. */
const AZIMUTH = -2.35;
const ELEVATION = 0.42;
/** Length of the hand's axis in the picture [m]. */
const AXIS_LENGTH = 0.25;
/** Lines of the floor are this far apart [m]. */
const FLOOR_STEP = 0.5;

type Projection = (point: Triple) => readonly [x: number, y: number];

/**
 * A throw in three dimensions, drawn by parallel projection: floor, smoothed and true flight with their shadows, where each
 * plan would have caught the ball, and the hand as it closed.
 */
export function throwScene(report: ThrowReport): string {
  const { smoothed, truth, plans, grasp } = report;
  const paths = [...(truth?.path ?? []), ...(smoothed?.path ?? [])].map(
    ([, x, y, z]): Triple => [x, y, Math.max(0, z)],
  );
  const catches = plans.flatMap(({ position, handover }) => (position === null ? [] : [{ position, handover }]));
  const all: Triple[] = [...paths, ...catches.map(({ position }) => position), [0, 0, 0], [0, 0, 1.5]];
  if (grasp !== null) all.push(grasp.position);
  const floor = floorOf(all);
  const project = projectionOf([...all, ...floor.corners]);
  const title = `Throw ${report.ball} in space`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">
<text class="title" x="14" y="18">In space</text>
${floor.lines.map((line) => polyline(line, project, "grid")).join("")}
${polyline(
  [
    [0, 0, 0],
    [0, 0, 1.5],
  ],
  project,
  "robot",
)}
${caption([0, 0, 1.5], "robot", project)}
${truth === null ? "" : pathLines(truth.path, project, "line truth")}
${smoothed === null ? "" : pathLines(smoothed.path, project, "line smoothed")}
${catches.map(({ position, handover }) => catchDot(position, handover === "accepted", project)).join("")}
${grasp === null ? "" : handMark(grasp, project)}
<text class="key" x="14" y="${HEIGHT - 8}">floor: lines every half metre · dots: where plans would catch · arrow: the hand</text>
</svg>`;
}

function pathLines(
  path: readonly (readonly [number, number, number, number])[],
  project: Projection,
  style: string,
): string {
  const points = path.map(([, x, y, z]): Triple => [x, y, z]);
  const shadow = points.map(([x, y]): Triple => [x, y, 0]);
  return polyline(shadow, project, "shadow") + polyline(points, project, style);
}

function polyline(points: readonly Triple[], project: Projection, style: string): string {
  const corners = points.map((point) =>
    project(point)
      .map((value) => value.toFixed(1))
      .join(" "),
  );
  return `<path class="${style}" d="M${corners.join("L")}"/>`;
}

function catchDot(position: Triple, isTaken: boolean, project: Projection): string {
  const [x, y] = project(position);
  return `<circle class="dot ${isTaken ? "taken" : "idle"}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.6"/>`;
}

function handMark({ position, axis }: NonNullable<ThrowReport["grasp"]>, project: Projection): string {
  const tip = position.map((value, k) => value + AXIS_LENGTH * axis[k]!) as unknown as Triple;
  const [x, y] = project(position);
  return `${polyline([position, tip], project, "hand")}<circle class="hand" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="6"/>`;
}

function caption(point: Triple, words: string, project: Projection): string {
  const [x, y] = project(point);
  return `<text class="tick" x="${x.toFixed(1)}" y="${(y - 5).toFixed(1)}" text-anchor="middle">${words}</text>`;
}

/** The part of the floor below everything. */
function floorOf(points: readonly Triple[]): { lines: Triple[][]; corners: Triple[] } {
  const range = (k: 0 | 1): [number, number] => {
    const values = points.map((point) => point[k]);
    return [
      FLOOR_STEP * Math.floor((Math.min(...values) - 0.2) / FLOOR_STEP),
      FLOOR_STEP * Math.ceil((Math.max(...values) + 0.2) / FLOOR_STEP),
    ];
  };
  const [x0, x1] = range(0);
  const [y0, y1] = range(1);
  const steps = (from: number, to: number) =>
    Array.from({ length: Math.round((to - from) / FLOOR_STEP) + 1 }, (_, k) => from + k * FLOOR_STEP);
  const along = steps(y0, y1).map((y): Triple[] => [
    [x0, y, 0],
    [x1, y, 0],
  ]);
  const across = steps(x0, x1).map((x): Triple[] => [
    [x, y0, 0],
    [x, y1, 0],
  ]);
  const corners: Triple[] = [
    [x0, y0, 0],
    [x1, y0, 0],
    [x0, y1, 0],
    [x1, y1, 0],
  ];
  return { lines: [...along, ...across], corners };
}

/** Turns and tilts the world, then fits it into the picture. */
function projectionOf(points: readonly Triple[]): Projection {
  const turn = ([x, y, z]: Triple): [number, number] => {
    const right = -Math.sin(AZIMUTH) * x + Math.cos(AZIMUTH) * y;
    const away = Math.cos(AZIMUTH) * x + Math.sin(AZIMUTH) * y;
    return [-right, -(Math.cos(ELEVATION) * z - Math.sin(ELEVATION) * away)];
  };
  const turned = points.map(turn);
  const [xs, ys] = [turned.map(([x]) => x), turned.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left || 1, Math.max(...ys) - top || 1];
  const scale = Math.min((WIDTH - 40) / width, (HEIGHT - 70) / height);
  const [dx, dy] = [(WIDTH - scale * width) / 2, 34 + (HEIGHT - 70 - scale * height) / 2];
  return (point) => {
    const [x, y] = turn(point);
    return [dx + scale * (x - left), dy + scale * (y - top)];
  };
}
