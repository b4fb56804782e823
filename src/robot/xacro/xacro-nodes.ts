import { XmlElement, type XmlNode, XmlText } from "@rgrove/parse-xml";
import { escapeXml } from "../urdf/urdf-xml.js";

/** An element or a text, as read and as written: attributes in order, comments left out. */
export type XacroNode = XacroElement | string;

export interface XacroElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XacroNode[];
}

/** Deepest nesting of elements. */
const maxDepth = 200;

export function nodeOf(xml: XmlElement, depth = 0): XacroElement {
  if (depth > maxDepth) throw new RangeError("nested too deeply");
  return {
    name: xml.name,
    attributes: new Map(Object.entries(xml.attributes)),
    children: xml.children.flatMap((child: XmlNode): XacroNode[] => {
      if (child instanceof XmlElement) return [nodeOf(child, depth + 1)];
      // Only what stands in texts matters (gazebo plugins); blank lines between elements do not.
      return child instanceof XmlText && child.text.trim() !== "" ? [child.text] : [];
    }),
  };
}

export function formatXml(node: XacroNode, indent = ""): string {
  if (typeof node === "string") return `${indent}${escapeXml(node.trim())}\n`;
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join("");
  if (node.children.length === 0) return `${indent}<${node.name}${attributes}/>\n`;
  const inside = node.children.map((child) => formatXml(child, `${indent}  `)).join("");
  return `${indent}<${node.name}${attributes}>\n${inside}${indent}</${node.name}>\n`;
}
