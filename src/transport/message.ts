import type {
  ChoiceField,
  Choices,
  Field,
  Fields,
  FlagField,
  NumberArrayField,
  NumberField,
  TextField,
  TimeField,
} from "./channels/field.js";
import { array, bytes, f64, flag, isNumber, struct, u32 } from "./channels/field.js";
import { type PacketType, packetTypeOf } from "./channels/packet.js";
import { PacketMemory } from "./channels/packet-memory.js";

/**
 * The one description of a message. From it follow the plain type that algorithms use (`Plain`), the layout in shared memory
 * (`packetOf`, `encode`, `decode`), the JSON and its schema (`message-json.ts`), and so recordings and streams.
 */
export interface MessageType<M = object> {
  readonly name: string;
  /** Goes up by one when fields change their meaning. */
  readonly version: number;
  readonly fields: MessageFields;
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
  | RecordsField
  | TextListField
  | GroupField
  | OptionalField;

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

/** Records of one shape, `max` at most. */
export interface RecordsField<S extends MessageFields = MessageFields> extends Described {
  readonly kind: "records";
  readonly fields: S;
  readonly max: number;
}

/** Values of one kind that is neither number nor record, as texts: `max` at most. */
export interface TextListField<F extends TextField = TextField> extends Described {
  readonly kind: "list";
  readonly field: F;
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

export function several(max: number): SeveralField {
  return { kind: "several", max };
}

export function blob(max: number): BlobField {
  return { kind: "blob", max };
}

export function records<const S extends MessageFields>(fields: S, max: number): RecordsField<S> {
  return { kind: "records", fields, max };
}

export function list<F extends TextField>(field: F, max: number): TextListField<F> {
  return { kind: "list", field, max };
}

export function group<const S extends MessageFields>(fields: S): GroupField<S> {
  return { kind: "group", fields };
}

export function optional<F extends MessageField>(field: F): OptionalField<F> {
  return { kind: "optional", field };
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
              : F extends RecordsField<infer S>
                ? readonly Plain<S>[]
                : F extends TextListField<infer E>
                  ? readonly PlainField<E>[]
                  : F extends GroupField<infer S>
                    ? Plain<S>
                    : F extends OptionalField<infer O>
                      ? PlainField<O> | null
                      : never;

export type Plain<S extends MessageFields> = { readonly [K in keyof S]: PlainField<S[K]> };

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
): MessageType<Plain<S>> {
  return { name, version, description, fields };
}

const packets = new WeakMap<MessageType, PacketType>();

/** The layout of a message in shared memory. */
export function packetOf(type: MessageType): PacketType {
  let packet = packets.get(type);
  if (packet === undefined) {
    packet = packetTypeOf({ name: type.name, version: type.version, fields: packetFields(type.fields) });
    packets.set(type, packet);
  }
  return packet;
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
    case "records":
      return struct({ count: u32, values: array(struct(packetFields(field.fields)), field.max) });
    case "list":
      return struct({ count: u32, values: array(field.field, field.max) });
    case "group":
      return struct(packetFields(field.fields));
    case "optional":
      return struct({ isPresent: flag, value: packetField(field.field) });
    default:
      return field;
  }
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
  for (const name in fields) {
    const field = fields[name]!;
    const value = message[name];
    if (isNumber(field as Field)) view[name] = value;
    else if (field.kind === "flag") view[name] = value;
    else if (field.kind === "choice") view[name] = choiceValue(field.choices, value as string);
    else writeField(field, value, view[name]);
  }
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
    case "records":
      writeRecords(field, value as readonly Message[], view as RecordsView);
      return;
    case "list":
      writeTexts(field.max, value as readonly string[], view as TextsView);
      return;
    case "group":
      writeFields(field.fields, value as Message, view as View);
      return;
    case "optional":
      writeOptional(field, value, view as OptionalView);
      return;
  }
}

interface SeveralView {
  count: number;
  readonly values: Float64Array;
}
interface RecordsView {
  count: number;
  readonly values: readonly View[];
}
interface TextsView {
  count: number;
  readonly values: readonly { read(): string; write(text: string): void }[];
}
interface OptionalView {
  isPresent: boolean;
  value: unknown;
}

function writeSeveral(max: number, values: Float64Array, view: SeveralView): void {
  view.count = Math.min(max, values.length);
  view.values.set(values.length > max ? values.subarray(0, max) : values);
}

function writeRecords({ fields, max }: RecordsField, values: readonly Message[], view: RecordsView): void {
  view.count = Math.min(max, values.length);
  for (let k = 0; k < view.count; k++) writeFields(fields, values[k]!, view.values[k]!);
}

function writeTexts(max: number, values: readonly string[], view: TextsView): void {
  view.count = Math.min(max, values.length);
  for (let k = 0; k < view.count; k++) view.values[k]!.write(values[k]!);
}

function writeOptional({ field }: OptionalField, value: unknown, view: OptionalView): void {
  view.isPresent = value !== null;
  if (value !== null) writeFields({ value: field }, { value }, view as unknown as View);
}

function readFields(fields: MessageFields, view: View, out: Message): Message {
  for (const name in fields) {
    const field = fields[name]!;
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
    case "records":
      return readRecords(field.fields, view as RecordsView, out as Message[] | undefined);
    case "list":
      return readTexts(view as TextsView);
    case "group":
      return readFields(field.fields, view as View, (out ?? {}) as Message);
    case "optional": {
      const { isPresent } = view as OptionalView;
      return isPresent ? readFields({ value: field.field }, view as View, { value: out ?? undefined }).value : null;
    }
    default:
      return view;
  }
}

/** The records in use, in the list there is if it has as many. */
function readRecords(fields: MessageFields, { count, values }: RecordsView, out: Message[] | undefined): Message[] {
  if (out?.length !== count) return Array.from({ length: count }, (_, k) => readFields(fields, values[k]!, {}));
  for (let k = 0; k < count; k++) readFields(fields, values[k]!, out[k]!);
  return out;
}

function readTexts({ count, values }: TextsView): string[] {
  return Array.from({ length: count }, (_, k) => values[k]!.read());
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
