import { FlycatcherError } from "../runtime/errors.js";
import type { DriverCapabilities } from "./driver.js";

/** What a run needs of a device. */
export interface DriverNeeds {
  readonly group: string;
  readonly joints: number;
  /** Least rate of commands [Hz]. */
  readonly rate: number;
}

/** Below this control is too coarse for a catch [Hz]. */
export const LEAST_RATE = 100;

/** Refuses a device that cannot do what the run needs of it, in one sentence, before anything moves. */
export function checkCapabilities(capabilities: DriverCapabilities, needs: DriverNeeds): void {
  const { joints, rate, commands, streaming, brakes } = capabilities;
  const lacks = [
    ...(joints === needs.joints ? [] : [`has ${joints} joints, not ${needs.joints}`]),
    ...(rate >= needs.rate ? [] : [`takes ${rate} commands per second, fewer than ${needs.rate}`]),
    ...(commands.includes("position") ? [] : ["takes no positions"]),
    ...(streaming ? [] : ["takes whole motions only, not a command each cycle"]),
    ...(brakes ? [] : ["does not brake by itself when commands cease"]),
  ];
  if (lacks.length === 0) return;
  throw new FlycatcherError("FLY_DRIVER_UNSUITABLE", `the device of group ${needs.group} ${lacks.join(", ")}`);
}
