/** A JSON schema of the service's OpenAPI description, as far as its routes use the language. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly anyOf?: readonly ApiSchema[];
  readonly items?: ApiSchema;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ApiSchema;
}

/** The declaration of a named schema: an interface, or another name for a type that is no object. */
export function declarationOf(name: string, schema: ApiSchema): string {
  const comment = commentOf(schema.description);
  if (schema.properties === undefined) return `${comment}export type ${name} = ${typeOf(schema)};\n`;
  return `${comment}export interface ${name} ${typeOf(schema)}\n`;
}

/** A schema as a TypeScript type. What a schema says of ranges and lengths is not part of it. */
export function typeOf(schema: ApiSchema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.type === "array") return listOf(typeOf(schema.items ?? {}));
  if (schema.type === "object") return objectType(schema);
  if (schema.type === "integer") return "number";
  return schema.type ?? "unknown";
}

function listOf(entries: string): string {
  return /^\w+(\[\])*$/.test(entries) ? `${entries}[]` : `Array<${entries}>`;
}

/** The name in a reference to a component. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** A comment of the lines; empty without any. */
export function commentOf(...texts: readonly (string | undefined)[]): string {
  const lines = texts.filter((text) => text !== undefined).flatMap((text) => wrap(text.replaceAll("*/", "*\\/")));
  if (lines.length === 0) return "";
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

function objectType({ properties, required = [], additionalProperties }: ApiSchema): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${commentOf(schema.description)}${key}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};\n`;
  });
  return `{\n${fields.join("")}}`;
}

const COLUMNS = 110;

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
