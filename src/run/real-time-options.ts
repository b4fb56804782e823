import { availableParallelism } from "node:os";
import { type Challenges, challengesOf, noChallenges } from "../simulation/head-motion/challenges.js";
import type { RobotAddress } from "../simulation/robot-sim/robot-process.module.js";
import { throwerDefaults } from "../simulation/world/thrower.js";
import { type Graph, portName } from "../transport/graph.js";
import type { Scheduling } from "../transport/host-input.js";
import type { PlacementOptions } from "../transport/threads-executor.js";
import type { PerceptionKind } from "./graph.js";
import type { OwnNodeModules } from "./own-nodes.js";
import type { DriverChoice } from "./robot-link.js";
import type { RunSettings } from "./run-settings.js";

/** Settings of a run in real time. */
export interface RealTimeOptions extends Partial<RunSettings> {
  /** Name of the robot. */
  readonly robot: string;
  /** File of the robot's calibration overlay; default: `calibration.json` beside the robot's files. */
  readonly calibration?: string;
  /** The arms that catch; default: all that can. */
  readonly arms?: readonly string[] | undefined;
  readonly perception: PerceptionKind;
  readonly seed: number;
  /** Where the robot is; default: a simulated one, in a process started for the run. */
  readonly address?: RobotAddress;
  /** What drives the joints of a robot that has an address; none: the UDP protocol. See `robotLink`. */
  readonly drivers?: readonly DriverChoice[];
  readonly balls: number;
  /** Cycles without a command after which the robot brakes by itself. */
  readonly missedCycles: number;
  /** How long control spins before each tick [ms]: 0.2 where cores are to spare, else 0. */
  readonly spinMs: number;
  /**
   * Most balls thrown at the simulated robot before the run is ready, which do not count: two in a row that are caught will do.
   * Default: none.
   */
  readonly warmUpThrows?: number;
  /**
   * Seconds of the run in a second of the wall clock, of a simulated robot; "auto": as many as the machine holds, chosen in the
   * warm-up and between throws. Default: 1.
   */
  readonly speed?: number | "auto";
  /** Whether to ask for real-time scheduling. */
  readonly scheduling: "real-time" | "usual";
  /** Modules of one's own nodes in place of the graph's: a driver of a robot, a camera. */
  readonly nodes?: OwnNodeModules;
  /** Memory of `StopLine`, where another thread may stop the robot, too. */
  readonly stopLine?: SharedArrayBuffer | undefined;
  /** Bending, shaking, slipping and noise of the simulated robot. */
  readonly challenges: "full" | "none";
}

export const realTimeDefaults = {
  perception: "images",
  balls: 1,
  seed: 1,
  planner: { starts: 12 },
  missedCycles: 12,
  spinMs: 0,
  warmUpThrows: 6,
  speed: "auto",
  scheduling: "real-time",
  challenges: "full",
} as const satisfies Partial<RealTimeOptions>;

/** How hard the simulation makes it at the start of a run. */
export function initialChallenges({ challenges, thrower = throwerDefaults }: RealTimeOptions): Challenges {
  return challenges === "full" ? challengesOf(thrower.kind) : noChallenges;
}

/**
 * Real-time priorities: which thread may interrupt which. They all sleep most of the time. `engine` is for the threads that the
 * JavaScript engine has of its own: control may have to wait for a lock that one of them holds. `process` is the simulated robot's.
 */
export const priorities = {
  control: 80,
  robot: 79,
  process: 75,
  world: 70,
  perception: 60,
  catching: 55,
  engine: 45,
} as const;

/**
 * Nice values of threads that work at a stretch, and of the whole session against others. Cameras go first: an image takes a few
 * milliseconds and everything waits for it, while a planner that finds nothing searches as long as it may.
 */
export const niceValues = { session: -15, planner: -8, camera: -15 } as const;

/** Kinds of nodes that hear of something by an event: of a socket or a pipe. */
const edgeKinds: ReadonlySet<string> = new Set(["udp-robot", "driver-robot", "world", "pipe-camera"]);

/** How the threads of a graph are run. */
export function placementsOf(
  { nodes }: Graph,
  { scheduling, spinMs }: RealTimeOptions,
  tickNs: number,
): { readonly [placement: string]: PlacementOptions } {
  const edges = new Set(nodes.filter(({ kind }) => edgeKinds.has(kind)).map(({ placement }) => placement));
  const hasEdge = (placement: string) => edges.has(placement);
  const optionsOf = (placement: string): PlacementOptions => ({
    // Nodes with sockets or pipes need the thread's event loop.
    pacing: hasEdge(placement) ? { kind: "events" } : pacingOf(placement, tickNs, spinMs),
    scheduling: scheduling === "real-time" ? schedulingOf(placement) : { priority: 0, nice: 0 },
    // A robot whose control or link has died brakes by itself, and is led again from where it stands, as after a cut link.
    restarts: true,
  });
  return Object.fromEntries(nodes.map(({ placement }) => [placement, optionsOf(placement)]));
}

function pacingOf(placement: string, tickNs: number, spinMs: number): PlacementOptions["pacing"] {
  if (placement === "control") return { kind: "ticks", tickNs, spinMs };
  return { kind: "messages" };
}

function schedulingOf(placement: string): Scheduling {
  if (placement.startsWith("planner")) return { priority: 0, nice: niceValues.planner };
  if (placement.startsWith("camera")) return { priority: 0, nice: niceValues.camera };
  return { priority: priorities[placement as keyof typeof priorities] ?? 0, nice: 0 };
}

/**
 * Share of a frame's period that a simulated camera may take for rendering; its detector needs about as much again. With two
 * cores control, robot and tracker need theirs of each.
 */
export function cameraShare(): number {
  return availableParallelism() >= 6 ? 0.55 : 0.27;
}

/** What a robot of a run is loaded with. */
export function calibrated({ calibration }: Pick<RealTimeOptions, "calibration">): { readonly calibration?: string } {
  return calibration === undefined ? {} : { calibration };
}

/** Whether the robot's clock can be slowed down: our own simulated robot's, and one with its simulated world beside it. */
export function isSimulated(address: RobotAddress | undefined): boolean {
  return address === undefined || address.world > 0;
}

/** From a command until the robot brakes by itself if no other comes [s]: the tick, and the cycles it lets pass. */
export function reactionTime(missedCycles: number): number {
  return (missedCycles + 1) / 1e3;
}

/** In-ports that the main thread puts into, where there are such nodes. */
const fedPorts = [
  "detector-left.colour",
  "detector-right.colour",
  "control.operator",
  "control.motions",
  "world.throws",
  "world.removals",
  "catching.settings",
  "catching.planners",
];

/** Those of a graph. */
export function fedPortsOf({ nodes }: Graph): string[] {
  const names = new Set(nodes.map(({ name }) => name));
  return fedPorts.filter((port) => names.has(portName(port).node));
}
