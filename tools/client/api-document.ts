import { resolveConfig } from "../../src/runtime/config.js";
import { createLogger } from "../../src/runtime/logger.js";
import { createService } from "../../src/service/service.js";
import type { ApiSchema } from "./schema-types.js";

/** Contents of a request or an answer by media type. */
export interface ApiContent {
  readonly content?: Readonly<Record<string, { readonly schema: ApiSchema }>>;
}

/** One operation of the service: a method of a path. */
export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: ApiContent;
  readonly responses: Readonly<Record<string, ApiContent>>;
}

/** The service's OpenAPI description, as far as a client is made of it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> };
}

let document: Promise<ApiDocument> | undefined;

/** What `GET /openapi.json` answers, from a service that does not listen. */
export function readApiDocument(): Promise<ApiDocument> {
  document ??= describeService();
  return document;
}

async function describeService(): Promise<ApiDocument> {
  const overrides = ["service.port=0", "log.level=silent", "planning.execution=inline"];
  const config = resolveConfig({ profile: "serve", overrides });
  const service = await createService({ config, logger: createLogger(config.log) });
  try {
    return service.swagger() as unknown as ApiDocument;
  } finally {
    await service.close();
  }
}
