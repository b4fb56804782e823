import { InvalidArgumentError } from "commander";
import type { BodyUse } from "../catching/arm-surroundings.js";
import type { Robot } from "../robot/robot.js";
import { hasEyes, type PerceptionKind } from "../run/graph.js";
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
  if (robot.stereo !== undefined) return asked ?? "images";
  if (asked === undefined || !hasEyes(asked)) return asked ?? "points";
  throw new FlycatcherError("FLY_LIVE_UNAVAILABLE", `${robot.name} has no pair of cameras to see balls with`, {
    path: "--perception",
    expected: "points or truth",
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
