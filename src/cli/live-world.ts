import { InvalidArgumentError } from "commander";
import type { BodyUse } from "../catching/arm-surroundings.js";
import type { Robot } from "../robot/robot.js";
import type { PerceptionKind } from "../run/graph.js";
import { FlycatcherError } from "../runtime/errors.js";
import { canHold } from "../simulation/mujoco/physics-world.js";
import type { WorldKind } from "../simulation/simulated-world.js";
import type { ThrowKind } from "../simulation/world/thrower.js";
import type { BallWords } from "./ball-options.js";
import type { TextOptions } from "./terminal.js";

export const perceptionKinds: readonly PerceptionKind[] = ["truth", "points", "circles", "images"];
export const worldKinds: readonly WorldKind[] = ["physics", "kinematic"];
export const bodyUses: readonly BodyUse[] = ["rule", "stand"];
export const throwKinds: readonly ThrowKind[] = ["standard", "clean"];

/** What is simulated, and how it is seen. */
export interface SceneKinds {
  readonly world: WorldKind;
  readonly perception: PerceptionKind;
}

/** Options of every command that throws balls at a robot. */
export interface RunOptions extends TextOptions<"robot" | "group" | "mode" | "seed">, BallWords, Partial<SceneKinds> {
  readonly balls: number;
  readonly throwKind?: ThrowKind;
  readonly lockstep?: true;
  readonly stay?: true;
  readonly json?: true;
}

/** The world asked for; by default physics, unless the robot has hands that no ball stays in. */
export function worldKind(asked: WorldKind | undefined, robot: Robot): WorldKind {
  return asked ?? (canHold(robot) ? "physics" : "kinematic");
}

/** The perception asked for; by default images where the robot has eyes, else motion capture. */
export function perceptionKind(asked: PerceptionKind | undefined, robot: Robot): PerceptionKind {
  return asked ?? (robot.stereo === undefined ? "points" : "images");
}

/** The perception asked for in real time, where the world is always physics, seen in images or as it is. */
export function realTimePerception(asked: PerceptionKind = "images"): "truth" | "images" {
  if (asked === "truth" || asked === "images") return asked;
  throw new FlycatcherError("FLY_LIVE_UNAVAILABLE", "in real time balls cannot be seen this way", {
    path: "--perception",
    expected: "truth or images",
    found: asked,
  });
}

const LEAST_SPEED = 0.05;

/** How fast the time of a run in real time goes. */
export function speedOf(text: string): number | "auto" {
  if (text === "auto") return text;
  const speed = Number(text);
  if (speed >= LEAST_SPEED && speed <= 1) return speed;
  throw new InvalidArgumentError(`Expected auto, or a number from ${LEAST_SPEED} to 1.`);
}
