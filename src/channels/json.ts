import { Compile, type Validator } from "typebox/compile";
import { FlycatcherError } from "../runtime/errors.js";
import { nameOf } from "../runtime/name-of.js";
import { type Field, type Fields, isNumber } from "./field.js";
import type { PacketType } from "./packet.js";
import { jsonSchemaOf } from "./schema.js";
import type { TextView } from "./text-view.js";
import type { TimeView } from "./time-view.js";

export type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };
type View = { [name: string]: unknown };

/**
 * A packet as JSON, valid under its `jsonSchemaOf`. Exact: `fromJson` gives the same bytes again, except the payload of
 * a NaN. Allocates; meant for recorders and people, not for the pipeline.
 */
export function toJson<V extends object>(type: PacketType<V>, view: Readonly<V>): { readonly [name: string]: Json } {
  return structToJson(type.fields, view as View);
}

/** Fills a packet from its JSON; anything but what `jsonSchemaOf` allows is refused and leaves the packet as it was. */
export function fromJson<V extends object>(type: PacketType<V>, json: unknown, view: V): void {
  const validator = validatorOf(type);
  if (!validator.Check(json)) throw malformed(type, validator, json);
  structFromJson(type.fields, json as { [name: string]: Json }, view as View);
}

const validators = new WeakMap<PacketType, Validator>();

function validatorOf(type: PacketType): Validator {
  let validator = validators.get(type);
  if (validator === undefined) {
    validator = Compile(jsonSchemaOf(type));
    validators.set(type, validator);
  }
  return validator;
}

function malformed(type: PacketType, validator: Validator, json: unknown): FlycatcherError {
  const [first] = validator.Errors(json);
  return new FlycatcherError("FLY_CHANNEL_PACKET_JSON", `not the JSON of a ${type.name} packet`, {
    path: first?.instancePath === undefined || first.instancePath === "" ? "/" : first.instancePath,
    expected: first?.message ?? "a value of the packet's schema",
  });
}

function structToJson(fields: Fields, view: View): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldToJson(field, view[name])]));
}

function fieldToJson(field: Field, value: unknown): Json {
  if (isNumber(field)) return numberToJson(value as number);
  switch (field.kind) {
    case "flag":
      return value as boolean;
    case "choice":
      return nameOf(field.choices, value as number) ?? (value as number);
    case "time":
      return (value as TimeView).nanoseconds;
    case "text":
      return (value as TextView).read();
    case "bytes":
      return Buffer.from(value as Uint8Array).toString("base64");
    case "numbers":
      return nested(Array.from(value as Float64Array, numberToJson), field.shape);
    case "list":
      return (value as unknown[]).map((element) => fieldToJson(field.element, element));
    case "struct":
      return structToJson(field.fields, value as View);
  }
}

function numberToJson(value: number): Json {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** Flat row-major numbers to arrays of arrays. */
function nested(flat: readonly Json[], shape: readonly number[]): readonly Json[] {
  const inner = shape.at(-1)!;
  if (shape.length === 1) return flat;
  const rows = Array.from({ length: flat.length / inner }, (_, row) => flat.slice(row * inner, (row + 1) * inner));
  return nested(rows, shape.slice(0, -1));
}

function structFromJson(fields: Fields, json: { readonly [name: string]: Json }, view: View): void {
  for (const [name, field] of Object.entries(fields)) {
    if (isNumber(field)) view[name] = Number(json[name]);
    else if (field.kind === "flag") view[name] = json[name];
    else if (field.kind === "choice") view[name] = field.choices[json[name] as string];
    else aggregateFromJson(field, json[name]!, view[name]);
  }
}

function aggregateFromJson(field: Field, json: Json, view: unknown): void {
  switch (field.kind) {
    case "time":
      (view as TimeView).nanoseconds = json as number;
      break;
    case "text":
      (view as TextView).write(json as string);
      break;
    case "bytes":
      bytesFromJson(json as string, view as Uint8Array);
      break;
    case "numbers":
      (view as Float64Array).set((json as Json[]).flat(field.shape.length as 1).map(Number));
      break;
    case "list":
      for (const [index, element] of (json as Json[]).entries()) {
        aggregateFromJson(field.element, element, (view as unknown[])[index]);
      }
      break;
    case "struct":
      structFromJson(field.fields, json as { [name: string]: Json }, view as View);
  }
}

function bytesFromJson(base64: string, view: Uint8Array): void {
  const decoded = Buffer.from(base64, "base64");
  view.fill(0);
  view.set(decoded.subarray(0, view.length));
}
