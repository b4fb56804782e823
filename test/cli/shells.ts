import { spawnSync } from "node:child_process";

/** What a shell offers at the end of a line, sorted. */
export type Complete = (script: string, line: string) => string[];

export function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

/** Lets bash split the line as readline does, at "=", too, and calls the function that `complete` has registered. */
export const completeInBash: Complete = (script, line) => {
  const words = line.match(/=|[^\s=]+|\s$/g)!.map((word) => (word === " " ? "" : word));
  const program = `source "$1"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    eval "$(complete -p flycatcher | sed 's/complete -F \\([^ ]*\\).*/\\1/')"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return offered("bash", ["--norc", "-c", program, "bash", script, ...words]);
};

/** fish lists what it offers by itself; each with a description behind a tab. */
export const completeInFish: Complete = (script, line) =>
  offered("fish", ["--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', script, line]).map(
    (text) => text.split("\t")[0]!,
  );

/** In zsh completion works only while a line is edited: a second zsh has the tab key pressed in a pseudo-terminal. */
export const completeInZsh: Complete = (script, line) =>
  offered("zsh", ["-f", "-c", zshProgram, "zsh", script, line]).flatMap((text) =>
    Array.from(text.matchAll(/<([^<>]+)>/g), ([, word]) => word!),
  );

/** Its `compadd` prints the matches that it would add; the shell ends after the first completion. */
const zshProgram = `
  zmodload zsh/zpty
  zpty inner zsh -f -i
  inner=$(mktemp)
  cat > $inner <<'END'
    PROMPT=
    autoload -Uz compinit; compinit -u -D
    bindkey '^I' complete-word
    comppostfuncs=(exit)
    compadd() {
      local -a hits
      if (( \${@[(I)-(O|A|D)]} )); then builtin compadd "$@"; return; fi
      builtin compadd -A hits "$@"
      (($#hits)) && print -r -- "<"\${^hits}">"
      builtin compadd "$@"
    }
END
  zpty -w inner "source $inner; source $1; print rea''dy"
  while zpty -r inner text; do [[ $text == *ready* ]] && break; done
  zpty -n -w inner "$2"$'\\t'
  while zpty -r inner text; do print -r -- $text; done
  rm $inner; true`;

function offered(shell: string, args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: "utf8", timeout: 60_000 });
  if (status !== 0 || stderr !== "") throw new Error(`${shell} ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter((text) => text !== "");
}
