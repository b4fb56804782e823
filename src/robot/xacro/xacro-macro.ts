import type { XacroElement } from "./xacro-nodes.js";
import { xacroError } from "./xacro-value.js";

/** A parameter of a macro: `name`, `name:=default`, `name:=^` (the caller's), `name:=^|default`, `*block`, `**block`. */
export interface MacroParameter {
  readonly name: string;
  readonly kind: "value" | "block" | "block-content";
  readonly default?: string;
  /** Whether the caller's property of the same name stands in. */
  readonly inherits: boolean;
}

export interface XacroMacro {
  readonly name: string;
  readonly parameters: readonly MacroParameter[];
  readonly body: XacroElement;
}

/** `name`, and what follows it: `:=`, `^`, `|`, and a default that may be quoted or an expression with blanks. */
const parameterPattern =
  /\s*(?<name>[^\s:=]+)(?:\s*:?=\s*(?<inherits>\^\|?)?(?<default>(?:\$\{[^}]*\}|\$\([^)]*\)|'[^']*'|"[^"]*"|[^\s'"$])*))?\s*/y;

export function parseParameters(text: string): MacroParameter[] {
  const parameters: MacroParameter[] = [];
  parameterPattern.lastIndex = 0;
  const trimmed = text.trim();
  while (parameterPattern.lastIndex < trimmed.length) {
    const groups = parameterPattern.exec(trimmed)?.groups;
    if (groups === undefined) {
      parameterPattern.lastIndex = 0;
      throw xacroError("the parameters of a macro cannot be read", "names with defaults", trimmed);
    }
    parameters.push(parameterOf(groups));
  }
  return parameters;
}

function parameterOf(groups: { readonly [name: string]: string | undefined }): MacroParameter {
  const written = groups.name!;
  const inherits = groups.inherits !== undefined;
  if (written.startsWith("*")) {
    const isContent = written.startsWith("**");
    return { name: written.slice(isContent ? 2 : 1), kind: isContent ? "block-content" : "block", inherits };
  }
  const fallback = groups.inherits === "^" ? undefined : groups.default;
  return { name: written, kind: "value", inherits, ...(fallback === undefined ? {} : { default: fallback }) };
}
