/// <reference types="node" preserve="true" />
/**
 * Flycatcher as a library. The simulated world is `flycatcher/simulation`; a client of the service is `flycatcher/client`.
 *
 * @example
 * import { planCatch } from "flycatcher";
 * const answer = planCatch({ robot: "lwr-arm", ball: { state: { position: [4.5, 0, 1.4], velocity: [-4.6, 0, 4.1] } } });
 */

export { CameraModel } from "./camera/camera-model.js";
export { ColourDiscriminant, type LabelledBall, LEARNT_CONTRAST } from "./camera/colour-discriminant.js";
export { type ColourImage, type ColourProjection, ColourProjector, luma } from "./camera/colour-projection.js";
export {
  type BayerPattern,
  type ColorOrder,
  createImage,
  type GrayImage,
  grayFromBayer,
  grayFromColor,
} from "./camera/gray-image.js";
export { SphereOutline } from "./camera/sphere-outline.js";
export { StereoPair } from "./camera/stereo-pair.js";
export type { CatchTimes } from "./catching/catch-times.js";
export { MotionCheck } from "./collision/motion-check.js";
export type {
  DeviceKind,
  DriverCapabilities,
  DriverCommand,
  DriverFactory,
  DriverJoint,
  DriverSite,
  DriverState,
  RobotDriver,
} from "./control/driver.js";
export { type Ball, type BallState, defaultBall, type FlightPath, FlightStatus, gravity } from "./flight/ball.js";
export { FlightFit } from "./flight/fit.js";
export { Flight } from "./flight/flight.js";
export { knownBalls } from "./flight/known-balls.js";
export { createPlaneCrossing, crossPlane, type PlaneCrossing } from "./flight/plane-crossing.js";
export type { FlightOptions } from "./flight/variational-flight.js";
export { MatrixStatus } from "./math/cholesky.js";
export * as vec3 from "./math/vec3.js";
export {
  ControlState,
  JointCommand,
  MonitorState,
  OperatorCommand,
  RobotRequest,
  RobotStatus,
  Stop,
} from "./messages/control.js";
export type { PageMessage } from "./messages/page.js";
export { CatchSetting, Gaze, Handover, Motion, PlanQuestion, PlanReply } from "./messages/planning.js";
export { Predictions } from "./messages/prediction.js";
export { Drops, JointRecord, Readings } from "./messages/recording.js";
export { ArmStates, Attempt, ComponentStatus, Event, Transition } from "./messages/report.js";
export { Circles, HeadPose, HeadState, Image, Imu, JointState, LostFrame, Points } from "./messages/sensing.js";
export { BallFate, Grasp, RemoveBall, ThrowBall, ThrowOutcome, TrueFlight, TrueWorld } from "./messages/world.js";
export {
  JerkLimitedMotions,
  type JerkLimitedResult,
  type JerkLimits,
  type JerkMotionOptions,
  type JointBoundary,
  jerkLimitedMotion,
  ProfileStatus,
} from "./motion/jerk-limited-motion.js";
export { JointRamps } from "./motion/joint-ramps.js";
export { minimalTime, reachableDistance } from "./motion/minimal-time.js";
export { beside, differentiated, joined, retimed, sampled, shifted } from "./motion/motion-algebra.js";
export { describeMotion, type MotionDescription, parseMotion } from "./motion/motion-description.js";
export {
  type CheckedLimits,
  checkMotion,
  type MotionExtremes,
  type MotionKind,
  type MotionViolation,
  motionExtremes,
} from "./motion/motion-extremes.js";
export { MotionState, PiecewiseMotion } from "./motion/piecewise-motion.js";
export { type MotionKnot, motionThrough } from "./motion/quintic-motion.js";
export { RampStatus } from "./motion/ramp.js";
export { RampFunctions } from "./motion/ramp-functions.js";
export { motionOfRamps } from "./motion/ramp-motion.js";
export { type ToolLimits, ToolMotion, ToolState } from "./motion/tool-motion.js";
export { ToolPath, ToolPathState } from "./motion/tool-path.js";
export { PlannerPool } from "./nodes/planner-host/planner-pool.module.js";
export { BodyRule } from "./planning/body/body-rule.js";
export { MovingBasePath } from "./planning/body/moving-base-path.js";
export type { JointPeak, MotionAnswer, MotionReason, MotionStatus } from "./planning/motions/motion-answer.js";
export { MotionPlanner, type MotionPlannerOptions, planMotion } from "./planning/motions/motion-planner.js";
export type { GoalDescription, MotionRequest } from "./planning/motions/motion-request.js";
export { InlinePlanner } from "./planning/pool/inline-planner.js";
export { type CatchMode, catchModes } from "./planning/problem/objectives.js";
export {
  type CatchDescription,
  type PlanAnswer,
  PlanAnswerSchema,
  type PlanStatistics,
  type PlanStatus,
  type RampDescription,
  type Reason,
  type SampledMotion,
} from "./planning/request/answer.js";
export { exampleRequest } from "./planning/request/example-request.js";
export { Planner, type PlannerOptions, planCatch } from "./planning/request/plan-catch.js";
export type { PlannerSettings } from "./planning/request/planner-settings.js";
export {
  assertPlanRequest,
  type BallDescription,
  type PlanFrame,
  type PlanRequest,
  PlanRequestSchema,
  type StartDescription,
} from "./planning/request/request.js";
export type { RobotSource } from "./planning/request/resolve-request.js";
export { openRecording } from "./recording/format/open-recording.js";
export { RecordingWriter } from "./recording/format/recording-writer.js";
export type { RecordedItem, Recording, RecordingHeader } from "./recording/recording.js";
export { fileReport } from "./report/replay-report.js";
export type { FileReport, ThrowReport } from "./report/report-types.js";
export { kineticEnergy, potentialEnergy } from "./robot/dynamics/energy.js";
export { forwardDynamics } from "./robot/dynamics/forward-dynamics.js";
export { inverseDynamics } from "./robot/dynamics/inverse-dynamics.js";
export { forwardKinematics, forwardVelocities } from "./robot/kinematics/kinematics.js";
export { type LoadRobotOptions, loadRobot } from "./robot/loading/load-robot.js";
export { type Obstacle, parseObstacles, robotAmong } from "./robot/loading/obstacles.js";
export { listRobots } from "./robot/loading/robot-folders.js";
export { checkRobot } from "./robot/report/check.js";
export type { Finding } from "./robot/report/finding.js";
export type { JointGroup, Robot, RobotCamera, RobotHand, RobotModel } from "./robot/robot.js";
export { RobotState } from "./robot/state.js";
export { LockStepHost, type LockStepOptions, lockStepRun } from "./run/lock-step-host.js";
export type { NodeFactory, NodeSlot, OwnNodeModules, OwnNodeName, OwnNodes } from "./run/own-nodes.js";
export { poolPlanners } from "./run/pool-planners.js";
export { type RealTimeOptions, realTimeDefaults } from "./run/real-time-options.js";
export { realTimeRun } from "./run/real-time-run.js";
export { type Replay, replayRecording } from "./run/replay/replay-run.js";
export type { ReplayChanges, ReplayOptions } from "./run/replay/replay-settings.js";
export { type DriverChoice, type RobotLink, robotLink } from "./run/robot-link.js";
export { Run } from "./run/run.js";
export { type ErrorCode, errorCatalogue } from "./runtime/error-catalogue.js";
export { type ErrorDetails, FlycatcherError } from "./runtime/errors.js";
export { packageVersion } from "./runtime/package-root.js";
export { MonitorAction, MonitorPhase } from "./safety/monitor/monitor-words.js";
export { SelfCollisionMonitor } from "./safety/monitor/self-collision-monitor.js";
export { BallTracker } from "./tracking/ball-tracker.js";
export { CircleDetector } from "./tracking/circles/circle-detector.js";
export { CircleSet } from "./tracking/circles/circle-set.js";
export type { BallTrack } from "./tracking/events/ball-track.js";
export { PointSet, type Scan } from "./tracking/filter/scan.js";
export {
  BallForecast,
  createSurfaceCrossing,
  type ForecastMotion,
  type SurfaceCrossing,
} from "./tracking/prediction/ball-forecast.js";
export { FixedFrame, type MovingFrame, SteadyFrame, worldFrame } from "./tracking/prediction/moving-frame.js";
export { DistanceSurface, PlaneSurface, SphereSurface, type Surface } from "./tracking/prediction/surface.js";
export { attachAnyChannel, attachChannel, type ChannelHandle, createChannel } from "./transport/channels/channel.js";
export {
  array,
  bytes,
  choice,
  described,
  f32,
  f64,
  flag,
  i32,
  struct,
  text,
  time,
  u8,
  u16,
  u32,
} from "./transport/channels/field.js";
export { packet } from "./transport/channels/packet.js";
export { SyncGroup } from "./transport/channels/sync-group.js";
export { createSyncTable, SyncTable } from "./transport/channels/sync-table.js";
export type { Node } from "./transport/node.js";
export { type InPort, type OutPort, takeEach, takeNewest } from "./transport/port.js";
