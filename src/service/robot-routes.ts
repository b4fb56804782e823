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
      { schema: { tags: ["robots"], summary: "The robots there are", response: { 200: RobotList } } },
      () => ({
        default: config.robot,
        robots: robots.names().map((name) => ({ name, url: `/v1/robots/${encodeURIComponent(name)}` })),
      }),
    );
    app.get(
      "/v1/robots/:name",
      {
        schema: {
          tags: ["robots"],
          summary: "Joints with their limits, groups, frames and postures of a robot",
          params: RobotName,
          response: { 200: RobotDescriptionSchema },
        },
      },
      (request) => describeRobot(robots.get(request.params.name)),
    );
    app.get(
      "/v1/robots/:name/scene",
      {
        schema: {
          tags: ["robots"],
          summary: "What is needed to draw a robot: links, shapes, hulls, cameras",
          params: RobotName,
          response: { 200: RobotSceneSchema },
        },
      },
      (request) => sceneOf(robots.get(request.params.name)),
    );
  },
};
