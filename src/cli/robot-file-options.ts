import { type Command, InvalidArgumentError } from "commander";
import type { LoadRobotOptions } from "../robot/loading/load-robot.js";
import { collect } from "./terminal.js";

/** Where packages are, and arguments of xacro. */
export interface FileOptions {
  readonly packages?: readonly string[];
  readonly arg?: Readonly<Record<string, string>>;
}

export function loadOptions({
  packages = [],
  arg = {},
}: FileOptions): Pick<LoadRobotOptions, "packages" | "arguments"> {
  return { packages, arguments: arg };
}

export function withFileOptions(command: Command): Command {
  return command
    .option("--packages <folder>", "folder of a ROS package or of several; may be repeated", collect)
    .option("--arg <name=value>", "argument of a xacro file; may be repeated", collectArgument);
}

function collectArgument(text: string, previous: Readonly<Record<string, string>> = {}): Record<string, string> {
  const match = /^([^=:]+):?=(.*)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError("Expected name=value.");
  return { ...previous, [match[1]!]: match[2]! };
}
