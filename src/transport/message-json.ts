import { FlycatcherError } from "../runtime/errors.js";
import { getOrCreate } from "../runtime/get-or-create.js";
import { base64Of, bytesOf } from "./base64.js";
import { type Field, isNumber, type NumberArrayField, type NumberKind, numberArrays } from "./channels/field.js";
import type {
  BlobField,
  GroupField,
  MessageField,
  MessageFields,
  MessageType,
  OmittableField,
  OptionalField,
  PlainField,
  RepeatedField,
  SeveralField,
} from "./message.js";

/**
 * The JSON of messages, from their description. Exact: `fromJson` of `toJson` has the same bits, but for the payload of a NaN. A
 * double is written as the shortest decimal that reads back as the same; NaN, the infinities and −0, which JSON does not have,
 * stand as texts. Typed arrays are flat arrays of numbers, choices their names, blobs base64, what is absent null, and what is
 * left out of a message is left out.
 *
 * The plain JSON, for pages and other programs that only look, is the same but for those numbers: they are null, and −0 is 0.
 */
export type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** Numbers that JSON does not have. */
export const textualNumbers = ["NaN", "Infinity", "-Infinity", "-0"] as const;

/** What a program reads of a field in plain JSON. */
export type JsonField<F> =
  F extends NumberArrayField<infer V>
    ? JsonRow<V>
    : F extends SeveralField
      ? readonly number[]
      : F extends BlobField
        ? string
        : F extends RepeatedField<infer E>
          ? readonly JsonField<E>[]
          : F extends GroupField<infer S>
            ? JsonFields<S>
            : F extends OptionalField<infer O>
              ? JsonField<O> | null
              : F extends OmittableField<infer O>
                ? JsonField<O>
                : PlainField<F>;

/** The same of a group of fields, or of all fields of a message. */
export type JsonFields<S extends MessageFields> = {
  readonly [K in keyof S as S[K] extends OmittableField ? never : K]: JsonField<S[K]>;
} & { readonly [K in keyof S as S[K] extends OmittableField ? K : never]?: JsonField<S[K]> };

/** A message as a program reads it in plain JSON: `type PlanMessage = JsonOf<typeof PlanMessage>`. */
export type JsonOf<T> = T extends MessageType<infer _, infer S> ? JsonFields<S> : never;

/** Arrays whose length the compiler knows are tuples. */
type JsonRow<V> = V extends { readonly length: infer N } ? (number extends N ? readonly number[] : Tuple<N>) : never;
type Tuple<N, T extends readonly number[] = readonly []> = T["length"] extends N
  ? T
  : Tuple<N, readonly [...T, number]>;

/** A message as JSON, valid under its `jsonSchemaOf`; what is beyond the room of a field is left out, as in memory. */
export function toJson<M extends object>(type: MessageType<M>, message: M): JsonObject {
  return codecOf(type, "exact").write(message) as JsonObject;
}

/** A message as plain JSON, valid under its `plainJsonSchemaOf` if every number that may not be null is finite. */
export function toPlainJson(type: MessageType, message: object): JsonObject {
  return codecOf(type, "plain").write(message) as JsonObject;
}

/** The message of a JSON value; anything but what `jsonSchemaOf` allows is refused with its path. */
export function fromJson<M extends object>(type: MessageType<M>, json: unknown): M {
  try {
    return codecOf(type, "exact").read(json) as M;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const { path, expected, found } = error;
    throw new FlycatcherError("FLY_MESSAGE_JSON", `not the JSON of a ${type.name} message`, { path, expected, found });
  }
}

/** The JSON schema of a message. */
export function jsonSchemaOf(type: MessageType): JsonObject {
  return schemaOf(type, "exact");
}

/** The schema of its plain JSON. */
export function plainJsonSchemaOf(type: MessageType): JsonObject {
  return schemaOf(type, "plain");
}

function schemaOf(type: MessageType, dialect: Dialect): JsonObject {
  const { name: title, version, description } = type;
  return { title, version, description, ...codecOf(type, dialect).schema };
}

/** How numbers are written that JSON does not have. */
type Dialect = "exact" | "plain";

/** How a field is written, read and described. */
interface Codec {
  readonly write: (value: unknown) => Json;
  /** Throws a `Mismatch`. */
  readonly read: (json: unknown) => unknown;
  readonly schema: JsonObject;
}

const codecs = { exact: new WeakMap<object, Codec>(), plain: new WeakMap<object, Codec>() };

/** Made once a type. */
function codecOf({ fields }: Pick<MessageType, "fields">, dialect: Dialect): Codec {
  return getOrCreate(codecs[dialect], fields, () => groupCodec(fields, dialect));
}

/** A value that is not as it should be, and where. */
class Mismatch extends Error {
  path = "/";
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, found: unknown) {
    super(expected);
    this.expected = expected;
    this.found = excerpt(found);
  }

  /** The same, seen from the value that has this one under `key`. */
  within(key: string | number): this {
    this.path = this.path === "/" ? `/${key}` : `/${key}${this.path}`;
    return this;
  }
}

/** Characters of a value that an error shows. */
const SHOWN = 40;

function excerpt(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function withDescription(codec: Codec, description: string | undefined): Codec {
  return description === undefined ? codec : { ...codec, schema: { description, ...codec.schema } };
}

function fieldCodec(field: MessageField, dialect: Dialect): Codec {
  return withDescription(bareCodec(field, dialect), field.description);
}

function bareCodec(field: MessageField, dialect: Dialect): Codec {
  if (isNumber(field as Field)) return numberCodec(field.kind as NumberKind, dialect);
  switch (field.kind) {
    case "flag":
      return flagCodec;
    case "choice":
      return choiceCodec(Object.keys(field.choices));
    case "time":
      return timeCodec;
    case "text":
      return textCodec;
    case "numbers": {
      const count = field.shape.reduce((product, side) => product * side, 1);
      return numbersCodec(field.element, dialect, count, count);
    }
    case "several":
      return numbersCodec("f64", dialect, 0, field.max);
    case "blob":
      return blobCodec(field.max);
    case "list":
      return listCodec(fieldCodec(field.field, dialect), field.max);
    case "table":
      return tableCodec(numberCodec("f64", dialect), field.max);
    case "group":
      return groupCodec(field.fields, dialect);
    case "optional":
      return optionalCodec(fieldCodec(field.field, dialect));
    case "omittable":
      return fieldCodec(field.field, dialect);
    default:
      throw new RangeError(`no JSON for a field of kind ${field.kind}`);
  }
}

const textual: ReadonlyMap<unknown, number> = new Map(textualNumbers.map((text) => [text, Number(text)]));
const exactNumber: JsonObject = { anyOf: [{ type: "number" }, { enum: [...textualNumbers] }] };

function writeNumber(value: unknown): Json {
  const number = value as number;
  if (number !== 0) return Number.isFinite(number) ? number : String(number);
  return Object.is(number, -0) ? "-0" : 0;
}

function readNumber(json: unknown): number {
  if (typeof json === "number") return json;
  const number = textual.get(json);
  if (number === undefined) throw new Mismatch("a number", json);
  return number;
}

const doubleCodecs: Readonly<Record<Dialect, Codec>> = {
  exact: { write: writeNumber, read: readNumber, schema: exactNumber },
  plain: { write: writePlainNumber, read: readNumber, schema: { type: "number" } },
};

function writePlainNumber(value: unknown): Json {
  return Number.isFinite(value) ? (value as number) + 0 : null;
}

/** Whole numbers from `minimum` to `maximum`; 0 without a sign. */
function integerCodec(minimum: number, maximum: number): Codec {
  return {
    write: (value) => (value as number) + 0,
    read: (json) => {
      if (Number.isInteger(json) && (json as number) >= minimum && (json as number) <= maximum) return json;
      throw new Mismatch(`a whole number from ${minimum} to ${maximum}`, json);
    },
    schema: { type: "integer", minimum, maximum },
  };
}

const integerCodecs: Readonly<Record<Exclude<NumberKind, "f64" | "f32">, Codec>> = {
  i32: integerCodec(-(2 ** 31), 2 ** 31 - 1),
  u32: integerCodec(0, 2 ** 32 - 1),
  u16: integerCodec(0, 2 ** 16 - 1),
  u8: integerCodec(0, 2 ** 8 - 1),
};

function numberCodec(kind: NumberKind, dialect: Dialect): Codec {
  return kind === "f64" || kind === "f32" ? doubleCodecs[dialect] : integerCodecs[kind];
}

const timeCodec = integerCodec(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const flagCodec: Codec = {
  write: (value) => value as boolean,
  read: (json) => {
    if (typeof json === "boolean") return json;
    throw new Mismatch("true or false", json);
  },
  schema: { type: "boolean" },
};

const textCodec: Codec = {
  write: (value) => value as string,
  read: readText,
  schema: { type: "string" },
};

function readText(json: unknown): string {
  if (typeof json === "string") return json;
  throw new Mismatch("a text", json);
}

function choiceCodec(names: readonly string[]): Codec {
  return {
    write: (value) => value as string,
    read: (json) => {
      if (names.includes(json as string)) return json;
      throw new Mismatch(names.join(", "), json);
    },
    schema: { enum: names },
  };
}

function numbersCodec(element: NumberKind, dialect: Dialect, minItems: number, maxItems: number): Codec {
  const TypedArray = numberArrays[element];
  const { write, read, schema } = numberCodec(element, dialect);
  const expected = minItems === maxItems ? `${minItems} numbers` : `at most ${maxItems} numbers`;
  return {
    write: (value) => writeNumbers(write, value as ArrayLike<number>, maxItems),
    read: (json) => {
      if (!Array.isArray(json)) throw new Mismatch(expected, json);
      if (!(json.length >= minItems && json.length <= maxItems)) throw new Mismatch(expected, json.length);
      return element === "f64"
        ? readDoubles(json)
        : new TypedArray(json.map((entry, i) => readAt(read, entry, i) as number));
    },
    schema: { type: "array", items: schema, ...(minItems > 0 && { minItems }), maxItems },
  };
}

/** Most of what recordings hold. */
function readDoubles(json: readonly unknown[]): Float64Array {
  const values = new Float64Array(json.length);
  for (let i = 0; i < values.length; i++) {
    const number = json[i];
    values[i] = typeof number === "number" ? number : (readAt(readNumber, number, i) as number);
  }
  return values;
}

function writeNumbers(write: Codec["write"], values: ArrayLike<number>, max: number): Json {
  const count = Math.min(max, values.length);
  const out = new Array<Json>(count);
  for (let i = 0; i < count; i++) out[i] = write(values[i]!);
  return out;
}

function readAt(read: Codec["read"], json: unknown, key: string | number): unknown {
  try {
    return read(json);
  } catch (error) {
    throw error instanceof Mismatch ? error.within(key) : error;
  }
}

function blobCodec(max: number): Codec {
  return {
    write: (value) => base64Of((value as Uint8Array).subarray(0, max)),
    read: (json) => {
      const bytes = bytesOf(readText(json));
      if (bytes === null) throw new Mismatch("base64", json);
      if (bytes.length > max) throw new Mismatch(`at most ${max} bytes`, bytes.length);
      return bytes;
    },
    schema: { type: "string", contentEncoding: "base64" },
  };
}

function listCodec({ write, read, schema }: Codec, maxItems: number): Codec {
  return {
    write: (value) => (value as readonly unknown[]).slice(0, maxItems).map(write),
    read: (json) => {
      if (!Array.isArray(json)) throw new Mismatch("a list", json);
      if (json.length > maxItems) throw new Mismatch(`at most ${maxItems} entries`, json.length);
      return json.map((entry, k) => readAt(read, entry, k));
    },
    schema: { type: "array", items: schema, maxItems },
  };
}

function tableCodec({ write, read, schema }: Codec, maxProperties: number): Codec {
  return {
    write: (value) => {
      const entries = Object.entries(value as object).slice(0, maxProperties);
      return Object.fromEntries(entries.map(([name, number]) => [name, write(number)]));
    },
    read: (json) => {
      const entries = Object.entries(readObject(json));
      if (entries.length > maxProperties) throw new Mismatch(`at most ${maxProperties} entries`, entries.length);
      return Object.fromEntries(entries.map(([name, number]) => [name, readAt(read, number, name)]));
    },
    schema: { type: "object", additionalProperties: schema, maxProperties },
  };
}

function readObject(json: unknown): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new Mismatch("an object", json);
  return json as Record<string, unknown>;
}

function groupCodec(fields: MessageFields, dialect: Dialect): Codec {
  const names = Object.keys(fields);
  const parts = names.map((name) => fieldCodec(fields[name]!, dialect));
  const isOmittable = names.map((name) => fields[name]!.kind === "omittable");
  return {
    write: (value) => {
      const out: { [name: string]: Json } = {};
      for (let k = 0; k < names.length; k++) {
        const part = (value as Record<string, unknown>)[names[k]!];
        if (part !== undefined || !isOmittable[k]) out[names[k]!] = parts[k]!.write(part);
      }
      return out;
    },
    read: (json) => {
      const object = readObject(json);
      const out: { [name: string]: unknown } = {};
      let k = 0;
      try {
        for (; k < names.length; k++) {
          const part = object[names[k]!];
          if (part !== undefined || !isOmittable[k]) out[names[k]!] = parts[k]!.read(part);
        }
      } catch (error) {
        throw error instanceof Mismatch ? error.within(names[k]!) : error;
      }
      for (const name in object) if (!Object.hasOwn(out, name)) throw new Mismatch("no such field", name).within(name);
      return out;
    },
    schema: {
      type: "object",
      properties: Object.fromEntries(names.map((name, k) => [name, parts[k]!.schema])),
      required: names.filter((_, k) => !isOmittable[k]),
      additionalProperties: false,
    },
  };
}

function optionalCodec({ write, read, schema }: Codec): Codec {
  return {
    write: (value) => (value === null ? null : write(value)),
    read: (json) => (json === null ? null : read(json)),
    schema: { anyOf: [schema, { type: "null" }] },
  };
}
