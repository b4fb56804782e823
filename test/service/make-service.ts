import type { LightMyRequestResponse } from "fastify";
import Type from "typebox";
import { expect } from "vitest";
import { resolveConfig } from "../../src/runtime/config.js";
import type { ErrorCode } from "../../src/runtime/error-catalogue.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { createLogger } from "../../src/runtime/logger.js";
import type { Problem } from "../../src/service/problem.js";
import { allResources, type ServiceOptions } from "../../src/service/service.js";
import type { Resource } from "../../src/service/service-types.js";

/** A route with a body, for the tests of what happens to bodies, and routes that fail. */
export const trialRoutes: Resource = {
  name: "trial",
  register(app) {
    const body = Type.Object(
      {
        robot: Type.String(),
        start: Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }),
        any: Type.Optional(Type.Unknown()),
      },
      { additionalProperties: false },
    );
    const querystring = Type.Object({ rate: Type.Optional(Type.Integer({ minimum: 1 })) });
    app.post("/trial", { schema: { body, querystring } }, ({ body, query }) => ({ ...body, rate: query.rate ?? null }));
    app.get("/trial/bug", () => {
      throw new TypeError("secret inside");
    });
    app.get("/trial/field", () => {
      throw new FlycatcherError("FLY_ROBOT_UNKNOWN", "No", { path: "/robot/a b", expected: "x", found: "y" });
    });
    app.get("/trial/file", () => {
      throw new FlycatcherError("FLY_FILE_UNREADABLE", "No", { path: "/etc/passwd" });
    });
  },
};

/** Options of a quiet service on any free port, with the shipped resources and the trial routes. */
export function serviceOptions(...overrides: string[]): ServiceOptions {
  const quiet = ["service.port=0", "log.level=silent", "planning.execution=inline"];
  const config = resolveConfig({ profile: "serve", overrides: [...quiet, ...overrides] });
  return { config, logger: createLogger(config.log), resources: [...allResources, trialRoutes] };
}

/** Checks that an answer is the problem document of a code, whole, and returns it. */
export function expectProblem(response: LightMyRequestResponse, code: ErrorCode, status: number): Problem {
  expect(response.headers["content-type"]).toBe("application/problem+json");
  expect(response.statusCode).toBe(status);
  const problem = response.json<Problem>();
  expect(problem).toMatchObject({ type: `/errors#${code}`, code, status });
  for (const text of [problem.title, problem.detail, problem.remedy]) expect(text).not.toBe("");
  return problem;
}
