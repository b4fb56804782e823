import { calibrationRoutes } from "./calibration-routes.js";
import { errorRoutes } from "./error-routes.js";
import { healthRoutes } from "./health-routes.js";
import { liveRoutes } from "./live/live-routes.js";
import { metricsRoutes } from "./metrics-routes.js";
import { pageRoutes } from "./page-routes.js";
import { planRoutes } from "./plan-routes.js";
import { recordingRoutes } from "./recording-routes.js";
import { robotRoutes } from "./robot-routes.js";
import type { Resource } from "./service-types.js";

/** All that the service offers. A new resource is a file and a line here. */
export const resources: readonly Resource[] = [
  healthRoutes,
  robotRoutes,
  planRoutes,
  calibrationRoutes,
  recordingRoutes,
  liveRoutes,
  pageRoutes,
  metricsRoutes,
  errorRoutes,
];
