import { Create } from "typebox/value";
import { parseOverride } from "./config-overrides.js";
import { type Config, configSchema, type PartialConfig } from "./config-schema.js";
import { loadProfileChain, partialOf, profileFolder } from "./profile.js";
import { findProblems, SchemaError, type SchemaProblem } from "./schema-problems.js";

export interface ConfigRequest {
  /** Name of a shipped profile, or path of a JSON file; "default" if left out. */
  readonly profile?: string | undefined;
  /** Further profile files, applied on top, in order. */
  readonly files?: readonly string[] | undefined;
  /** The last word: settings as on the command line (`service.port=8080`), or some of the configuration, in order. */
  readonly overrides?: readonly (string | PartialConfig)[] | undefined;
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
