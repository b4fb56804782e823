/**
 * The simulated world: robots, hands and balls in MuJoCo, heads that shake, and throws. It is an entry of its own,
 * `flycatcher/simulation`, so that programs without simulation do not load MuJoCo. None of its types are MuJoCo's.
 *
 * @example
 * import { loadRobot } from "flycatcher";
 * import { RobotWorld } from "flycatcher/simulation";
 * const world = await RobotWorld.create(loadRobot("lwr-arm"));
 */

export { type Challenges, challengesOf, fullChallenges } from "./simulation/head-motion/challenges.js";
export { TrueHead } from "./simulation/head-motion/true-head.js";
export { ElasticChest } from "./simulation/mujoco/elastic-chest.js";
export type { Perturbation } from "./simulation/mujoco/perturbation.js";
export type { RobotWorldOptions } from "./simulation/mujoco/robot-world.js";
export { RobotWorld } from "./simulation/mujoco/robot-world.js";
export { SimulatedWorld } from "./simulation/simulated-world.js";
export type { RobotCommand } from "./simulation/world/catch-world.js";
export { HandPath, type ThrowMotion } from "./simulation/world/hand-motion.js";
export { Thrower, type ThrowerSettings, type ThrowKind, throwerDefaults } from "./simulation/world/thrower.js";
