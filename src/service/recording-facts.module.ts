import { workerInput } from "../transport/workers/worker-context.js";
import { answerByReading } from "./reading-thread.js";
import { checkedFactsOf, type FactsOrder } from "./recording-facts.js";

/** Reads an uploaded recording in a thread of its own: a file may be made to take long. */
void answerByReading(() => checkedFactsOf(workerInput<FactsOrder>()));
