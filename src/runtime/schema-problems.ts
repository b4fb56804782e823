import type { Static, TSchema } from "typebox";
import { Settings } from "typebox/system";
import { Errors } from "typebox/value";
import type { ErrorCode } from "./error-catalogue.js";
import { type ErrorDetails, FlycatcherError } from "./errors.js";
import { didYouMean } from "./nearest-name.js";
import { findOverflows, pathBelow } from "./schema-bounds.js";
import { describeSchema, describeValue, type JsonSchema } from "./schema-words.js";

/** One way in which a value differs from its schema. */
export interface SchemaProblem {
  /** JSON pointer (RFC 6901) of the offending value; "" is the whole. */
  readonly path: string;
  /** What the schema wants there, in words. */
  readonly expected: string;
  /** What stands there, shortened. */
  readonly found: string;
  /** What was probably meant, as a question. */
  readonly suggestion?: string;
  /** The file or option it stands in, where there are several. */
  readonly source?: string;
}

/** TypeBox stops collecting after this many raw errors; its default of 8 hides problems of a long configuration. */
const rawErrorLimit = 256;
/** So many problems are named; a value with more is wrong as a whole. */
export const problemLimit = 64;
Settings.Set({ maxErrors: rawErrorLimit });

interface RawError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

/**
 * Every difference between a value and its schema, each with path, expected and found, up to `problemLimit`; an empty list means it
 * fits. Of a value with lists longer than their schema allows only those are named: the work is bounded, whatever the value.
 *
 *     findProblems(Type.Object({ port: Type.Integer({ minimum: 1 }) }), { port: 0 })
 *     // [{ path: "/port", expected: "an integer ≥ 1", found: "0" }]
 */
export function findProblems(schema: TSchema, value: unknown): SchemaProblem[] {
  const overflows = findOverflows(schema as JsonSchema, value, problemLimit);
  if (overflows.length > 0) return overflows;
  const errors: readonly RawError[] = Errors(schema, value);
  const seen = new Set<string>();
  const problems: SchemaProblem[] = [];
  for (const error of chooseBranches(errors, schema)) {
    for (const problem of explain(error, schema, value)) {
      if (seen.has(problem.path)) continue;
      seen.add(problem.path);
      if (problems.push(problem) === problemLimit) return problems;
    }
  }
  if (problems.length === 0 && errors.length > 0) return [{ path: errors[0]!.instancePath, ...unnamed }];
  return problems;
}

/** Where so many keys are unknown that the list of errors ended before it named their objects. */
const unnamed = { expected: "no other key", found: "one, and many more" } as const;

/**
 * A union that fits nowhere raises the errors of all its branches. Where the branches are whole objects, those of the
 * branch that comes nearest say more than "none fits"; where they are plain values, the list of them does.
 */
function chooseBranches(errors: readonly RawError[], schema: TSchema): RawError[] {
  const union = errors.find((error) => error.keyword === "anyOf" && !errors.some((outer) => encloses(outer, error)));
  if (union === undefined) return [...errors];
  const rest = chooseBranches(
    errors.filter((error) => error !== union && !encloses(union, error)),
    schema,
  );
  const branches = schemaAt(schema, union.schemaPath)?.anyOf ?? [];
  if (!branches.some((branch) => branch.type === "object" || branch.type === "array")) return [union, ...rest];
  const nearest = branches
    .map((_, index) => errors.filter((error) => isWithin(error.schemaPath, `${union.schemaPath}/anyOf/${index}`)))
    .filter((inside) => inside.every((error) => error.instancePath !== union.instancePath || error.keyword !== "type"))
    .sort((a, b) => a.length - b.length)[0];
  return [...(nearest === undefined ? [union] : chooseBranches(nearest, schema)), ...rest];
}

function encloses(outer: RawError, inner: RawError): boolean {
  return outer.keyword === "anyOf" && isWithin(inner.schemaPath, `${outer.schemaPath}/anyOf`);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function explain(error: RawError, root: TSchema, value: unknown): SchemaProblem[] {
  const schema = schemaAt(root, error.schemaPath);
  const path = error.instancePath;
  if (error.keyword === "required") return missingKeys(error, schema);
  if (error.keyword === "additionalProperties") return unknownKeys(error, schema);
  if (error.keyword === "boolean" && error.schemaPath.endsWith("/additionalProperties")) return [];
  if (schema?.secret) return [{ path, expected: describeSchema(schema), found: "a secret, not shown" }];
  const found = valueAt(value, path);
  const suggestion = typeof found === "string" ? suggestionFor(found, choicesOf(schema)) : {};
  return [{ path, expected: describeSchema(schema), found: describeValue(found), ...suggestion }];
}

function missingKeys(error: RawError, schema: JsonSchema | undefined): SchemaProblem[] {
  const { requiredProperties } = error.params as { requiredProperties: readonly string[] };
  return requiredProperties.map((key) => ({
    path: pathBelow(error.instancePath, key),
    expected: describeSchema(schema?.properties?.[key]),
    found: "nothing",
  }));
}

/** Only the key is told, not its value: it may be a misspelt secret. */
function unknownKeys(error: RawError, schema: JsonSchema | undefined): SchemaProblem[] {
  const { additionalProperties } = error.params as { additionalProperties: readonly string[] };
  const known = Object.keys(schema?.properties ?? {});
  return additionalProperties.slice(0, problemLimit).map((key) => ({
    path: pathBelow(error.instancePath, key),
    expected: known.length === 0 ? "no key here" : `one of the keys ${known.join(", ")}`,
    found: `the key ${JSON.stringify(key)}`,
    ...suggestionFor(key, known),
  }));
}

/** The texts that a schema names. */
function choicesOf(schema: JsonSchema | undefined): string[] {
  const named = [schema?.const, ...(schema?.enum ?? []), ...(schema?.anyOf ?? []).flatMap(choicesOf)];
  return named.filter((name) => typeof name === "string");
}

function suggestionFor(word: string, names: readonly string[]): Pick<SchemaProblem, "suggestion"> {
  const suggestion = didYouMean(word, names);
  return suggestion === "" ? {} : { suggestion };
}

/** JSON pointer of a key below a path. */
function pointerKeys(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function schemaAt(root: TSchema, schemaPath: string): JsonSchema | undefined {
  return valueAt(root, schemaPath.slice(1)) as JsonSchema | undefined;
}

function valueAt(root: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined),
    root,
  );
}

/** A coded error that carries all problems found, not only the first. */
export class SchemaError extends FlycatcherError {
  readonly problems: readonly SchemaProblem[];
  /** The first problem; `problems` has them all. */
  override readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, problems: readonly SchemaProblem[], options?: ErrorOptions) {
    const only = problems.length === 1 ? problems[0] : undefined;
    const where = only?.source === undefined ? "" : ` in ${only.source}`;
    super(code, only === undefined ? listProblems(message, problems) : message + where, only ?? {}, options);
    this.name = "SchemaError";
    this.problems = problems;
    this.details = problems[0] ?? {};
  }
}

function listProblems(message: string, problems: readonly SchemaProblem[]): string {
  const lines = problems.map(({ path, expected, found, source, suggestion }) => {
    const where = [source, path].filter((part) => part !== undefined && part !== "").join(" at ");
    return `  ${where}: expected ${expected}, found ${found}${suggestion ? `. ${suggestion}` : ""}`;
  });
  return [`${message}, ${problems.length} problems`, ...lines].join("\n");
}

/** Refuses a value that does not fit its schema, with all problems. */
export function assertFits<T extends TSchema>(
  schema: T,
  value: unknown,
  code: ErrorCode,
  message: string,
): asserts value is Static<T> {
  const problems = findProblems(schema, value);
  if (problems.length > 0) throw new SchemaError(code, message, problems);
}
