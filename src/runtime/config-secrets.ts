import { type Config, configSchema } from "./config-schema.js";
import type { JsonSchema } from "./schema-words.js";

/** The configuration as it may be shown: what the schema calls secret is masked, where it is set at all. */
export function maskSecrets(config: Config): Config {
  return mask(config, configSchema as JsonSchema) as Config;
}

function mask(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema?.secret) return value === "" ? "" : "***";
  if (schema?.properties === undefined) return value;
  const entries = Object.entries(value as object).map(([key, inner]) => [key, mask(inner, schema.properties?.[key])]);
  return Object.fromEntries(entries);
}
