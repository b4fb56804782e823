import type { Random } from "../../src/math/random.js";
import { pick } from "./mutate.js";

/** The keywords of JSON Schema by which values are made. */
export interface ValueSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly default?: unknown;
  readonly maxLength?: number;
}

/**
 * A random value that fits a schema: optional keys are there or not, lists are short, numbers are small. `words` are texts that
 * mean something to the reader. Patterns of texts are not followed.
 */
export function fittingValue(schema: ValueSchema, random: Random, words: readonly string[]): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(schema.enum, random);
  if (schema.anyOf !== undefined) return fittingValue(pick(schema.anyOf, random), random, words);
  switch (schema.type) {
    case "object":
      return objectOf(schema, random, words);
    case "array": {
      const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
      const length = Math.min(minItems + random.integer(3), maxItems);
      return Array.from({ length }, () => fittingValue(schema.items ?? {}, random, words));
    }
    case "number":
      return numberOf(schema, random);
    case "integer":
      return Math.round(numberOf(schema, random));
    case "boolean":
      return random.integer(2) === 0;
    case "string":
      return pick([schema.default ?? "a", ...words], random);
    default:
      return null;
  }
}

function objectOf(
  { properties = {}, required = [], patternProperties }: ValueSchema,
  random: Random,
  words: readonly string[],
) {
  const keys = Object.keys(properties).filter((key) => required.includes(key) || random.integer(3) === 0);
  const entries = keys.map((key) => [key, fittingValue(properties[key]!, random, words)] as const);
  const [others] = Object.values(patternProperties ?? {});
  const more = others === undefined ? [] : [[pick(words, random), fittingValue(others, random, words)] as const];
  return Object.fromEntries([...entries, ...more]);
}

function numberOf({ minimum, maximum, exclusiveMinimum }: ValueSchema, random: Random): number {
  const least = minimum ?? exclusiveMinimum ?? -10;
  const greatest = Math.min(maximum ?? 10, least + 20);
  return exclusiveMinimum === undefined ? random.uniformIn(least, greatest) : least + (greatest - least) * 0.5;
}
