import { parseXml, XmlDocumentType, XmlElement, XmlError } from "@rgrove/parse-xml";
import { FlycatcherError } from "../../runtime/errors.js";
import type { UrdfRepair, UrdfVector } from "./urdf-document.js";

/**
 * Longest URDF that is read [characters]. The largest in common use are about 0.3 MB; a parser that is linear takes
 * half a second for this one.
 */
export const maxUrdfLength = 4 * 2 ** 20;

/** Longest attribute value that is read: names, file names and rows of numbers are far shorter. */
const maxAttributeLength = 2000;

/** Longest decimal number that is read: 17 digits, sign, point and exponent need 25. */
const maxNumberLength = 64;

/** Largest number that is read: far beyond any robot, and products of a few such numbers do not overflow. */
const maxMagnitude = 1e50;

/** Every alternative begins differently, so that matching takes linear time. */
const decimalNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** An XML element with the path by which messages name it, such as `robot/link[arm]/inertial`. */
export interface Element {
  readonly xml: XmlElement;
  readonly path: string;
  /** Where `repaired` notes what was repaired in the whole document. */
  readonly repairs: UrdfRepair[];
}

/** Notes a harmless flaw, and what is used instead. */
export function repaired({ path, repairs }: Pick<Element, "path" | "repairs">, sentence: string): void {
  if (repairs.length < maxRepairs) repairs.push({ path, sentence });
}

/** Most repairs that are noted; a file with more is no better known by them. */
const maxRepairs = 1000;

/** The outermost element. Document types are refused, so that no entity can ever be declared or expanded. */
export function parseRootElement(text: string): Element {
  if (text.length > maxUrdfLength) {
    throw new FlycatcherError("FLY_URDF_TOO_LARGE", "URDF is too long", {
      expected: `at most ${maxUrdfLength} characters`,
      found: String(text.length),
    });
  }
  const repairs: UrdfRepair[] = [];
  const document = parseDocument(withoutOddities(text, repairs));
  if (document.children.some((node) => node instanceof XmlDocumentType)) throw doctypeError();
  const root = document.root;
  if (root === null || root.name !== "robot") {
    throw new FlycatcherError("FLY_URDF_NOT_A_ROBOT", "not a URDF", {
      expected: "<robot> as the outermost element",
      found: root === null ? "none" : `<${clip(root.name)}>`,
    });
  }
  return { xml: root, path: "robot", repairs };
}

/** An XML declaration, at the start of the file or where exporters put it behind a comment. */
const declaration = /<\?xml\s[^?<>]{0,200}\?>/g;

/** The text without NUL characters at its end and without declarations that are out of place or of an unknown version. */
function withoutOddities(text: string, repairs: UrdfRepair[]): string {
  const end = trailingNuls(text);
  const found = [...text.slice(0, end).matchAll(declaration)];
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const isSound =
    found.length === 0 || (found.length === 1 && found[0]!.index === start && /\b1\.\d+\b/.test(found[0]![0]));
  if (isSound && end === text.length) return text;
  repaired({ path: "robot", repairs }, "The file has an odd XML declaration or NUL characters at its end: left out.");
  return text.slice(0, end).replace(declaration, (match) => " ".repeat(match.length));
}

function trailingNuls(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return end;
}

function parseDocument(text: string) {
  try {
    return parseXml(text, { preserveDocumentType: true });
  } catch (error) {
    // A document type that declares entities fails at their first use: name the cause, not the symptom.
    if (text.includes("<!DOCTYPE")) throw doctypeError();
    if (error instanceof XmlError) throw malformedError(error);
    // The parser descends recursively, so nesting too deep for the stack ends as a RangeError.
    if (error instanceof RangeError) {
      throw new FlycatcherError("FLY_URDF_TOO_LARGE", "URDF is nested too deeply", {}, { cause: error });
    }
    throw error;
  }
}

function doctypeError(): FlycatcherError {
  return new FlycatcherError("FLY_URDF_DOCTYPE", "URDF has a document type", { expected: "no <!DOCTYPE …>" });
}

function malformedError(error: XmlError): FlycatcherError {
  const reason = clip(error.message.split("\n", 1)[0] ?? "");
  const path = `line ${error.line}, column ${error.column}`;
  return new FlycatcherError("FLY_URDF_MALFORMED", `URDF is not well-formed: ${reason}`, { path }, { cause: error });
}

/** Children of that name, in document order, unnamed in their path. */
export function childElements(parent: Element, tag: string): Element[] {
  const found: Element[] = [];
  for (const node of parent.xml.children) {
    if (node instanceof XmlElement && node.name === tag) {
      found.push({ xml: node, path: `${parent.path}/${tag}`, repairs: parent.repairs });
    }
  }
  return found;
}

/** The first child of any name that is an element. */
export function firstChildElement(parent: Element): Element | undefined {
  for (const node of parent.xml.children) {
    if (node instanceof XmlElement) {
      return { xml: node, path: `${parent.path}/${clip(node.name)}`, repairs: parent.repairs };
    }
  }
  return undefined;
}

export function optionalChild(parent: Element, tag: string): Element | undefined {
  const found = childElements(parent, tag);
  if (found.length > 1) repaired(found[0]!, `It stands ${found.length} times: the first is used, as urdfdom does.`);
  return found[0];
}

export function requiredChild(parent: Element, tag: string): Element {
  const found = optionalChild(parent, tag);
  if (found === undefined) throw missingError(parent, `<${tag}>`);
  return found;
}

/** The element with its `name` in the path: `robot/joint[elbow]`. */
export function named(element: Element): Element & { readonly name: string } {
  const name = requiredText(element, "name");
  return { ...element, path: `${element.path}[${clip(name)}]`, name };
}

/** Refuses an attribute that says where something is or how it moves, in a way that is not understood. */
export function refuseOtherAttributes(element: Element, known: readonly string[]): void {
  for (const attribute of Object.keys(element.xml.attributes)) {
    // Namespaced attributes belong to other programs.
    if (known.includes(attribute) || attribute.includes(":") || attribute === "xmlns") continue;
    throw new FlycatcherError("FLY_URDF_ATTRIBUTE", "attribute is not understood", {
      path: `${element.path}@${clip(attribute)}`,
      expected: `one of ${known.join(", ")}`,
      found: clip(attribute),
    });
  }
}

export function optionalText(element: Element, attribute: string): string | undefined {
  const value = element.xml.attributes[attribute];
  if (value !== undefined && value.length > maxAttributeLength) {
    throw new FlycatcherError("FLY_URDF_TOO_LARGE", "attribute is too long", {
      path: `${element.path}@${attribute}`,
      expected: `at most ${maxAttributeLength} characters`,
      found: String(value.length),
    });
  }
  return value;
}

/** Text of an attribute that must be there and not be empty. */
export function requiredText(element: Element, attribute: string): string {
  const value = optionalText(element, attribute)?.trim();
  if (value === undefined || value === "") throw missingError(element, `attribute ${attribute}`);
  return value;
}

export function optionalNumber(element: Element, attribute: string): number | undefined {
  const text = optionalText(element, attribute);
  return text === undefined ? undefined : parseNumbers(element, attribute, text, 1)[0];
}

export function requiredNumber(element: Element, attribute: string): number {
  return optionalNumber(element, attribute) ?? fail(missingError(element, `attribute ${attribute}`));
}

export function requiredNonNegative(element: Element, attribute: string): number {
  const value = requiredNumber(element, attribute);
  if (value < 0) throw numberError(element, attribute, "a number that is not negative", String(value));
  return value;
}

export function optionalVector(element: Element, attribute: string): UrdfVector | undefined {
  const numbers = optionalNumbers(element, attribute, 3);
  return numbers === undefined ? undefined : [numbers[0]!, numbers[1]!, numbers[2]!];
}

export function optionalNumbers(element: Element, attribute: string, count: number): number[] | undefined {
  const text = optionalText(element, attribute);
  return text === undefined ? undefined : parseNumbers(element, attribute, text, count);
}

function parseNumbers(element: Element, attribute: string, text: string, count: number): number[] {
  const words = text.trim().split(/\s+/);
  const numbers = words.map((word) => parseDecimal(word));
  if (numbers.length !== count || !numbers.every((value) => Math.abs(value) <= maxMagnitude)) {
    const expected = count === 1 ? "a finite number" : `${count} finite numbers`;
    throw numberError(element, attribute, expected, `"${clip(text)}"`);
  }
  return numbers;
}

function parseDecimal(word: string): number {
  return word.length <= maxNumberLength && decimalNumber.test(word) ? Number(word) : Number.NaN;
}

function missingError(element: Element, what: string): FlycatcherError {
  return new FlycatcherError("FLY_URDF_MISSING", `${what} is missing`, { path: element.path });
}

export function numberError(element: Element, attribute: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_URDF_NUMBER", "bad number", {
    path: `${element.path}@${attribute}`,
    expected,
    found,
  });
}

/** Text from a file, short enough for a message. */
export function clip(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}

function fail(error: Error): never {
  throw error;
}

/** Text as it stands in an attribute or between elements. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
