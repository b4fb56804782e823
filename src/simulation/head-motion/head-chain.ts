import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";
import { JointKind, type Robot } from "../../robot/robot.js";
import type { ChainElement } from "./elastic-chain.js";

/** A vibration mode of the sidecar, its names resolved. */
export type ElasticMode = NonNullable<
  NonNullable<NonNullable<Robot["sidecar"]["simulation"]>["elasticity"]>["modes"]
>[number];

/** A frame that rides on the chain: the elements before it and the constant rest of the way. */
export interface ChainFrame {
  readonly count: number;
  readonly tail: pose.Pose;
}

/**
 * The way from the world to the head as it really is, one coordinate an element: the wheels' slip (world x, world y), the
 * joints with their deflection, and after the link of each mode that mode.
 */
export interface HeadChain {
  readonly elements: readonly HeadElement[];
  readonly head: ChainFrame;
  readonly chest: ChainFrame;
  readonly imu: ChainFrame;
}

interface HeadElement extends ChainElement {
  /** Joint, by the link it moves; −1 for slip and modes. */
  readonly joint: number;
  /** Index in `modes`; −1 for slip and joints. */
  readonly mode: number;
}

interface Builder {
  readonly elements: HeadElement[];
  /** From the last element's frame to the link reached. */
  tail: pose.Pose;
}

export function buildHeadChain(robot: Robot, modes: readonly ElasticMode[]): HeadChain {
  const { model, frames } = robot;
  const head = frames.head ?? frames.chest ?? 0;
  const builder: Builder = { elements: [], tail: pose.create() };
  for (const axis of [vec3.create(1, 0, 0), vec3.create(0, 1, 0)]) add(builder, "translation", axis, -1, -1);
  const imu = robot.imu?.link ?? head;
  const reached = new Map<number, ChainFrame>();
  for (const link of pathTo(model.parentLink, imu)) {
    if (link > 0) passJoint(builder, robot, link);
    modes.forEach((mode, m) => {
      if (model.linkNames[link] !== mode.link) return;
      const axis = vec3.normalize(vec3.create(...mode.axis), vec3.create());
      add(builder, mode.motion, axis, -1, m);
    });
    reached.set(link, { count: builder.elements.length, tail: pose.copy(builder.tail, pose.create()) });
  }
  const frame = (link: number): ChainFrame => reached.get(link) ?? reached.get(imu)!;
  return { elements: builder.elements, head: frame(head), chest: frame(frames.chest ?? head), imu: frame(imu) };
}

function passJoint(builder: Builder, { model }: Robot, link: number): void {
  const kind = model.jointKind[link];
  builder.tail = pose.compose(builder.tail, model.parentFromJoint[link]!, pose.create());
  if (kind === JointKind.fixed) return;
  const axis = vec3.copy(vec3.view(model.jointAxis, 3 * link), vec3.create());
  add(builder, kind === JointKind.revolute ? "rotation" : "translation", axis, link, -1);
}

function add(builder: Builder, motion: ChainElement["motion"], axis: vec3.Vec3, joint: number, mode: number): void {
  builder.elements.push({ placement: builder.tail, motion, axis, joint, mode });
  builder.tail = pose.create();
}

/** The links from the root to `link`, both included. */
function pathTo(parentLink: Int32Array, link: number): number[] {
  const path = [link];
  for (let i = parentLink[link]!; i >= 0; i = parentLink[i]!) path.unshift(i);
  return path;
}
