import { OverlaySchema } from "../../src/robot/sidecar/overlay-schema.js";
import { SidecarSchema } from "../../src/robot/sidecar/sidecar-schema.js";
import { describeSchema, type JsonSchema } from "../../src/runtime/schema-words.js";

const opening = `# The fields of a robot's sidecar

<!-- Written by \`npm run docs\` from src/robot/sidecar/sidecar-schema.ts and its neighbours; edit those. -->

SI units, radians, seconds. \`[]\` stands for each entry of a list, \`*\` for a name. Unknown keys are refused.
[robots.md](robots.md) shows how the fields are used.
`;

/** The page `docs/robot-fields.md`: every key of `robot.json` and of the overlays. */
export function renderRobotFieldDocs(): string {
  const pages = [
    opening,
    `## \`robot.json\`\n\n${renderTable(SidecarSchema)}`,
    `## \`calibration.json\`, and a truth\n\n${renderTable(OverlaySchema)}`,
  ];
  return `${pages.map((page) => page.trim()).join("\n\n")}\n`;
}

/** One documented key: its path in the file, its schema, and whether it must be there. */
export interface SchemaField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly presence: "required" | "optional";
}

/** Every key of a schema, depth first; branches of a union share the keys they have in common. */
export function listFields(schema: object, prefix = ""): SchemaField[] {
  const node = schema as ObjectSchema;
  if (node.anyOf !== undefined) return distinct(node.anyOf.flatMap((branch) => listFields(branch, prefix)));
  if (node.type === "array" && node.items !== undefined && !Array.isArray(node.items)) {
    return listFields(node.items, `${prefix}[]`);
  }
  const named = Object.values(node.patternProperties ?? {}).flatMap((value) => listFields(value, below(prefix, "*")));
  const keys = Object.entries(node.properties ?? {}).flatMap(([key, value]) => {
    const path = below(prefix, key);
    const presence = node.required?.includes(key) ? ("required" as const) : ("optional" as const);
    return [{ path, schema: value, presence }, ...listFields(value, path)];
  });
  return [...keys, ...named];
}

interface ObjectSchema extends JsonSchema {
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
}

function below(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}.${key}`;
}

/** Keys that several branches of a union have stand once, and the values they allow are joined. */
function distinct(fields: readonly SchemaField[]): SchemaField[] {
  const byPath = new Map<string, SchemaField[]>();
  for (const field of fields) byPath.set(field.path, [...(byPath.get(field.path) ?? []), field]);
  return [...byPath.values()].map((same) => {
    const first = same[0]!;
    const choices = same.flatMap(({ schema }) => (schema.const === undefined ? [] : [schema]));
    if (choices.length < 2) return first;
    return { ...first, schema: { anyOf: choices, description: "Which shape it is; the other keys follow from it." } };
  });
}

function renderTable(schema: object): string {
  const rows = listFields(schema).map(({ path, schema: field, presence }) => {
    const value = presence === "required" ? describeValueOf(field) : `${describeValueOf(field)}; optional`;
    return `| \`${path}\` | ${value.replaceAll("|", "\\|")} | ${field.description ?? ""} |`;
  });
  return ["| key | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

function describeValueOf(schema: JsonSchema | undefined): string {
  const node: ObjectSchema = schema ?? {};
  if (node.patternProperties !== undefined) return `by name, each ${describeValueOf(first(node.patternProperties))}`;
  if (Array.isArray(node.items))
    return `${node.items.length} ${node.items[0]?.type === "string" ? "names" : "numbers"}`;
  if (node.type === "array") return `a list, each ${describeValueOf(node.items)}`;
  if (node.type === "string") return node.minLength === undefined ? "a text" : "a name";
  if (node.anyOf?.some((branch) => branch.type === "object")) return "an object";
  return describeSchema(node).replace("a finite number", "a number").replace(String(Math.PI), "π");
}

function first(entries: Readonly<Record<string, JsonSchema>>): JsonSchema | undefined {
  return Object.values(entries)[0];
}
