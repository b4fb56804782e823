import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import Type, { type Static, type TSchema } from "typebox";
import { configSchema, type PartialConfig } from "./config-schema.js";
import { FlycatcherError } from "./errors.js";
import { readJsonFile } from "./json-file.js";
import { didYouMean } from "./nearest-name.js";
import { packageRoot } from "./package-root.js";
import { findProblems, type SchemaProblem } from "./schema-problems.js";

/**
 * A profile names the robot, the parts that run and their parameters, and may extend others, after the profiles of the
 * Robbie architecture (section 4.1): "only the configuration values specific for the including profile need to be
 * defined". The shipped ones lie in `data/profiles/`; a user's own is any JSON file of the same form.
 */
const { robot, parts, ...parameterSections } = configSchema.properties;

const profileSchema = Type.Object(
  {
    description: Type.Optional(Type.String({ description: "What the profile is for." })),
    extends: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 100 })], {
        description: "Profiles this one builds on: names, or paths relative to this file; a later one wins.",
      }),
    ),
    robot: Type.Optional(robot),
    parts: Type.Optional(parts),
    parameters: Type.Optional(partialOf(Type.Object(parameterSections, { additionalProperties: false }))),
  },
  { additionalProperties: false },
);

type ProfileFile = Static<typeof profileSchema>;

export interface Profile {
  /** Shipped name, or the path of a file. */
  readonly name: string;
  readonly description: string;
  readonly extends: readonly string[];
  /** What it says itself, without what it extends. */
  readonly config: PartialConfig;
}

/** A profile chain with what is wrong in it, so that all problems of all files can be told at once. */
interface ProfileChain {
  /** Parents first, each profile once however often it is extended. */
  readonly profiles: readonly Profile[];
  readonly problems: readonly SchemaProblem[];
}

export const profileFolder: string = join(packageRoot, "data", "profiles");

export function listProfiles(folder: string = profileFolder): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}

/** The profiles that `references` come down to, in the order in which they apply. */
export function loadProfileChain(references: readonly string[], folder: string = profileFolder): ProfileChain {
  const profiles: Profile[] = [];
  const problems: SchemaProblem[] = [];
  const loaded = new Set<string>();
  const visit = (reference: string, from: string, path: readonly string[]): void => {
    const file = locate(reference, from, folder);
    if (path.includes(file)) throw cycleError([...path.slice(path.indexOf(file)), file], folder);
    if (loaded.has(file)) return;
    loaded.add(file);
    const profile = readProfile(file, folder, problems);
    for (const parent of profile.extends) visit(parent, dirname(file), [...path, file]);
    profiles.push(profile);
  };
  for (const reference of references) visit(reference, process.cwd(), []);
  return { profiles, problems };
}

/** A schema of the same keys in which every one may be left out. */
export function partialOf(schema: TSchema): TSchema {
  if (!Type.IsObject(schema)) return schema;
  const properties = Object.entries(schema.properties).map(([key, value]) => [key, Type.Optional(partialOf(value))]);
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

function locate(reference: string, from: string, folder: string): string {
  if (isPath(reference)) return resolve(from, reference);
  const file = join(folder, `${reference}.json`);
  if (existsSync(file)) return file;
  const known = listProfiles(folder);
  throw new FlycatcherError("FLY_PROFILE_UNKNOWN", `There is no profile "${reference}"`, {
    expected: `one of ${known.join(", ")}, or the path of a .json file`,
    found: JSON.stringify(reference),
    suggestion: didYouMean(reference, known),
  });
}

function isPath(reference: string): boolean {
  return reference.endsWith(".json") || reference.includes("/") || reference.includes("\\");
}

function nameOf(file: string, folder: string): string {
  return dirname(file) === folder ? file.slice(folder.length + 1, -".json".length) : file;
}

function readProfile(file: string, folder: string, problems: SchemaProblem[]): Profile {
  const name = nameOf(file, folder);
  const content = readJsonFile(file);
  const found = findProblems(profileSchema, content);
  problems.push(...found.map((problem) => ({ ...problem, source: `profile ${name}` })));
  if (found.length > 0) return { name, description: "", extends: extendedBy(content), config: {} };
  const profile = content as ProfileFile;
  const { parameters, robot, parts } = profile;
  return {
    name,
    description: profile.description ?? "",
    extends: extendedBy(profile),
    config: { ...(parameters as PartialConfig | undefined), robot, parts },
  };
}

/** What a profile extends, as far as that can be told even where the rest of it is wrong. */
function extendedBy(content: unknown): string[] {
  const parents = (content as ProfileFile | null)?.extends ?? [];
  return [parents].flat().filter((parent) => typeof parent === "string");
}

function cycleError(files: readonly string[], folder: string): FlycatcherError {
  const names = files.map((file) => nameOf(file, folder));
  return new FlycatcherError("FLY_PROFILE_CYCLE", "Profiles extend one another in a cycle", {
    path: "/extends",
    expected: "a profile that does not lead back to itself",
    found: names.join(" → "),
  });
}
