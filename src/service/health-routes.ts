import Type from "typebox";
import { FlycatcherError } from "../runtime/errors.js";
import { packageVersion } from "../runtime/package-root.js";
import { metricsMediaType } from "./metrics.js";
import type { Resource } from "./service-types.js";

/** `GET /healthz`: the process lives. `GET /readyz`: it can do its work. */
export const healthRoutes: Resource = {
  name: "health",
  register(app, { readiness }) {
    const health = Type.Object({ status: Type.Literal("ok"), version: Type.String() }, { title: "Health" });
    app.get(
      "/healthz",
      {
        schema: {
          tags: ["health"],
          operationId: "getHealth",
          summary: "Whether the service runs (liveness)",
          response: { 200: health },
        },
      },
      () => ({ status: "ok" as const, version: packageVersion }),
    );
    const ready = Type.Object(
      {
        status: Type.Literal("ready"),
        components: Type.Array(Type.String(), { maxItems: 100 }),
      },
      { title: "Readiness" },
    );
    app.get(
      "/readyz",
      {
        schema: {
          tags: ["health"],
          operationId: "getReadiness",
          summary: "Whether the service is ready (readiness)",
          response: { 200: ready },
        },
      },
      () => {
        const obstacles = Object.entries(readiness.obstacles());
        if (obstacles.length === 0) return { status: "ready" as const, components: readiness.components };
        const reasons = obstacles.map(([component, reason]) => `${component}: ${reason}`).join("; ");
        throw new FlycatcherError("FLY_SERVICE_NOT_READY", reasons);
      },
    );
  },
};

/** `GET /metrics`: for Prometheus. */
export const metricsRoutes: Resource = {
  name: "metrics",
  register(app, { metrics }) {
    const response = {
      200: { description: "Prometheus text.", content: { "text/plain": { schema: Type.String() } } },
    };
    app.get(
      "/metrics",
      {
        schema: {
          tags: ["health"],
          operationId: "getMetrics",
          summary: "Metrics in Prometheus' text format",
          response,
        },
      },
      (_request, reply) => {
        void reply.header("content-type", metricsMediaType);
        return metrics.render();
      },
    );
  },
};
