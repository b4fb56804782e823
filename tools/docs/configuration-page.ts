import { configSchema } from "../../src/runtime/config-schema.js";
import { listProfiles, loadProfileChain, type Profile } from "../../src/runtime/profile.js";
import { describeRange, type JsonSchema } from "../../src/runtime/schema-words.js";

const opening = `# Configuration

<!-- Written by \`npm run docs\` from src/runtime/config-schema.ts and data/profiles/; edit those. -->

A **profile** names the robot, the parts that run, and their parameters. It may extend others: objects are merged, values
and lists replaced, \`parts\` added up, and each profile counts once, parents first. On top of a profile come the settings
of the command line:

\`\`\`sh
npx flycatcher config show --profile serve --set planning.mode=cool --set service.port=9000
\`\`\`

Your own profile is a JSON file, given by its path (\`--profile my-lab.json\`):

\`\`\`json
{
  "description": "Our table, seen from the lab network.",
  "extends": "tabletop",
  "parameters": { "planning": { "mode": "sure", "budgetMs": 40 } }
}
\`\`\`

An unknown key or a value out of range is refused with its path, what was expected and what was found, all at once.
`;

/** The page `docs/configuration.md`. */
export function renderConfigurationDocs(): string {
  const properties = Object.entries(configSchema.properties) as [string, JsonSchema][];
  const sections = properties.filter(([, schema]) => schema.type === "object");
  const loose = properties.filter(([, schema]) => schema.type !== "object");
  const pages = [
    opening,
    renderProfiles(),
    `## Robot and parts\n\n${renderTable("", loose)}`,
    ...sections.map(
      ([name, schema]) =>
        `## \`${name}\`\n\n${schema.description}\n\n${renderTable(`${name}.`, Object.entries(schema.properties ?? {}))}`,
    ),
  ];
  return `${pages.map((page) => page.trim()).join("\n\n")}\n`;
}

function renderProfiles(): string {
  const rows = listProfiles().map((name) => {
    const profile = loadProfileChain([name]).profiles.at(-1) as Profile;
    const parents = profile.extends.map((parent) => `\`${parent}\``).join(", ") || "–";
    return `| \`${name}\` | ${parents} | ${profile.description} |`;
  });
  return ["## Profiles that are shipped", "", "| profile | extends | what for |", "|---|---|---|", ...rows].join("\n");
}

function renderTable(prefix: string, entries: readonly (readonly [string, JsonSchema])[]): string {
  const rows = entries.map(([key, schema]) => {
    const cells = [`\`${prefix}${key}\``, renderDefault(schema), renderRange(schema), schema.unit || "–"];
    return `| ${[...cells, schema.description].join(" | ")} |`;
  });
  return ["| key | default | range | unit | meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

function renderDefault({ default: value }: JsonSchema): string {
  return value === "" ? "empty" : Array.isArray(value) && value.length === 0 ? "none" : `\`${String(value)}\``;
}

function renderRange(schema: JsonSchema): string {
  const choices = schema.enum ?? schema.items?.enum;
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  return schema.type === "string" ? "text" : describeRange(schema);
}
