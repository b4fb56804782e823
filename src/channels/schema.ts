import Type, { type TSchema } from "typebox";
import { type Field, type Fields, isNumber, type NumberKind } from "./field.js";
import type { PacketType } from "./packet.js";

/** JSON has no such numbers; a packet's JSON carries them as text, so that a recording keeps every bit of meaning. */
export const textualNumbers = ["NaN", "Infinity", "-Infinity", "-0"] as const;

const integerRange = {
  i32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  u32: { minimum: 0, maximum: 2 ** 32 - 1 },
  u16: { minimum: 0, maximum: 2 ** 16 - 1 },
  u8: { minimum: 0, maximum: 2 ** 8 - 1 },
} as const;

/** The JSON schema of a packet, as `toJson` writes it. Its `version` is the packet's. */
export function jsonSchemaOf(type: PacketType): TSchema {
  return Type.Object(propertiesOf(type.fields), {
    title: type.name,
    version: type.version,
    additionalProperties: false,
  });
}

/** What a recording says of a topic: the schema record of an MCAP file. */
export interface RecordingSchema {
  readonly name: string;
  readonly encoding: "jsonschema";
  readonly data: string;
}

/** Messages of this schema are `toJson` as UTF-8. */
export function recordingSchemaOf(type: PacketType): RecordingSchema {
  return { name: `flycatcher.${type.name}`, encoding: "jsonschema", data: JSON.stringify(jsonSchemaOf(type)) };
}

function propertiesOf(fields: Fields): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));
}

function fieldSchema(field: Field): TSchema {
  const options = field.description === undefined ? {} : { description: field.description };
  if (isNumber(field)) return numberSchema(field.kind, options);
  switch (field.kind) {
    case "flag":
      return Type.Boolean(options);
    case "choice":
      return Type.Enum(Object.keys(field.choices), options);
    case "time":
      return Type.Integer({
        description: "run clock [ns]",
        ...options,
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      });
    case "text":
      return Type.String({ ...options, maxLength: field.length });
    case "bytes":
      return Type.String({ ...options, contentEncoding: "base64", ...exactLength(4 * Math.ceil(field.length / 3)) });
    case "numbers":
      return numbersSchema(field.element, field.shape, options);
    case "list":
      return fixedArray(fieldSchema(field.element), field.length, options);
    case "struct":
      return Type.Object(propertiesOf(field.fields), { ...options, additionalProperties: false });
  }
}

interface Options {
  readonly description?: string;
}

function numberSchema(kind: NumberKind, options: Options): TSchema {
  if (kind === "f64" || kind === "f32") {
    return Type.Union([Type.Number(), Type.Enum([...textualNumbers])], { ...options });
  }
  return Type.Integer({ ...options, ...integerRange[kind] });
}

/** Arrays of several dimensions are nested, the last dimension innermost. */
function numbersSchema(kind: NumberKind, shape: readonly number[], options: Options): TSchema {
  let schema = numberSchema(kind, {});
  for (let level = shape.length - 1; level >= 0; level--) {
    schema = fixedArray(schema, shape[level]!, level === 0 ? options : {});
  }
  return schema;
}

function exactLength(length: number): { minLength: number; maxLength: number } {
  return { minLength: length, maxLength: length };
}

function fixedArray(items: TSchema, length: number, options: Options): TSchema {
  return Type.Array(items, { ...options, minItems: length, maxItems: length });
}
