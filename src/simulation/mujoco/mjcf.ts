import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import * as quat from "../../math/quat.js";

/** Value of an attribute; an absent one is left out. */
export type MjcfValue = string | number | boolean | ArrayLike<number> | undefined;

/** An element of a MuJoCo XML file. Numbers are written with all their digits, so that nothing is lost on the way. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, MjcfValue>> = {},
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${attributeText(value)}"`],
  );
  const opening = `<${tag}${written.join("")}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>\n${children.join("\n")}\n</${tag}>`;
}

function attributeText(value: NonNullable<MjcfValue>): string {
  if (typeof value === "string") return escapeXml(value);
  return typeof value === "object" ? Array.from(value).join(" ") : String(value);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** A pose as MuJoCo writes it: position, and quaternion with w first. */
export function placement(parentFromChild: Pose): { readonly pos: number[]; readonly quat: number[] } {
  const [x, y, z, w] = pose.toQuat(parentFromChild, quat.create());
  return { pos: [parentFromChild[9], parentFromChild[10], parentFromChild[11]], quat: [w!, x!, y!, z!] };
}
