import { FlycatcherError } from "../runtime/errors.js";
import { postToParent, workerDone, workerInput, workerReady } from "../transport/workers/worker-context.js";
import { checkedFactsOf, type FactsAnswer, type FactsOrder } from "./recording-facts.js";

/** Reads an uploaded recording in a thread of its own: a file may be made to take long. */
async function answer(): Promise<FactsAnswer> {
  try {
    return { kind: "facts", facts: await checkedFactsOf(workerInput<FactsOrder>()) };
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    return { kind: "refused", code: error.code, message: error.message, details: { ...error.details } };
  }
}

workerReady();
answer().then((message) => {
  postToParent(message);
  workerDone();
});
