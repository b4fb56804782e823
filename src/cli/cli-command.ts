import { Command, type ErrorOptions, type Help } from "commander";
import { colour, hasColours, type Meaning } from "../runtime/colours.js";
import { didYouMean } from "../runtime/nearest-name.js";

/** What the process ends with. */
export const ExitCode = {
  done: 0,
  /** What was asked for could not be done. */
  failed: 1,
  /** The command line is not understood. */
  misused: 2,
  /** The reader of the output has gone: what a shell reports of a program that SIGPIPE ends. */
  pipeClosed: 141,
} as const;

/** A command whose errors say what was probably meant and name the help of the command that failed. */
export class CliCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.showSuggestionAfterError(false);
    this.configureOutput({
      getOutHasColors: () => hasColours(process.stdout),
      getErrHasColors: () => hasColours(process.stderr),
      writeOut: (text) => process.stdout.write(withHeading(text, process.stdout)),
      writeErr: (text) => process.stderr.write(withHeading(text, process.stderr)),
      outputError: (text, write) => write(text.replace(/^.*$/m, (line) => colour("bad", line, process.stderr))),
    });
    this.configureHelp({
      styleTitle: painted("heading"),
      styleCommandText: painted("name"),
      styleSubcommandTerm: painted("name"),
      styleOptionTerm: painted("name"),
      styleArgumentTerm: painted("name"),
    });
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const hints = [this.#suggestion(message, options?.code), seeHelp(this)].filter((hint) => hint !== "");
    super.error([message, ...hints].join("\n"), { ...options, exitCode: ExitCode.misused });
  }

  /** Commander's messages quote the word that they are about. */
  #suggestion(message: string, code: string | undefined): string {
    const word = /'([^']*)'/.exec(message)?.[1] ?? "";
    if (code === "commander.unknownOption") return didYouMean(word.split("=")[0]!, this.#flags());
    if (code !== "commander.unknownCommand") return "";
    const names = visibleCommands(this).map((command) => command.name());
    return [didYouMean(word, names), `Commands: ${names.join(", ")}.`].filter((hint) => hint !== "").join("\n");
  }

  #flags(): string[] {
    return visibleOptions(this).flatMap(({ long }) => long ?? []);
  }
}

/** The sub-commands that help lists, `help` left out. */
export function visibleCommands(command: Command): Command[] {
  return helpOf(command)
    .visibleCommands(command)
    .filter((inner) => inner.name() !== "help");
}

/** The options that help lists, `--help` among them. */
export function visibleOptions(command: Command): ReturnType<Help["visibleOptions"]> {
  return helpOf(command).visibleOptions(command);
}

function helpOf(command: Command): Help {
  return command.createHelp();
}

/** The sentence that names a command's help. */
export function seeHelp(command: Command): string {
  return `See \`${fullName(command)} --help\`.`;
}

/** A command's name with those of the commands above it: `flycatcher robot show`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

/** The title of the examples, which Commander knows only as text. */
function withHeading(text: string, output: NodeJS.WriteStream): string {
  return text.replace(/^Examples?:$/gm, (title) => colour("heading", title, output));
}

/** Commander removes the colours again where the stream has none; so they are always put in. */
function painted(meaning: Meaning): (text: string) => string {
  return (text) => colour(meaning, text, { isTTY: true });
}
