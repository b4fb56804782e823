import Type from "typebox";
import { inspectRobot } from "../report/robot/inspect-robot.js";
import { gone } from "./identified.js";
import { describeRobot, RobotDescriptionSchema } from "./robot-description.js";
import { RobotSceneSchema, sceneOf } from "./robot-scene.js";
import { RobotStore, UploadedRobotSchema } from "./robot-store.js";
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
    const { config, robots, readiness } = context;
    registerUploads(app, context);
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
    app.get("/v1/robots/:name/scene", { schema: drawn }, ({ params }) => sceneOf(robots.get(params.name)));
  },
};

/** The schema of a route to one robot. */
function named<S>(operationId: string, summary: string, answer: S) {
  return { tags: ["robots"], operationId, summary, params: RobotName, response: { 200: answer } };
}

function urlOf(name: string): string {
  return `/v1/robots/${encodeURIComponent(name)}`;
}

function registerUploads(app: ServiceInstance, { config, robots }: ServiceContext): void {
  const store = new RobotStore(config.service.maxRobots);
  store.open();
  app.addHook("onClose", async () => store.close());
  app.post(
    "/v1/robots",
    { schema: uploadSchema, bodyLimit: config.service.robotLimitBytes },
    async ({ body }, reply) => {
      store.add(body);
      const robot = await robots.added(body.name);
      void reply.code(201).header("location", urlOf(robot.name));
      return { name: robot.name, url: urlOf(robot.name), findings: inspectRobot(robot, 0) };
    },
  );
  app.delete("/v1/robots/:name", { schema: deleteSchema }, async ({ params: { name } }, reply) => {
    if (!store.has(name)) robots.get(name);
    store.delete(name);
    return reply.code(204).send(null);
  });
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
