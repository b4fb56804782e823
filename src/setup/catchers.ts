/** The catchers that can be added to an arm, with their usual sizes. All lengths [m], mass [kg]. */

/** How big a catcher is; `mouth` is the radius of its opening, or half its width. */
export interface CatcherSize {
  readonly mouth: number;
  /** From the opening down to the bottom. */
  readonly depth: number;
  /** From the flange to the catcher. */
  readonly handle: number;
  readonly mass: number;
}

interface CatcherKind {
  readonly description: string;
  readonly size: CatcherSize;
  /** Where the opening looks: on along the flange, or across it. */
  readonly opens: "ahead" | "across";
  /** Radius of the bottom, as a share of the opening's. */
  readonly bottom: number;
  /** Jaws that close; 0: nothing moves. */
  readonly jaws: 0 | 2 | 3;
}

export const catcherKinds = {
  net: {
    description: "landing net, its hoop across the handle, with a bag that narrows",
    size: { mouth: 0.13, depth: 0.28, handle: 0.12, mass: 0.7 },
    opens: "across",
    bottom: 0.23,
    jaws: 0,
  },
  bucket: {
    description: "bucket, lined with foam",
    size: { mouth: 0.13, depth: 0.22, handle: 0.03, mass: 0.6 },
    opens: "ahead",
    bottom: 0.75,
    jaws: 0,
  },
  basket: {
    description: "basket, lined with foam",
    size: { mouth: 0.12, depth: 0.16, handle: 0.03, mass: 0.4 },
    opens: "ahead",
    bottom: 0.6,
    jaws: 0,
  },
  cup: {
    description: "cup, lined with foam",
    size: { mouth: 0.075, depth: 0.12, handle: 0.03, mass: 0.2 },
    opens: "ahead",
    bottom: 0.75,
    jaws: 0,
  },
  plate: {
    description: "plate with a rim, covered with foam",
    size: { mouth: 0.14, depth: 0.06, handle: 0.03, mass: 0.5 },
    opens: "ahead",
    bottom: 0.9,
    jaws: 0,
  },
  gripper: {
    description: "gripper of two sliding jaws with walls",
    size: { mouth: 0.086, depth: 0.1, handle: 0.07, mass: 1 },
    opens: "ahead",
    bottom: 1,
    jaws: 2,
  },
  "three-finger": {
    description: "gripper of three sliding fingers",
    size: { mouth: 0.086, depth: 0.1, handle: 0.07, mass: 1.1 },
    opens: "ahead",
    bottom: 1,
    jaws: 3,
  },
} as const satisfies Record<string, CatcherKind>;

export type CatcherName = keyof typeof catcherKinds;
export const catcherNames = Object.keys(catcherKinds) as CatcherName[];

/** What a catcher's outline may measure [m, kg]. */
export const sizeBounds: Readonly<Record<keyof CatcherSize, readonly [low: number, high: number]>> = {
  mouth: [0.03, 0.5],
  depth: [0.02, 0.6],
  handle: [0, 1],
  mass: [0.02, 20],
};

/** The time a ball may be early or late where nothing closes [s]. */
export const PASSIVE_TIME_TOLERANCE = 0.05;
/** Room left between ball and rim at the worst catch [m]. */
export const RIM_ROOM = 0.015;

/** How far from the middle of an opening a ball may come in [m]. */
export function positionTolerance(mouth: number, ballRadius: number): number {
  return Number(Math.max(0.005, mouth - ballRadius - RIM_ROOM).toFixed(4));
}
