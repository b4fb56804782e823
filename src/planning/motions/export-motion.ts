import { MotionState, type PiecewiseMotion } from "../../motion/piecewise-motion.js";
import type { MotionAnswer } from "./motion-answer.js";
import type { ExportFormat } from "./motion-request.js";

type MotionExports = NonNullable<MotionAnswer["exports"]>;

/** Nanoseconds in a second. */
const NANO = 1e9;

/** Calls `take` with the state at each sample, the end included. */
export function eachSample(
  motion: PiecewiseMotion,
  rateHz: number,
  take: (time: number, state: MotionState) => void,
): void {
  const state = new MotionState(motion.joints);
  const count = Math.ceil(motion.duration * rateHz);
  for (let k = 0; k <= count; k++) {
    const time = Math.min(k / rateHz, motion.duration);
    motion.evaluate(time, state);
    take(time, state);
  }
}

/** The motion in the formats asked for. */
export function exportMotion(
  motion: PiecewiseMotion,
  names: readonly string[],
  rateHz: number,
  formats: readonly ExportFormat[],
): MotionExports {
  return {
    ...(formats.includes("csv") && { csv: toCsv(motion, names, rateHz) }),
    ...(formats.includes("ros") && { ros: toJointTrajectory(motion, names, rateHz) }),
    ...(formats.includes("ur") && { ur: toUrSpline(motion, rateHz) }),
  };
}

/** time, then position, velocity and acceleration of each joint. */
export function toCsv(motion: PiecewiseMotion, names: readonly string[], rateHz: number): string {
  const columns = ["position", "velocity", "acceleration"].flatMap((kind) => names.map((name) => `${name}.${kind}`));
  const rows = [["time", ...columns].join(",")];
  eachSample(motion, rateHz, (time, { position, velocity, acceleration }) => {
    rows.push([time, ...position, ...velocity, ...acceleration].join(","));
  });
  return `${rows.join("\n")}\n`;
}

/** A trajectory_msgs/JointTrajectory, as rosbridge and `ros2 topic pub` take it. */
export function toJointTrajectory(motion: PiecewiseMotion, names: readonly string[], rateHz: number) {
  const points: object[] = [];
  eachSample(motion, rateHz, (time, { position, velocity, acceleration }) => {
    const total = Math.round(time * NANO);
    points.push({
      positions: [...position],
      velocities: [...velocity],
      accelerations: [...acceleration],
      time_from_start: { sec: Math.floor(total / NANO), nanosec: total % NANO },
    });
  });
  return { header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" }, joint_names: [...names], points };
}

/**
 * A URScript program: one `servoj`-free spline point a sample, position, velocity and the time of its segment, as the
 * trajectory interface of the UR client library buffers them.
 */
export function toUrSpline(motion: PiecewiseMotion, rateHz: number): string {
  const lines: string[] = [];
  let before = 0;
  eachSample(motion, rateHz, (time, { position, velocity }) => {
    if (time > before) lines.push(`  [${list(position)}, ${list(velocity)}, ${time - before}]`);
    before = time;
  });
  return `# [q], [qd], duration of the segment [s]: cubic spline points\nspline_points = [\n${lines.join(",\n")}\n]\n`;
}

function list(values: Float64Array): string {
  return `[${[...values].join(", ")}]`;
}
