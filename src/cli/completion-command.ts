import type { Command } from "commander";
import { bashCompletion } from "./bash-completion.js";
import { choiceArgument } from "./choice-option.js";
import { completedCommand } from "./completion-tree.js";
import { fishCompletion } from "./fish-completion.js";
import { print } from "./terminal.js";
import { zshCompletion } from "./zsh-completion.js";

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

type Shell = keyof typeof scripts;

const examples = `
Examples:
  source <(flycatcher completion bash)                                       for this bash alone
  flycatcher completion bash > ~/.local/share/bash-completion/completions/flycatcher
  flycatcher completion zsh > ~/.zfunc/_flycatcher                           with ~/.zfunc in fpath before compinit
  flycatcher completion fish > ~/.config/fish/completions/flycatcher.fish`;

/** `flycatcher completion`: the script that lets a shell complete the command line with the tab key. */
export function registerCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("Print the script by which a shell completes commands, options and their values.")
    .addArgument(choiceArgument("<shell>", "the shell it is for", Object.keys(scripts)))
    .addHelpText("after", examples)
    .action((shell: Shell) => print(scripts[shell](completedCommand(program), program.name()).trimEnd()));
}
