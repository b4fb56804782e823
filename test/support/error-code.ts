import { FlycatcherError } from "../../src/runtime/errors.js";

/** The code of the error that `act` throws; undefined if it throws none. */
export function errorCode(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof FlycatcherError) return error.code;
    throw error;
  }
  return undefined;
}
