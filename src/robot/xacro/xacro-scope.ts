import type { XacroNode } from "./xacro-nodes.js";
import { type XacroValue, xacroError } from "./xacro-value.js";

/** A property as written, not yet evaluated: it is, on first use, with what then is known. */
interface Unevaluated {
  readonly text: string;
}

type Entry = { readonly value: XacroValue } | { readonly unevaluated: Unevaluated };

/** Properties, blocks and parameters in force; a macro's own scope has the caller's as its parent. */
export class XacroScope {
  readonly parent: XacroScope | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #blocks = new Map<string, readonly XacroNode[]>();
  readonly #evaluating = new Set<string>();

  constructor(parent?: XacroScope) {
    this.parent = parent;
  }

  get global(): XacroScope {
    let scope: XacroScope = this;
    while (scope.parent !== undefined) scope = scope.parent;
    return scope;
  }

  set(name: string, value: XacroValue): void {
    this.#entries.set(name, { value });
  }

  setUnevaluated(name: string, text: string): void {
    this.#entries.set(name, { unevaluated: { text } });
  }

  setBlock(name: string, nodes: readonly XacroNode[]): void {
    this.#blocks.set(name, nodes);
  }

  has(name: string): boolean {
    return this.#entries.has(name) || (this.parent?.has(name) ?? false);
  }

  hasOwn(name: string): boolean {
    return this.#entries.has(name);
  }

  block(name: string): readonly XacroNode[] | undefined {
    return this.#blocks.get(name) ?? this.parent?.block(name);
  }

  /** The value of a name, evaluated now if it was not before; undefined if there is none. */
  lookup(name: string, evaluate: (text: string, scope: XacroScope) => XacroValue): XacroValue | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return this.parent?.lookup(name, evaluate);
    if ("value" in entry) return entry.value;
    if (this.#evaluating.has(name)) throw xacroError("a property depends on itself", undefined, name);
    this.#evaluating.add(name);
    const value = evaluate(entry.unevaluated.text, this);
    this.#evaluating.delete(name);
    this.set(name, value);
    return value;
  }
}
