import type { Command } from "commander";
import { maskSecrets } from "../runtime/config.js";
import { listProfiles, loadProfileChain } from "../runtime/profile.js";
import { addConfigOptions, type ConfigOptions, configFrom } from "./config-options.js";

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
