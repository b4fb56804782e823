import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type ApiDocument, type ApiOperation, readApiDocument } from "./api-document.js";
import { type ApiSchema, commentOf, declarationOf, typeOf } from "./schema-types.js";

const note = "// Written by `npm run docs` from the routes of src/service/; edit those.\n\n";

/** `src/client/schemas.ts`: a type for each named schema. */
export async function renderSchemas(): Promise<string> {
  const { components } = await readApiDocument();
  const declarations = Object.entries(components.schemas).map(([name, schema]) => declarationOf(name, schema));
  return formatted("src/client/schemas.ts", note + declarations.join("\n"));
}

/** `src/client/client.ts`: a class with a method for each operation. */
export async function renderClient(): Promise<string> {
  const document = await readApiDocument();
  const methods = operationsOf(document).map(methodOf);
  const names = Object.keys(document.components.schemas).filter((name) =>
    methods.some((method) => new RegExp(`[<( |]${name}[>)\\[;, ]`).test(method)),
  );
  const own = "type CallOptions, HttpClient, type ServiceEvent";
  const text = [
    `import { ${own} } from "./http.js";\nimport type { ${names.join(", ")} } from "./schemas.js";\n`,
    `export { type CallOptions, type ClientOptions, type ServiceEvent, ServiceProblem, type StreamAddress } from "./http.js";`,
    `export type * from "./schemas.js";\n`,
    "/** The service's operations, each as a method. A refusal is thrown as a `ServiceProblem`. */",
    `export class FlycatcherClient extends HttpClient {\n${methods.join("\n")}}\n`,
  ];
  return formatted("src/client/client.ts", note + text.join("\n"));
}

interface NamedOperation extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

/** The operations in the order of their names. */
function operationsOf({ paths }: ApiDocument): NamedOperation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  return all.sort((one, other) => (one.operationId < other.operationId ? -1 : 1));
}

function methodOf(operation: NamedOperation): string {
  const { operationId, method, path, summary, description, parameters = [], requestBody } = operation;
  const [mediaType, schema] = answerOf(operation);
  const comment = commentOf(`${summary} (\`${method} ${path}\`).`, description);
  const place = path.includes("{") ? `\`${path.replaceAll(/\{(\w+)\}/g, encodedParameter)}\`` : `"${path}"`;
  const given = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => `${name}: string`);
  const [bodyParameter, bodyField] = bodyOf(requestBody);
  const all = [...given, ...bodyParameter, "options?: CallOptions"].join(", ");
  const [reader, result] = readers[mediaType](schema);
  const call = [
    `method: "${method}"`,
    `path: ${place}`,
    `accept: "${mediaType === "" ? "*/*" : mediaType}"`,
    ...bodyField,
    "options",
  ];
  return `${comment}${operationId}(${all}): ${result} { return this.${reader}({ ${call.join(", ")} }); }\n`;
}

function encodedParameter(_: string, name: string): string {
  return `\${encodeURIComponent(${name})}`;
}

/** How an answer of each media type is read, and what a method gives then. */
const readers = {
  "": () => ["nothing", "Promise<void>"],
  "application/json": (schema: ApiSchema) => ["json", `Promise<${typeOf(schema)}>`],
  "application/octet-stream": () => ["bytes", "Promise<Uint8Array>"],
  "application/x-ndjson": (schema: ApiSchema) => ["lines", `AsyncGenerator<${typeOf(schema)}, void, undefined>`],
  "text/event-stream": (schema: ApiSchema) => [
    "events",
    `AsyncGenerator<ServiceEvent<${typeOf(schema)}>, void, undefined>`,
  ],
  "text/html": () => ["text", "Promise<string>"],
  "text/plain": () => ["text", "Promise<string>"],
} satisfies Record<string, (schema: ApiSchema) => string[]>;

/** Media type and schema of a success; "" without content. */
function answerOf({ operationId, responses }: NamedOperation): [keyof typeof readers, ApiSchema] {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const [entry] = Object.entries(success?.content ?? {});
  if (entry === undefined) return ["", {}];
  const [mediaType, { schema }] = entry;
  if (mediaType in readers) return [mediaType as keyof typeof readers, schema];
  throw new Error(`the client cannot read the answer of ${operationId}: ${mediaType}`);
}

/** The parameter with the body, and the field of the call that sends it. */
function bodyOf(requestBody: ApiOperation["requestBody"]): [string[], string[]] {
  const [entry] = Object.entries(requestBody?.content ?? {});
  if (entry === undefined) return [[], []];
  const [mediaType, { schema }] = entry;
  if (mediaType === "application/json") return [[`body: ${typeOf(schema)}`], ["body"]];
  return [["bytes: Uint8Array"], ["bytes"]];
}

/** As `npm run format` leaves it. */
function formatted(path: string, text: string): string {
  const biome = join(packageRoot, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [biome, "check", "--write", `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, args, { cwd: packageRoot, input: text, encoding: "utf8" });
}
