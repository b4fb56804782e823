import Type, { type Static } from "typebox";
import { defined } from "../runtime/defined.js";
import { errorCatalogue } from "../runtime/error-catalogue.js";
import { FlycatcherError } from "../runtime/errors.js";
import { problemLimit, SchemaError, type SchemaProblem } from "../runtime/schema-problems.js";

/** RFC 9457: how every error leaves the service. */
export const problemMediaType = "application/problem+json";

/** Where the service explains its error codes; the fragment is the code. */
export const errorPagePath = "/errors";

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: "Where the code is explained, relative to the service." }),
    title: Type.String({ description: "What the code means." }),
    status: Type.Integer({ description: "HTTP status." }),
    detail: Type.String({ description: "What happened this time." }),
    code: Type.String({ description: "Code of the error, as in docs/errors.md." }),
    remedy: Type.String({ description: "What to do about it." }),
    requestId: Type.Optional(Type.String({ description: "Names the request in the service's log." })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: "JSON pointer of the field, as a URI fragment (RFC 6901)." }),
          in: Type.Optional(Type.String({ description: "Part of the request: body, querystring, params, headers." })),
          expected: Type.Optional(Type.String()),
          found: Type.Optional(Type.String()),
        }),
        { maxItems: problemLimit, description: "The fields that are wrong." },
      ),
    ),
  },
  { title: "Problem", description: "A problem document (RFC 9457)." },
);

export type Problem = Static<typeof ProblemSchema>;
type FieldError = NonNullable<Problem["errors"]>[number];

export function problemOf(error: FlycatcherError, requestId?: string): Problem {
  const { meaning, remedy, httpStatus } = errorCatalogue[error.code];
  return defined({
    type: `${errorPagePath}#${error.code}`,
    title: meaning,
    status: httpStatus,
    detail: error.message,
    code: error.code,
    remedy,
    requestId,
    errors: fieldErrors(error),
  });
}

function fieldErrors(error: FlycatcherError): FieldError[] | undefined {
  if (error instanceof SchemaError) return error.problems.map(fieldError);
  const { path } = error.details;
  return path === undefined || namesFile(error) ? undefined : [fieldError({ ...error.details, path })];
}

/** Whether an error's path is that of a file or of something in the service, not a JSON pointer into the request. */
function namesFile({ code, httpStatus }: FlycatcherError): boolean {
  return httpStatus >= 500 || code.startsWith("FLY_FILE_") || code === "FLY_JSON_MALFORMED";
}

function fieldError({ path, expected, found, source }: Partial<SchemaProblem> & { path: string }): FieldError {
  const pointer = `#${path.split("/").map(encodeURIComponent).join("/")}`;
  return defined({ pointer, in: source, expected, found });
}

/** Fastify's own refusals, in Flycatcher's codes. */
const fastifyCodes: Readonly<Record<string, "FLY_HTTP_BODY_TOO_LARGE" | "FLY_HTTP_MEDIA_TYPE" | "FLY_JSON_MALFORMED">> =
  {
    FST_ERR_CTP_BODY_TOO_LARGE: "FLY_HTTP_BODY_TOO_LARGE",
    FST_ERR_CTP_INVALID_MEDIA_TYPE: "FLY_HTTP_MEDIA_TYPE",
    FST_ERR_CTP_EMPTY_JSON_BODY: "FLY_JSON_MALFORMED",
    FST_ERR_CTP_INVALID_JSON_BODY: "FLY_JSON_MALFORMED",
  };

/** Whatever was thrown, as an error with a code; an unforeseen one keeps its details from the client. */
export function codedError(thrown: unknown): FlycatcherError {
  if (thrown instanceof FlycatcherError) return thrown;
  const { code = "", statusCode = 500, message } = thrown as { code?: string; statusCode?: number; message: string };
  const known = fastifyCodes[code];
  if (known !== undefined) return new FlycatcherError(known, message, {}, { cause: thrown });
  if (statusCode >= 400 && statusCode < 500) {
    return new FlycatcherError("FLY_HTTP_MALFORMED", message, {}, { cause: thrown });
  }
  return new FlycatcherError("FLY_INTERNAL", "The service failed; its log has the details", {}, { cause: thrown });
}
