import { getOrCreate } from "../runtime/get-or-create.js";
import {
  array,
  bytes,
  type ChoiceField,
  type Choices,
  type Field,
  type Fields,
  type FlagField,
  f64,
  flag,
  isNumber,
  type NumberArrayField,
  type NumberField,
  struct,
  type TextField,
  type TimeField,
  text,
  u32,
} from "./channels/field.js";
import { type PacketType, packetTypeOf } from "./channels/packet.js";
import { PacketMemory } from "./channels/packet-memory.js";

/**
 * The one description of a message. From it follow the plain type that algorithms use (`Plain`), the layout in shared memory
 * (`packetOf`, `encode`, `decode`), the JSON and its schema (`message-json.ts`), and so recordings and streams.
 */
export interface MessageType<M = object, S extends MessageFields = MessageFields> {
  readonly name: string;
  /** Goes up by one when fields change their meaning. */
  readonly version: number;
  readonly fields: S;
  /** What it tells, for documents and schemas. */
  readonly description: string;
  /** Carries the plain type for the compiler; never set. */
  readonly plainType?: M;
}

export type MessageFields = { readonly [name: string]: MessageField };

export type MessageField =
  | NumberField
  | FlagField
  | ChoiceField
  | TimeField
  | TextField
  | NumberArrayField
  | SeveralField
  | BlobField
  | RepeatedField
  | TableField
  | GroupField
  | OptionalField
  | OmittableField;

interface Described {
  readonly description?: string;
}

/** Numbers of which there are different counts, `max` at most: a `Float64Array` of their count. */
export interface SeveralField extends Described {
  readonly kind: "several";
  readonly max: number;
}

/** Bytes of which there are different counts, `max` at most. */
export interface BlobField extends Described {
  readonly kind: "blob";
  readonly max: number;
}

/** Values of one kind, `max` at most. */
export interface RepeatedField<F extends MessageField = MessageField> extends Described {
  readonly kind: "list";
  readonly field: F;
  readonly max: number;
}

/** Numbers by name, `max` at most: a plain object. */
export interface TableField extends Described {
  readonly kind: "table";
  readonly max: number;
}

export interface GroupField<S extends MessageFields = MessageFields> extends Described {
  readonly kind: "group";
  readonly fields: S;
}

/** A value, or null. */
export interface OptionalField<F extends MessageField = MessageField> extends Described {
  readonly kind: "optional";
  readonly field: F;
}

/** A value that may be left out of its group, as in messages from before the field was there. */
export interface OmittableField<F extends MessageField = MessageField> extends Described {
  readonly kind: "omittable";
  readonly field: F;
}

/** As many numbers as there are: joints of a group, circles of an image. */
export function several(max: number): SeveralField {
  return { kind: "several", max };
}

/** As many bytes as there are: the pixels of an image. */
export function blob(max: number): BlobField {
  return { kind: "blob", max };
}

/** @example list(row(3), 16) is a list of at most 16 points. */
export function list<F extends MessageField>(field: F, max: number): RepeatedField<F> {
  return { kind: "list", field, max };
}

/** Records of one shape, `max` at most. */
export function records<const S extends MessageFields>(fields: S, max: number): RepeatedField<GroupField<S>> {
  return list(group(fields), max);
}

/** @example table(8) holds `{ vibration: 1, slip: 0.5 }`. */
export function table(max: number): TableField {
  return { kind: "table", max };
}

/** So many numbers. */
export type Row<N extends number> = Float64Array & { readonly length: N };

/** So many numbers in one field, their count known to the compiler. */
export function row<const N extends number>(count: N): NumberArrayField<Row<N>> {
  return { kind: "numbers", element: "f64", shape: [count] };
}

/** Fields that belong together, as an object of their own. */
export function group<const S extends MessageFields>(fields: S): GroupField<S> {
  return { kind: "group", fields };
}

/** The field, or null where there is nothing to say. */
export function optional<F extends MessageField>(field: F): OptionalField<F> {
  return { kind: "optional", field };
}

/** The field, or no such property: only among the fields of a group or a message. */
export function omittable<F extends MessageField>(field: F): OmittableField<F> {
  return { kind: "omittable", field };
}

/** The same field with its meaning and unit. */
export function meaning<F extends MessageField>(field: F, description: string): F {
  return { ...field, description };
}

/** What an algorithm has of a field: numbers, names of choices, strings, typed arrays, plain objects. */
export type PlainField<F> = F extends NumberField | TimeField
  ? number
  : F extends FlagField
    ? boolean
    : F extends ChoiceField<infer C>
      ? keyof C & string
      : F extends TextField
        ? string
        : F extends NumberArrayField<infer V>
          ? V
          : F extends SeveralField
            ? Float64Array
            : F extends BlobField
              ? Uint8Array
              : F extends RepeatedField<infer E>
                ? readonly PlainField<E>[]
                : F extends TableField
                  ? Readonly<Record<string, number>>
                  : F extends GroupField<infer S>
                    ? Plain<S>
                    : F extends OptionalField<infer O>
                      ? PlainField<O> | null
                      : F extends OmittableField<infer O>
                        ? PlainField<O>
                        : never;

export type Plain<S extends MessageFields> = {
  readonly [K in keyof S as S[K] extends OmittableField ? never : K]: PlainField<S[K]>;
} & { readonly [K in keyof S as S[K] extends OmittableField ? K : never]?: PlainField<S[K]> };

/** The plain type of a message: `type Imu = MessageOf<typeof Imu>`. */
export type MessageOf<T> = T extends MessageType<infer M> ? M : never;

/**
 * Describes a message.
 * @example
 * export const Imu = message("Imu", 1, "One sample of the inertial sensor.", { time: f64, angularVelocity: vec3 });
 * export type Imu = MessageOf<typeof Imu>;
 */
export function message<const S extends MessageFields>(
  name: string,
  version: number,
  description: string,
  fields: S,
): MessageType<Plain<S>, S> {
  return { name, version, description, fields };
}

const packets = new WeakMap<MessageType, PacketType>();

/** The layout of a message in shared memory. */
export function packetOf(type: MessageType): PacketType {
  const { name, version, fields } = type;
  return getOrCreate(packets, type, () => packetTypeOf({ name, version, fields: packetFields(fields) }));
}

function packetFields(fields: MessageFields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, packetField(field)]));
}

function packetField(field: MessageField): Field {
  switch (field.kind) {
    case "several":
      return struct({ count: u32, values: array(f64, field.max) });
    case "blob":
      return struct({ count: u32, values: bytes(field.max) });
    case "list":
      return struct({ count: u32, values: array(struct({ value: packetField(field.field) }), field.max) });
    case "table":
      return packetField(entriesOf(field));
    case "group":
      return struct(packetFields(field.fields));
    case "optional":
    case "omittable":
      return struct({ isPresent: flag, value: packetField(field.field) });
    default:
      return field;
  }
}

/** Bytes of a name in a table, in UTF-8. */
const MAX_NAME_BYTES = 48;
const entry = group({ name: text(MAX_NAME_BYTES), value: f64 });

/** How a table lies in memory. */
function entriesOf({ max }: TableField): RepeatedField {
  return list(entry, max);
}

/** The view of a packet, field by field. */
type View = { [name: string]: unknown };
type Message = { [name: string]: unknown };

/** Writes a message into the view of a packet; what is beyond the room of a field is left out. */
export function encode<M>(type: MessageType<M>, message: M, view: object): void {
  writeFields(type.fields, message as Message, view as View);
}

/** The message of a packet: in `out`, where its arrays have the lengths needed, else in memory of its own. */
export function decode<M>(type: MessageType<M>, view: object, out?: M): M {
  return readFields(type.fields, view as View, (out ?? {}) as Message) as M;
}

/** The bytes of a message's packet: for another process. */
export function toBytes<M extends object>(type: MessageType<M>, message: M): Uint8Array<ArrayBuffer> {
  const { byteLength, createView } = packetOf(type);
  const memory = new ArrayBuffer(byteLength);
  encode(type, message, createView(new PacketMemory(memory), 0));
  return new Uint8Array(memory);
}

/** The message whose packet begins with the first of these bytes. */
export function fromBytes<M extends object>(type: MessageType<M>, bytes: Uint8Array): M {
  const { byteLength, createView } = packetOf(type);
  const memory = Uint8Array.from(bytes.subarray(0, byteLength)).buffer;
  return decode(type, createView(new PacketMemory(memory), 0));
}

function writeFields(fields: MessageFields, message: Message, view: View): void {
  for (const name in fields) writeAt(fields[name]!, message[name], view, name);
}

function writeAt(field: MessageField, value: unknown, view: View, name: string): void {
  if (isNumber(field as Field) || field.kind === "flag") view[name] = value;
  else if (field.kind === "choice") view[name] = choiceValue(field.choices, value as string);
  else writeField(field, value, view[name]);
}

function choiceValue(choices: Choices, name: string): number {
  return choices[name] ?? 0;
}

function writeField(field: MessageField, value: unknown, view: unknown): void {
  switch (field.kind) {
    case "time":
      (view as { nanoseconds: number }).nanoseconds = value as number;
      return;
    case "text":
      (view as { write(text: string): void }).write(value as string);
      return;
    case "numbers":
      (view as Float64Array).set(value as Float64Array);
      return;
    case "several":
    case "blob":
      writeSeveral(field.max, value as Float64Array, view as SeveralView);
      return;
    case "list":
      writeList(field, value as readonly unknown[], view as ListView);
      return;
    case "table":
      writeList(entriesOf(field), Object.entries(value as object).map(toEntry), view as ListView);
      return;
    case "group":
      writeFields(field.fields, value as Message, view as View);
      return;
    case "optional":
    case "omittable":
      (view as OptionalView).isPresent = value !== null && value !== undefined;
      if (value !== null && value !== undefined) writeAt(field.field, value, view as View, "value");
      return;
  }
}

interface SeveralView {
  count: number;
  readonly values: Float64Array;
}
interface ListView {
  count: number;
  readonly values: readonly { readonly value: unknown }[];
}
interface OptionalView {
  isPresent: boolean;
  value: unknown;
}

function writeSeveral(max: number, values: Float64Array, view: SeveralView): void {
  view.count = Math.min(max, values.length);
  view.values.set(values.length > max ? values.subarray(0, max) : values);
}

function writeList({ field, max }: RepeatedField, values: readonly unknown[], view: ListView): void {
  view.count = Math.min(max, values.length);
  for (let k = 0; k < view.count; k++) writeAt(field, values[k], view.values[k] as View, "value");
}

function toEntry([name, value]: [string, unknown]): Message {
  return { name, value };
}

function readFields(fields: MessageFields, view: View, out: Message): Message {
  for (const name in fields) {
    const field = fields[name]!;
    // What was left out is no property of the message.
    if (field.kind === "omittable" && !(view[name] as OptionalView).isPresent) {
      if (out[name] !== undefined) delete out[name];
      continue;
    }
    out[name] =
      isNumber(field as Field) || field.kind === "flag" ? view[name] : readField(field, view[name], out[name]);
  }
  return out;
}

function readField(field: MessageField, view: unknown, out: unknown): unknown {
  switch (field.kind) {
    case "choice":
      return nameIn(field.choices, view as number);
    case "time":
      return (view as { nanoseconds: number }).nanoseconds;
    case "text":
      return (view as { read(): string }).read();
    case "numbers":
      return readNumbers(view as Float64Array, (view as Float64Array).length, out);
    case "several":
    case "blob":
      return readNumbers((view as SeveralView).values, (view as SeveralView).count, out);
    case "list":
      return readList(field.field, view as ListView, out as unknown[] | undefined);
    case "table":
      return readTable(view as ListView);
    case "group":
      return readFields(field.fields, view as View, (out ?? {}) as Message);
    case "optional":
      return (view as OptionalView).isPresent
        ? readField(field.field, (view as OptionalView).value, out ?? undefined)
        : null;
    case "omittable":
      return readField(field.field, (view as OptionalView).value, out);
    default:
      return view;
  }
}

/** The values in use, in the list there is if it has as many. */
function readList(field: MessageField, { count, values }: ListView, out: unknown[] | undefined): unknown[] {
  const target = out?.length === count ? out : new Array<unknown>(count).fill(undefined);
  for (let k = 0; k < count; k++) target[k] = readField(field, values[k]!.value, target[k]);
  return target;
}

function readTable(view: ListView): object {
  const entries = readList(entry, view, undefined) as { readonly name: string; readonly value: number }[];
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** The first `count` values, in the array there is if it has that length. */
function readNumbers(values: Float64Array, count: number, out: unknown): Float64Array {
  const target = out as Float64Array | undefined;
  if (target?.length !== count) return values.slice(0, count);
  if (count === values.length) target.set(values);
  else for (let i = 0; i < count; i++) target[i] = values[i]!;
  return target;
}

function nameIn(choices: Choices, value: number): string {
  for (const name in choices) if (choices[name] === value) return name;
  return "";
}
