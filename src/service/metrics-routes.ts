import Type from "typebox";
import { metricsMediaType } from "./metrics.js";
import type { Resource } from "./service-types.js";

/** `GET /metrics`: for Prometheus. */
export const metricsRoutes: Resource = {
  name: "metrics",
  register(app, { metrics }) {
    const response = {
      200: { description: "Prometheus text.", content: { "text/plain": { schema: Type.String() } } },
    };
    app.get(
      "/metrics",
      { schema: { tags: ["health"], summary: "Metrics in Prometheus' text format", response } },
      (_request, reply) => {
        void reply.header("content-type", metricsMediaType);
        return metrics.render();
      },
    );
  },
};
