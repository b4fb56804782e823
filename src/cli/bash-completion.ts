import { type CompletedCommand, type CompletedValue, withDescendants } from "./completion-tree.js";

/** The completion script for bash. */
export function bashCompletion(program: CompletedCommand, name: string): string {
  return `# bash completion of ${name}, made by \`${name} completion bash\`.

# What can stand at a place of a command, as words; fails where nothing is known.
_${name}_at() {
  words= files= many=
  case $1 in
${withDescendants(program).flatMap(casesOf).join("\n")}
    *) return 1 ;;
  esac
}

_${name}() {
  local -a line=()
  local k word words files many command= option= place=0 prefix=
  # Bash splits the line at "=", which belongs to a word here.
  for ((k = 1; k <= COMP_CWORD; k++)); do
    word=\${COMP_WORDS[k]}
    if ((\${#line[@]} > 0)) && [[ $word == = || \${COMP_WORDS[k - 1]} == = ]]; then line[-1]+=$word; else line+=("$word"); fi
  done
  local current=\${line[-1]}
  for word in "\${line[@]:0:\${#line[@]}-1}"; do
    if [[ $word == -?* ]]; then
      option=
      if [[ $word != *=* ]] && _${name}_at "$command $word"; then option=$word; fi
    elif [[ -n $option ]]; then
      _${name}_at "$command $option"
      [[ -n $many ]] || option=
    elif _${name}_at "$command commands" && [[ " $words " == *" $word "* ]]; then
      command=\${command:+$command }$word
    else
      place=$((place + 1))
    fi
  done
  if [[ $current == --*=* ]]; then
    prefix=\${current%%=*}=
    _${name}_at "$command \${current%%=*}"
  elif [[ $current == -?* ]]; then
    _${name}_at "$command options"
  elif [[ -n $option ]]; then
    _${name}_at "$command $option"
  else
    _${name}_at "$command commands" || _${name}_at "$command $place" || _${name}_at "$command more"
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${current#"$prefix"}"))
  if [[ -n $files ]]; then
    compopt -o filenames 2> /dev/null
    COMPREPLY+=($(compgen -f -- "\${current#"$prefix"}"))
  fi
  if ((\${#COMPREPLY[@]} == 1)) && [[ \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2> /dev/null; fi
  # Bash replaces what stands behind the last "=", unless it was told not to split there.
  if [[ $COMP_WORDBREAKS != *=* ]]; then
    COMPREPLY=("\${COMPREPLY[@]/#/$prefix}")
  elif [[ -z $prefix && $current == *=* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${current%=*}="}")
  fi
}

complete -F _${name} ${name}
`;
}

/** A case for each place of a command: its options, its sub-commands, each option with a value, and each argument. */
function casesOf({ path, options, commands, arguments: places }: CompletedCommand): string[] {
  const flags = options.flatMap((option) => option.flags);
  const values = options.flatMap(({ flags: own, value }) => own.map((flag) => [flag, value] as const));
  return [
    caseOf(path, "options", `words="${flags.join(" ")}"`),
    ...(commands.length === 0 ? [] : [caseOf(path, "commands", `words="${namesOf(commands)}"`)]),
    ...values.flatMap(([flag, value]) => (value === null ? [] : [caseOf(path, flag, assignments(value))])),
    ...places.map((value, k) => caseOf(path, value.isVariadic ? "more" : String(k), assignments(value))),
  ];
}

function caseOf(path: readonly string[], place: string, text: string): string {
  return `    "${path.join(" ")} ${place}") ${text} ;;`;
}

function namesOf(commands: readonly CompletedCommand[]): string {
  return commands.map(({ path }) => path.at(-1)).join(" ");
}

function assignments({ words, takesFiles, isVariadic }: CompletedValue): string {
  return [`words="${words.join(" ")}"`, takesFiles ? "files=yes" : "", isVariadic ? "many=yes" : ""]
    .filter((text) => text !== "")
    .join(" ");
}
