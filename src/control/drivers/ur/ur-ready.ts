import { FlycatcherError } from "../../../runtime/errors.js";
import type { DashboardClient } from "./dashboard-client.js";
import type { UrState } from "./rtde-recipe.js";
import { RobotMode, SafetyMode, standingFault } from "./ur-modes.js";
import type { UrOptions } from "./ur-options.js";
import { comesTrue } from "./wait.js";

/** How long power and brakes, and the end of a protective stop, may take [ms]. */
const POWER_MS = 30_000;
const UNLOCK_MS = 5000;

/**
 * Unlocks a protective stop, switches the power on and releases the brakes: each only if the options say so. `state` is filled in
 * again by each package of the robot.
 */
export async function makeReady(
  dashboard: DashboardClient,
  { unlock, powerOn }: Pick<UrOptions, "unlock" | "powerOn">,
  state: UrState,
): Promise<void> {
  if (unlock && state.safetyMode === SafetyMode.protectiveStop) {
    await dashboard.ask("close safety popup");
    await dashboard.order("unlock protective stop", "Protective stop releasing");
    await settle(() => state.safetyMode === SafetyMode.normal, UNLOCK_MS, "the protective stop does not end");
  }
  const fault = standingFault(state.robotMode, state.safetyMode);
  if (!powerOn || (fault !== "power-off" && fault !== "brakes-on")) return;
  await dashboard.order("power on", "Powering on");
  await settle(() => state.robotMode >= RobotMode.idle, POWER_MS, "the power does not come on");
  await dashboard.order("brake release", "Brake releasing");
  await settle(() => state.robotMode === RobotMode.running, POWER_MS, "the brakes are not released");
}

async function settle(holds: () => boolean, timeoutMs: number, otherwise: string): Promise<void> {
  if (!(await comesTrue(holds, timeoutMs))) throw new FlycatcherError("FLY_ROBOT_NOT_READY", otherwise);
}
