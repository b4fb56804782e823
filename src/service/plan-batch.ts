import Type, { type Static } from "typebox";
import type { PlanService } from "../planning/pool/plan-service.js";
import { PlanAnswerSchema } from "../planning/request/answer.js";
import { type PlanRequest, PlanRequestSchema } from "../planning/request/request.js";
import { codedError, ProblemSchema, problemOf } from "./problem.js";

/** Most requests of one batch. */
export const batchLimit = 1000;

export const BatchSchema = Type.Array(PlanRequestSchema, {
  minItems: 1,
  maxItems: batchLimit,
  description: "Planning requests, each answered separately.",
});

export const BatchLineSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: "Which of the requests, from 0." }),
    answer: Type.Optional(PlanAnswerSchema),
    problem: Type.Optional(ProblemSchema),
  },
  { title: "BatchLine", description: "A line of the answer: the result of one request, either `answer` or `problem`." },
);
export type BatchLine = Static<typeof BatchLineSchema>;

/**
 * The lines of a batch as its requests are answered, a few at a time. It works only as fast as it is read, and stops when
 * the reader goes away: then `signal` is aborted, or the generator is returned.
 */
export async function* answerBatch(
  requests: readonly PlanRequest[],
  service: PlanService,
  signal: AbortSignal,
): AsyncGenerator<BatchLine> {
  const running = new Map<number, Promise<BatchLine>>();
  let next = 0;
  for (;;) {
    while (next < requests.length && running.size < service.concurrency && !signal.aborted) {
      running.set(next, answerOne(next, requests[next]!, service, signal));
      next++;
    }
    if (running.size === 0) return;
    const line = await Promise.race(running.values());
    running.delete(line.index);
    if (signal.aborted) continue;
    yield line;
  }
}

async function answerOne(
  index: number,
  request: PlanRequest,
  service: PlanService,
  signal: AbortSignal,
): Promise<BatchLine> {
  try {
    return { index, answer: await service.plan(request, signal) };
  } catch (error) {
    return { index, problem: problemOf(codedError(error)) };
  }
}
