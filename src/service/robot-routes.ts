import Type from "typebox";
import { describeRobot, RobotDescriptionSchema } from "./robot-description.js";
import { RobotSceneSchema, sceneOf } from "./robot-scene.js";
import type { Resource } from "./service-types.js";

const RobotList = Type.Object({
  default: Type.String({ description: "Robot of the profile the service runs." }),
  robots: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String({ description: "Where its description is." }),
    }),
  ),
});

const RobotName = Type.Object({ name: Type.String({ maxLength: 100 }) });

/** `GET /v1/robots`, `…/:name` and `…/:name/scene`: which robots there are; their groups, limits and frames; their shapes. */
export const robotRoutes: Resource = {
  name: "robots",
  register(app, { config, robots, readiness }) {
    readiness.add("robot", () => void robots.get(config.robot));
    app.get(
      "/v1/robots",
      { schema: { tags: ["robots"], summary: "The robots", response: { 200: RobotList } } },
      () => ({
        default: config.robot,
        robots: robots.names().map((name) => ({ name, url: `/v1/robots/${encodeURIComponent(name)}` })),
      }),
    );
    const described = named("Joints with their limits, groups, frames and postures of a robot", RobotDescriptionSchema);
    app.get("/v1/robots/:name", { schema: described }, ({ params }) => describeRobot(robots.get(params.name)));
    const drawn = named("What is needed to draw a robot: links, shapes, hulls, cameras", RobotSceneSchema);
    app.get("/v1/robots/:name/scene", { schema: drawn }, ({ params }) => sceneOf(robots.get(params.name)));
  },
};

/** The schema of a route to one robot. */
function named<S>(summary: string, answer: S) {
  return { tags: ["robots"], summary, params: RobotName, response: { 200: answer } };
}
