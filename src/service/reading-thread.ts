import type { ErrorCode } from "../runtime/error-catalogue.js";
import { type ErrorDetails, FlycatcherError } from "../runtime/errors.js";
import { SchemaError, type SchemaProblem } from "../runtime/schema-problems.js";
import { postToParent, workerDone, workerReady } from "../transport/workers/worker-context.js";

/** What a thread answers that reads something which may be anything. */
export type ReadAnswer<Result> = { readonly kind: "read"; readonly result: Result } | Refusal;

/** A coded error as plain data. */
interface Refusal {
  readonly kind: "refused";
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
  /** Of an error that has several. */
  readonly problems: readonly SchemaProblem[];
}

/** In a thread of its own: reads, answers with what was read or why it is refused, and ends. */
export async function answerByReading<Result>(read: () => Result | Promise<Result>): Promise<void> {
  workerReady();
  postToParent(await answerOf(read));
  workerDone();
}

async function answerOf<Result>(read: () => Result | Promise<Result>): Promise<ReadAnswer<Result>> {
  try {
    return { kind: "read", result: await read() };
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    const { code, message, details } = error;
    const problems = error instanceof SchemaError ? error.problems : [];
    return { kind: "refused", code, message, details: { ...details }, problems: [...problems] };
  }
}

/** The error of a refusal: its message tells the details already. */
export class RefusedReading extends FlycatcherError {
  override readonly details: ErrorDetails;

  constructor({ code, message, details }: Refusal) {
    super(code, message);
    this.details = details;
  }
}

export function errorOf(refusal: Refusal): FlycatcherError {
  const { code, problems } = refusal;
  return problems.length > 0 ? new SchemaError(code, "The request is wrong", problems) : new RefusedReading(refusal);
}
