import type { Argument, Command, Option } from "commander";
import { listRobots } from "../robot/loading/robot-folders.js";
import { configSchema } from "../runtime/config-schema.js";
import { listProfiles } from "../runtime/profile.js";
import type { JsonSchema } from "../runtime/schema-words.js";
import { visibleCommands, visibleOptions } from "./cli-command.js";
import { trackerNames } from "./replay-options.js";

/** What can stand for a value on the command line. */
export interface CompletedValue {
  /** As help calls it: `robot`. */
  readonly name: string;
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  /** Whether more of them can follow. */
  readonly isVariadic: boolean;
}

export interface CompletedOption {
  /** The long one last: `-h`, `--help`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null for an option without a value. */
  readonly value: CompletedValue | null;
}

/** A command as shells complete it, derived from the command itself. */
export interface CompletedCommand {
  /** Names of the commands above it and its own, without the program's: `["robot", "show"]`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedValue[];
  readonly commands: readonly CompletedCommand[];
}

export function completedCommand(command: Command, path: readonly string[] = []): CompletedCommand {
  return {
    path,
    description: firstSentence(command.description()),
    options: visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map(completedValue),
    commands: visibleCommands(command).map((inner) => completedCommand(inner, [...path, inner.name()])),
  };
}

/** The command with all that are below it. */
export function withDescendants(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

function completedOption(option: Option): CompletedOption {
  const { short, long, flags, required, optional } = option;
  const name = /[<[]([^>\]]+?)(\.\.\.)?[>\]]/.exec(flags)?.[1] ?? "";
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description: firstSentence(option.description),
    value: required || optional ? namedValue(name, option) : null,
  };
}

function completedValue(argument: Argument): CompletedValue {
  return namedValue(argument.name(), argument);
}

function namedValue(name: string, { argChoices, variadic }: Argument | Option): CompletedValue {
  return {
    name,
    words: argChoices ?? wordsByName[name]?.() ?? [],
    takesFiles: argChoices === undefined && (/^(file|recording|request)/.test(name) || alsoPaths.has(name)),
    isVariadic: variadic,
  };
}

/** The words for values that are not fixed choices, by the name that help gives the value. */
const wordsByName: Readonly<Record<string, () => string[]>> = {
  robot: () => listRobots(),
  profile: () => listProfiles(),
  "key=value": () => settingsOf(configSchema as JsonSchema, ""),
  "name=value": () => trackerNames.map((name) => `${name}=`),
};

/** What is a name of something shipped, or a path. */
const alsoPaths: ReadonlySet<string> = new Set(["robot", "profile"]);

/** Every setting as `section.key=`, with each value where these can be told. */
function settingsOf(schema: JsonSchema, key: string): string[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      settingsOf(inner, key === "" ? name : `${key}.${name}`),
    );
  }
  const values = key === "robot" ? listRobots() : schema.type === "boolean" ? [true, false] : (schema.enum ?? [""]);
  return values.map((value) => `${key}=${value}`);
}

function firstSentence(text: string): string {
  return text.split(/[.;:](?:\s|$)/, 1)[0]!;
}
