import { recordedRobotOf } from "../../src/recording/recorded-robot.js";
import type { RecordedRobot } from "../../src/recording/recording.js";
import type { Robot } from "../../src/robot/robot.js";
import type { ThrowSource } from "../../src/run/run.js";
import type { SimulatedRecordingOptions } from "../../src/run/simulated-recording.js";
import {
  type Bounce,
  type Throw,
  ThrowGenerator,
  type ThrowSpace,
  throwSpaceOf,
} from "../../src/simulation/world/throws.js";

/** The kinds of throws in `data/throws/`, by the names of their folders. */
export const throwKinds = [
  "single",
  "points",
  "two-balls",
  "near-miss",
  "out-of-reach",
  "occluded",
  "bouncing",
  "shaking",
  "images",
] as const;
export type ThrowKind = (typeof throwKinds)[number];

/** One file of the data set. */
export interface DataSetFile {
  readonly kind: ThrowKind;
  /** Below `data/throws/`. */
  readonly path: string;
  readonly options: SimulatedRecordingOptions;
}

/** Files of each kind. */
const counts: Readonly<Record<ThrowKind, number>> = {
  single: 10,
  points: 10,
  "two-balls": 6,
  "near-miss": 6,
  "out-of-reach": 6,
  occluded: 6,
  bouncing: 6,
  shaking: 6,
  images: 3,
};

/** What everything in the data set has in common. It is short: a robot that does not shake has settled soon. */
const common = {
  robot: "agile-justin",
  perception: "circles",
  world: "kinematic",
  settlingNs: 600_000_000,
  jointPeriodNs: null,
  end: "balls are over",
} as const satisfies Partial<SimulatedRecordingOptions>;

/** The data set, file by file. Everything random follows from the kind's name and the file's number. */
export function dataSetFiles(): DataSetFile[] {
  return throwKinds.flatMap((kind) =>
    Array.from({ length: counts[kind] }, (_, k): DataSetFile => {
      const number = String(k + 1).padStart(2, "0");
      const seed = `${kind} ${number}`;
      const title = `${descriptions[kind]}, number ${k + 1}`;
      return {
        kind,
        path: `${kind}/${number}.mcap`,
        options: { ...common, ...kindOptions(kind, k), seed, title, labels: [kind] },
      };
    }),
  );
}

/** What a kind is, in a few words. */
export const descriptions: Readonly<Record<ThrowKind, string>> = {
  single: "One ball, well within reach",
  points: "One ball, measured as points, for an arm without eyes",
  "two-balls": "Two balls at once",
  "near-miss": "One ball at the rim of what the arms reach",
  "out-of-reach": "One ball that nobody can reach",
  occluded: "One ball behind something for a while",
  bouncing: "One ball that bounces on the floor first",
  shaking: "One ball, seen by a shaking head on a bending torso",
  images: "One ball, with the images of its first frames",
};

function kindOptions(kind: ThrowKind, k: number): Partial<SimulatedRecordingOptions> {
  switch (kind) {
    case "single":
      return {};
    case "points":
      return { robot: "lwr-arm", perception: "points" };
    case "two-balls":
      return { balls: 2, throws: 2 };
    case "near-miss":
      return { throwSource: aimed(`${kind} ${k}`, rim) };
    case "out-of-reach":
      return { throwSource: aimed(`${kind} ${k}`, far) };
    case "occluded":
      return { occlusions: [{ from: 0.82 + 0.04 * (k % 4), until: 0.98 + 0.06 * (k % 4) }] };
    case "bouncing":
      return { throwSource: aimed(`${kind} ${k}`, floor, { restitution: 0.85, friction: 0.9 }) };
    case "shaking":
      return { world: "physics", settlingNs: 1_000_000_000 };
    case "images":
      return { robot: smallEyed(), perception: "images", images: "kept", imageFrames: 3 };
  }
}

/** Throws at another part of the room than usual. */
function aimed(seed: string, space: (usual: ThrowSpace) => ThrowSpace, bounce?: Bounce): (robot: Robot) => ThrowSource {
  return (robot) => {
    const throws = new ThrowGenerator(space(throwSpaceOf(robot)), seed);
    if (bounce === undefined) return throws;
    return { make: (id, time): Throw => ({ ...throws.make(id, time), bounce }) };
  };
}

/** Where the arms only just come. */
function rim(usual: ThrowSpace): ThrowSpace {
  return { ...usual, target: { ahead: 0.45, aside: [0.95, 1.25], height: [0.7, 1.9] } };
}

/** Beside the robot, where not even the platform brings a hand in time. */
function far(usual: ThrowSpace): ThrowSpace {
  return { ...usual, target: { ahead: 0.5, aside: [2, 2.6], height: [0.8, 1.9] } };
}

/** The floor between thrower and robot. */
function floor(usual: ThrowSpace): ThrowSpace {
  return {
    ...usual,
    release: { ...usual.release, ahead: [5, 6] },
    target: { ahead: 3.1, aside: [-0.4, 0.4], height: [0.0425, 0.0425] },
    flightTime: [0.36, 0.44],
  };
}

/** Agile Justin with cameras of a quarter of the pixels, and less noise: so that its images are small enough to keep. */
function smallEyed(): RecordedRobot {
  const robot = recordedRobotOf("agile-justin");
  const { cameras, simulation } = robot.sidecar;
  const small = cameras?.map((camera) => ({ ...camera, width: camera.width / 2, height: camera.height / 2 }));
  const noise = { ...simulation?.noise, pixelNoise: 1 };
  return {
    ...robot,
    name: "agile-justin-small-eyes",
    sidecar: {
      ...robot.sidecar,
      ...(small !== undefined && { cameras: small }),
      ...(simulation !== undefined && { simulation: { ...simulation, noise } }),
    },
  };
}
