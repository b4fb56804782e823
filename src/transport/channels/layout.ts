import { FlycatcherError } from "../../runtime/errors.js";
import { type Choices, type Field, type Fields, isNumber, numberArrays } from "./field.js";

/**
 * Where each field lies. The rules are those of a C compiler on a 64-bit machine: fields in the order they are written,
 * each aligned to its own size (a struct to its widest member, an array to its element), a struct's size rounded up to
 * its alignment. Numbers are in the byte order of the host; all threads of a channel share it.
 */
export interface StructLayout {
  readonly members: readonly MemberLayout[];
  /** [bytes] */
  readonly size: number;
  readonly alignment: number;
}

export interface MemberLayout {
  readonly name: string;
  readonly field: Field;
  /** From the start of the struct [bytes]. */
  readonly offset: number;
  readonly size: number;
}

interface Extent {
  readonly size: number;
  readonly alignment: number;
}

const fieldNamePattern = /^[A-Za-z][A-Za-z0-9]*$/;
/** Keeps every offset below 2³¹ and catches a slip of units. */
const maxFieldBytes = 2 ** 30;

/** Lays out a struct; a description that makes no sense is refused with the path of the field. */
export function layoutOf(fields: Fields, path = ""): StructLayout {
  const members: MemberLayout[] = [];
  let end = 0;
  let alignment = 1;
  for (const [name, field] of Object.entries(fields)) {
    if (!fieldNamePattern.test(name)) throw refused(`${path}/${name}`, "a name matching [A-Za-z][A-Za-z0-9]*", name);
    const extent = extentOf(field, `${path}/${name}`);
    const offset = roundUp(end, extent.alignment);
    members.push({ name, field, offset, size: extent.size });
    end = offset + extent.size;
    alignment = Math.max(alignment, extent.alignment);
  }
  if (members.length === 0) throw refused(path, "at least one field", "none");
  return { members, size: roundUp(end, alignment), alignment };
}

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

function extentOf(field: Field, path: string): Extent {
  if (isNumber(field)) return repeated(numberExtent(field.kind), 1, path);
  switch (field.kind) {
    case "flag":
      return { size: 1, alignment: 1 };
    case "choice":
      checkChoices(field.choices, path);
      return { size: 1, alignment: 1 };
    case "time":
      return { size: 8, alignment: 8 };
    case "text":
    case "bytes":
      return repeated({ size: 1, alignment: 1 }, field.length, path);
    case "numbers":
      return field.shape.reduce((extent, count) => repeated(extent, count, path), numberExtent(field.element));
    case "list":
      return repeated(extentOf(field.element, `${path}/0`), field.length, path);
    case "struct":
      return layoutOf(field.fields, path);
    default:
      throw refused(path, "a known kind of field", String((field as Field).kind));
  }
}

function numberExtent(kind: keyof typeof numberArrays): Extent {
  const size = numberArrays[kind].BYTES_PER_ELEMENT;
  return { size, alignment: size };
}

function repeated(element: Extent, count: number, path: string): Extent {
  if (!(Number.isInteger(count) && count >= 1)) throw refused(path, "a length of at least 1", String(count));
  const size = element.size * count;
  if (size > maxFieldBytes) throw refused(path, `at most ${maxFieldBytes} bytes`, String(size));
  return { size, alignment: element.alignment };
}

function checkChoices(choices: Choices, path: string): void {
  const values = Object.values(choices);
  const fits = values.every((value) => Number.isInteger(value) && value >= 0 && value <= 255);
  if (!fits || new Set(values).size !== values.length || values.length === 0) {
    throw refused(path, "choices with different values from 0 to 255", JSON.stringify(choices));
  }
}

/** Two descriptions with the same signature have the same bytes in memory and in JSON. */
export function signatureOf(fields: Fields): string {
  const parts = Object.entries(fields).map(([name, field]) => `${name}:${fieldSignature(field)}`);
  return `{${parts.join(",")}}`;
}

function fieldSignature(field: Field): string {
  switch (field.kind) {
    case "choice":
      return `choice${JSON.stringify(field.choices)}`;
    case "text":
    case "bytes":
      return `${field.kind}[${field.length}]`;
    case "numbers":
      return `${field.element}[${field.shape.join("][")}]`;
    case "list":
      return `${fieldSignature(field.element)}[${field.length}]`;
    case "struct":
      return signatureOf(field.fields);
    default:
      return field.kind;
  }
}

function refused(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_CHANNEL_PACKET_DESCRIPTION", "a packet cannot be laid out", {
    path: path === "" ? "/" : path,
    expected,
    found,
  });
}
