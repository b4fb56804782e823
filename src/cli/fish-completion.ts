import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  withDescendants,
} from "./completion-tree.js";

/** The completion script for fish. */
export function fishCompletion(program: CompletedCommand, name: string): string {
  const lines = withDescendants(program).flatMap((command) => linesOf(command, name));
  return `# fish completion of ${name}, made by \`${name} completion fish\`.

# Whether the line leads to this command.
function __${name}_in
    set -l words (string match -v -- '-*' (commandline -opc)[2..])
    set -l depth (count $argv)
    test (count $words) -ge $depth; and test "$words[1..$depth]" = "$argv"
end

# Whether the line ends with this command, so that a sub-command can follow.
function __${name}_at
    set -l words (string match -v -- '-*' (commandline -opc)[2..])
    test "$words" = "$argv"
end

complete -c ${name} -e
complete -c ${name} -f
${lines.join("\n")}
`;
}

function linesOf({ path, options, commands, arguments: places }: CompletedCommand, name: string): string[] {
  const at = ["complete -c", name, "-n", quoted([`__${name}_at`, ...path].join(" "))].join(" ");
  const inside = ["complete -c", name, "-n", quoted([`__${name}_in`, ...path].join(" "))].join(" ");
  // A command with sub-commands has options of its own only where none of them follows.
  const optionPlace = commands.length > 0 ? at : inside;
  return [
    ...commands.map((inner) => `${at} -a ${inner.path.at(-1)} -d ${quoted(inner.description)}`),
    ...options.map((option) => `${optionPlace} ${optionText(option)}`),
    ...places.flatMap((value) => (isKnown(value) ? [`${inside} ${valueText(value)}`] : [])),
  ];
}

function optionText({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const follows = value === null ? [] : ["-r", isKnown(value) ? valueText(value) : "-f"];
  return [...names, "-d", quoted(description), ...follows].join(" ");
}

function isKnown({ words, takesFiles }: CompletedValue): boolean {
  return words.length > 0 || takesFiles;
}

function valueText({ words, takesFiles }: CompletedValue): string {
  return [takesFiles ? "-F" : "-f", ...(words.length === 0 ? [] : ["-a", quoted(words.join(" "))])].join(" ");
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
