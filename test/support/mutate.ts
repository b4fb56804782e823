import type { Random } from "../../src/math/random.js";

/**
 * Seeded mutations for fuzzers: of bytes, of text and of JSON. Each returns a changed copy and leaves its input as it was.
 * A fuzzer begins with valid input, applies one to a few mutations, and adds what is odd in its own format (`words`, `values`).
 *
 *     const random = new Random("stl fuzz");
 *     const damaged = repeatedly(1 + random.integer(3), whole, (bytes) => mutateBytes(bytes, random));
 */
export function repeatedly<Input>(times: number, input: Input, change: (input: Input) => Input): Input {
  let changed = input;
  for (let k = 0; k < times; k++) changed = change(changed);
  return changed;
}

/** One of a list, each as likely. */
export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.integer(items.length)]!;
}

/** Longest run of bytes or characters that is removed, repeated or moved. */
const longestRun = 64;

/** Whole numbers at which counts, lengths and offsets go wrong. */
const oddIntegers = [
  ...[0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000],
  ...[0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff],
] as const;

/** Floating-point numbers at which geometry goes wrong. */
const oddFloats = [0, -0, 1, -1, 1e-45, 1e-30, 1e30, 3e38, Infinity, -Infinity, Number.NaN] as const;

/** One random change of bytes; `words` are runs that mean something in the format, such as magic numbers. */
export function mutateBytes(bytes: Uint8Array, random: Random, words: readonly Uint8Array[] = []): Buffer {
  const out = Buffer.from(bytes);
  const at = random.integer(bytes.length + 1);
  const length = 1 + random.integer(longestRun);
  switch (random.integer(words.length === 0 ? 9 : 10)) {
    case 0:
      return Buffer.concat([out.subarray(0, at), out.subarray(at + length)]);
    case 1:
      return Buffer.concat([out.subarray(0, at + length), out.subarray(at)]);
    case 2:
      return out.subarray(0, at);
    case 3:
      return Buffer.concat([out.subarray(0, at), randomBytes(length, random), out.subarray(at)]);
    case 4:
      return flipBit(out, at, random);
    case 5:
      return moveRun(out, at, length, random);
    case 6:
    case 7:
      return writeInteger(out, at, random);
    case 8:
      return writeFloat(out, at, random);
    default: {
      const word = pick(words, random);
      return Buffer.concat([out.subarray(0, at), word, out.subarray(at + word.length)]);
    }
  }
}

function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(256)));
}

function flipBit(out: Buffer, at: number, random: Random): Buffer {
  if (at < out.length) out[at] = out[at]! ^ (1 << random.integer(8));
  return out;
}

function moveRun(out: Buffer, at: number, length: number, random: Random): Buffer {
  const run = Buffer.from(out.subarray(at, at + length));
  const rest = Buffer.concat([out.subarray(0, at), out.subarray(at + length)]);
  const to = random.integer(rest.length + 1);
  return Buffer.concat([rest.subarray(0, to), run, rest.subarray(to)]);
}

/** An odd number of 8, 16 or 32 bits, in either order of bytes. */
function writeInteger(out: Buffer, at: number, random: Random): Buffer {
  const value = pick(oddIntegers, random);
  const width = pick([1, 2, 4], random);
  if (at + width > out.length) return out;
  const bits = value % 2 ** (8 * width);
  if (random.integer(2) === 0) out.writeUIntLE(bits, at, width);
  else out.writeUIntBE(bits, at, width);
  return out;
}

function writeFloat(out: Buffer, at: number, random: Random): Buffer {
  const value = pick(oddFloats, random);
  const isDouble = random.integer(2) === 0;
  if (at + (isDouble ? 8 : 4) > out.length) return out;
  if (isDouble) out.writeDoubleLE(value, at);
  else out.writeFloatLE(value, at);
  return out;
}

/** Numbers as text that readers of numbers get wrong. */
export const oddNumbers = [
  ...["NaN", "-1", "1e999", "-1e999", "", "0", "1e308", "1e50", "-0", "Infinity", "0 0 0", "1,5", "1e-320"],
  ...["0x10", "99999999999999999999", "2147483648", "1_000", "\u0661"],
] as const;

/** References to files that must not be read. */
export const outsidePaths = [
  ...["/etc/passwd", "../../../etc/passwd", "..", "file:///etc/passwd", "package://r/../../../../etc/passwd"],
  ...["http://localhost/a.stl", "\\\\host\\share", "C:\\windows\\win.ini", "/dev/zero", "/proc/self/environ"],
  ...["%2e%2e/%2e%2e/etc/passwd", "package://%2e%2e/etc/passwd", "a\0b", "~/.ssh/id_rsa"],
] as const;

/**
 * One random change of a text: characters removed, repeated, replaced or moved, one of `snippets` put in, or the value of
 * something in double quotes replaced by one of them. Half of the changes are of the last kind where there are quotes.
 */
export function mutateText(text: string, random: Random, snippets: readonly string[] = oddNumbers): string {
  const at = random.integer(text.length + 1);
  const length = 1 + random.integer(longestRun);
  switch (random.integer(10)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at + length) + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(random.integer(300)) + text.slice(at + 1);
    case 3:
      return text.slice(0, at) + pick(snippets, random) + text.slice(at + random.integer(length));
    case 4:
      return moveText(text, at, length, random);
    default:
      return replaceQuoted(text, random, snippets);
  }
}

function moveText(text: string, at: number, length: number, random: Random): string {
  const rest = text.slice(0, at) + text.slice(at + length);
  const to = random.integer(rest.length + 1);
  return rest.slice(0, to) + text.slice(at, at + length) + rest.slice(to);
}

/** Replaces one of the texts in double quotes. */
export function replaceQuoted(text: string, random: Random, values: readonly string[]): string {
  const quoted = [...text.matchAll(/"[^"]*"/g)];
  const chosen = quoted[random.integer(Math.max(quoted.length, 1))];
  if (chosen === undefined) return text;
  return `${text.slice(0, chosen.index)}"${pick(values, random)}"${text.slice(chosen.index + chosen[0].length)}`;
}

/** One random change of the elements of an XML text: one removed, or put somewhere else as well. */
export function mutateElements(text: string, random: Random): string {
  const elements = text.split(/(?=<)/);
  const [from, to] = [random.integer(elements.length), random.integer(elements.length)];
  if (random.integer(2) === 0) return elements.filter((_, k) => k !== from).join("");
  return [...elements.slice(0, to), elements[from]!, ...elements.slice(to)].join("");
}

/** JSON values that are of the wrong kind or size nearly everywhere. */
export const oddValues: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e300, -1e300, 2 ** 53, "", "a", "\u0000", "__proto__", [], {}, [0, 0, 0], [[]]],
  ...[{ name: "" }, { length: 1e9 }],
];

type Branch = Record<string, unknown>;

/** A copy of a JSON value with one entry deleted, replaced, renamed, doubled, or copied from another place. */
export function mutateJson(tree: unknown, random: Random, values: readonly unknown[] = oddValues): unknown {
  const copy: unknown = structuredClone(tree);
  const branches = branchesOf(copy).filter((branch) => Object.keys(branch).length > 0);
  if (branches.length === 0) return structuredClone(pick(values, random));
  const branch = pick(branches, random);
  const key = pick(Object.keys(branch), random);
  switch (random.integer(6)) {
    case 0:
      removeEntry(branch, key);
      return copy;
    case 1:
      doubleEntry(branch, key);
      return copy;
    case 2:
      branch[key] = structuredClone(pick(Object.values(pick(branches, random)), random));
      return copy;
    default:
      branch[key] = structuredClone(pick(values, random));
      return copy;
  }
}

/** Every object and list of a JSON value. */
function branchesOf(value: unknown): Branch[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Branch, ...Object.values(value).flatMap(branchesOf)];
}

function removeEntry(branch: Branch, key: string): void {
  if (Array.isArray(branch)) branch.splice(Number(key), 1);
  else Reflect.deleteProperty(branch, key);
}

function doubleEntry(branch: Branch, key: string): void {
  if (Array.isArray(branch)) branch.push(structuredClone(branch[Number(key)]));
  else branch[`${key}x`] = structuredClone(branch[key]);
}
