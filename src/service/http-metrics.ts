import { monitorEventLoopDelay } from "node:perf_hooks";
import type { MetricsRegistry } from "./metrics.js";
import type { ServiceInstance } from "./service-types.js";

/** Upper edges of the latency buckets [s]: a warm plan takes a fraction of a millisecond, a cold one some ten. */
const latencyBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const nanosecondsPerSecond = 1e9;

/** Counts and times every request, and watches the process. */
export function installHttpMetrics(app: ServiceInstance, metrics: MetricsRegistry): void {
  const labels = ["method", "route", "status"];
  const requests = metrics.counter({ name: "flycatcher_http_requests_total", help: "Requests answered.", labels });
  const latency = metrics.histogram(
    { name: "flycatcher_http_request_seconds", help: "Time to answer a request.", labels: ["method", "route"] },
    latencyBounds,
  );
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown";
    requests.increment([request.method, route, String(reply.statusCode)]);
    latency.observe(reply.elapsedTime / 1000, [request.method, route]);
    request.log.debug({ method: request.method, url: request.url, status: reply.statusCode }, "answered");
  });
  watchProcess(app, metrics);
}

function watchProcess(app: ServiceInstance, metrics: MetricsRegistry): void {
  metrics.gauge({ name: "process_uptime_seconds", help: "Age of the process." }, () => process.uptime());
  metrics.gauge({ name: "process_resident_memory_bytes", help: "Memory in use." }, () => process.memoryUsage.rss());
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  app.addHook("onClose", async () => void delay.disable());
  metrics.gauge(
    {
      name: "nodejs_eventloop_lag_p99_seconds",
      help: "99th percentile of the event loop's lag since the last scrape.",
    },
    () => {
      const lag = delay.percentile(99) / nanosecondsPerSecond;
      delay.reset();
      return lag;
    },
  );
}
