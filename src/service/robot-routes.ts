import Type from "typebox";
import { describeRobot, RobotDescriptionSchema } from "./robot-description.js";
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

/** `GET /v1/robots` and `GET /v1/robots/:name`: which robots there are, and their groups, limits and frames. */
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
          params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
          response: { 200: RobotDescriptionSchema },
        },
      },
      (request) => describeRobot(robots.get(request.params.name)),
    );
  },
};
