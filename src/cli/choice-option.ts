import { Argument, InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../runtime/nearest-name.js";

/** An option whose value is one of these names, which help and completion list. */
export function choiceOption(flags: string, description: string, names: readonly string[]): Option {
  return new Option(flags, description).choices(names).argParser((text) => oneOfNames(text, names));
}

/** An argument that is one of these names. */
export function choiceArgument(name: string, description: string, names: readonly string[]): Argument {
  return new Argument(name, description).choices(names).argParser((text) => oneOfNames(text, names));
}

function oneOfNames(text: string, names: readonly string[]): string {
  if (names.includes(text)) return text;
  throw new InvalidArgumentError(`Expected one of ${names.join(", ")}. ${didYouMean(text, names)}`.trimEnd());
}
