import type { TSchema } from "typebox";
import { configSchema } from "./config-schema.js";
import { FlycatcherError } from "./errors.js";
import type { JsonSchema } from "./schema-words.js";

/** A value given on the command line, and where it goes. */
export interface Override {
  /** As it was written: `service.port=8080`. */
  readonly text: string;
  /** Some of the configuration, holding that one value; not yet checked. */
  readonly value: unknown;
}

/**
 * Reads `service.port=8080` by the type the schema gives the key: numbers, lists separated by commas, texts as they
 * stand. A text that is no number stays a text, so that the check can say what was expected instead.
 */
export function parseOverride(text: string, schema: TSchema = configSchema): Override {
  const separator = text.indexOf("=");
  const keys = text.slice(0, separator).trim().split(".");
  if (separator < 0 || keys.some((key) => key === "")) {
    throw new FlycatcherError("FLY_CONFIG_OVERRIDE_MALFORMED", "A setting on the command line has no key or no value", {
      expected: "section.key=value, as in service.port=8080",
      found: JSON.stringify(text),
    });
  }
  const leaf = keys.reduce<JsonSchema | undefined>((node, key) => ownProperty(node?.properties, key), schema as object);
  const value = coerce(leaf, text.slice(separator + 1).trim());
  return { text, value: keys.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value) };
}

function ownProperty<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

function coerce(schema: JsonSchema | undefined, text: string): unknown {
  switch (schema?.type) {
    case "integer":
    case "number":
      return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "array":
      return text === "" ? [] : text.split(",").map((item) => coerce(schema.items, item.trim()));
    default:
      return text;
  }
}
