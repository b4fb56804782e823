import { describeSchema, type JsonSchema } from "./schema-words.js";

/** A list or an object that is larger than its schema allows. */
interface Overflow {
  /** JSON pointer (RFC 6901). */
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** An object of named keys without a bound of its own may have so many others, which are then named as wrong. */
const MOST_OTHER_KEYS = 100;
/** A table by name without a bound of its own may have so many entries. */
const MOST_NAMES = 10_000;

/**
 * Lists and objects of a value that are larger than their schema allows, `limit` of them at most. What is too large is not looked
 * into, so the work is bounded by the schema and not by the value. TypeBox has no such bound: it names every wrong entry of a list
 * before it counts them.
 */
export function findOverflows(schema: JsonSchema, value: unknown, limit: number): Overflow[] {
  const found: Overflow[] = [];
  visit(schema, value, "", (overflow) => found.push(overflow) < limit);
  return found;
}

/** Takes what was found; false if that is enough. */
type Take = (overflow: Overflow) => boolean;

/** False ends the search. */
function visit(schema: JsonSchema, value: unknown, path: string, take: Take): boolean {
  if (typeof value !== "object" || value === null) return true;
  const branches = branchesOf(schema);
  return Array.isArray(value)
    ? visitList(
        branches.filter(({ type }) => type === "array"),
        value,
        path,
        take,
      )
    : visitObject(
        branches.filter(({ type }) => type === "object"),
        value,
        path,
        take,
      );
}

function branchesOf(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(branchesOf);
}

function visitList(branches: readonly JsonSchema[], list: readonly unknown[], path: string, take: Take): boolean {
  if (branches.length === 0) return true;
  const most = Math.max(...branches.map(({ maxItems }) => maxItems ?? Number.POSITIVE_INFINITY));
  if (list.length > most) {
    const expected = describeSchema(branches.find(({ maxItems }) => maxItems === most));
    return take({ path, expected, found: `a list of ${list.length}` });
  }
  const items = branches.flatMap(({ items }) => (items === undefined ? [] : [items]));
  // A list of numbers, as most long ones are, has nothing inside.
  const deep = items.filter((item) => branchesOf(item).some(({ type }) => type === "array" || type === "object"));
  return deep.every((item) => list.every((entry, index) => visit(item, entry, `${path}/${index}`, take)));
}

function visitObject(branches: readonly JsonSchema[], object: object, path: string, take: Take): boolean {
  const count = Object.keys(object).length;
  const most = Math.max(...branches.map(mostKeys));
  if (branches.length > 0 && count > most) {
    return take({ path, expected: `an object of at most ${most} keys`, found: `an object of ${count} keys` });
  }
  return branches.every(({ properties, patternProperties }) => {
    const named = Object.entries(properties ?? {});
    const [others] = Object.values(patternProperties ?? {});
    const isFine = named.every(([key, schema]) => {
      return !Object.hasOwn(object, key) || visit(schema, (object as Keyed)[key], pathBelow(path, key), take);
    });
    if (others === undefined || !isFine) return isFine;
    return Object.entries(object).every(([key, entry]) => visit(others, entry, pathBelow(path, key), take));
  });
}

type Keyed = Readonly<Record<string, unknown>>;

function mostKeys({ maxProperties, properties, additionalProperties, patternProperties }: JsonSchema): number {
  if (maxProperties !== undefined) return maxProperties;
  if (patternProperties !== undefined) return MOST_NAMES;
  return additionalProperties === false
    ? Object.keys(properties ?? {}).length + MOST_OTHER_KEYS
    : Number.POSITIVE_INFINITY;
}

/** JSON pointer of a key of what `path` points to. */
export function pathBelow(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
