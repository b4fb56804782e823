import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Convert } from "typebox/value";
import { findProblems, SchemaError } from "../runtime/schema-problems.js";

const partNames: Readonly<Record<string, string>> = {
  body: "body",
  querystring: "query",
  params: "path",
  headers: "header",
};

/**
 * Checks requests with TypeBox's own compiler, not with Fastify's Ajv, which by default would coerce "3" to 3 and drop
 * unknown keys from a body. Only texts by nature (path, query, headers) are converted to what the schema asks for.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "body" }) => {
  const validator = Compile(schema);
  return (value: unknown) => {
    const candidate = httpPart === "body" ? value : Convert(schema, value);
    if (validator.Check(candidate)) return { value: candidate };
    const problems = findProblems(schema, candidate).map((problem) => ({
      ...problem,
      source: partNames[httpPart] ?? "",
    }));
    return { error: new SchemaError("FLY_HTTP_REQUEST_INVALID", "The request is wrong", problems) };
  };
};
