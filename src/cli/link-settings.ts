import { type RealTimeOptions, realTimeDefaults } from "../run/real-time-options.js";
import { robotLink } from "../run/robot-link.js";
import type { Config } from "../runtime/config-schema.js";
import { KEY_VARIABLE } from "./robot-sim-command.js";

/** How the robot of the configuration is reached; nothing for a simulated one of our own. */
export function linkSettings({ drivers, ur }: Pick<Config, "drivers" | "ur">): Partial<RealTimeOptions> {
  if (drivers.length === 0) return {};
  const link = robotLink(drivers, { ur, key: process.env[KEY_VARIABLE] });
  // The program on the robot brakes after its time-out, which the monitor must allow for.
  const missedCycles = Math.max(realTimeDefaults.missedCycles, ur.timeoutMs);
  // Without a world beside the robot there is nothing to throw.
  return { ...link, missedCycles, ...(link.address.world > 0 ? {} : { warmUpThrows: 0 }) };
}
