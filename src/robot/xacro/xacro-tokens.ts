import { clipText, xacroError } from "./xacro-value.js";

export type Token =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "name"; readonly value: string }
  | { readonly kind: "sign"; readonly value: string };

/** Every alternative begins differently or is longest first, so that matching takes linear time. */
const tokenPattern =
  /\s+|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|(?<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|(?<sign>\*\*|\/\/|==|!=|<=|>=|[-+*/%()[\]{},:.<>=])/y;

/** Longest expression that is read [characters]. */
const maxExpression = 4000;

export function tokenize(expression: string): Token[] {
  if (expression.length > maxExpression) throw xacroError("an expression is too long", `at most ${maxExpression}`);
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < expression.length) {
    const at = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(expression)?.groups;
    if (groups === undefined) {
      tokenPattern.lastIndex = 0;
      throw xacroError("an expression cannot be read", "Python's arithmetic", clipText(expression.slice(at)));
    }
    const token = tokenOf(groups);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function tokenOf({ number, name, text, sign }: { readonly [group: string]: string | undefined }): Token | undefined {
  if (number !== undefined) return { kind: "number", value: Number(number) };
  if (name !== undefined) return { kind: "name", value: name };
  if (text !== undefined) return { kind: "text", value: unescaped(text.slice(1, -1)) };
  return sign === undefined ? undefined : { kind: "sign", value: sign };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter: string) => (letter === "n" ? "\n" : letter === "t" ? "\t" : letter));
}
