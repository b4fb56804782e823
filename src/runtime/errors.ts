/**
 * Every error a user can meet, in one place: its code, what it means, what to do about it, and the HTTP status it maps
 * to. `docs/errors.md` is generated from this table and a test keeps the two equal.
 */
export const errorCatalogue = {
  FLY_INTERNAL: {
    meaning: "Something failed that Flycatcher has no better name for.",
    remedy: "Report it with the log around it; it is a bug.",
    httpStatus: 500,
  },
  FLY_FILE_UNREADABLE: {
    meaning: "A file that was asked for cannot be read.",
    remedy: "Check the path and its permissions.",
    httpStatus: 404,
  },
  FLY_JSON_MALFORMED: {
    meaning: "A file or request body that should be JSON is not.",
    remedy: "Mend the JSON at the position given.",
    httpStatus: 400,
  },
} as const satisfies Record<string, ErrorEntry>;

export interface ErrorEntry {
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what the user can do. */
  readonly remedy: string;
  readonly httpStatus: number;
}

export type ErrorCode = keyof typeof errorCatalogue;

/** Where and how an input differs from what was asked for. */
export interface ErrorDetails {
  /** JSON pointer, XML element or file the error is about. */
  readonly path?: string;
  readonly expected?: string;
  readonly found?: string;
}

/** An error with a documented code. Thrown at construction and at boundaries only, never in a loop. */
export class FlycatcherError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(describe(message, details), options);
    this.name = "FlycatcherError";
    this.code = code;
    this.details = details;
  }

  get remedy(): string {
    return errorCatalogue[this.code].remedy;
  }

  get httpStatus(): number {
    return errorCatalogue[this.code].httpStatus;
  }
}

function describe(message: string, { path, expected, found }: ErrorDetails): string {
  const where = path === undefined ? "" : ` at ${path}`;
  const what = expected === undefined ? "" : `: expected ${expected}${found === undefined ? "" : `, found ${found}`}`;
  return `${message}${where}${what}`;
}
