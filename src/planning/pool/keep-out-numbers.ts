import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import type { KeepOutGeometry, KeepOutShape } from "../../robot/robot.js";
import { KeepOutSet } from "../problem/keep-out.js";
import type { PlacedKeepOut } from "./catch-question.js";

/** Numbers of one shape: its type, the pose of its link (12), and its geometry. */
export const KEEP_OUT_NUMBERS = 28;

const GEOMETRY = 13;
const types = ["sphere", "capsule", "cylinder", "box", "half-space"] as const;

/** Writes the shapes one after the other, from the start of `out`. */
export function writeKeepOut(shapes: readonly PlacedKeepOut[], out: Float64Array): void {
  for (let k = 0; k < shapes.length; k++) {
    const { geometry, baseFromLink } = shapes[k]!;
    const at = k * KEEP_OUT_NUMBERS;
    out.fill(0, at, at + KEEP_OUT_NUMBERS);
    out[at] = types.indexOf(geometry.type);
    out.set(baseFromLink, at + 1);
    writeGeometry(geometry, out, at + GEOMETRY);
  }
}

function writeGeometry(geometry: KeepOutGeometry, out: Float64Array, at: number): void {
  switch (geometry.type) {
    case "sphere":
      out.set(geometry.center, at);
      out[at + 3] = geometry.radius;
      return;
    case "capsule":
    case "cylinder":
      out.set(geometry.from, at);
      out.set(geometry.to, at + 3);
      out[at + 6] = geometry.radius;
      return;
    case "box":
      out.set(geometry.linkFromBox, at);
      out.set(geometry.halfSize, at + 12);
      return;
    case "half-space":
      out.set(geometry.normal, at);
      out[at + 3] = geometry.offset;
  }
}

/** The set that `KeepOutSet.compile` would have made of the `count` shapes written to `numbers`. */
export function compileKeepOut(numbers: Float64Array, count: number): KeepOutSet {
  const poses: Pose[] = [];
  const shapes: KeepOutShape[] = [];
  for (let k = 0; k < count; k++) {
    const at = k * KEEP_OUT_NUMBERS;
    poses.push(pose.copy(pose.view(numbers, at + 1), pose.create()));
    shapes.push({ name: `shape ${k}`, link: k, geometry: readGeometry(numbers, at) });
  }
  return KeepOutSet.compile(shapes, (k) => poses[k]!);
}

function readGeometry(numbers: Float64Array, shape: number): KeepOutGeometry {
  const at = shape + GEOMETRY;
  const vector = (offset: number) => vec3.create(numbers[offset]!, numbers[offset + 1]!, numbers[offset + 2]!);
  const type = types[numbers[shape]!]!;
  switch (type) {
    case "sphere":
      return { type, center: vector(at), radius: numbers[at + 3]! };
    case "capsule":
    case "cylinder":
      return { type, from: vector(at), to: vector(at + 3), radius: numbers[at + 6]! };
    case "box": {
      const linkFromBox = pose.copy(pose.view(numbers, at), pose.create());
      return { type, linkFromBox, halfSize: vector(at + 12) };
    }
    case "half-space":
      return { type, normal: vector(at), offset: numbers[at + 3]! };
  }
}
