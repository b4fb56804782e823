import type { Command } from "commander";
import { resolveConfig } from "../runtime/config.js";
import type { Config } from "../runtime/config-schema.js";

/** The options by which every command chooses its configuration. */
export interface ConfigOptions {
  readonly profile?: string;
  readonly set: readonly string[];
}

export function addConfigOptions(command: Command, defaultProfile: string): Command {
  return command
    .option("--profile <name>", "shipped profile, or path of your own", defaultProfile)
    .option("--set <key=value>", "a single setting, as in service.port=8080; may be repeated", collect, []);
}

/** `settings` come last: the options of a command that have a name of their own, as in `service.port=8080`. */
export function configFrom({ profile, set }: ConfigOptions, settings: readonly string[] = []): Config {
  return resolveConfig({ profile, overrides: [...set, ...settings] });
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
