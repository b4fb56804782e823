import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";

/** Finds parts of a robot by name; an unknown name is an error that says where it stands and what there is. */
export class NameLookup {
  readonly noun: string;
  readonly #indices: ReadonlyMap<string, number>;

  constructor(noun: string, names: readonly string[]) {
    this.noun = noun;
    this.#indices = new Map(names.map((name, index) => [name, index]));
  }

  get(name: string): number | undefined {
    return this.#indices.get(name);
  }

  /** The index of a part that must be there. */
  require(name: string, path: string, code: ErrorCode = "FLY_SIDECAR_REFERENCE"): number {
    const index = this.#indices.get(name);
    if (index !== undefined) return index;
    throw new FlycatcherError(code, `no such ${this.noun}`, {
      path,
      expected: `the name of a ${this.noun}`,
      found: JSON.stringify(name),
    });
  }
}

/** A lookup over parts that stand in the sidecar itself; two of the same name are an error. */
export function lookupParts(noun: string, parts: readonly { readonly name: string }[], path: string): NameLookup {
  const seen = new Set<string>();
  for (const [index, { name }] of parts.entries()) {
    if (seen.has(name))
      throw inconsistent(`${path}/${index}/name`, `a name no other ${noun} has`, JSON.stringify(name));
    seen.add(name);
  }
  return new NameLookup(noun, [...seen]);
}

/** A value in the sidecar that contradicts another one or the URDF. */
export function inconsistent(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_SIDECAR_INCONSISTENT", "values contradict one another", { path, expected, found });
}

/** JSON pointer (RFC 6901) of a key below a path. */
export function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
