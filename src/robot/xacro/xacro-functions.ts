import { degrees, radians } from "../../math/angle.js";
import {
  formatValue,
  isTruthy,
  literalOf,
  maxXacroLength,
  XacroDict,
  type XacroValue,
  xacroError,
} from "./xacro-value.js";

export type XacroFunction = (...args: XacroValue[]) => XacroValue;

export function numberOf(value: XacroValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  throw xacroError("not a number", "a number", formatValue(value));
}

function numeric(apply: (...values: number[]) => number): XacroFunction {
  return (...args) => finite(apply(...args.map(numberOf)));
}

export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw xacroError("an expression has no finite value");
}

/** Python rounds halves to even. */
function round(value: number, digits = 0): number {
  const scale = 10 ** digits;
  const scaled = value * scale;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5;
  return (isHalf ? (below % 2 === 0 ? below : below + 1) : Math.round(scaled)) / scale;
}

function spread(args: readonly XacroValue[]): XacroValue[] {
  const [first] = args;
  return args.length === 1 && Array.isArray(first) ? first : [...args];
}

function parsed(value: XacroValue): number {
  return numberOf(typeof value === "string" ? literalOf(value) : value);
}

function range(...args: number[]): number[] {
  const [start, stop, step] = args.length === 1 ? [0, args[0]!, 1] : [args[0]!, args[1]!, args[2] ?? 1];
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!(count <= maxXacroLength)) throw xacroError("a range is too long", `at most ${maxXacroLength} numbers`);
  return Array.from({ length: count }, (_, i) => start + i * step);
}

function lengthOf(value: XacroValue): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (value instanceof XacroDict) return value.size;
  throw xacroError("it has no length", "a text, a list or a dictionary", formatValue(value));
}

/** The functions of xacro's expressions: those of Python's `math`, and its harmless built-in ones. */
export const functions: ReadonlyMap<string, XacroFunction> = new Map<string, XacroFunction>([
  ...(["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "pow", "hypot"] as const).map(
    (name): [string, XacroFunction] => [name, numeric(Math[name])],
  ),
  ["log10", numeric(Math.log10)],
  ["floor", numeric(Math.floor)],
  ["ceil", numeric(Math.ceil)],
  ["fabs", numeric(Math.abs)],
  ["abs", numeric(Math.abs)],
  ["radians", numeric(radians)],
  ["degrees", numeric(degrees)],
  ["fmod", numeric((a, b) => a % b)],
  ["copysign", numeric((a, b) => Math.abs(a) * (b < 0 || Object.is(b, -0) ? -1 : 1))],
  ["round", numeric(round)],
  ["min", (...args) => finite(Math.min(...spread(args).map(numberOf)))],
  ["max", (...args) => finite(Math.max(...spread(args).map(numberOf)))],
  ["sum", (list) => spread([list ?? []]).reduce<number>((sum, value) => sum + numberOf(value), 0)],
  ["int", (value) => Math.trunc(parsed(value ?? 0))],
  ["float", (value) => parsed(value ?? 0)],
  ["str", (value) => formatValue(value ?? "")],
  ["bool", (value) => isTruthy(value ?? false)],
  ["len", (value) => lengthOf(value ?? [])],
  ["list", (value) => listOf(value ?? [])],
  ["range", (...args) => range(...args.map(numberOf))],
]);

export const constants: ReadonlyMap<string, XacroValue> = new Map<string, XacroValue>([
  ["pi", Math.PI],
  ["M_PI", Math.PI],
  ["tau", 2 * Math.PI],
  ["e", Math.E],
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
]);

export function listOf(value: XacroValue): XacroValue[] {
  if (Array.isArray(value)) return [...value];
  if (value instanceof XacroDict) return [...value.keys()];
  if (typeof value === "string") return [...value];
  throw xacroError("not a list", "a list", formatValue(value));
}

function textOf(value: XacroValue | undefined): string {
  if (typeof value === "string") return value;
  throw xacroError("not a text", "a text", formatValue(value ?? null));
}

/** The methods of texts, lists and dictionaries that descriptions of robots use. */
export function callMethod(target: XacroValue, name: string, args: readonly XacroValue[]): XacroValue {
  const result =
    typeof target === "string"
      ? textMethod(target, name, args)
      : target instanceof XacroDict
        ? dictMethod(target, name, args)
        : undefined;
  if (result === undefined) throw xacroError("unknown method", undefined, name);
  return result;
}

function textMethod(text: string, name: string, args: readonly XacroValue[]): XacroValue | undefined {
  switch (name) {
    case "split":
      return args.length === 0 ? text.trim().split(/\s+/).filter(Boolean) : text.split(textOf(args[0]) || " ");
    case "join":
      return listOf(args[0] ?? [])
        .map(textOf)
        .join(text);
    case "strip":
      return text.trim();
    case "lower":
      return text.toLowerCase();
    case "upper":
      return text.toUpperCase();
    case "startswith":
      return text.startsWith(textOf(args[0]));
    case "endswith":
      return text.endsWith(textOf(args[0]));
    case "replace":
      return text.split(textOf(args[0])).join(textOf(args[1]));
    default:
      return undefined;
  }
}

function dictMethod(dict: XacroDict, name: string, args: readonly XacroValue[]): XacroValue | undefined {
  switch (name) {
    case "get":
      return dict.get(textOf(args[0])) ?? args[1] ?? null;
    case "keys":
      return [...dict.keys()];
    case "values":
      return [...dict.values()];
    case "items":
      return [...dict].map(([key, value]) => [key, value]);
    default:
      return undefined;
  }
}
