import type { MainModule } from "@mujoco/mujoco";
import { type Ball, defaultBall } from "../../flight/ball.js";
import type { Robot } from "../../robot/robot.js";
import type { Perturbation } from "./link-displacement.js";
import { type ContactSettings, contactOf } from "./robot-mjcf.js";
import { type ServoGains, servoGains } from "./servo-gains.js";
import { WorldMemory } from "./world-memory.js";
import { worldMjcf } from "./world-mjcf.js";

export interface RobotWorldOptions {
  /** Position of every dof at the beginning [rad or m]; default: the posture `ready`, else zero. */
  readonly posture?: Float64Array;
  readonly ball?: Ball;
  /** How many balls there can be at a time; they are made at once. */
  readonly balls?: number;
  /** How balls touch things; default: as the robot's sidecar says. */
  readonly contact?: ContactSettings;
  /** What moves links that their joints do not move. */
  readonly perturbations?: readonly Perturbation[];
  /** [s] */
  readonly timestep?: number;
}

/** What a world is put together from: the options with their defaults, the servos, and MuJoCo's model and state. */
export interface WorldParts extends Required<Omit<RobotWorldOptions, "contact">> {
  readonly robot: Robot;
  readonly gains: ServoGains;
  readonly memory: WorldMemory;
}

export function assembleWorld(module: MainModule, robot: Robot, options: RobotWorldOptions): WorldParts {
  const { ball = defaultBall, balls = 2, perturbations = [], timestep = 1e-3 } = options;
  const posture = options.posture ?? robot.postures.get("ready") ?? new Float64Array(robot.model.dofCount);
  const gains = servoGains(robot, posture);
  const contact = options.contact ?? contactOf(robot);
  const displaced = perturbations.map(({ link }) => link);
  const mjcf = worldMjcf({ robot, gains, ball, ballCount: balls, contact, displaced, timestep });
  return { robot, posture, ball, balls, perturbations, timestep, gains, memory: new WorldMemory(module, mjcf) };
}
