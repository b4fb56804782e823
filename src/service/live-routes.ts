import type { Duplex } from "node:stream";
import websocket from "@fastify/websocket";
import Type from "typebox";
import { type PageMessage, pageJson, pageSchemas } from "../messages/page.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import type { JsonObject } from "../transport/message-json.js";
import { ArrivalClock } from "./arrival-clock.js";
import { registerFoxglove } from "./foxglove-routes.js";
import { endWithProblem } from "./problem-handler.js";
import { measureRun } from "./run-metrics.js";
import type { Resource } from "./service-types.js";
import { StreamHub } from "./stream-hub.js";
import { chooseProtocol } from "./stream-protocol.js";
import { MAX_REQUEST_BYTES } from "./viewer.js";

const Launch = Type.Object(
  {
    position: Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: "Position of the release [m]." }),
    velocity: Type.Array(Type.Number(), { minItems: 3, maxItems: 3, description: "Velocity at the release [m/s]." }),
  },
  { additionalProperties: false, title: "Launch" },
);

const ThrowBody = Type.Object(
  {
    balls: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, description: "Balls at a time; default 1." })),
    preset: Type.Optional(Type.String({ maxLength: 40, description: "A launch by its name; see the run's facts." })),
    launches: Type.Optional(Type.Array(Launch, { minItems: 1, maxItems: 4 })),
  },
  { additionalProperties: false, title: "ThrowRequest" },
);

const SettingsBody = Type.Object(
  {
    mode: Type.Optional(Type.Enum(["soft", "latest", "cool", "sure"], { type: "string" })),
    challenges: Type.Optional(
      Type.Record(Type.String({ maxLength: 40 }), Type.Number({ minimum: 0, maximum: 3 }), {
        description: "How strong each challenge is: 0 none, 1 realistic.",
      }),
    ),
    automatic: Type.Optional(Type.Boolean({ description: "Whether balls are thrown automatically." })),
    balls: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    paused: Type.Optional(Type.Boolean({ description: "In lock-step: whether time is paused." })),
    speed: Type.Optional(Type.Number({ minimum: 0.01, maximum: 10, description: "In lock-step: 1 is real time." })),
  },
  { additionalProperties: false, title: "LiveSettings" },
);

const Anything = Type.Record(Type.String(), Type.Unknown());
const Balls = Type.Object({
  balls: Type.Array(Type.Integer(), { maxItems: 100, description: "Numbers of the balls." }),
});
const Steps = Type.Object(
  { ticks: Type.Integer({ minimum: 1, maximum: 1000 }) },
  { additionalProperties: false, title: "StepRequest" },
);
const Recording = Type.Object({ on: Type.Boolean() }, { additionalProperties: false, title: "RecordingSwitch" });
const Braked = Type.Object(
  {
    at: Type.Number({ description: "When the first braking command was sent to the robot: UTC [ms since 1970]." }),
    afterMs: Type.Number({ description: "The same, from when the request arrived [ms]." }),
    confirmedBy: Type.Enum(["robot", "driver", "control"], {
      type: "string",
      description: "Who says so: the robot, which got it; the driver, which sent it; control, which made it.",
    }),
    confirmedAfterMs: Type.Union([Type.Number(), Type.Null()], {
      description: "When the robot's answer came, from when the request arrived [ms]; null without one.",
    }),
  },
  { title: "Braked" },
);
const Stopped = Type.Object(
  {
    braked: Type.Union([Braked, Type.Null()], { description: "null: no braking command is known to have left." }),
    detail: Type.String({ description: "What is known, in words." }),
  },
  { title: "StopAnswer" },
);
const NodeName = Type.Object({ name: Type.String({ maxLength: 48 }) });
const NodeControl = Type.Object(
  { action: Type.Enum(["stop", "start", "restart"], { type: "string" }) },
  { additionalProperties: false, title: "NodeControl" },
);
const SwitchedThread = Type.Object(
  {
    thread: Type.String({ description: "The thread of the node." }),
    nodes: Type.Array(Type.String(), { maxItems: 100, description: "The nodes in it: they stop and start together." }),
    state: Type.String({ description: "starting, running, stopped or failed." }),
    restarts: Type.Integer({ description: "Threads that took the place of another one." }),
  },
  { title: "SwitchedThread" },
);
const TraceBody = Type.Object(
  { seconds: Type.Number({ minimum: 0.1, maximum: 10, description: "How long, by the wall clock [s]." }) },
  { additionalProperties: false, title: "TraceRequest" },
);
const Done = Type.Null({ description: "Done." });
const tags = ["live"];

/** `/v1/live`: watch the live run and steer it (docs/streams.md). */
export const liveRoutes: Resource = {
  name: "live",
  async register(app, { live, metrics, readiness, robots, config }) {
    if (live.isExpected) readiness.add("live", () => live.obstacle);
    measureRun(live, metrics);
    await app.register(websocket, {
      options: { maxPayload: MAX_REQUEST_BYTES, handleProtocols: chooseProtocol },
    });
    app.websocketServer.on("wsClientError", (error: Error, socket: Duplex) => {
      const message = `The request for a WebSocket is wrong: ${error.message}`;
      endWithProblem(socket, new FlycatcherError("FLY_HTTP_MALFORMED", message));
    });
    let hub: StreamHub | null = null;
    metrics.gauge({ name: "flycatcher_stream_viewers", help: "Viewers of the live run." }, () => hub?.viewers ?? 0);
    const arrivals = new ArrivalClock();
    app.addHook("preClose", async () => {
      hub?.close();
      arrivals.close();
    });
    if (config.service.foxglove) registerFoxglove(app, live, robots);

    app.get(
      "/v1/live",
      { schema: { tags, operationId: "getLive", summary: "The live run as it is now", response: { 200: Anything } } },
      () => {
        const { log: _, eventCounts: __, ...newest } = live.session.snapshot();
        const messages = Object.entries(newest).map(([type, message]) => [type, sent(message)] as const);
        return { ...Object.fromEntries(messages), stop: live.stopAddress };
      },
    );
    app.get(
      "/v1/live/schemas",
      {
        schema: {
          tags,
          operationId: "getLiveSchemas",
          summary: "JSON schemas of the stream's messages, by type",
          response: { 200: Anything },
        },
      },
      () => ({ ...pageSchemas() }),
    );
    app.get(
      "/v1/live/stream",
      {
        websocket: true,
        schema: { tags, summary: "The live run as a stream (WebSocket)", response: { 101: Done } },
        preValidation: async () => void live.session,
      },
      (socket) => {
        hub ??= new StreamHub(live.session, () => live.beat());
        hub.add(socket);
      },
    );
    app.post(
      "/v1/live/throws",
      {
        schema: { tags, operationId: "throwBalls", summary: "Throw balls", body: ThrowBody, response: { 202: Balls } },
      },
      async ({ body }, reply) => {
        void reply.code(202);
        return { balls: [...live.session.throwBalls(defined(body))] };
      },
    );
    app.patch(
      "/v1/live/settings",
      {
        schema: {
          tags,
          operationId: "changeLiveSettings",
          summary: "Change mode, challenges and speed",
          body: SettingsBody,
          response: { 200: Anything },
        },
      },
      async ({ body }) => ({ ...(await live.session.change(defined(body))) }),
    );
    await app.register(async (scope) => {
      // A stop is not refused for its form: whatever its body is, nobody reads it.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, payload, done) => {
        payload.resume();
        done(null);
      });
      scope.post(
        "/v1/live/stop",
        { schema: { tags, operationId: "stopRobot", summary: "Stop the robot at once", response: { 200: Stopped } } },
        () => live.session.stopRobot(arrivals.arrivedMs),
      );
    });
    app.post(
      "/v1/live/reset",
      { schema: { tags, operationId: "resetRobot", summary: "Let the robot move again", response: { 204: Done } } },
      async (_, reply) => {
        live.session.resetRobot();
        return reply.code(204).send(null);
      },
    );
    app.post(
      "/v1/live/step",
      {
        schema: {
          tags,
          operationId: "stepLiveRun",
          summary: "Step a paused run by some milliseconds",
          body: Steps,
          response: { 204: Done },
        },
      },
      async ({ body }, reply) => {
        await live.session.step(body.ticks);
        return reply.code(204).send(null);
      },
    );
    app.put(
      "/v1/live/recording",
      {
        schema: {
          tags,
          operationId: "recordLiveRun",
          summary: "Begin or end a recording",
          body: Recording,
          response: { 200: Anything },
        },
      },
      async ({ body }) => ({ ...(await live.session.record(body.on)) }),
    );
    app.post(
      "/v1/live/nodes/:name",
      {
        schema: {
          tags,
          operationId: "controlNode",
          summary: "Stop, start or restart the thread of a node",
          params: NodeName,
          body: NodeControl,
          response: { 200: SwitchedThread },
        },
      },
      async ({ params, body }) => {
        const { nodes, ...thread } = await live.session.controlNode(params.name, body.action);
        return { ...thread, nodes: [...nodes] };
      },
    );
    app.post(
      "/v1/live/trace",
      {
        schema: {
          tags,
          operationId: "traceNodes",
          summary: "What the nodes do in the next seconds, as a trace file of Chrome's format",
          body: TraceBody,
          response: { 200: Anything },
        },
      },
      async ({ body }, reply) => {
        const trace = await live.session.trace(body.seconds);
        void reply.header("content-disposition", 'attachment; filename="flycatcher-trace.json"');
        return { ...trace };
      },
    );
  },
};

/** A message as the stream has it. */
function sent(message: PageMessage | null): JsonObject | null {
  return message === null ? null : pageJson(message);
}
