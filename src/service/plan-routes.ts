import { Readable } from "node:stream";
import type { FastifyReply, FastifySchemaCompiler } from "fastify";
import Type, { type TSchema } from "typebox";
import { startPlanService } from "../nodes/planner-host/start-plan-service.module.js";
import { type MotionAnswer, MotionAnswerSchema } from "../planning/motions/motion-answer.js";
import { type MotionRequest, MotionRequestSchema } from "../planning/motions/motion-request.js";
import type { PlanService } from "../planning/pool/plan-service.js";
import { catchGroups } from "../planning/problem/catch-arm.js";
import { type PlanAnswer, PlanAnswerSchema } from "../planning/request/answer.js";
import { exampleRequest } from "../planning/request/example-request.js";
import { type PlanRequest, PlanRequestSchema } from "../planning/request/request.js";
import type { Robot } from "../robot/robot.js";
import { findProblems, SchemaError } from "../runtime/schema-problems.js";
import { signalOf } from "./client-signal.js";
import { answerBatch, type BatchLine, BatchLineSchema, BatchSchema, batchLimit } from "./plan-batch.js";
import { measured, PlanAdmission } from "./plan-metrics.js";
import type { Resource, ServiceContext } from "./service-types.js";

/** How long a client that was turned away should wait [s]: by then most of what waits is done. */
const retryAfterSeconds = 1;
/** A reader of a batch that takes nothing for so long is gone [ms]. */
const stallTimeoutMs = 60_000;

const ndjson = "application/x-ndjson";

/** Makes what plans for the routes. */
type PlanServiceFactory = (context: ServiceContext, signal: AbortSignal) => PlanService | Promise<PlanService>;

/** `POST /v1/plan`, `POST /v1/plan/batch` and `POST /v1/motions`, planned as the configuration says: in worker threads, or in this one. */
export const planRoutes: Resource = planRoutesWith(({ config, robots, logger, live }, signal) =>
  // Beside a live run planners are not warmed up: few use them, and the run needs the machine. Their first plans take longer.
  startPlanService({
    config,
    robots,
    names: robots.names(),
    signal,
    logger,
    ...(live.isExpected && { warmUpRounds: 0 }),
  }),
);

/** The same with another plan service. */
export function planRoutesWith(createPlanService: PlanServiceFactory): Resource {
  return {
    name: "planning",
    part: "planning",
    register(app, context) {
      const starting = new AbortController();
      const inner = new StartingPlanService(createPlanService(context, starting.signal));
      const admission = new PlanAdmission(() => inner.concurrency + context.config.service.maxQueue);
      context.readiness.add("planning", () => inner.obstacle);
      const service = measured(inner, context.metrics, admission);
      app.addHook("onClose", () => {
        starting.abort();
        return inner.close();
      });
      // Each worker loads a robot that has come with its first request; that one is ours.
      context.robots.onAdded((robot) => warmUp(inner, robot));
      app.post("/v1/plan", { schema: planSchema }, async ({ body }, reply) => {
        enter(admission, reply);
        try {
          return await service.plan(body, signalOf(reply));
        } finally {
          admission.leave();
        }
      });
      app.post("/v1/motions", { schema: motionSchema }, async ({ body }, reply) => {
        enter(admission, reply);
        try {
          return await service.move(body, signalOf(reply));
        } finally {
          admission.leave();
        }
      });
      app.post("/v1/plan/batch", { schema: batchSchema, validatorCompiler: listCompiler }, async ({ body }, reply) => {
        enter(admission, reply);
        sendLines(answerBatch(body, service, signalOf(reply)), reply, () => admission.leave());
        return reply;
      });
    },
  };
}

/** As many plans at once as there are workers. A robot that cannot catch needs none. */
async function warmUp(service: PlanService, robot: Robot): Promise<void> {
  if (catchGroups(robot).length === 0) return;
  const request = exampleRequest(robot);
  const signal = new AbortController().signal;
  await Promise.allSettled(Array.from({ length: service.concurrency }, () => service.plan(request, signal)));
}

const planSchema = {
  tags: ["planning"],
  operationId: "planCatch",
  summary: "Where, when and how to catch a ball",
  description: "A ball that cannot be caught is a normal answer, with the status `unreachable` and its reasons.",
  body: PlanRequestSchema,
  response: { 200: PlanAnswerSchema },
};

const motionSchema = {
  tags: ["planning"],
  operationId: "planMotion",
  summary: "A motion to joints, a pose or something that moves, among obstacles",
  description:
    "That there is no motion is a normal answer, with the status `unreachable` or `budget-exhausted` and its reasons.",
  body: MotionRequestSchema,
  response: { 200: MotionAnswerSchema },
};

const batchSchema = {
  tags: ["planning"],
  operationId: "planBatch",
  summary: "The same for many balls",
  description: "Returns one JSON object per line, as the plans are made; a wrong request affects only its own line.",
  body: BatchSchema,
  response: { 200: { description: "NDJSON.", content: { [ndjson]: { schema: BatchLineSchema } } } },
};

/** Only that it is a list is checked at once: each request of it is checked when its turn comes, for its own line. */
const listCompiler: FastifySchemaCompiler<TSchema> = () => {
  const list = Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchLimit });
  return (value: unknown) => {
    const problems = findProblems(list, value).map((problem) => ({ ...problem, source: "body" }));
    if (problems.length === 0) return { value };
    return { error: new SchemaError("FLY_HTTP_REQUEST_INVALID", "The request is wrong", problems) };
  };
};

function enter(admission: PlanAdmission, reply: FastifyReply): void {
  try {
    admission.enter();
  } catch (error) {
    void reply.header("retry-after", String(retryAfterSeconds));
    throw error;
  }
}

/** Sends each line as it comes; `done` is called when all are sent, and when the client is gone. */
function sendLines(batch: AsyncGenerator<BatchLine>, reply: FastifyReply, done: () => void): void {
  const stream = Readable.from(toText(batch)).once("close", done);
  reply.raw.setTimeout(stallTimeoutMs, () => void stream.destroy());
  void reply.header("content-type", ndjson).send(stream);
}

async function* toText(batch: AsyncGenerator<BatchLine>): AsyncGenerator<string> {
  for await (const line of batch) yield `${JSON.stringify(line)}\n`;
}

/**
 * A plan service that is still starting: its workers load robots and warm up for some seconds, and the HTTP service need
 * not wait for that. Requests that come early wait; `obstacle` reports it to the readiness check.
 */
export class StartingPlanService implements PlanService {
  readonly #started: Promise<PlanService>;
  #service: PlanService | undefined;
  #obstacle: string | undefined = "the planners are starting";

  constructor(starting: PlanService | Promise<PlanService>) {
    this.#started = Promise.resolve(starting);
    this.#started.then(
      (service) => {
        this.#service = service;
        this.#obstacle = undefined;
      },
      (error: unknown) => {
        this.#obstacle = `the planners did not start: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  }

  /** Why it cannot plan yet; undefined if it can. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  get concurrency(): number {
    return this.#service?.concurrency ?? 1;
  }

  async plan(request: PlanRequest, signal: AbortSignal): Promise<PlanAnswer> {
    return (await this.#started).plan(request, signal);
  }

  async move(request: MotionRequest, signal: AbortSignal): Promise<MotionAnswer> {
    return (await this.#started).move(request, signal);
  }

  async close(): Promise<void> {
    const service = await this.#started.catch(() => undefined);
    await service?.close();
  }
}
