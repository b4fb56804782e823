import { PassThrough } from "node:stream";
import Type, { type Static } from "typebox";
import { CatchModeSchema } from "../planning/request/request.js";
import { type ReplayOrderings, replayOrderings } from "../report/jobs/replay-files.js";
import { reportPage } from "../report/report-page.js";
import type { ReplayReport } from "../report/report-types.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { Logger } from "../runtime/logger.js";
import { trackerRanges } from "../tracking/hypotheses/tracker-options.js";
import { content, gone, html, identified, sendReport } from "./identified.js";
import type { RecordingStore } from "./recording-store.js";
import { type ReplayJobState, ReplayJobs } from "./replay-jobs.js";
import type { RobotLibrary } from "./robot-library.js";
import type { ServiceInstance } from "./service-types.js";

const tag = "recordings";

const seconds = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, description }));
const choice = <Names extends string[]>(names: [...Names], description: string) =>
  Type.Optional(Type.Enum<Names>(names, { type: "string", description }));

const TrackerSettings = Type.Object(
  Object.fromEntries(
    Array.from(trackerRanges, ([name, [minimum, maximum]]) => [name, Type.Optional(Type.Number({ minimum, maximum }))]),
  ),
  { additionalProperties: false, description: "Settings of the tracker." },
);

const ReplayRequest = Type.Object(
  {
    recordings: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: "Identities of the recordings to replay.",
    }),
    robot: Type.Optional(Type.String({ maxLength: 100, description: "Another robot to catch." })),
    mode: Type.Optional(CatchModeSchema),
    body: choice(["rule", "stand"], "Whether torso and platform help."),
    monitor: choice(["motion", "full"], "Check each plan as a whole, or also each command; default: motion."),
    input: choice(["images", "circles", "points"], "Input; default: the first that was recorded."),
    from: seconds("Start time in the recording [s]."),
    to: seconds("End time in the recording [s]."),
    starts: Type.Optional(Type.Integer({ minimum: 1, maximum: 4096, description: "Starts of the planner's search." })),
    tracker: Type.Optional(TrackerSettings),
    detail: choice(["full", "brief"], "full: with all pictures; brief: faster; default: full."),
  },
  { additionalProperties: false, title: "ReplayRequest" },
);

const ReplayState = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: "Address of the state." }),
    events: Type.String({ description: "Address of its server-sent events." }),
    recordings: Type.Array(Type.String(), { maxItems: 100 }),
    state: Type.Enum(["running", "done", "failed", "cancelled"], { type: "string" }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "Share done." }),
    summary: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "The result." })),
    report: Type.Optional(Type.String({ description: "Address of the report, a web page." })),
    result: Type.Optional(Type.String({ description: "Address of the result, as JSON." })),
    problem: Type.Optional(Type.Object({ code: Type.String(), detail: Type.String() })),
  },
  { title: "ReplayState" },
);

export function registerReplayRoutes(
  app: ServiceInstance,
  store: RecordingStore,
  robots: RobotLibrary,
  logger: Logger,
): void {
  const jobs = new ReplayJobs(logger);
  app.addHook("onClose", () => jobs.close());
  app.post("/v1/replays", { schema: startSchema }, async ({ body }, reply) => {
    // A robot is named, never a path.
    if (body.robot !== undefined) robots.get(body.robot, "/robot");
    const recordings = await Promise.all(body.recordings.map((id) => store.get(id)));
    const job = jobs.start(recordings, orderingsOf(body));
    void reply.code(202).header("location", urlOf(job));
    return stateOf(job);
  });
  app.get("/v1/replays/:id", { schema: stateSchema }, ({ params }) => stateOf(jobs.get(params.id)));
  app.delete("/v1/replays/:id", { schema: deleteSchema }, async ({ params }, reply) => {
    await jobs.cancel(params.id);
    return reply.code(204).send(null);
  });
  app.get("/v1/replays/:id/events", { schema: eventsSchema }, async ({ params }, reply) => {
    const stream = eventStream(jobs, params.id);
    void reply.type("text/event-stream").header("cache-control", "no-store").header("x-accel-buffering", "no");
    // Typed as the state, which each event of the stream has.
    return reply.send(stream as unknown as Static<typeof ReplayState>);
  });
  app.get("/v1/replays/:id/report", { schema: reportSchema }, async ({ params }, reply) => {
    const page = reportPage(reportOf(jobs.get(params.id)));
    return sendReport(reply, page);
  });
  app.get("/v1/replays/:id/result", { schema: resultSchema }, async ({ params }, reply) => {
    return reply.send({ ...reportOf(jobs.get(params.id)) });
  });
}

function orderingsOf(request: Static<typeof ReplayRequest>): ReplayOrderings {
  const { recordings: _, monitor = "motion", detail = "full", ...asked } = request;
  return replayOrderings({ ...asked, monitor, detail });
}

/** The states of a replay, each as one event named by it, until it is over or the client has gone. */
function eventStream(jobs: ReplayJobs, id: string): PassThrough {
  const stream = new PassThrough();
  const notify = (job: ReplayJobState): void => {
    stream.write(
      `event: ${job.state === "running" ? "progress" : job.state}\ndata: ${JSON.stringify(stateOf(job))}\n\n`,
    );
    if (job.state !== "running") stream.end();
  };
  const job = jobs.get(id);
  const stop = jobs.listen(id, notify);
  stream.on("close", stop);
  notify(job);
  return stream;
}

function reportOf({ id, state, report }: ReplayJobState): ReplayReport {
  if (report !== undefined) return report;
  throw new FlycatcherError("FLY_REPLAY_UNFINISHED", `the replay has no report: it is ${state}`, { found: id });
}

function urlOf({ id }: ReplayJobState): string {
  return `/v1/replays/${id}`;
}

function stateOf(job: ReplayJobState): Static<typeof ReplayState> {
  const { id, recordings, state, progress, report, problem } = job;
  return {
    id,
    url: urlOf(job),
    events: `${urlOf(job)}/events`,
    recordings: [...recordings],
    state,
    progress,
    ...(report !== undefined && {
      summary: { ...report.summary, failures: report.failures },
      report: `${urlOf(job)}/report`,
      result: `${urlOf(job)}/result`,
    }),
    ...(problem !== undefined && { problem }),
  };
}

const startSchema = {
  tags: [tag],
  operationId: "startReplay",
  summary: "Replay recordings",
  description: "Answers at once; the replay runs in its own threads.",
  body: ReplayRequest,
  response: { 202: ReplayState },
};
const stateSchema = identified(tag, "getReplay", "Progress and result of a replay", { 200: ReplayState });
const deleteSchema = identified(tag, "deleteReplay", "End and delete a replay", gone);
const eventsSchema = {
  ...identified(tag, "followReplay", "Follow a replay", content("Events.", "text/event-stream", ReplayState)),
  description: "Server-sent events: `progress` with the state, then `done`, `failed` or `cancelled`, then the end.",
};
const reportSchema = identified(tag, "getReplayReport", "The report of a replay, as a web page", html);
const result = content("JSON.", "application/json", Type.Record(Type.String(), Type.Unknown()));
const resultSchema = identified(tag, "getReplayResult", "The result of a replay", result);
