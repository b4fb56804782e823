import type { TextView } from "./text-view.js";
import type { TimeView } from "./time-view.js";

/**
 * The words in which a packet is described. A field is plain data and can be cloned to another thread; layout,
 * accessors, JSON schema and recording schema all follow from it.
 */
export type Field = ScalarField | AggregateField;
export type Fields = { readonly [name: string]: Field };

/** Fields read and written as a property of the packet's view. */
export type ScalarField = NumberField | FlagField | ChoiceField;
/** Fields seen through an object of their own, made once per slot. */
export type AggregateField = TimeField | TextField | BytesField | NumberArrayField | ListField | StructField;

interface Described {
  /** Meaning and [unit]; goes into the schemas. */
  readonly description?: string;
}

export type NumberKind = "f64" | "f32" | "i32" | "u32" | "u16" | "u8";

export interface NumberField<K extends NumberKind = NumberKind> extends Described {
  readonly kind: K;
}

/** A truth value in one byte. */
export interface FlagField extends Described {
  readonly kind: "flag";
}

/** One of several named values in one byte; JSON carries the name. */
export interface ChoiceField<C extends Choices = Choices> extends Described {
  readonly kind: "choice";
  readonly choices: C;
}
export type Choices = { readonly [name: string]: number };

/** Nanoseconds of the run clock as i64. */
export interface TimeField extends Described {
  readonly kind: "time";
}

/** UTF-8 text of at most `length` bytes, padded with zero bytes. */
export interface TextField extends Described {
  readonly kind: "text";
  readonly length: number;
}

/** Raw bytes: in memory as `array(u8, length)`, in JSON base64. */
export interface BytesField extends Described {
  readonly kind: "bytes";
  readonly length: number;
}

/** A fixed array of numbers of one or more dimensions, row-major, seen as one flat typed array. */
export interface NumberArrayField<V = unknown> extends Described {
  readonly kind: "numbers";
  readonly element: NumberKind;
  readonly shape: readonly number[];
  /** Carries the type of the view for the compiler; never set. */
  readonly viewType?: V;
}

/** A fixed array of structs, times, texts or arrays. */
export interface ListField<E extends AggregateField = AggregateField> extends Described {
  readonly kind: "list";
  readonly element: E;
  readonly length: number;
}

export interface StructField<S extends Fields = Fields> extends Described {
  readonly kind: "struct";
  readonly fields: S;
}

export const f64: NumberField<"f64"> = { kind: "f64" };
export const f32: NumberField<"f32"> = { kind: "f32" };
export const i32: NumberField<"i32"> = { kind: "i32" };
export const u32: NumberField<"u32"> = { kind: "u32" };
export const u16: NumberField<"u16"> = { kind: "u16" };
export const u8: NumberField<"u8"> = { kind: "u8" };
export const flag: FlagField = { kind: "flag" };
export const time: TimeField = { kind: "time" };

/** @example choice({ left: 0, right: 1 }) */
export function choice<const C extends Choices>(choices: C): ChoiceField<C> {
  return { kind: "choice", choices };
}

export function text(length: number): TextField {
  return { kind: "text", length };
}

export function bytes(length: number): BytesField {
  return { kind: "bytes", length };
}

export function struct<S extends Fields>(fields: S): StructField<S> {
  return { kind: "struct", fields };
}

/** @example array(f64, 6, 6) is a Float64Array of 36 numbers; array(struct({ u: f64 }), 64) a list of 64 views. */
export function array<K extends NumberKind>(
  element: NumberField<K>,
  ...shape: number[]
): NumberArrayField<TypedArrayOf<K>>;
export function array<E extends AggregateField>(element: E, length: number): ListField<E>;
export function array(element: NumberField | AggregateField, ...shape: number[]): NumberArrayField | ListField {
  if (isNumber(element)) return { kind: "numbers", element: element.kind, shape };
  return { kind: "list", element, length: shape[0] ?? 0 };
}

/** The same field with its meaning and unit. */
export function described<F extends Field>(field: F, description: string): F {
  return { ...field, description };
}

export function isNumber(field: Field): field is NumberField {
  return Object.hasOwn(numberArrays, field.kind);
}

export const numberArrays = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
} as const;

export interface TypedArrays {
  f64: Float64Array;
  f32: Float32Array;
  i32: Int32Array;
  u32: Uint32Array;
  u16: Uint16Array;
  u8: Uint8Array;
}
export type TypedArrayOf<K extends NumberKind> = TypedArrays[K];

/** What a program sees of a field. */
export type FieldView<F extends Field> = F extends NumberField
  ? number
  : F extends FlagField
    ? boolean
    : F extends ChoiceField<infer C>
      ? C[keyof C]
      : F extends TimeField
        ? TimeView
        : F extends TextField
          ? TextView
          : F extends BytesField
            ? Uint8Array
            : F extends NumberArrayField<infer V>
              ? V
              : F extends ListField<infer E>
                ? readonly FieldView<E>[]
                : F extends StructField<infer S>
                  ? StructView<S>
                  : never;

/** What a program sees of a struct: numbers, flags and choices as properties, everything else as an object to fill. */
export type StructView<S extends Fields> = {
  -readonly [K in keyof S as S[K] extends ScalarField ? K : never]: FieldView<S[K]>;
} & {
  readonly [K in keyof S as S[K] extends ScalarField ? never : K]: FieldView<S[K]>;
};
