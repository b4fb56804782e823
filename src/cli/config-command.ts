import type { Command } from "commander";
import { addRobotFolders } from "../robot/loading/robot-folders.js";
import { maskSecrets, resolveConfig } from "../runtime/config.js";
import type { Config } from "../runtime/config-schema.js";
import { listProfiles, loadProfileChain } from "../runtime/profile.js";
import { collect, formatRows, print } from "./terminal.js";

const showExamples = `
Examples:
  flycatcher config show
  flycatcher config show --profile tabletop
  flycatcher config show --set planning.mode=cool --set service.port=9000`;

/** `flycatcher config show` and `flycatcher config profiles`. */
export function registerConfigCommand(program: Command): void {
  const config = program
    .command("config")
    .description("Show the active configuration and the profiles.")
    .addHelpText("after", "\nExamples:\n  flycatcher config show\n  flycatcher config profiles");
  addConfigOptions(config.command("show"), "default")
    .description("Print the whole configuration as JSON, tokens masked.")
    .addHelpText("after", showExamples)
    .action((options: ConfigOptions) => {
      print(JSON.stringify(maskSecrets(configFrom(options)), null, 2));
    });
  config
    .command("profiles")
    .description("List the shipped profiles.")
    .addHelpText("after", "\nExample:\n  flycatcher config profiles")
    .action(() => print(describeProfiles()));
}

function describeProfiles(): string {
  const profiles = listProfiles().flatMap((name) => loadProfileChain([name]).profiles.slice(-1));
  return formatRows(profiles.map(({ name, description }) => [name, description]));
}

/** The options by which every command chooses its configuration. */
export interface ConfigOptions {
  readonly profile?: string;
  readonly set: readonly string[];
}

export function addConfigOptions(command: Command, defaultProfile: string): Command {
  return command
    .option("--profile <profile>", "shipped profile, or path of your own", defaultProfile)
    .option("--set <key=value>", "a single setting, as in service.port=8080; may be repeated", collect, []);
}

/** Settings for which a command has options of their own, by key as in `service.port`; undefined: not given. */
export type NamedSettings = Readonly<Record<string, string | true | undefined>>;

/** `settings` come last. */
export function configFrom({ profile, set }: ConfigOptions, settings: NamedSettings = {}): Config {
  const named = Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  const config = resolveConfig({ profile, overrides: [...set, ...named], environment: process.env });
  addRobotFolders(config.robots);
  return config;
}
