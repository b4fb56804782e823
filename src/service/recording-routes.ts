import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import Type, { type Static } from "typebox";
import { FlycatcherError } from "../runtime/errors.js";
import { signalOf } from "./client-signal.js";
import { content, gone, identified } from "./identified.js";
import { RecordingStore, type StoredRecording } from "./recording-store.js";
import { registerReplayRoutes } from "./replay-routes.js";
import type { Resource, ServiceInstance } from "./service-types.js";

const tag = "recordings";

const RecordingState = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    origin: Type.Union([Type.Literal("uploaded"), Type.Literal("shipped")]),
    title: Type.String(),
    robot: Type.Union([Type.String(), Type.Null()], { description: "Robot that was recorded; null for balls alone." }),
    perception: Type.String({ description: "images, circles, points or truth." }),
    labels: Type.Array(Type.String(), { maxItems: 1000 }),
    duration: Type.Number({ description: "[s]" }),
    problems: Type.Array(Type.String(), { maxItems: 1000, description: "What could not be read." }),
  },
  { title: "Recording" },
);

/** Types of content that are taken as a recording. */
const CONTENT_TYPES = ["application/octet-stream", "application/vnd.mcap", "application/x-mcap"] as const;
/** Whatever comes: it is read as it comes, not checked beforehand. */
const Bytes = Type.Unknown({ contentMediaType: "application/octet-stream" });

/**
 * `POST /v1/recordings` takes a recording in, `GET` lists what there is, uploaded and shipped; `/v1/replays` runs the
 * pipeline on them. Uploads are streamed to a folder of the service's own and are gone when it ends.
 */
export const recordingRoutes: Resource = {
  name: "recordings",
  register(app, { config, robots, logger }) {
    const store = new RecordingStore(config.service, logger);
    app.addHook("onClose", () => store.close());
    registerRecordings(app, store);
    app.register(async (scope) => registerUpload(scope as ServiceInstance, store, config.service.uploadLimitBytes));
    registerReplayRoutes(app, store, robots, logger);
  },
};

/** Takes bytes alone, which are passed on as they come: nothing of an upload is held in memory. */
function registerUpload(scope: ServiceInstance, store: RecordingStore, bodyLimit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...CONTENT_TYPES], (_request, payload, done) => done(null, payload));
  scope.post("/v1/recordings", { schema: uploadSchema, bodyLimit }, async ({ body, headers }, reply) => {
    const stored = await store.upload(streamOf(body, headers["content-type"]), signalOf(reply));
    void reply.code(201).header("location", urlOf(stored));
    return stateOf(stored);
  });
}

/** Without a body there is no stream. */
function streamOf(body: unknown, type: string | undefined): Readable {
  if (body instanceof Readable) return body;
  if (type !== undefined) throw new FlycatcherError("FLY_RECORDING_EMPTY", "The request has no body");
  throw new FlycatcherError("FLY_HTTP_MEDIA_TYPE", "The request has no recording", {
    expected: CONTENT_TYPES.join(" or "),
    found: "no body and no content type",
  });
}

function registerRecordings(app: ServiceInstance, store: RecordingStore): void {
  app.get("/v1/recordings", { schema: listSchema }, async () => ({ recordings: (await store.list()).map(stateOf) }));
  app.get("/v1/recordings/:id", { schema: stateSchema }, async ({ params }) => stateOf(await store.get(params.id)));
  app.get("/v1/recordings/:id/file", { schema: fileSchema }, async ({ params }, reply) => {
    const { path, id } = await store.get(params.id);
    void reply.header("content-disposition", `attachment; filename="${id}.mcap"`).type("application/octet-stream");
    return reply.send(createReadStream(path) as unknown as string);
  });
  app.delete("/v1/recordings/:id", { schema: deleteSchema }, async ({ params }, reply) => {
    await store.delete(params.id);
    return reply.code(204).send(null);
  });
}

const uploadSchema = {
  tags: [tag],
  operationId: "uploadRecording",
  summary: "Upload a recording",
  description: "The MCAP file as the body, as application/octet-stream. Other files are refused and not kept.",
  body: { content: { [CONTENT_TYPES[0]]: { schema: Bytes } } },
  response: { 201: RecordingState },
};

const listSchema = {
  tags: [tag],
  operationId: "listRecordings",
  summary: "The recordings, uploaded and shipped",
  response: {
    200: Type.Object({ recordings: Type.Array(RecordingState, { maxItems: 10_000 }) }, { title: "RecordingList" }),
  },
};

const stateSchema = identified(tag, "getRecording", "Contents of a recording", { 200: RecordingState });
const fileSchema = identified(
  tag,
  "getRecordingFile",
  "A recording, as an MCAP file",
  content("MCAP.", "application/octet-stream", Type.String({ format: "binary" })),
);
const deleteSchema = identified(tag, "deleteRecording", "Delete an uploaded recording", gone);

function urlOf({ id }: StoredRecording): string {
  return `/v1/recordings/${id}`;
}

function stateOf(stored: StoredRecording): Static<typeof RecordingState> {
  const { id, origin, facts } = stored;
  return { id, url: urlOf(stored), origin, ...facts, labels: [...facts.labels], problems: [...facts.problems] };
}
