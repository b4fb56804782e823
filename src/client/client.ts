// Written by `npm run docs` from the routes of src/service/; edit those.

import { type CallOptions, HttpClient, type ServiceEvent } from "./http.js";
import type {
  AddedRobot,
  BallColour,
  BatchLine,
  CalibrationRequest,
  CalibrationState,
  CollisionsAnswer,
  CollisionsRequest,
  ColourLesson,
  ForwardKinematicsAnswer,
  ForwardKinematicsRequest,
  Health,
  InverseKinematicsAnswer,
  InverseKinematicsRequest,
  LearntColour,
  LiveSettings,
  MotionAnswer,
  MotionRequest,
  NodeControl,
  PlanAnswer,
  PlanRequest,
  Readiness,
  Recording,
  RecordingList,
  RecordingSwitch,
  ReplayRequest,
  ReplayState,
  RobotDescription,
  RobotList,
  RobotScene,
  StepRequest,
  StopAnswer,
  SwitchedThread,
  ThrowRequest,
  TraceRequest,
  UploadedRobot,
} from "./schemas.js";

export { type CallOptions, type ClientOptions, type ServiceEvent, ServiceProblem, type StreamAddress } from "./http.js";
export type * from "./schemas.js";

/** The service's operations, each as a method. A refusal is thrown as a `ServiceProblem`. */
export class FlycatcherClient extends HttpClient {
  /**
   * Add a robot: URDF, sidecar and meshes (`POST /v1/robots`).
   * Answered when plans for the robot can be asked for. It is known by its name until it is deleted or the service
   * ends.
   */
  addRobot(body: UploadedRobot, options?: CallOptions): Promise<AddedRobot> {
    return this.json({ method: "POST", path: "/v1/robots", accept: "application/json", body, options });
  }

  /** Change mode, challenges and speed (`PATCH /v1/live/settings`). */
  changeLiveSettings(body: LiveSettings, options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({ method: "PATCH", path: "/v1/live/settings", accept: "application/json", body, options });
  }

  /** Whether configurations are free, and distances (`POST /v1/robots/{name}/collisions`). */
  checkCollisions(name: string, body: CollisionsRequest, options?: CallOptions): Promise<CollisionsAnswer> {
    return this.json({
      method: "POST",
      path: `/v1/robots/${encodeURIComponent(name)}/collisions`,
      accept: "application/json",
      body,
      options,
    });
  }

  /** Stop, start or restart the thread of a node (`POST /v1/live/nodes/{name}`). */
  controlNode(name: string, body: NodeControl, options?: CallOptions): Promise<SwitchedThread> {
    return this.json({
      method: "POST",
      path: `/v1/live/nodes/${encodeURIComponent(name)}`,
      accept: "application/json",
      body,
      options,
    });
  }

  /** End and delete a calibration (`DELETE /v1/calibrations/{id}`). */
  deleteCalibration(id: string, options?: CallOptions): Promise<void> {
    return this.nothing({
      method: "DELETE",
      path: `/v1/calibrations/${encodeURIComponent(id)}`,
      accept: "*/*",
      options,
    });
  }

  /** Delete an uploaded recording (`DELETE /v1/recordings/{id}`). */
  deleteRecording(id: string, options?: CallOptions): Promise<void> {
    return this.nothing({ method: "DELETE", path: `/v1/recordings/${encodeURIComponent(id)}`, accept: "*/*", options });
  }

  /** End and delete a replay (`DELETE /v1/replays/{id}`). */
  deleteReplay(id: string, options?: CallOptions): Promise<void> {
    return this.nothing({ method: "DELETE", path: `/v1/replays/${encodeURIComponent(id)}`, accept: "*/*", options });
  }

  /** Remove an uploaded robot (`DELETE /v1/robots/{name}`). */
  deleteRobot(name: string, options?: CallOptions): Promise<void> {
    return this.nothing({ method: "DELETE", path: `/v1/robots/${encodeURIComponent(name)}`, accept: "*/*", options });
  }

  /**
   * Follow a replay (`GET /v1/replays/{id}/events`).
   * Server-sent events: `progress` with the state, then `done`, `failed` or `cancelled`, then the end.
   */
  followReplay(id: string, options?: CallOptions): AsyncGenerator<ServiceEvent<ReplayState>, void, undefined> {
    return this.events({
      method: "GET",
      path: `/v1/replays/${encodeURIComponent(id)}/events`,
      accept: "text/event-stream",
      options,
    });
  }

  /** Forward kinematics: poses of links (`POST /v1/robots/{name}/fk`). */
  forwardKinematics(
    name: string,
    body: ForwardKinematicsRequest,
    options?: CallOptions,
  ): Promise<ForwardKinematicsAnswer> {
    return this.json({
      method: "POST",
      path: `/v1/robots/${encodeURIComponent(name)}/fk`,
      accept: "application/json",
      body,
      options,
    });
  }

  /** Progress and result of a calibration (`GET /v1/calibrations/{id}`). */
  getCalibration(id: string, options?: CallOptions): Promise<CalibrationState> {
    return this.json({
      method: "GET",
      path: `/v1/calibrations/${encodeURIComponent(id)}`,
      accept: "application/json",
      options,
    });
  }

  /** The report of a calibration, as a web page (`GET /v1/calibrations/{id}/report`). */
  getCalibrationReport(id: string, options?: CallOptions): Promise<string> {
    return this.text({
      method: "GET",
      path: `/v1/calibrations/${encodeURIComponent(id)}/report`,
      accept: "text/html",
      options,
    });
  }

  /** Whether the service runs (liveness) (`GET /healthz`). */
  getHealth(options?: CallOptions): Promise<Health> {
    return this.json({ method: "GET", path: "/healthz", accept: "application/json", options });
  }

  /** The live run as it is now (`GET /v1/live`). */
  getLive(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({ method: "GET", path: "/v1/live", accept: "application/json", options });
  }

  /** JSON schemas of the stream's messages, by type (`GET /v1/live/schemas`). */
  getLiveSchemas(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({ method: "GET", path: "/v1/live/schemas", accept: "application/json", options });
  }

  /** Metrics in Prometheus' text format (`GET /metrics`). */
  getMetrics(options?: CallOptions): Promise<string> {
    return this.text({ method: "GET", path: "/metrics", accept: "text/plain", options });
  }

  /** Whether the service is ready (readiness) (`GET /readyz`). */
  getReadiness(options?: CallOptions): Promise<Readiness> {
    return this.json({ method: "GET", path: "/readyz", accept: "application/json", options });
  }

  /** Contents of a recording (`GET /v1/recordings/{id}`). */
  getRecording(id: string, options?: CallOptions): Promise<Recording> {
    return this.json({
      method: "GET",
      path: `/v1/recordings/${encodeURIComponent(id)}`,
      accept: "application/json",
      options,
    });
  }

  /** A recording, as an MCAP file (`GET /v1/recordings/{id}/file`). */
  getRecordingFile(id: string, options?: CallOptions): Promise<Uint8Array> {
    return this.bytes({
      method: "GET",
      path: `/v1/recordings/${encodeURIComponent(id)}/file`,
      accept: "application/octet-stream",
      options,
    });
  }

  /** Progress and result of a replay (`GET /v1/replays/{id}`). */
  getReplay(id: string, options?: CallOptions): Promise<ReplayState> {
    return this.json({
      method: "GET",
      path: `/v1/replays/${encodeURIComponent(id)}`,
      accept: "application/json",
      options,
    });
  }

  /** The report of a replay, as a web page (`GET /v1/replays/{id}/report`). */
  getReplayReport(id: string, options?: CallOptions): Promise<string> {
    return this.text({
      method: "GET",
      path: `/v1/replays/${encodeURIComponent(id)}/report`,
      accept: "text/html",
      options,
    });
  }

  /** The result of a replay (`GET /v1/replays/{id}/result`). */
  getReplayResult(id: string, options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({
      method: "GET",
      path: `/v1/replays/${encodeURIComponent(id)}/result`,
      accept: "application/json",
      options,
    });
  }

  /** Joints with their limits, groups, frames and postures of a robot (`GET /v1/robots/{name}`). */
  getRobot(name: string, options?: CallOptions): Promise<RobotDescription> {
    return this.json({
      method: "GET",
      path: `/v1/robots/${encodeURIComponent(name)}`,
      accept: "application/json",
      options,
    });
  }

  /** What is needed to draw a robot: links, shapes, hulls, cameras (`GET /v1/robots/{name}/scene`). */
  getRobotScene(name: string, options?: CallOptions): Promise<RobotScene> {
    return this.json({
      method: "GET",
      path: `/v1/robots/${encodeURIComponent(name)}/scene`,
      accept: "application/json",
      options,
    });
  }

  /** Inverse kinematics: postures with a tip somewhere (`POST /v1/robots/{name}/ik`). */
  inverseKinematics(
    name: string,
    body: InverseKinematicsRequest,
    options?: CallOptions,
  ): Promise<InverseKinematicsAnswer> {
    return this.json({
      method: "POST",
      path: `/v1/robots/${encodeURIComponent(name)}/ik`,
      accept: "application/json",
      body,
      options,
    });
  }

  /** Learn the ball's colour from marked images (`POST /v1/live/colour/lesson`). */
  learnBallColour(body: ColourLesson, options?: CallOptions): Promise<LearntColour> {
    return this.json({ method: "POST", path: "/v1/live/colour/lesson", accept: "application/json", body, options });
  }

  /** The recordings, uploaded and shipped (`GET /v1/recordings`). */
  listRecordings(options?: CallOptions): Promise<RecordingList> {
    return this.json({ method: "GET", path: "/v1/recordings", accept: "application/json", options });
  }

  /** The robots (`GET /v1/robots`). */
  listRobots(options?: CallOptions): Promise<RobotList> {
    return this.json({ method: "GET", path: "/v1/robots", accept: "application/json", options });
  }

  /**
   * The same for many balls (`POST /v1/plan/batch`).
   * Returns one JSON object per line, as the plans are made; a wrong request affects only its own line.
   */
  planBatch(body: PlanRequest[], options?: CallOptions): AsyncGenerator<BatchLine, void, undefined> {
    return this.lines({ method: "POST", path: "/v1/plan/batch", accept: "application/x-ndjson", body, options });
  }

  /**
   * Where, when and how to catch a ball (`POST /v1/plan`).
   * A ball that cannot be caught is a normal answer, with the status `unreachable` and its reasons.
   */
  planCatch(body: PlanRequest, options?: CallOptions): Promise<PlanAnswer> {
    return this.json({ method: "POST", path: "/v1/plan", accept: "application/json", body, options });
  }

  /**
   * A motion to joints, a pose or something that moves, among obstacles (`POST /v1/motions`).
   * That there is no motion is a normal answer, with the status `unreachable` or `budget-exhausted` and its
   * reasons.
   */
  planMotion(body: MotionRequest, options?: CallOptions): Promise<MotionAnswer> {
    return this.json({ method: "POST", path: "/v1/motions", accept: "application/json", body, options });
  }

  /** Begin or end a recording (`PUT /v1/live/recording`). */
  recordLiveRun(body: RecordingSwitch, options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({ method: "PUT", path: "/v1/live/recording", accept: "application/json", body, options });
  }

  /** Let the robot move again (`POST /v1/live/reset`). */
  resetRobot(options?: CallOptions): Promise<void> {
    return this.nothing({ method: "POST", path: "/v1/live/reset", accept: "*/*", options });
  }

  /** Look for balls of this colour (`PUT /v1/live/colour`). */
  setBallColour(body: BallColour, options?: CallOptions): Promise<BallColour> {
    return this.json({ method: "PUT", path: "/v1/live/colour", accept: "application/json", body, options });
  }

  /**
   * Calibrate a simulated, miscalibrated robot (`POST /v1/calibrations`).
   * Answers at once; 200 if the same calibration runs already or is done, 202 if it was started.
   */
  startCalibration(body: CalibrationRequest, options?: CallOptions): Promise<CalibrationState> {
    return this.json({ method: "POST", path: "/v1/calibrations", accept: "application/json", body, options });
  }

  /**
   * Replay recordings (`POST /v1/replays`).
   * Answers at once; the replay runs in its own threads.
   */
  startReplay(body: ReplayRequest, options?: CallOptions): Promise<ReplayState> {
    return this.json({ method: "POST", path: "/v1/replays", accept: "application/json", body, options });
  }

  /** Step a paused run by some milliseconds (`POST /v1/live/step`). */
  stepLiveRun(body: StepRequest, options?: CallOptions): Promise<void> {
    return this.nothing({ method: "POST", path: "/v1/live/step", accept: "*/*", body, options });
  }

  /** Stop the robot at once (`POST /v1/live/stop`). */
  stopRobot(options?: CallOptions): Promise<StopAnswer> {
    return this.json({ method: "POST", path: "/v1/live/stop", accept: "application/json", options });
  }

  /** Throw balls (`POST /v1/live/throws`). */
  throwBalls(
    body: ThrowRequest,
    options?: CallOptions,
  ): Promise<{
    /** Numbers of the balls. */
    balls: number[];
  }> {
    return this.json({ method: "POST", path: "/v1/live/throws", accept: "application/json", body, options });
  }

  /** What the nodes do in the next seconds, as a trace file of Chrome's format (`POST /v1/live/trace`). */
  traceNodes(body: TraceRequest, options?: CallOptions): Promise<Record<string, unknown>> {
    return this.json({ method: "POST", path: "/v1/live/trace", accept: "application/json", body, options });
  }

  /**
   * Upload a recording (`POST /v1/recordings`).
   * The MCAP file as the body, as application/octet-stream. Other files are refused and not kept.
   */
  uploadRecording(bytes: Uint8Array, options?: CallOptions): Promise<Recording> {
    return this.json({ method: "POST", path: "/v1/recordings", accept: "application/json", bytes, options });
  }
}
