import { finite, listOf, numberOf } from "./xacro-functions.js";
import { areEqual, formatValue, maxXacroLength, XacroDict, type XacroValue, xacroError } from "./xacro-value.js";

export function operate(left: XacroValue, sign: string, right: XacroValue): XacroValue {
  if (sign === "+" && typeof left === "string" && typeof right === "string") return shortEnough(left + right);
  if (sign === "+" && Array.isArray(left) && Array.isArray(right)) return shortEnough([...left, ...right]);
  if (sign === "*" && typeof left === "string") return repeated(left, numberOf(right));
  return arithmetic(numberOf(left), sign, numberOf(right));
}

function arithmetic(left: number, sign: string, right: number): number {
  switch (sign) {
    case "+":
      return finite(left + right);
    case "-":
      return finite(left - right);
    case "*":
      return finite(left * right);
    case "/":
      return finite(left / right);
    case "//":
      return finite(Math.floor(left / right));
    default:
      // Python's remainder has the sign of the divisor.
      return finite(left - right * Math.floor(left / right));
  }
}

function repeated(text: string, count: number): string {
  const times = Math.max(0, Math.trunc(count));
  if (!(text.length * times <= maxXacroLength)) throw tooLong();
  return text.repeat(times);
}

export function compare(left: XacroValue, sign: string, right: XacroValue): boolean {
  switch (sign) {
    case "==":
      return areEqual(left, right);
    case "!=":
      return !areEqual(left, right);
    case "in":
      return contains(right, left);
    case "not in":
      return !contains(right, left);
    default:
      return isOrdered(left, sign, right);
  }
}

function contains(container: XacroValue, value: XacroValue): boolean {
  if (typeof container === "string" && typeof value === "string") return container.includes(value);
  return listOf(container).some((entry) => areEqual(entry, value));
}

function isOrdered(left: XacroValue, sign: string, right: XacroValue): boolean {
  const areTexts = typeof left === "string" && typeof right === "string";
  const [a, b] = areTexts ? [left, right] : [numberOf(left), numberOf(right)];
  if (sign === "<") return a < b;
  if (sign === ">") return a > b;
  return sign === "<=" ? a <= b : a >= b;
}

/** `target[index]`, or `target.index` of a dictionary. */
export function itemOf(target: XacroValue, index: XacroValue): XacroValue {
  if (target instanceof XacroDict) {
    const value = target.get(formatValue(index));
    if (value !== undefined) return value;
    throw xacroError("there is no such key", [...target.keys()].slice(0, 8).join(", ") || "none", formatValue(index));
  }
  if ((Array.isArray(target) || typeof target === "string") && typeof index === "number") {
    const value = target[index < 0 ? target.length + index : index];
    if (value !== undefined) return value;
    throw xacroError("there is no such entry", `a place in ${target.length} entries`, String(index));
  }
  throw xacroError("it has no parts", "a list or a dictionary", formatValue(target));
}

/** Refuses texts and lists that only grow to use up memory. */
export function shortEnough<Value extends XacroValue>(value: Value): Value {
  if ((typeof value === "string" || Array.isArray(value)) && value.length > maxXacroLength) throw tooLong();
  return value;
}

function tooLong(): Error {
  return xacroError("a text or list is too long", `at most ${maxXacroLength}`);
}
