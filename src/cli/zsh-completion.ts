import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  withDescendants,
} from "./completion-tree.js";

/** The completion script for zsh. */
export function zshCompletion(program: CompletedCommand, name: string): string {
  const functions = withDescendants(program).map((command) => functionOf(command, name));
  return `#compdef ${name}
# zsh completion of ${name}, made by \`${name} completion zsh\`.

${functions.join("\n\n")}

if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function functionOf(command: CompletedCommand, name: string): string {
  const { path, options, commands, arguments: places } = command;
  const specs = [...options.flatMap(optionSpecs), ...places.map(argumentSpec)];
  if (commands.length === 0) return `${functionName(path, name)}() {\n  _arguments -S ${joined(specs)}\n}`;
  const described = commands.map((inner) => quoted(`${inner.path.at(-1)}:${inner.description.replaceAll(":", "\\:")}`));
  const branches = commands.map((inner) => `        ${inner.path.at(-1)}) ${functionName(inner.path, name)} ;;`);
  return `${functionName(path, name)}() {
  local context state state_descr line curcontext=$curcontext
  typeset -A opt_args
  local -a commands=(${joined(described)})
  _arguments -C ${joined([...specs, "'1: :->command'", "'*:: :->rest'"])}
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
${branches.join("\n")}
      esac ;;
  esac
}`;
}

function functionName(path: readonly string[], name: string): string {
  return ["", name, ...path].join("_");
}

function joined(words: readonly string[]): string {
  return words.map((word) => `\\\n    ${word}`).join(" ");
}

/** Any option may be repeated, as Commander has it. */
function optionSpecs({ flags, description, value }: CompletedOption): string[] {
  const explanation = `[${description.replace(/[[\]\\]/g, "\\$&")}]`;
  return flags.map((flag) => {
    if (value === null) return quoted(`*${flag}${explanation}`);
    // A colon would begin the option's next value.
    const action = actionOf(value).replaceAll(":", "\\:");
    return quoted(`*${flag}${flag.startsWith("--") ? "=" : ""}${explanation}:${value.name}:${action}`);
  });
}

function argumentSpec(value: CompletedValue): string {
  return quoted(`${value.isVariadic ? "*" : ""}:${value.name}:${actionOf(value)}`);
}

/** What zsh does to complete a value; nothing is offered for a number or a text. */
function actionOf({ name, words, takesFiles }: CompletedValue): string {
  if (words.length === 0) return takesFiles ? "_files" : " ";
  const begun = words.filter((word) => word.endsWith("="));
  if (begun.length > 0) {
    const whole = words.filter((word) => !word.endsWith("="));
    return `{compadd -S "" -- ${begun.join(" ")}; compadd -- ${whole.join(" ")}}`;
  }
  const list = `(${words.join(" ")})`;
  return takesFiles ? `{_alternative "${name}:${name}:${list}" "files:file:_files"}` : list;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
