import type { TSchema } from "typebox";
import { Create } from "typebox/value";
import { type Config, configSchema, type PartialConfig } from "./config-schema.js";
import { FlycatcherError } from "./errors.js";
import { loadProfileChain, partialOf, profileFolder } from "./profile.js";
import { findProblems, SchemaError, type SchemaProblem } from "./schema-problems.js";
import type { JsonSchema } from "./schema-words.js";
import { tokenOf } from "./service-token.js";

export interface ConfigRequest {
  /** Name of a shipped profile, or path of a JSON file; "default" if left out. */
  readonly profile?: string | undefined;
  /** Further profile files, applied on top, in order. */
  readonly files?: readonly string[] | undefined;
  /** The last word: settings as on the command line (`service.port=8080`), or some of the configuration, in order. */
  readonly overrides?: readonly (string | PartialConfig)[] | undefined;
  /** Variables of the environment, for secrets; none if left out. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where named profiles lie. */
  readonly folder?: string | undefined;
}

interface Layer {
  readonly source: string;
  readonly value: unknown;
}

type Tree = Record<string, unknown>;

const partialConfigSchema = partialOf(configSchema);

/**
 * The configuration in force: the schema's defaults, then the profile with all it extends, then files, then overrides.
 * Objects are merged, values and lists replaced; `parts` alone add up over profiles, so that a profile need only name
 * the parts it brings. Refused with every problem of every source at once; frozen all the way down.
 */
export function resolveConfig(request: ConfigRequest = {}): Config {
  const references = [request.profile ?? "default", ...(request.files ?? [])];
  const chain = loadProfileChain(references, request.folder ?? profileFolder);
  const overrides = (request.overrides ?? []).map(toLayer);
  const problems = [...chain.problems, ...overrides.flatMap(layerProblems)];
  if (problems.length > 0) throw new SchemaError("FLY_CONFIG_INVALID", "The configuration is wrong", problems);

  const config = Create(configSchema) as Tree;
  const parts = new Set<unknown>();
  for (const profile of chain.profiles) {
    merge(config, profile.config as Tree);
    for (const part of profile.config.parts ?? []) parts.add(part);
  }
  config.parts = [...parts];
  for (const override of overrides) merge(config, override.value as Tree);
  const { service } = config as Config;
  const tokenSchema = configSchema.properties.service.properties.token as JsonSchema;
  merge(config, { service: { token: tokenOf(service, tokenSchema, request.environment ?? {}) } });
  return deepFreeze(config as Config);
}

function toLayer(override: string | PartialConfig): Layer {
  if (typeof override !== "string") return { source: "the settings given", value: override };
  const { text, value } = parseOverride(override);
  return { source: `--set ${text.slice(0, text.indexOf("="))}`, value };
}

function layerProblems({ source, value }: Layer): SchemaProblem[] {
  return findProblems(partialConfigSchema, value).map((problem) => ({ ...problem, source }));
}

/** Only ever given trees that fit the schema: no foreign key, `__proto__` among them, gets here. */
function merge(target: Tree, layer: Tree): void {
  for (const [key, value] of Object.entries(layer)) {
    if (value === undefined) continue;
    const present = target[key];
    if (isTree(value) && isTree(present)) merge(present, value);
    else target[key] = structuredClone(value);
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

/** A value given on the command line, and where it goes. */
interface Override {
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
