import { FlycatcherError } from "../runtime/errors.js";
import { type Field, isNumber } from "./channels/field.js";
import type { MessageField, MessageFields, MessageType } from "./message.js";

/** A field of a message that has numbers: one, or as many as its lists and arrays hold. */
export interface NumericField {
  /** As `balls[].position[]`: an empty pair of brackets for each index that is needed. */
  readonly path: string;
  /** Room for the values of each index. */
  readonly counts: readonly number[];
  readonly description: string;
}

/** Reads one number of a message; NaN where it has none. */
export type NumberReader<M = object> = (message: M) => number;

/** The fields of a message with numbers, in its order. Flags are 0 or 1, choices their numbers, times seconds. */
export function numericFields({ fields }: MessageType): NumericField[] {
  return fieldsWithin(fields, "", []);
}

function fieldsWithin(fields: MessageFields, prefix: string, counts: readonly number[]): NumericField[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    return numbersIn(field, `${prefix}${name}`, counts, field.description ?? "");
  });
}

function numbersIn(field: MessageField, path: string, counts: readonly number[], description: string): NumericField[] {
  switch (field.kind) {
    case "text":
    case "blob":
    case "table":
      return [];
    case "group":
      return fieldsWithin(field.fields, `${path}.`, counts);
    case "optional":
    case "omittable":
      return numbersIn(field.field, path, counts, description);
    case "list":
      return numbersIn(field.field, `${path}[]`, [...counts, field.max], field.field.description ?? description);
    case "several":
      return [{ path: `${path}[]`, counts: [...counts, field.max], description }];
    case "numbers":
      return [
        { path: `${path}[]`, counts: [...counts, field.shape.reduce((product, n) => product * n, 1)], description },
      ];
    default:
      return [{ path, counts, description }];
  }
}

/**
 * The reader of one number of a message.
 * @param path As `balls[0].position[2]`.
 */
export function numberReader(type: MessageType, path: string): NumberReader {
  const steps = stepsOf(path);
  const known = numericFields(type).find((field) => field.path === path.replaceAll(/\[\d+\]/g, "[]"));
  const indices = steps.filter((step) => typeof step === "number");
  if (known === undefined || indices.some((index, k) => index >= known.counts[k]!)) {
    throw new FlycatcherError("FLY_FIELD_UNKNOWN", `${type.name} has no number of this name`, {
      expected: numericFields(type)
        .map((field) => field.path)
        .join(", "),
      found: path,
    });
  }
  const leaf = leafOf(type.fields, steps);
  return (message) => numberOf(leaf, valueAt(message, steps));
}

type Step = string | number;

function stepsOf(path: string): Step[] {
  const parts = path.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return parts.map((part) => (part.startsWith("[") ? Number(part.slice(1, -1)) : part));
}

/** The field whose value a path leads to; a number's for elements of arrays. */
function leafOf(fields: MessageFields, [first, ...rest]: readonly Step[]): MessageField {
  let field = fields[first as string]!;
  for (const step of rest) {
    field = inner(field);
    if (field.kind === "group") field = field.fields[step as string]!;
    else if (field.kind === "list") field = field.field;
  }
  return inner(field);
}

function inner(field: MessageField): MessageField {
  return field.kind === "optional" || field.kind === "omittable" ? inner(field.field) : field;
}

function valueAt(message: object, steps: readonly Step[]): unknown {
  let value: unknown = message;
  for (const step of steps) {
    if (value === null || value === undefined) return undefined;
    value = (value as { readonly [step: Step]: unknown })[step];
  }
  return value;
}

function numberOf(field: MessageField, value: unknown): number {
  if (field.kind === "time") return typeof value === "number" ? value / 1e9 : Number.NaN;
  if (field.kind === "choice") return field.choices[value as string] ?? Number.NaN;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "number" ? value : Number.NaN;
}

/** Names of fields that say when a message is of, the first that there is. */
const timeNames = ["time", "timeNs", "stampNs", "exposureNs"];

/** Reads the time that a message is of [s]; null if it has none. */
export function timeReader({ fields }: MessageType): NumberReader | null {
  const name = timeNames.find((candidate) => Object.hasOwn(fields, candidate));
  const field = name === undefined ? undefined : fields[name]!;
  if (name === undefined || field === undefined) return null;
  if (field.kind !== "time" && !isNumber(field as Field)) return null;
  return (message) => numberOf(field, valueAt(message, [name]));
}
