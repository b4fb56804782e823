import { xacroError } from "./xacro-value.js";

/** A piece of a text: as it stands, an expression `${…}`, or a substitution `$(…)`. */
export type TextPiece = { readonly kind: "plain" | "expression" | "substitution"; readonly text: string };

/** Cuts a text into its pieces; `$${` and `$$(` stand for themselves. A `$(…)` may hold `${…}`, and the other way. */
export function splitText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf("$", at);
    if (start < 0) break;
    const next = text[start + 1];
    plain += text.slice(at, start);
    if (next === "$" && (text[start + 2] === "{" || text[start + 2] === "(")) {
      plain += text.slice(start + 1, start + 3);
      at = start + 3;
    } else if (next === "{" || next === "(") {
      if (plain !== "") pieces.push({ kind: "plain", text: plain });
      plain = "";
      const end = closing(text, start + 1);
      pieces.push({ kind: next === "{" ? "expression" : "substitution", text: text.slice(start + 2, end) });
      at = end + 1;
    } else {
      plain += "$";
      at = start + 1;
    }
  }
  plain += text.slice(at);
  if (plain !== "") pieces.push({ kind: "plain", text: plain });
  return pieces;
}

/** Where the bracket that opens at `open` closes; brackets within quotes do not count. */
function closing(text: string, open: number): number {
  const [opener, closer] = text[open] === "{" ? ["{", "}"] : ["(", ")"];
  let depth = 0;
  let quote = "";
  for (let i = open; i < text.length; i++) {
    const letter = text[i]!;
    if (quote !== "") {
      if (letter === quote) quote = "";
    } else if (opener === "{" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === opener) depth++;
    else if (letter === closer && --depth === 0) return i;
  }
  throw xacroError("a bracket is not closed", closer, text.slice(open - 1));
}
