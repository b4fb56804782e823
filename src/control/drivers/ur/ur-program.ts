import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FlycatcherError } from "../../../runtime/errors.js";
import { packageRoot } from "../../../runtime/package-root.js";
import { SCALE } from "./reverse-command.js";

/** What is filled into the robot's program. */
export interface UrProgramValues {
  /** Where the program connects to: the driver, as the robot sees it. */
  readonly host: string;
  readonly reversePort: number;
  /** Of `servoj`: 0.03 to 0.2 s, and 100 to 2000. */
  readonly lookahead: number;
  readonly gain: number;
  /** Fastest joint that the program accepts [rad/s]. */
  readonly maxSpeed: number;
}

/** A host in the program is text between quotes: nothing may end it. */
const HOST = /^[A-Za-z0-9.:_-]{1,253}$/;

/** The program that runs on the robot, with its values filled in. */
export function urProgram({ host, reversePort, lookahead, gain, maxSpeed }: UrProgramValues): string {
  if (!HOST.test(host)) {
    throw new FlycatcherError("FLY_DRIVER_ADDRESS", "the robot cannot reach the driver by this name", { found: host });
  }
  const template = readFileSync(join(packageRoot, "data", "drivers", "ur", "flycatcher.script"), "utf8");
  return filled(template, {
    FLY_HOST: `"${host}"`,
    FLY_REVERSE_PORT: String(reversePort),
    FLY_TRAJECTORY_PORT: "0",
    FLY_LOOKAHEAD: String(lookahead),
    FLY_GAIN: String(gain),
    FLY_SCALE: String(SCALE),
    FLY_MAX_SPEED: String(maxSpeed),
  });
}

/** Each value has a line of its own at the top of the program. */
function filled(template: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => {
    const line = new RegExp(`^  ${name} = .*$`, "m");
    if (line.test(text)) return text.replace(line, () => `  ${name} = ${value}`);
    throw new FlycatcherError("FLY_INTERNAL", `the robot's program has no line for ${name}`);
  }, template);
}
