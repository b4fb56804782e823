import * as mat3 from "../math/mat3.js";
import * as vec3 from "../math/vec3.js";
import type { AddedLink, AddedShape } from "../robot/sidecar/added-links.js";
import type { SidecarHand } from "../robot/sidecar/sidecar-schema.js";
import {
  type CatcherName,
  type CatcherSize,
  catcherKinds,
  PASSIVE_TIME_TOLERANCE,
  positionTolerance,
} from "./catchers.js";

/** A catcher as a sidecar has it: links to add, the hand, accelerations of its joints. */
export interface CatcherParts {
  readonly links: readonly AddedLink[];
  readonly hand: SidecarHand;
  readonly accelerations: Readonly<Record<string, number>>;
}

export interface CatcherPlace {
  /** Link to mount it on. */
  readonly parent: string;
  /** Unit vector out of the flange, in that link. */
  readonly out: vec3.Vec3;
  /** From that link's origin along `out` to where the catcher begins [m]. */
  readonly from: number;
  /** Put before the names of links and hand: "" or "left". */
  readonly prefix: string;
}

type Triple = [number, number, number];

/** Panels around a bag or a bucket, and their thickness [m]. */
const PANELS = 8;
const WALL = 0.008;
const DARK = "#404045";
/** Of a sliding jaw: speed [m/s], effort [N], acceleration [m/s²], and how far its face stands off a held ball's centre. */
const JAW = { velocity: 0.125, effort: 62.5, acceleration: 5, wall: 0.006, lip: 0.02 };
/** Room left between a ball at the edge of the tolerance and the lip that it passes [m]. */
const LEAST_PASSAGE = 0.002;
/** From the command until a jaw moves [s]. */
const JAW_DELAY = 0.03;

/** The parts of a catcher for a ball of that radius [m]. */
export function catcherParts(
  name: CatcherName,
  size: CatcherSize,
  place: CatcherPlace,
  ballRadius: number,
): CatcherParts {
  const { jaws } = catcherKinds[name];
  return jaws === 0 ? passive(name, size, place, ballRadius) : gripper(name, jaws, size, place, ballRadius);
}

function passive(name: CatcherName, size: CatcherSize, place: CatcherPlace, ballRadius: number): CatcherParts {
  const { opens, bottom } = catcherKinds[name];
  const { mouth, depth, handle, mass } = size;
  const own = named(place, name);
  const flange = `${own}Handle`;
  const hold = rpyOf(frameAlong(place.out));
  const ahead = opens === "ahead";
  const at: Triple = [0, 0, handle + (ahead ? depth + WALL : mouth + WALL)];
  const links: AddedLink[] = [
    {
      name: flange,
      parent: place.parent,
      origin: { xyz: scaled(place.out, place.from), rpy: hold },
      ...(handle > 0 ? { inertial: rod(0.3 * mass, handle), shapes: [rodShape(handle)] } : {}),
    },
    {
      name: own,
      parent: flange,
      origin: { xyz: at, rpy: ahead ? [0, 0, 0] : [0, rounded(Math.PI / 2), 0] },
      inertial: shell(handle > 0 ? 0.7 * mass : mass, mouth, depth),
      shapes: bagShapes(mouth, bottom * mouth, depth),
    },
    { name: named(place, "catch"), parent: own },
  ];
  const hand: SidecarHand = {
    ...{ name: own, catchLink: named(place, "catch"), joints: [], open: {}, closed: {}, closingTime: 0 },
    positionTolerance: positionTolerance(mouth, ballRadius),
    timeTolerance: PASSIVE_TIME_TOLERANCE,
    mouth: { radius: mouth, depth: rounded(depth + 2 * WALL) },
  };
  return { links, hand, accelerations: {} };
}

/** Panels from the mouth (z = 0) down to the bottom, in two rings, and the bottom. */
function bagShapes(top: number, bottom: number, depth: number): AddedShape[] {
  const middle = (top + bottom) / 2;
  const rings: readonly (readonly [number, number, number])[] = [
    [top, middle, 0],
    [middle, bottom, -depth / 2],
  ];
  const panels = rings.flatMap(([above, below, z]) =>
    Array.from({ length: PANELS }, (_, k) => panel(above, below, z, depth / 2, (2 * Math.PI * k) / PANELS)),
  );
  const floor: AddedShape = {
    type: "cylinder",
    origin: { xyz: [0, 0, rounded(-depth - WALL / 2)] },
    radius: rounded(bottom + WALL),
    length: WALL,
    colour: DARK,
  };
  return [...panels, floor];
}

/** One wall of a ring between two heights, its inner face at the radii given. */
function panel(above: number, below: number, z: number, height: number, angle: number): AddedShape {
  const tilt = Math.atan2(above - below, height);
  const length = Math.hypot(above - below, height);
  const radius = (above + below) / 2 + WALL / 2;
  const width = 2 * (Math.max(above, below) + WALL) * Math.tan(Math.PI / PANELS);
  const xyz: Triple = [radius * Math.cos(angle), radius * Math.sin(angle), z - height / 2];
  return {
    type: "box",
    origin: { xyz: xyz.map((value) => rounded(value)) as Triple, rpy: [0, rounded(tilt), rounded(angle)] },
    size: [WALL, rounded(width), rounded(length)],
    colour: DARK,
  };
}

function gripper(
  name: CatcherName,
  jaws: 2 | 3,
  size: CatcherSize,
  place: CatcherPlace,
  ballRadius: number,
): CatcherParts {
  const { mouth, depth, handle, mass } = size;
  const own = named(place, name.replace("-f", "F"));
  const palm: AddedLink = {
    name: own,
    parent: place.parent,
    origin: { xyz: scaled(place.out, place.from + handle), rpy: rpyOf(frameAlong(place.out)) },
    inertial: { ...shell(0.7 * mass, mouth, handle), centre: [0, 0, rounded(-handle / 2)] },
    shapes: [
      { type: "cylinder", origin: { xyz: [0, 0, -0.01] }, radius: rounded(mouth + 0.015), length: 0.02, colour: DARK },
      ...(handle > 0.02
        ? [{ ...rodShape(handle - 0.02, 0.035), origin: { xyz: [0, 0, rounded(-0.01 - handle / 2)] as Triple } }]
        : []),
    ],
  };
  const closed = rounded(ballRadius + 0.005);
  const least = rounded(Math.max(0.005, closed - 0.004));
  const names = Array.from({ length: jaws }, (_, k) => `${own}${jaws === 2 ? ["Left", "Right"][k] : k + 1}`);
  const fingers = names.map((finger, k): AddedLink => {
    const angle = (2 * Math.PI * k) / jaws;
    return {
      name: finger,
      parent: own,
      origin: { xyz: [0, 0, 0], rpy: [0, 0, rounded(angle)] },
      joint: {
        type: "prismatic",
        axis: [1, 0, 0],
        lower: least,
        upper: rounded(mouth + 0.004),
        velocity: JAW.velocity,
        effort: JAW.effort,
      },
      inertial: {
        mass: rounded((0.3 * mass) / jaws),
        centre: [0, 0, rounded(depth / 2)],
        moments: [0.0004, 0.0003, 0.0003],
      },
      shapes: jawShapes(jaws, mouth, depth, k, closed),
    };
  });
  const links = [
    palm,
    ...fingers,
    { name: named(place, "catch"), parent: own, origin: { xyz: [0, 0, rounded(depth + JAW.wall)] as Triple } },
  ];
  const all = (value: number) => Object.fromEntries(names.map((finger) => [finger, value]));
  const tolerance = positionTolerance(mouth - JAW.lip, ballRadius);
  const hand: SidecarHand = {
    ...{ name: own, catchLink: named(place, "catch"), joints: names, open: all(mouth), closed: all(closed) },
    closingTime: rounded((mouth - closed) / JAW.velocity + JAW_DELAY),
    closingLead: rounded(leadOf(mouth - JAW.lip - ballRadius - tolerance)),
    positionTolerance: tolerance,
    timeTolerance: 0.03,
  };
  return { links, hand, accelerations: all(JAW.acceleration) };
}

/** How long jaws may close before the ball comes [s]: until they have taken the room that no ball within the tolerance needs [m]. */
function leadOf(room: number): number {
  const { velocity, acceleration } = JAW;
  return velocity / (2 * acceleration) + Math.max(0, room - LEAST_PASSAGE) / velocity;
}

/** A wall before the ball, two beside it where there are two jaws, and a lip that the ball cannot pass. */
function jawShapes(jaws: 2 | 3, mouth: number, depth: number, index: number, closed: number): AddedShape[] {
  const { wall, lip } = JAW;
  // Of two jaws one goes into the other.
  const half = jaws === 2 ? mouth - 0.024 + 0.007 * index : closed * Math.tan(Math.PI / jaws);
  const box = (xyz: Triple, size: Triple): AddedShape => ({
    type: "box",
    origin: { xyz: xyz.map((value) => rounded(value)) as Triple },
    size: size.map((value) => rounded(value)) as Triple,
    colour: DARK,
  });
  const front = box([wall / 2, 0, depth / 2], [wall, 2 * half, depth]);
  const top = box([-lip / 2, 0, depth + wall / 2], [lip, 2 * half, wall]);
  if (jaws === 3) return [front, top];
  const sides = [1, -1].map((side) => box([-0.025, side * (half - wall / 2), depth / 2], [0.05, wall, depth]));
  return [front, ...sides, top];
}

function rodShape(length: number, radius = 0.015): AddedShape {
  return {
    type: "cylinder",
    origin: { xyz: [0, 0, rounded(length / 2)] },
    radius,
    length: rounded(length),
    colour: DARK,
  };
}

function rod(mass: number, length: number): NonNullable<AddedLink["inertial"]> {
  const across = rounded(Math.max(1e-6, (mass * length ** 2) / 12 + mass * 6e-5), 7);
  return {
    mass: rounded(mass),
    centre: [0, 0, rounded(length / 2)],
    moments: [across, across, rounded(Math.max(1e-6, mass * 1.1e-4), 7)],
  };
}

/** A shell about the axis, half as deep as the mouth is high above its centre. */
function shell(mass: number, radius: number, depth: number) {
  const across = mass * (radius ** 2 / 3 + depth ** 2 / 12) + 1e-6;
  const along = mass * 0.6 * radius ** 2 + 1e-6;
  const moments: Triple = [rounded(across, 7), rounded(across, 7), rounded(Math.min(along, 2 * across), 7)];
  return { mass: rounded(mass), centre: [0, 0, rounded(-depth / 2)] as Triple, moments };
}

/** A rotation with z along a unit vector. */
export function frameAlong(z: vec3.Vec3): mat3.Mat3 {
  const other = Math.abs(z[0]) < 0.9 ? vec3.create(1, 0, 0) : vec3.create(0, 1, 0);
  const x = vec3.addScaled(other, z, -vec3.dot(other, z), vec3.create());
  vec3.normalize(x, x);
  const y = vec3.cross(z, x, vec3.create());
  return Float64Array.of(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]) as mat3.Mat3;
}

export function rpyOf(rotation: mat3.Mat3): Triple {
  return [...mat3.toRpy(rotation, vec3.create())].map((value) => rounded(value, 6)) as Triple;
}

function scaled(direction: vec3.Vec3, length: number): Triple {
  return Array.from(direction, (value) => rounded(value * length)) as Triple;
}

function named({ prefix }: CatcherPlace, name: string): string {
  return prefix === "" ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export function rounded(value: number, digits = 5): number {
  return Number(value.toFixed(digits)) + 0;
}

/** Rounded, and never beyond the limits of a joint for it. */
export function roundedWithin(value: number, lower: number, upper: number, digits = 5): number {
  return Math.min(Math.max(rounded(value, digits), lower), upper);
}
