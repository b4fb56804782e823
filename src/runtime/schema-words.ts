/** The keywords of a JSON schema that Flycatcher's schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly maxProperties?: number;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly description?: string;
  /** Flycatcher's own: the unit of a number, "" where it has none. */
  readonly unit?: string;
  /** Flycatcher's own: never shown or logged. */
  readonly secret?: boolean;
}

/** What a schema accepts, in words: "an integer from 0 to 65535". */
export function describeSchema(schema: JsonSchema | undefined): string {
  if (schema === undefined) return "something else";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return oneOf(schema.anyOf.map(describeSchema));
  const unit = schema.unit ? ` [${schema.unit}]` : "";
  switch (schema.type) {
    case "integer":
      return withRange("an integer", schema) + unit;
    case "number":
      return withRange("a finite number", schema) + unit;
    case "array":
      return `a list of ${describeCount(schema.minItems, schema.maxItems)}, each ${describeSchema(schema.items)}`;
    case "string":
      return describeString(schema);
    case "object":
      return "an object";
    case undefined:
      return "something else";
    default:
      return schema.type === "null" ? "null" : `a ${schema.type}`;
  }
}

/** The range of a number as in "0 … 65535"; "" where there is none. */
export function describeRange(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} … ${maximum}`;
  const bounds = [
    minimum === undefined ? "" : `≥ ${minimum}`,
    exclusiveMinimum === undefined ? "" : `> ${exclusiveMinimum}`,
    maximum === undefined ? "" : `≤ ${maximum}`,
    exclusiveMaximum === undefined ? "" : `< ${exclusiveMaximum}`,
  ];
  return bounds.filter((bound) => bound !== "").join(" and ");
}

/** A value as JSON, shortened so that a message stays a line; NaN and infinities by name. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value) && value.length > 8) return `a list of ${value.length}`;
  const text = JSON.stringify(value, shortener()) ?? String(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}

/** A replacer for `JSON.stringify` that leaves of a large value no more than an excerpt shows. */
function shortener(): (key: string, value: unknown) => unknown {
  let left = 80;
  return (_key, value) => {
    if (typeof value === "string") return value.slice(0, 100);
    if (typeof value !== "object" || value === null) return value;
    left--;
    if (left < 0) return "";
    if (Array.isArray(value)) return value.length > 80 ? value.slice(0, 80) : value;
    const keys = Object.keys(value);
    return keys.length > 80
      ? Object.fromEntries(keys.slice(0, 80).map((key) => [key, (value as Record<string, unknown>)[key]]))
      : value;
  };
}

function withRange(noun: string, schema: JsonSchema): string {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  const range = describeRange(schema);
  return range === "" ? noun : `${noun} ${range}`;
}

function describeCount(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && low === high) return `${low}`;
  if (high === undefined) return low === undefined ? "any length" : `${low} or more`;
  return `${low ?? 0} to ${high}`;
}

function describeString({ minLength, maxLength, pattern }: JsonSchema): string {
  const length =
    minLength === undefined && maxLength === undefined ? "" : ` of ${describeCount(minLength, maxLength)} characters`;
  return `a text${length}${pattern === undefined ? "" : ` matching ${pattern}`}`;
}

function oneOf(all: readonly string[]): string {
  const choices = [...new Set(all)];
  return choices.length === 1 ? (choices[0] ?? "") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}
