import { type AggregateField, type Field, isNumber, type ListField, numberArrays, type ScalarField } from "./field.js";
import { layoutOf, type MemberLayout, type StructLayout } from "./layout.js";
import type { PacketMemory } from "./packet-memory.js";
import { TextView } from "./text-view.js";
import { TimeView } from "./time-view.js";

/** Makes the view of one struct at a place in memory. Making it allocates; using it does not. */
export type ViewFactory<V> = (memory: PacketMemory, offset: number) => V;

/**
 * What every struct view carries beside its fields; names with $ cannot clash with a field's. All that an accessor needs
 * lies in the view itself: that keeps accessors so short that the engine inlines them everywhere and boxes no number.
 * The fields are declared only: a run makes thousands of views, and initial values would take half of that time.
 */
class StructAccess {
  declare readonly $memory: PacketMemory;
  /** Where the struct begins, counted in elements of one, two, four and eight bytes. */
  declare readonly $at1: number;
  declare readonly $at2: number;
  declare readonly $at4: number;
  declare readonly $at8: number;
  declare readonly $f64: Float64Array;
  declare readonly $f32: Float32Array;
  declare readonly $i32: Int32Array;
  declare readonly $u32: Uint32Array;
  declare readonly $u16: Uint16Array;
  declare readonly $u8: Uint8Array;

  constructor(memory: PacketMemory, offset: number) {
    this.$memory = memory;
    this.$at1 = offset;
    this.$at2 = offset >>> 1;
    this.$at4 = offset >>> 2;
    this.$at8 = offset >>> 3;
    this.$f64 = memory.f64;
    this.$f32 = memory.f32;
    this.$i32 = memory.i32;
    this.$u32 = memory.u32;
    this.$u16 = memory.u16;
    this.$u8 = memory.u8;
  }
}

/** The class of a struct's views is made once: numbers are accessors on its prototype, the rest its own properties. */
export function viewFactoryOf(layout: StructLayout): ViewFactory<object> {
  class View extends StructAccess {}
  const parts: { name: string; offset: number; create: ViewFactory<unknown> }[] = [];
  for (const member of layout.members) {
    const { name, field, offset } = member;
    if (isScalar(field)) Object.defineProperty(View.prototype, name, accessorOf(member, field));
    else parts.push({ name, offset, create: partFactoryOf(field) });
  }
  return (memory, offset) => {
    const view = new View(memory, offset) as StructAccess & Record<string, unknown>;
    for (const part of parts) view[part.name] = part.create(memory, offset + part.offset);
    return view;
  };
}

/** Where a view lies, for those who copy it whole. */
export function placeOf(view: object): { readonly memory: PacketMemory; readonly offset: number } {
  const access = view as StructAccess;
  return { memory: access.$memory, offset: access.$at1 };
}

function isScalar(field: Field): field is ScalarField {
  return isNumber(field) || field.kind === "flag" || field.kind === "choice";
}

function partFactoryOf(field: AggregateField): ViewFactory<unknown> {
  switch (field.kind) {
    case "time":
      return (memory, offset) => new TimeView(memory, offset);
    case "text":
      return (memory, offset) => new TextView(memory, offset, field.length);
    case "bytes":
      return (memory, offset) => new Uint8Array(memory.buffer, offset, field.length);
    case "numbers": {
      const length = field.shape.reduce((product, count) => product * count, 1);
      const TypedArray = numberArrays[field.element];
      return (memory, offset) => new TypedArray(memory.buffer as ArrayBuffer, offset, length);
    }
    case "list":
      return listFactoryOf(field);
    case "struct":
      return viewFactoryOf(layoutOf(field.fields));
  }
}

function listFactoryOf({ element, length }: ListField): ViewFactory<unknown> {
  const create = partFactoryOf(element);
  // The layout of a struct with one member gives the element's size without a second rule for it.
  const stride = layoutOf({ element }).size;
  return (memory, offset) => Array.from({ length }, (_, index) => create(memory, offset + index * stride));
}

type Accessor = PropertyDescriptor & ThisType<StructAccess>;

function accessorOf(member: MemberLayout, field: ScalarField): Accessor {
  switch (field.kind) {
    case "f64":
      return f64Accessor(member.offset / 8);
    case "f32":
      return f32Accessor(member.offset / 4);
    case "i32":
      return i32Accessor(member.offset / 4);
    case "u32":
      return u32Accessor(member.offset / 4);
    case "u16":
      return u16Accessor(member.offset / 2);
    case "u8":
    case "choice":
      return u8Accessor(member.offset);
    case "flag":
      return flagAccessor(member.offset);
  }
}

// One pair of functions per kind of number, written out, so that each keeps to one kind of typed array.

function f64Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$f64[this.$at8 + index];
    },
    set(value: number) {
      this.$f64[this.$at8 + index] = value;
    },
  };
}

function f32Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$f32[this.$at4 + index];
    },
    set(value: number) {
      this.$f32[this.$at4 + index] = value;
    },
  };
}

function i32Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$i32[this.$at4 + index];
    },
    set(value: number) {
      this.$i32[this.$at4 + index] = value;
    },
  };
}

function u32Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$u32[this.$at4 + index];
    },
    set(value: number) {
      this.$u32[this.$at4 + index] = value;
    },
  };
}

function u16Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$u16[this.$at2 + index];
    },
    set(value: number) {
      this.$u16[this.$at2 + index] = value;
    },
  };
}

function u8Accessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$u8[this.$at1 + index];
    },
    set(value: number) {
      this.$u8[this.$at1 + index] = value;
    },
  };
}

function flagAccessor(index: number): Accessor {
  return {
    enumerable: true,
    get() {
      return this.$u8[this.$at1 + index] !== 0;
    },
    set(value: boolean) {
      this.$u8[this.$at1 + index] = value ? 1 : 0;
    },
  };
}
