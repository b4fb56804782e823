import { JointRamps, rampFields } from "../motion/joint-ramps.js";
import type { FileReport, ModeReport, StageLatencies, ThrowReport } from "./report-types.js";
import { lineChart, type Series } from "./svg-chart.js";
import { throwScene } from "./throw-scene.js";

/** Errors below this are not told apart in pictures [mm]. */
const LEAST_ERROR = 0.1;
/** Points of a ramp in a picture. */
const RAMP_POINTS = 60;

/** The pictures of one throw. */
export function throwFigures(file: FileReport, thrown: ThrowReport): string[] {
  return [
    throwScene(thrown),
    predictionFigure(thrown),
    catchTimeFigure(thrown),
    catchPlaceFigure(thrown),
    ...thrown.modes.map((mode) => modeFigure(mode, thrown.modes)),
    safetyFigure(file, thrown),
    latencyFigure(file.latencies),
  ].filter((figure) => figure !== "");
}

/** Error of the predicted catch point over the time left, with the filter's own sigma (thesis, Fig. 3.4). */
function predictionFigure({ predictions, referenceTime }: ThrowReport): string {
  if (referenceTime === null) return "";
  const main = (predictions.findLast(({ error }) => error !== null) ?? predictions.at(-1))?.track;
  const confirmed = predictions.filter(
    ({ confirmed, track, known }) => confirmed && track === main && known <= referenceTime,
  );
  const over = (name: string, kind: Series["kind"], style: string, value: "error" | "trueError" | "sigma"): Series => ({
    name,
    kind,
    style,
    points: confirmed.flatMap((prediction) => {
      const metres = prediction[value];
      return metres === null
        ? []
        : [[1e3 * (prediction.seen - referenceTime), Math.max(LEAST_ERROR, 1e3 * metres)] as const];
    }),
  });
  return lineChart({
    title: "Prediction of the catch point",
    x: { label: "last image before the catch [ms]" },
    y: { label: "error [mm]", scale: "logarithmic" },
    series: [
      over("σ claimed", "band", "a", "sigma"),
      over("against smoothed", "line", "a", "error"),
      over("against truth", "line", "b", "trueError"),
    ],
  });
}

/** When the ball is to be caught, from plan to plan (thesis, Fig. 3.12). */
function catchTimeFigure({ plans, referenceTime }: ThrowReport): string {
  const taken = plans.filter(({ handover, tCatch }) => handover === "accepted" && tCatch !== null);
  if (taken.length === 0 || referenceTime === null) return "";
  const points = taken.map(
    ({ known, tCatch }) => [1e3 * (known - referenceTime), 1e3 * (tCatch! - referenceTime)] as const,
  );
  return lineChart({
    title: "Time of the catch, from replan to replan",
    x: { label: "plan known before the catch [ms]" },
    y: { label: "catch, against the last [ms]" },
    series: [
      { name: "", kind: "steps", style: "d", points },
      { name: "", kind: "dots", style: "taken", points },
    ],
  });
}

/** Where it is to be caught, against where it was in the end. */
function catchPlaceFigure({ plans, referenceTime }: ThrowReport): string {
  const taken = plans.filter(({ handover, position }) => handover === "accepted" && position !== null);
  const last = taken.at(-1)?.position ?? null;
  if (last === null || referenceTime === null) return "";
  const axis = (k: 0 | 1 | 2, name: string, style: string): Series => ({
    name,
    kind: "steps",
    style,
    points: taken.map(
      ({ known, position }) => [1e3 * (known - referenceTime), 1e2 * (position![k] - last[k])] as const,
    ),
  });
  return lineChart({
    title: "Place of the catch",
    x: { label: "plan known before the catch [ms]" },
    y: { label: "against the last [cm]" },
    series: [axis(0, "x ahead", "a"), axis(1, "y left", "b"), axis(2, "z up", "c")],
  });
}

const jointStyles = ["a", "b", "c", "d"] as const;

/** Joint velocities to the first catch found, in one mode (thesis, Fig. 3.9); all modes on the same scale. */
function modeFigure({ mode, ramps, tCatch, tStart, objective }: ModeReport, all: readonly ModeReport[]): string {
  const latest = Math.max(...all.map((other) => other.tCatch - other.tStart));
  const fastest = Math.max(
    ...all.flatMap((other) =>
      velocities(other)
        .flat()
        .map(([, speed]) => Math.abs(speed)),
    ),
  );
  const series = velocities({ ramps, tCatch, tStart }).map(
    (points, joint): Series => ({ name: "", kind: "line", style: jointStyles[joint % jointStyles.length]!, points }),
  );
  return lineChart({
    title: `Joint velocities, ${mode} (objective ${objective.toFixed(2)})`,
    x: { label: "from the begin of the motion [s]", range: [0, latest] },
    y: { label: "velocity [rad/s]", range: [-fastest, fastest] },
    series,
    marks: [{ x: tCatch - tStart, label: "catch" }],
    height: 220,
  });
}

function velocities({ ramps, tCatch, tStart }: Pick<ModeReport, "ramps" | "tCatch" | "tStart">) {
  const joints = rampsOf(ramps);
  const [q, qd, qdd] = [0, 1, 2].map(() => new Float64Array(joints.count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const lines: (readonly [number, number])[][] = Array.from({ length: joints.count }, () => []);
  for (let k = 0; k <= RAMP_POINTS; k++) {
    const time = ((tCatch - tStart) * k) / RAMP_POINTS;
    joints.evaluate(time, q, qd, qdd);
    for (let joint = 0; joint < joints.count; joint++) lines[joint]!.push([time, qd[joint]!]);
  }
  return lines;
}

function rampsOf(numbers: ModeReport["ramps"]): JointRamps {
  const ramps = new JointRamps(numbers.q0.length);
  for (const field of rampFields) ramps[field].set(numbers[field]);
  ramps.restoreEnds();
  return ramps;
}

/** How near the robot came to itself. */
function safetyFigure({ safety }: FileReport, { firstSeen, referenceTime }: ThrowReport): string {
  if (firstSeen === null || referenceTime === null) return "";
  const points = safety.distances
    .filter(([time]) => time >= firstSeen && time <= referenceTime + 0.3)
    .map(([time, distance]) => [1e3 * (time - referenceTime), 1e2 * distance] as const);
  if (points.length === 0) return "";
  const bodies = safety.bodies === null ? "" : `, least between ${safety.bodies.join(" and ")}`;
  return lineChart({
    title: `Nearest bodies${bodies}`,
    x: { label: "before the catch [ms]" },
    y: { label: "distance [cm]", range: [0, Math.max(...points.map(([, distance]) => distance))] },
    series: [{ name: "", kind: "line", style: "c", points }],
    height: 220,
  });
}

/** Delays from light to motion, one after the other. */
function latencyFigure({ camera, tracking, planning, transport }: StageLatencies): string {
  const stages = [
    ["camera", camera],
    ["tracking", tracking],
    ["planning", planning],
    ["transport", transport],
  ] as const;
  const known = stages.flatMap(([name, values]) => (values === null ? [] : [{ name, ...values }]));
  if (known.length === 0) return "";
  const total = known.reduce((sum, { p50 }) => sum + p50, 0);
  let at = 0;
  const bars = known.map(({ name, p50, max }, k) => {
    const x = 14 + (432 * at) / total;
    const width = (432 * p50) / total;
    at += p50;
    const words = `${name} ${p50.toFixed(0)} ms${max > p50 + 0.5 ? `, worst ${max.toFixed(0)}` : ""}`;
    return `<rect x="${x.toFixed(1)}" y="34" width="${Math.max(1, width - 2).toFixed(1)}" height="22" rx="4" class="dot ${["a", "b", "c", "taken"][k]}"/>
<circle class="dot ${["a", "b", "c", "taken"][k]}" cx="20" cy="${80 + 18 * k}" r="4"/><text x="32" y="${84 + 18 * k}">${words}</text>`;
  });
  return `<svg viewBox="0 0 460 160" role="img" aria-label="Delays"><text class="title" x="14" y="18">From light to motion: ${total.toFixed(0)} ms</text>${bars.join("")}</svg>`;
}
