import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { packageVersion } from "../runtime/package-root.js";
import { ProblemSchema, problemMediaType } from "./problem.js";
import type { ServiceInstance } from "./service-types.js";

/**
 * OpenAPI 3.1, generated from the schemas of the routes, at `/openapi.json`, and browsable at `/docs`. A schema with a
 * `title` is a component of that name. `npm run docs` makes the client in `src/client/` of it.
 */
export async function installOpenApi(app: ServiceInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (route.schema === undefined || route.schema.hide) return;
    const problem = { description: "An error.", content: { [problemMediaType]: { schema: ProblemSchema } } };
    route.schema.response = { ...(route.schema.response as object | undefined), default: problem };
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Flycatcher",
        version: packageVersion,
        description: "Where, when and in which configuration a robot arm catches a thrown ball, with the joint motion.",
        license: { name: "MIT", identifier: "MIT" },
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{}, { token: [] }],
    },
    transformObject: (document) =>
      "openapiObject" in document ? named(document.openapiObject) : document.swaggerObject,
  });
  await app.register(swaggerUi, { routePrefix: "/docs", staticCSP: true, theme: { title: "Flycatcher API" } });
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The document with each titled schema once, in `components`, and references to it in its places. */
function named<D extends { readonly paths?: unknown; readonly components?: { readonly schemas?: unknown } }>(
  document: D,
): D {
  const components = new NamedSchemas();
  const paths = components.collect(document.paths as Json);
  return { ...document, paths, components: { ...document.components, schemas: components.schemas } };
}

/** Takes schemas with a title out of a document. */
class NamedSchemas {
  readonly #schemas = new Map<string, JsonObject>();

  /** By name, in the order of the alphabet. */
  get schemas(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** The same with references in place of titled schemas. */
  collect(value: Json): Json {
    if (Array.isArray(value)) return value.map((entry) => this.collect(entry));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, entry]) => [key, this.collect(entry)] as const);
    const schema: JsonObject = Object.fromEntries(entries);
    if (typeof schema.title !== "string") return schema;
    return this.#add(schema.title, schema);
  }

  #add(name: string, { title: _, ...schema }: JsonObject): JsonObject {
    const known = this.#schemas.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are called ${name}`);
    }
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}
