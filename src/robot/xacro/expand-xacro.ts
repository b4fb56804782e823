import { basename, dirname } from "node:path";
import { parseXml, XmlDocumentType, XmlError } from "@rgrove/parse-xml";
import { FlycatcherError } from "../../runtime/errors.js";
import type { RobotFiles } from "../files/robot-files.js";
import { maxUrdfLength } from "../urdf/urdf-xml.js";
import { evaluateExpression } from "./xacro-expression.js";
import { type MacroParameter, parseParameters, type XacroMacro } from "./xacro-macro.js";
import { formatXml, nodeOf, type XacroElement, type XacroNode } from "./xacro-nodes.js";
import { XacroScope } from "./xacro-scope.js";
import { splitText } from "./xacro-text.js";
import { clipText, formatValue, literalOf, truthOf, type XacroValue, xacroError } from "./xacro-value.js";
import { parseYaml } from "./xacro-yaml.js";

export interface XacroOptions {
  /** Where includes, YAML files and packages are found; nothing else is read. */
  readonly files: RobotFiles;
  /** Values of `<xacro:arg>`, instead of their defaults. */
  readonly arguments?: Readonly<Record<string, string>>;
}

/** Most elements that are looked at in all macros together, and deepest call of macros, includes and properties. */
const maxElements = 200_000;
const maxCalls = 200;

/** Most characters of all texts and attributes together: a long property used often would be more than a URDF can be. */
const maxCharacters = 4 * maxUrdfLength;

/** Longest YAML file [B]. */
const maxYamlBytes = 2 ** 20;

/**
 * Expands a xacro file into a URDF: properties, macros with defaults and blocks, includes, conditions, arguments,
 * expressions and YAML files, as the `xacro` program of ROS does (https://wiki.ros.org/xacro). Environment variables are
 * not read, Python beyond expressions is not run.
 *
 *     expandXacro("ur.urdf.xacro", { files, arguments: { ur_type: "ur10e", name: "ur" } })   // "<robot name=…"
 */
export function expandXacro(file: string, options: XacroOptions): string {
  return formatXml(new Expander(options).run(file));
}

/** The part of a document being expanded: what is known there, and its file, beside which relative files lie. */
interface Place {
  readonly scope: XacroScope;
  readonly file: string;
  readonly depth: number;
}

type Handler = (element: XacroElement, place: Place) => XacroNode[];

class Expander {
  readonly #files: RobotFiles;
  readonly #arguments: Map<string, string>;
  readonly #macros = new Map<string, XacroMacro>();
  readonly #handlers: ReadonlyMap<string, Handler>;
  #elements = 0;
  #characters = 0;
  /** What is being expanded, for messages. */
  #current = "";

  constructor({ files, arguments: given = {} }: XacroOptions) {
    this.#files = files;
    this.#arguments = new Map(Object.entries(given));
    this.#handlers = new Map<string, Handler>([
      ["xacro:property", (element, place) => this.#property(element, place)],
      ["xacro:arg", (element, place) => this.#arg(element, place)],
      ["xacro:macro", (element, place) => this.#define(element, place)],
      ["xacro:include", (element, place) => this.#include(element, place)],
      ["xacro:if", (element, place) => this.#condition(element, place, true)],
      ["xacro:unless", (element, place) => this.#condition(element, place, false)],
      ["xacro:insert_block", (element, place) => this.#insertBlock(element, place)],
      ["xacro:call", (element, place) => this.#call(this.#text(required(element, "macro"), place), element, place)],
      ["xacro:element", (element, place) => [this.#namedElement(element, place)]],
    ]);
  }

  run(file: string): XacroElement {
    const { root, path } = this.#read(file, this.#files.base);
    try {
      return this.#plain(root, { scope: new XacroScope(), file: path, depth: 0 });
    } catch (error) {
      if (error instanceof RangeError) throw tooLarge("less deep nesting");
      if (!(error instanceof FlycatcherError) || error.details.path !== undefined) throw error;
      const sentence = error.message.split(":", 1)[0]!;
      throw new FlycatcherError(error.code, sentence, { ...error.details, path: this.#current }, { cause: error });
    }
  }

  #read(reference: string, from: string): { root: XacroElement; path: string } {
    const { path, bytes } = this.#files.read(reference, 4 * maxUrdfLength, from);
    return { root: parseDocument(bytes.toString("utf8"), reference), path };
  }

  /** What an element becomes: itself expanded, what a macro makes of it, or nothing. */
  #expand(node: XacroNode, place: Place): XacroNode[] {
    if (++this.#elements > maxElements) throw tooLarge(`at most ${maxElements} elements`);
    if (typeof node === "string") return [this.#text(node, place)];
    const name = node.attributes.get("name") ?? node.attributes.get("value") ?? "";
    this.#current = `${basename(place.file)}: <${node.name} ${clipText(name)}>`;
    const handler = this.#handlers.get(node.name);
    if (handler !== undefined) return handler(node, place);
    return node.name.startsWith("xacro:") ? this.#call(node.name.slice(6), node, place) : [this.#plain(node, place)];
  }

  #children(nodes: readonly XacroNode[], place: Place): XacroNode[] {
    return nodes.flatMap((node) => this.#expand(node, place));
  }

  #plain(element: XacroElement, place: Place): XacroElement {
    const attributes = new Map<string, string>();
    for (const [name, value] of element.attributes) {
      if (name !== "xmlns:xacro") attributes.set(name, this.#text(value, place));
    }
    const children: XacroNode[] = [];
    for (const node of element.children) {
      if (typeof node !== "string" && node.name === "xacro:attribute") {
        attributes.set(this.#text(required(node, "name"), place), this.#text(required(node, "value"), place));
      } else children.push(...this.#expand(node, place));
    }
    return { name: element.name, attributes, children };
  }

  #namedElement(element: XacroElement, place: Place): XacroElement {
    const name = this.#text(required(element, "xacro:name"), place);
    if (!/^[A-Za-z_][\w.-]*$/.test(name)) throw xacroError("not a name of an element", undefined, name);
    const attributes = new Map([...element.attributes].filter(([key]) => key !== "xacro:name"));
    return this.#plain({ ...element, name, attributes }, place);
  }

  #property(element: XacroElement, place: Place): XacroNode[] {
    const name = this.#text(required(element, "name"), place);
    const scope = this.#scopeOf(element, place);
    const fallback = element.attributes.get("default");
    const written = element.attributes.get("value") ?? fallback;
    if (written === undefined) scope.setBlock(name, element.children);
    else if (element.attributes.has("value") || !place.scope.has(name)) {
      const isLazy = scope === place.scope && element.attributes.get("lazy_eval") !== "false";
      if (isLazy) scope.setUnevaluated(name, written);
      else scope.set(name, literal(this.#evaluate(written, place)));
    }
    return [];
  }

  #scopeOf(element: XacroElement, { scope }: Place): XacroScope {
    switch (element.attributes.get("scope")) {
      case "global":
        return scope.global;
      case "parent":
        return scope.parent ?? scope;
      default:
        return scope;
    }
  }

  #arg(element: XacroElement, place: Place): XacroNode[] {
    const name = this.#text(required(element, "name"), place);
    const fallback = element.attributes.get("default");
    if (fallback !== undefined && !this.#arguments.has(name)) this.#arguments.set(name, this.#text(fallback, place));
    return [];
  }

  #define(element: XacroElement, place: Place): XacroNode[] {
    const name = this.#text(required(element, "name"), place);
    const parameters = parseParameters(element.attributes.get("params") ?? "");
    this.#macros.set(name.replace(/^xacro:/, ""), { name, parameters, body: element });
    return [];
  }

  #include(element: XacroElement, place: Place): XacroNode[] {
    const reference = this.#text(required(element, "filename"), place);
    const below = deeper(place);
    if (element.attributes.has("ns"))
      throw xacroError("an include with a namespace is not supported", undefined, reference);
    const { root, path } = this.#read(reference, dirname(place.file));
    return this.#children(root.children, { ...below, file: path });
  }

  #condition(element: XacroElement, place: Place, wanted: boolean): XacroNode[] {
    const holds = truthOf(this.#evaluate(required(element, "value"), place));
    return holds === wanted ? this.#children(element.children, place) : [];
  }

  #insertBlock(element: XacroElement, place: Place): XacroNode[] {
    const name = this.#text(required(element, "name"), place);
    const block = place.scope.block(name);
    if (block === undefined) throw xacroError("there is no such block", "the name of a block", name);
    return this.#children(block, deeper(place));
  }

  #call(name: string, element: XacroElement, place: Place): XacroNode[] {
    const macro = this.#macros.get(name);
    if (macro === undefined) throw xacroError("there is no such macro", "the name of a macro", name);
    const below = deeper(place);
    const scope = new XacroScope(place.scope);
    const isCall = element.name === "xacro:call";
    const given = new Map([...element.attributes].filter(([key]) => !(isCall && key === "macro")));
    this.#bindValues(macro, given, scope, place);
    this.#bindBlocks(macro, this.#children(element.children, place), scope);
    return this.#children(macro.body.children, { ...below, scope });
  }

  #bindValues({ name, parameters }: XacroMacro, given: Map<string, string>, scope: XacroScope, place: Place): void {
    for (const parameter of parameters.filter(({ kind }) => kind === "value")) {
      const written = given.get(parameter.name);
      given.delete(parameter.name);
      scope.set(parameter.name, this.#argument(name, parameter, written, place));
    }
    const [unknown] = given.keys();
    if (unknown === undefined) return;
    const known = parameters.map((parameter) => parameter.name).join(", ") || "none";
    throw xacroError(`macro ${name} has no such parameter`, clipText(known), unknown);
  }

  #argument(macro: string, parameter: MacroParameter, written: string | undefined, place: Place): XacroValue {
    if (written !== undefined) return literal(this.#evaluate(written, place));
    const inherited = parameter.inherits ? this.#lookup(parameter.name, place) : undefined;
    if (inherited !== undefined) return inherited;
    if (parameter.default !== undefined) return literal(this.#evaluate(parameter.default, place));
    throw xacroError(`macro ${macro} lacks a parameter`, parameter.name, "none");
  }

  /** Block parameters take the elements inside the call, one each, in order. */
  #bindBlocks({ name, parameters }: XacroMacro, inside: readonly XacroNode[], scope: XacroScope): void {
    const elements = inside.filter((node): node is XacroElement => typeof node !== "string");
    const blocks = parameters.filter(({ kind }) => kind !== "value");
    for (const [i, parameter] of blocks.entries()) {
      const element = elements[i];
      if (element === undefined) throw xacroError(`macro ${name} lacks a block`, parameter.name, "none");
      scope.setBlock(parameter.name, parameter.kind === "block" ? [element] : element.children);
    }
  }

  #lookup(name: string, place: Place): XacroValue | undefined {
    return place.scope.lookup(name, (text, scope) => literal(this.#evaluate(text, { ...deeper(place), scope })));
  }

  #text(text: string, place: Place): string {
    const expanded = text.includes("$") ? formatValue(this.#evaluate(text, place)) : text;
    this.#characters += expanded.length;
    if (this.#characters > maxCharacters) throw tooLarge(`at most ${maxCharacters} characters`);
    return expanded;
  }

  /** The value of a text: of one expression alone whatever it is, else the pieces joined. */
  #evaluate(text: string, place: Place): XacroValue {
    if (!text.includes("$")) return text;
    const values = splitText(text).map(({ kind, text: piece }): XacroValue => {
      if (kind === "plain") return piece;
      const inner = this.#text(piece, place);
      return kind === "expression" ? this.#expression(inner, place) : this.#substitution(inner, place);
    });
    const joined = values.length === 1 ? values[0]! : values.map((value) => formatValue(value)).join("");
    if (typeof joined === "string" && joined.length > maxUrdfLength)
      throw tooLarge(`at most ${maxUrdfLength} characters`);
    return joined;
  }

  #expression(text: string, place: Place): XacroValue {
    return evaluateExpression(text, {
      lookup: (name) => this.#lookup(name, place),
      loadYaml: (file) => {
        const { bytes } = this.#files.read(file, maxYamlBytes, dirname(place.file));
        return parseYaml(bytes.toString("utf8"), file);
      },
    });
  }

  /** `find`, `arg`, `dirname`, `optenv` (its default) and `eval`; what reads the environment is refused. */
  #substitution(text: string, place: Place): XacroValue {
    const [command = "", ...words] = text.trim().split(/\s+/);
    const rest = text.trim().slice(command.length).trim();
    switch (command) {
      case "find":
        return this.#find(rest);
      case "arg":
        return this.#argumentValue(rest);
      case "dirname":
        return dirname(place.file);
      case "optenv":
        return words.slice(1).join(" ");
      case "anon":
        return rest;
      case "eval":
        return this.#expression(rest, place);
      default:
        throw xacroError("a substitution is not supported", "find, arg, dirname, optenv or eval", command);
    }
  }

  #find(name: string): string {
    const folder = this.#files.findPackage(name);
    if (folder !== undefined) return folder;
    throw new FlycatcherError("FLY_ROBOT_FILE_MISSING", "there is no such package", {
      path: `$(find ${name.slice(0, 80)})`,
      expected: "a package in the folders given with --packages",
      found: "none",
    });
  }

  #argumentValue(name: string): string {
    const value = this.#arguments.get(name);
    if (value === undefined)
      throw xacroError("an argument has no value: give it with --arg", `--arg ${name}=…`, "none");
    return value;
  }
}

function literal(value: XacroValue): XacroValue {
  return typeof value === "string" ? literalOf(value) : value;
}

function required(element: XacroElement, attribute: string): string {
  const value = element.attributes.get(attribute);
  if (value === undefined) throw xacroError(`<${element.name}> lacks an attribute`, attribute, "none");
  return value;
}

function deeper(place: Place): Place {
  if (place.depth >= maxCalls) throw tooLarge(`macros and includes at most ${maxCalls} deep`);
  return { ...place, depth: place.depth + 1 };
}

function tooLarge(expected: string): FlycatcherError {
  return new FlycatcherError("FLY_XACRO_TOO_LARGE", "the file expands without end", { expected, found: "more" });
}

function parseDocument(text: string, file: string): XacroElement {
  const path = file.slice(0, 200);
  try {
    const document = parseXml(text, { preserveDocumentType: true });
    if (document.children.some((node) => node instanceof XmlDocumentType) || document.root === null) {
      throw new FlycatcherError("FLY_URDF_DOCTYPE", "a xacro file has a document type or no element", { path });
    }
    return nodeOf(document.root);
  } catch (cause) {
    if (cause instanceof XmlError) {
      const reason = cause.message.split("\n", 1)[0]!.slice(0, 80);
      throw new FlycatcherError("FLY_URDF_MALFORMED", `not well-formed: ${reason}`, { path }, { cause });
    }
    if (cause instanceof RangeError)
      throw new FlycatcherError("FLY_URDF_TOO_LARGE", "nested too deeply", { path }, { cause });
    throw cause;
  }
}
