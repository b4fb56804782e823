import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** How the coordinates of a file become those of the world. */
export interface FileFrame {
  /** Which of the file's axes, with which sign, is the world's x, y and z. */
  readonly axes: readonly SignedAxis[];
  /** Length in the world of a unit of the file's, beside its unit: a capture volume measured too small or too large. */
  readonly scale: number;
  /** Where the file's frame is in the world, after the axes were put right. */
  readonly worldFromFile: pose.Pose;
}

interface SignedAxis {
  readonly index: number;
  readonly sign: 1 | -1;
}

const axisNames = ["x", "y", "z"];

/** Axes in words: `x,z,-y` makes the file's z the world's y, and its −y the world's z. */
export function parseAxes(text: string): readonly SignedAxis[] {
  const axes = text.split(",").map((word) => {
    const name = word.trim().replace(/^[+-]/, "");
    return { index: axisNames.indexOf(name), sign: word.trim().startsWith("-") ? (-1 as const) : (1 as const) };
  });
  const used = axes.map(({ index }) => index).sort();
  if (used.join() === "0,1,2") return axes;
  throw refused("--axes", "each of x, y, z once, with a sign where it is turned round: x,z,-y", text);
}

/** A pose in words: x,y,z [m], roll,pitch,yaw [rad] about fixed axes, as in URDF; angles may be left out. */
export function parseFrame(text: string): pose.Pose {
  const numbers = text.split(",").map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
  const isSound = numbers.every(Number.isFinite) && (numbers.length === 3 || numbers.length === 6);
  if (!isSound) throw refused("--frame", "x,y,z or x,y,z,roll,pitch,yaw [m, rad]", text);
  const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = numbers;
  return pose.fromRpyTranslation(roll, pitch, yaw, x, y, z, pose.create());
}

/** A tilt in words: roll,pitch [rad] about the file's x and y axes, by which its frame is turned upright. */
export function parseTilt(text: string): pose.Pose {
  const [roll = Number.NaN, pitch = Number.NaN] = numbersOf(text, 2, "--tilt", "roll,pitch [rad]");
  return pose.fromRpyTranslation(roll, pitch, 0, 0, 0, 0, pose.create());
}

/** Three numbers in words: acceleration of a falling body, in the file's axes [m/s²]. */
export function parseGravity(text: string): readonly number[] {
  const gravity = numbersOf(text, 3, "--gravity", "x,y,z [m/s²]");
  if (Math.hypot(...gravity) < GREATEST_GRAVITY) return gravity;
  throw refused("--gravity", `less than ${GREATEST_GRAVITY} m/s²`, text);
}

/** More is another unit [m/s²]. */
const GREATEST_GRAVITY = 100;

function numbersOf(text: string, count: number, path: string, expected: string): number[] {
  const numbers = text.split(",").map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
  if (numbers.length === count && numbers.every(Number.isFinite)) return numbers;
  throw refused(path, expected, text);
}

/** A point of the file [m], in the world. */
export function toWorld(frame: FileFrame, point: readonly number[], out: vec3.Vec3): vec3.Vec3 {
  vec3.scale(turnAxes(frame, point, out), frame.scale, out);
  return pose.transformPoint(frame.worldFromFile, out, out);
}

/** A direction of the file, as an acceleration, in the world: turned, neither moved nor scaled. */
export function directionInWorld(frame: FileFrame, direction: readonly number[], out: vec3.Vec3): vec3.Vec3 {
  return pose.rotateVector(frame.worldFromFile, turnAxes(frame, direction, out), out);
}

function turnAxes({ axes }: FileFrame, point: readonly number[], out: vec3.Vec3): vec3.Vec3 {
  const [x = 0, y = 0, z = 0] = axes.map(({ index, sign }) => sign * point[index]!);
  return vec3.set(x, y, z, out);
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_IMPORT_OPTION", "an option of the import", { path, expected, found });
}
