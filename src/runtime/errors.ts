import { type ErrorCode, errorCatalogue } from "./error-catalogue.js";

/** Where and how an input differs from what was asked for. */
export interface ErrorDetails {
  /** JSON pointer, XML element or file the error is about. */
  readonly path?: string;
  readonly expected?: string;
  readonly found?: string;
  /** What was probably meant, as a question: see `didYouMean`. */
  readonly suggestion?: string;
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

function describe(message: string, { path, expected, found, suggestion }: ErrorDetails): string {
  const where = path === undefined ? "" : ` at ${path}`;
  const what = expected === undefined ? "" : `: expected ${expected}${found === undefined ? "" : `, found ${found}`}`;
  return `${message}${where}${what}${suggestion ? `. ${suggestion}` : ""}`;
}
