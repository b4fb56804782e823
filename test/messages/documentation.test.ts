import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Field, Fields } from "../../src/channels/field.js";
import { packetTypes } from "../../src/messages/catalogue.js";
import { maxCircles, maxJoints, maxNameBytes, maxSentenceBytes } from "../../src/messages/parts.js";
import { packageRoot } from "../../src/runtime/package-root.js";

const page = readFileSync(join(packageRoot, "docs", "channels.md"), "utf8");

describe("docs/channels.md", () => {
  it("lists every packet with its version and size", () => {
    const rows = [...page.matchAll(/^\| (\w+) \| (\d+) \| (\d+) \|$/gm)].map(([, name, version, bytes]) => ({
      name,
      version: Number(version),
      bytes: Number(bytes),
    }));
    expect(rows).toEqual(packetTypes.map(({ name, version, byteLength }) => ({ name, version, bytes: byteLength })));
  });

  it("tells the room there is", () => {
    expect(page).toContain(
      `There is room for ${maxJoints} degrees of freedom, ${maxCircles} circles an image, names of ${maxNameBytes} and sentences of ${maxSentenceBytes} bytes.`,
    );
  });
});

describe("the descriptions of the packets", () => {
  it("tell what every field is, unless its name says it all", () => {
    const plain = ["id", "t", "camera", "hand", "mode", "status", "severity", "health", "action", "verdict"];
    const silent = packetTypes.flatMap((type) => undescribed(type.fields, type.name));
    const allowed = [...plain, "component", "secondBody", "isGiven", "circles"];
    expect(silent.filter((path) => !allowed.includes(path.split("/").at(-1)!))).toEqual([]);
  });
});

function undescribed(fields: Fields, path: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.description === undefined && field.kind !== "struct" ? [`${path}/${name}`] : []),
    ...inner(field, `${path}/${name}`),
  ]);
}

function inner(field: Field, path: string): string[] {
  if (field.kind === "struct") return undescribed(field.fields, path);
  if (field.kind === "list") return inner(field.element, path);
  return [];
}
