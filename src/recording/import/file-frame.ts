import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** How the coordinates of a file become those of the world. */
export interface FileFrame {
  /** Which of the file's axes, with which sign, is the world's x, y and z. */
  readonly axes: readonly SignedAxis[];
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

/** A point of the file [m], in the world. */
export function toWorld({ axes, worldFromFile }: FileFrame, point: readonly number[], out: vec3.Vec3): vec3.Vec3 {
  const turned = axes.map(({ index, sign }) => sign * point[index]!);
  vec3.copy(vec3.create(turned[0], turned[1], turned[2]), out);
  return pose.transformPoint(worldFromFile, out, out);
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_IMPORT_OPTION", "an option of the import", { path, expected, found });
}
