import { FlycatcherError } from "../../../src/runtime/errors.js";

/**
 * What came of many damaged inputs: "ok", or the code of the error. Anything else that is thrown ends the test, with the
 * input in its message.
 */
export class Outcomes {
  readonly #counts = new Map<string, number>();

  /** Runs `act`; false where it throws a coded error. `describe` gives the input for the message of any other. */
  note(act: () => void, describe: () => string): boolean {
    let outcome = "ok";
    try {
      act();
    } catch (error) {
      outcome = codeOf(error, describe);
    }
    this.#counts.set(outcome, this.of(outcome) + 1);
    return outcome === "ok";
  }

  of(outcome: string): number {
    return this.#counts.get(outcome) ?? 0;
  }

  /** How many different outcomes there were: few of them say that the mutations do not reach far into the reader. */
  get kinds(): number {
    return this.#counts.size;
  }
}

function codeOf(error: unknown, describe: () => string): string {
  if (error instanceof FlycatcherError && error.code !== "FLY_INTERNAL") return error.code;
  throw new Error(`no coded error for: ${describe()}`, { cause: error });
}
