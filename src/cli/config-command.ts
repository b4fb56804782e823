import type { Command } from "commander";
import { maskSecrets, resolveConfig } from "../runtime/config.js";
import type { Config } from "../runtime/config-schema.js";
import { listProfiles, loadProfileChain } from "../runtime/profile.js";

/** `flycatcher config show` and `flycatcher config profiles`. */
export function registerConfigCommand(program: Command): void {
  const config = program
    .command("config")
    .description("The configuration: what is in force, and which profiles there are.");
  addConfigOptions(config.command("show"), "default")
    .description("Print the whole configuration as JSON, tokens masked.")
    .action((options: ConfigOptions) => {
      process.stdout.write(`${JSON.stringify(maskSecrets(configFrom(options)), null, 2)}\n`);
    });
  config
    .command("profiles")
    .description("List the profiles that are shipped.")
    .action(() => void process.stdout.write(`${describeProfiles()}\n`));
}

function describeProfiles(): string {
  const profiles = listProfiles().flatMap((name) => loadProfileChain([name]).profiles.slice(-1));
  const width = Math.max(...profiles.map(({ name }) => name.length));
  return profiles.map(({ name, description }) => `${name.padEnd(width)}  ${description}`).join("\n");
}

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
