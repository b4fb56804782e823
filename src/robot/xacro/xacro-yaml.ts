import { parse, type ScalarTag } from "yaml";
import { radians } from "../../math/angle.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { evaluateExpression } from "./xacro-expression.js";
import { XacroDict, type XacroValue, xacroError } from "./xacro-value.js";

/** What one unit is in SI, by the tag that xacro gives it. */
const units: Readonly<Record<string, number>> = {
  "!radians": 1,
  "!degrees": radians(1),
  "!meters": 1,
  "!millimeters": 0.001,
  "!foot": 0.3048,
  "!feet": 0.3048,
  "!inches": 0.0254,
};

const noProperties = {
  lookup: () => undefined,
  loadYaml: () => {
    throw xacroError("a YAML file cannot load another");
  },
};

const tags: ScalarTag[] = Object.entries(units).map(([tag, factor]) => ({
  tag,
  resolve: (text: string) => {
    const value = evaluateExpression(text, noProperties);
    return typeof value === "number" ? value * factor : text;
  },
}));

/** Deepest nesting of a YAML file. */
const maxDepth = 50;

/** A YAML file as xacro's lists and dictionaries, with its units of length and angle. */
export function parseYaml(text: string, file: string): XacroValue {
  try {
    return fromYaml(parse(text, { customTags: tags, maxAliasCount: 100, logLevel: "silent" }), 0);
  } catch (cause) {
    if (cause instanceof FlycatcherError) throw cause;
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : "";
    throw new FlycatcherError("FLY_XACRO_INVALID", `a YAML file cannot be read: ${reason}`, { path: file }, { cause });
  }
}

function fromYaml(value: unknown, depth: number): XacroValue {
  if (depth > maxDepth) throw xacroError("a YAML file is nested too deeply");
  if (value === undefined || value === null) return null;
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((entry) => fromYaml(entry, depth + 1));
  if (typeof value === "object") {
    return new XacroDict(Object.entries(value).map(([key, entry]) => [key, fromYaml(entry, depth + 1)]));
  }
  return String(value);
}
