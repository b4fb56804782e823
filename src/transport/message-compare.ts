import type { MessageField, MessageFields, MessageType } from "./message.js";

/** Whether two messages have the same values in all that is described, numbers bit by bit; 0 and −0 are alike, NaN and NaN too. */
export function areSame<M>(type: MessageType<M>, a: M, b: M): boolean {
  return areGroupsSame(type.fields, a as Values, b as Values);
}

type Values = { readonly [name: string]: unknown };

function areGroupsSame(fields: MessageFields, a: Values, b: Values): boolean {
  for (const name in fields) if (!areValuesSame(fields[name]!, a[name], b[name])) return false;
  return true;
}

function areValuesSame(field: MessageField, a: unknown, b: unknown): boolean {
  switch (field.kind) {
    case "numbers":
    case "several":
    case "blob":
      return areListsSame(a as Float64Array, b as Float64Array, isSameValue);
    case "list":
      return areListsSame(a as unknown[], b as unknown[], (one, other) => areValuesSame(field.field, one, other));
    case "table":
      return areTablesSame(a as Values, b as Values);
    case "group":
      return areGroupsSame(field.fields, a as Values, b as Values);
    case "optional":
      return a === null || b === null ? a === b : areValuesSame(field.field, a, b);
    case "omittable":
      return a === undefined || b === undefined ? a === b : areValuesSame(field.field, a, b);
    default:
      return isSameValue(a, b);
  }
}

function areListsSame<T>(a: ArrayLike<T>, b: ArrayLike<T>, isSame: (one: T, other: T) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!isSame(a[k]!, b[k]!)) return false;
  return true;
}

function areTablesSame(a: Values, b: Values): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => isSameValue(a[name], b[name]));
}

function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}
