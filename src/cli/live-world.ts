import type { Robot } from "../robot/robot.js";
import type { PerceptionKind } from "../run/graph.js";
import { FlycatcherError } from "../runtime/errors.js";
import { canHold } from "../simulation/mujoco/physics-world.js";
import type { WorldKind } from "../simulation/simulated-world.js";
import type { TextOptions } from "./terminal.js";

/** What is simulated, and how it is seen. */
export interface SceneKinds {
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
}

/** Options of every command that throws balls at a robot. */
export interface RunOptions extends TextOptions<"robot" | "group" | "perception" | "world" | "mode" | "seed"> {
  readonly balls: number;
  readonly lockstep?: true;
  readonly stay?: true;
  readonly json?: true;
}

/** Of an option of a run that has none of its values. */
export function refusedOption(message: string, path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_OPTION", message, { path, expected, found });
}

/** The world asked for; by default physics, unless the robot has hands that no ball stays in. */
export function worldKind(text: string | undefined, robot: Robot): WorldKind {
  if (text === undefined) return canHold(robot) ? "physics" : "kinematic";
  if (text === "kinematic" || text === "physics") return text;
  throw refusedOption("there is no such world", "--world", "kinematic or physics", text);
}

const perceptionKinds: readonly string[] = ["truth", "points", "circles", "images"];

/** The perception asked for; by default images where the robot has eyes, else motion capture. */
export function perceptionKind(text: string | undefined, robot: Robot): PerceptionKind {
  if (text === undefined) return robot.stereo === undefined ? "points" : "images";
  if (perceptionKinds.includes(text)) return text as PerceptionKind;
  throw refusedOption("balls cannot be seen this way", "--perception", "truth, points, circles or images", text);
}

/** The perception asked for in real time, where the world is always physics, seen in images or as it is. */
export function realTimePerception(text = "images"): "truth" | "images" {
  if (text === "truth" || text === "images") return text;
  throw new FlycatcherError("FLY_LIVE_UNAVAILABLE", "in real time balls cannot be seen this way", {
    path: "--perception",
    expected: "truth or images",
    found: text,
  });
}

const LEAST_SPEED = 0.05;

/** How fast the time of a run in real time goes. */
export function speedOf(text: string): number | "auto" {
  if (text === "auto") return text;
  const speed = Number(text);
  if (speed >= LEAST_SPEED && speed <= 1) return speed;
  throw refusedOption("time cannot go that fast", "--speed", `auto, or a number from ${LEAST_SPEED} to 1`, text);
}
