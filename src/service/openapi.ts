import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { packageVersion } from "../runtime/package-root.js";
import { ProblemSchema, problemMediaType } from "./problem.js";
import type { ServiceInstance } from "./service-types.js";

/** OpenAPI 3.1, generated from the schemas of the routes, at `/openapi.json`, and browsable at `/docs`. */
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
  });
  await app.register(swaggerUi, { routePrefix: "/docs", staticCSP: true, theme: { title: "Flycatcher API" } });
  app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
}
