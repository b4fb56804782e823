import { createReadStream } from "node:fs";
import type { FastifySchemaCompiler } from "fastify";
import Type, { type TSchema } from "typebox";
import { FlycatcherError } from "../runtime/errors.js";
import { signalOf } from "./client-signal.js";
import { gone } from "./identified.js";
import { describeRobot, RobotDescriptionSchema } from "./robot-description.js";
import { UploadedRobotSchema } from "./robot-intake.js";
import { type RobotScene, RobotSceneSchema, sceneOf } from "./robot-scene.js";
import { RobotStore } from "./robot-store.js";
import type { Resource, ServiceContext, ServiceInstance } from "./service-types.js";

const RobotList = Type.Object(
  {
    default: Type.String({ description: "Robot of the profile the service runs." }),
    robots: Type.Array(
      Type.Object({
        name: Type.String(),
        url: Type.String({ description: "Where its description is." }),
      }),
      { maxItems: 10_000 },
    ),
  },
  { title: "RobotList" },
);

const AddedRobot = Type.Object(
  {
    name: Type.String(),
    url: Type.String(),
    findings: Type.Array(
      Type.Object(
        {
          severity: Type.Enum(["error", "warning"], { type: "string" }),
          subject: Type.String(),
          sentence: Type.String(),
          repair: Type.Optional(Type.String({ description: "The command or the edit that repairs it." })),
        },
        { title: "Finding" },
      ),
      { maxItems: 10_000, description: "What the robot still lacks, as `flycatcher robot check` says it." },
    ),
  },
  { title: "AddedRobot" },
);

const RobotName = Type.Object({ name: Type.String({ maxLength: 100 }) });

/**
 * `GET /v1/robots`, `…/:name` and `…/:name/scene`: which robots there are; their groups, limits and frames; their shapes.
 * `POST /v1/robots` and `DELETE …/:name` add robots to the service, and remove them again.
 */
export const robotRoutes: Resource = {
  name: "robots",
  register(app, context) {
    const { config, robots, readiness, logger } = context;
    const store = new RobotStore(config.service, logger);
    store.open();
    app.addHook("onClose", async () => store.close());
    app.register(async (scope) => registerUploads(scope as ServiceInstance, store, context));
    readiness.add("robot", () => void robots.get(config.robot));
    app.get(
      "/v1/robots",
      { schema: { tags: ["robots"], operationId: "listRobots", summary: "The robots", response: { 200: RobotList } } },
      () => ({
        default: config.robot,
        robots: robots.names().map((name) => ({ name, url: urlOf(name) })),
      }),
    );
    const described = named(
      "getRobot",
      "Joints with their limits, groups, frames and postures of a robot",
      RobotDescriptionSchema,
    );
    app.get("/v1/robots/:name", { schema: described }, ({ params }) => describeRobot(robots.get(params.name)));
    const drawn = named(
      "getRobotScene",
      "What is needed to draw a robot: links, shapes, hulls, cameras",
      RobotSceneSchema,
    );
    app.get("/v1/robots/:name/scene", { schema: drawn }, async ({ params: { name } }, reply) => {
      const file = store.sceneFile(name);
      // Meshes take time to read: those of an upload were read when it came.
      if (file === undefined) return sceneOf(robots.get(name));
      return reply.type("application/json").send(createReadStream(file) as unknown as RobotScene);
    });
  },
};

/** The schema of a route to one robot. */
function named<S>(operationId: string, summary: string, answer: S) {
  return { tags: ["robots"], operationId, summary, params: RobotName, response: { 200: answer } };
}

function urlOf(name: string): string {
  return `/v1/robots/${encodeURIComponent(name)}`;
}

/** A body is parsed and checked where the robot is loaded: in a thread of its own. */
function registerUploads(scope: ServiceInstance, store: RobotStore, { config, robots }: ServiceContext): void {
  const { robotLimitBytes: bodyLimit } = config.service;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const options = { schema: uploadSchema, bodyLimit, validatorCompiler: unchecked };
  scope.post("/v1/robots", options, async ({ body }, reply) => {
    const { robot, findings } = await store.add(bytesOf(body), signalOf(reply));
    await robots.added(robot);
    void reply.code(201).header("location", urlOf(robot.name));
    return { name: robot.name, url: urlOf(robot.name), findings: [...findings] };
  });
  scope.delete("/v1/robots/:name", { schema: deleteSchema }, async ({ params: { name } }, reply) => {
    if (!store.has(name)) robots.get(name);
    store.delete(name);
    return reply.code(204).send(null);
  });
}

const unchecked: FastifySchemaCompiler<TSchema> = () => (value: unknown) => ({ value });

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array && body.length > 0) return body;
  throw new FlycatcherError("FLY_JSON_MALFORMED", "The request has no body");
}

const uploadSchema = {
  tags: ["robots"],
  operationId: "addRobot",
  summary: "Add a robot: URDF, sidecar and meshes",
  description:
    "Answered when plans for the robot can be asked for. It is known by its name until it is deleted or the service ends.",
  body: UploadedRobotSchema,
  response: { 201: AddedRobot },
};

const deleteSchema = {
  tags: ["robots"],
  operationId: "deleteRobot",
  summary: "Remove an uploaded robot",
  params: RobotName,
  response: gone,
};
