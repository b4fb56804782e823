import Type, { type Static } from "typebox";
import { defaultChoice } from "../calibration/configurations/choose-configurations.js";
import { findCalibrationRig } from "../calibration/parameters/calibration-rig.js";
import { defined } from "../runtime/defined.js";
import { FlycatcherError } from "../runtime/errors.js";
import { type CalibrationJob, CalibrationJobs } from "./calibration-jobs.js";
import { gone, html, identified, sendReport } from "./identified.js";
import type { Resource } from "./service-types.js";

const CalibrationRequest = Type.Object(
  {
    robot: Type.Optional(Type.String({ maxLength: 100, description: "Robot to calibrate; default: the profile's." })),
    seed: Type.Optional(Type.String({ maxLength: 100, description: "Which miscalibrated robot; default: 1." })),
    configurations: Type.Optional(
      Type.Integer({ minimum: 4, maximum: 30, description: "Configurations to hold, for each arm." }),
    ),
  },
  { additionalProperties: false, title: "CalibrationRequest" },
);

const CalibrationState = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: "Address of the state." }),
    robot: Type.String(),
    seed: Type.String(),
    state: Type.Union([Type.Literal("running"), Type.Literal("done"), Type.Literal("failed")]),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "Share done." }),
    calibration: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The result, in the format of calibration.json." }),
    ),
    report: Type.Optional(Type.String({ description: "Address of the report, a web page." })),
    problem: Type.Optional(
      Type.Object({ code: Type.String(), detail: Type.String() }, { description: "Why there is no calibration." }),
    ),
  },
  { title: "CalibrationState" },
);

const tag = "calibration";

/**
 * `POST /v1/calibrations` starts the calibration of a simulated, miscalibrated robot; `GET` tells how far it is and what it
 * found. One runs at a time. What it finds is returned, and written nowhere.
 */
export const calibrationRoutes: Resource = {
  name: "calibrations",
  register(app, { config, robots, logger }) {
    const jobs = new CalibrationJobs(logger);
    app.addHook("onClose", () => jobs.close());
    app.post("/v1/calibrations", { schema: startSchema }, async ({ body }, reply) => {
      const { robot = config.robot, seed = "1", configurations = defaultChoice.perArm } = body;
      findCalibrationRig(robots.get(robot, "/robot"));
      const known = jobs.find({ robot, seed, configurations });
      if (known !== undefined) return stateOf(known);
      const job = await jobs.start({ robot, seed, configurations, date: new Date().toISOString() });
      void reply.code(202).header("location", urlOf(job));
      return stateOf(job);
    });
    const stateSchema = identified(tag, "getCalibration", "Progress and result of a calibration", {
      200: CalibrationState,
    });
    app.get("/v1/calibrations/:id", { schema: stateSchema }, ({ params }) => stateOf(jobs.get(params.id)));
    const reportSchema = identified(tag, "getCalibrationReport", "The report of a calibration, as a web page", html);
    app.get("/v1/calibrations/:id/report", { schema: reportSchema }, async ({ params }, reply) => {
      const { report } = jobs.get(params.id);
      if (report === undefined) throw new FlycatcherError("FLY_CALIBRATION_UNKNOWN", "there is no report yet");
      return sendReport(reply, report);
    });
    const deleteSchema = identified(tag, "deleteCalibration", "End and delete a calibration", gone);
    app.delete("/v1/calibrations/:id", { schema: deleteSchema }, async ({ params }, reply) => {
      await jobs.cancel(params.id);
      return reply.code(204).send(null);
    });
  },
};

const startSchema = {
  tags: [tag],
  operationId: "startCalibration",
  summary: "Calibrate a simulated, miscalibrated robot",
  description: "Answers at once; 200 if the same calibration runs already or is done, 202 if it was started.",
  body: CalibrationRequest,
  response: { 200: CalibrationState, 202: CalibrationState },
};

function urlOf({ id }: CalibrationJob): string {
  return `/v1/calibrations/${id}`;
}

function stateOf(job: CalibrationJob): Static<typeof CalibrationState> {
  const { id, input, state, progress, calibration, problem } = job;
  const { robot, seed } = input;
  const report = job.report === undefined ? undefined : `${urlOf(job)}/report`;
  return defined({ id, url: urlOf(job), robot, seed, state, progress, calibration, report, problem });
}
