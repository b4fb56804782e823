import type { BallPrediction } from "../catching/arm-planner.js";
import type { CatchEvent, CatchState } from "../catching/catch-states.js";
import type { AnsweredQuestion, RunObserver, SensingObserver } from "../catching/run-observer.js";
import type { ThrowResult } from "../catching/run-summary.js";
import type { Frame } from "../catching/seeing/frame.js";
import type { Passage } from "../catching/state-machine.js";
import { brakeWords } from "../catching/stop-recovery.js";
import type { ControlCycle } from "../control/control-cycle.js";
import type { Handover, MotionPlan } from "../control/motion-execution.js";
import { gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import type { Vec3 } from "../math/vec3.js";
import * as vec3 from "../math/vec3.js";
import { Severity } from "../messages/event.js";
import type { Robot } from "../robot/robot.js";
import { MonitorAction, MonitorPhase } from "../safety/monitor/monitor-words.js";
import type { CatchWorld, FlyingBall } from "../simulation/catch-world.js";
import type { Throw } from "../simulation/throws.js";
import type { CircleSet } from "../tracking/circles/circle-set.js";
import type { TrackerEvent } from "../tracking/events/tracker-event.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import { ReadingsBatch } from "../recording/readings-batch.js";
import type { CameraSide, MonitorItem, RecordedCatch, RecordingHeader, RecordingSink } from "../recording/recorded-messages.js";
import { plain, recordedPrediction, recordedRamps, rounded } from "../recording/recorded-values.js";

export interface RunRecorderOptions {
  readonly robot: Robot;
  readonly header: Pick<RecordingHeader, "readings" | "jointPeriodNs" | "perception">;
  /** Whether images are written, where frames keep them; and of how many frames at most. */
  readonly images?: "kept" | "dropped";
  readonly imageFrames?: number;
}

/** Time between two items of readings, and of the monitor [ns]. */
const BATCH_NS = 40_000_000;
/** Joints that are recorded for pictures alone are rounded to 1e-5 rad. */
const PICTURE_STEPS = 1e5;

/**
 * Writes down a run in lock-step, all that a replay needs and all that it may be compared with. It only listens: the run
 * is the same with and without it. To be closed at the end.
 *
 * @example
 * const recorder = new RunRecorder(sink, { robot, header });
 * const scene = await createScene({ robot, world, perception, seed, observer: recorder });
 * const run = new CatchRun({ robot, world: scene.world, perception: scene.perception, observer: recorder });
 */
export class RunRecorder implements RunObserver, SensingObserver {
  readonly #sink: RecordingSink;
  readonly #options: RunRecorderOptions;
  readonly #readings: ReadingsBatch | null;
  readonly #flight = new Flight();
  readonly #q: Float64Array;
  readonly #qd: Float64Array;
  #phase: MonitorPhase = MonitorPhase.safe;
  #lastNs = 0;
  /** Frames so far that had images. */
  #imageFrames = 0;

  constructor(sink: RecordingSink, options: RunRecorderOptions) {
    const { readings } = options.header;
    this.#sink = sink;
    this.#options = options;
    this.#readings = readings === null ? null : new ReadingsBatch(readings);
    this.#q = new Float64Array(options.robot.model.dofCount);
    this.#qd = new Float64Array(options.robot.model.dofCount);
  }

  joints(reading: JointReading, nowNs: number): void {
    this.#readings?.addJoints(reading, nowNs);
  }

  imu(time: number, angularVelocity: Vec3, specificForce: Vec3, nowNs: number): void {
    this.#readings?.addImu(time, angularVelocity, specificForce, nowNs);
  }

  frame(frame: Frame, arrivalNs: number, nowNs: number): void {
    const { number, exposureNs, points, left, right, images } = frame;
    const exposure = { frame: number, exposureNs, arrivalNs, timeNs: nowNs };
    if (this.#options.header.perception === "points") {
      const positions = plain(points.position.subarray(0, 3 * points.count));
      const covariance = plain(points.covariance.subarray(0, 9 * points.count));
      this.#sink.write({ topic: "points", ...exposure, positions, covariance });
      return;
    }
    if (images !== null) this.#imageFrames++;
    for (const camera of ["left", "right"] as const) {
      const circles = camera === "left" ? left : right;
      if (images !== null && this.#keepsImages) {
        this.#sink.write({ topic: "cameras/images", ...exposure, camera, ...images[camera] });
      }
      if (circles !== null) this.#writeCircles(circles, camera, exposure);
    }
  }

  get #keepsImages(): boolean {
    const { images, imageFrames = Number.POSITIVE_INFINITY } = this.#options;
    return images === "kept" && this.#imageFrames <= imageFrames;
  }

  #writeCircles(
    { count, u, v, r, covariance, score }: CircleSet,
    camera: CameraSide,
    exposure: { frame: number; exposureNs: number; arrivalNs: number; timeNs: number },
  ): void {
    const circles = Array.from({ length: count }, (_, i) => [u[i]!, v[i]!, r[i]!]).flat();
    this.#sink.write({
      topic: "cameras/circles",
      ...exposure,
      camera,
      circles: plain(circles),
      covariance: plain(covariance.subarray(0, 9 * count)),
      score: plain(score.subarray(0, count)),
    });
  }

  lost({ number, exposureNs }: Frame, nowNs: number): void {
    this.#sink.write({ topic: "cameras/lost", timeNs: nowNs, frame: number, exposureNs });
  }

  predicted(predictions: readonly BallPrediction[], nowNs: number): void {
    this.#sink.write({ topic: "predictions", timeNs: nowNs, predictions: predictions.map(recordedPrediction) });
  }

  answered({ arm, track, askedNs, request, answer }: AnsweredQuestion, nowNs: number): void {
    const { id, tStart, previous } = request;
    this.#sink.write({
      topic: "plans",
      timeNs: nowNs,
      arm,
      id,
      track,
      search: previous === null ? "cold" : "warm",
      askedNs,
      tStart,
      catch: this.#catchOf(request, answer),
      reason: answer.plan === null ? answer.reason : null,
    });
  }

  #catchOf({ ball }: AnsweredQuestion["request"], { plan }: AnsweredQuestion["answer"]): RecordedCatch | null {
    if (plan === null) return null;
    const { ramps, tCatch, arrival, objective, successProbability } = plan;
    this.#flight.reset(ball, gravity(), Math.min(ball.time, tCatch), Math.max(ball.time, tCatch));
    const position = plain(this.#flight.position(tCatch, vec3.create()));
    return { ramps: recordedRamps(ramps), tCatch, arrival, objective, successProbability, position };
  }

  sent(part: string, { id, tStart, ramps, closeHandAt }: MotionPlan, nowNs: number): void {
    this.#sink.write({
      topic: "motions",
      timeNs: nowNs,
      part,
      id,
      tStart,
      ramps: recordedRamps(ramps),
      closeHandAt: Number.isFinite(closeHandAt) ? closeHandAt : null,
    });
  }

  handedOver(part: string, id: number, outcome: Handover, nowNs: number): void {
    this.#sink.write({ topic: "handovers", timeNs: nowNs, part, id, outcome });
  }

  passed(arm: string, { from, event, to, timeNs }: Passage<CatchState, CatchEvent>): void {
    this.#sink.write({ topic: "states", timeNs, arm, from, event, to });
  }

  ticked({ monitor, command }: ControlCycle, nowNs: number): void {
    this.#q.set(command.q);
    this.#qd.set(command.qd);
    const isNews = monitor.phase !== this.#phase;
    if (monitor.action === MonitorAction.withhold || !(isNews || nowNs % BATCH_NS === 0)) return;
    this.#phase = monitor.phase;
    this.#sink.write(monitorItem(monitor, this.#options.robot, nowNs));
  }

  moved({ q, qd }: CatchWorld, nowNs: number): void {
    const { jointPeriodNs } = this.#options.header;
    this.#lastNs = nowNs;
    if (nowNs % BATCH_NS === 0) this.#flush();
    if (jointPeriodNs === null || nowNs % jointPeriodNs !== 0) return;
    const write = jointPeriodNs < BATCH_NS ? plain : (values: Float64Array) => rounded(values, PICTURE_STEPS);
    this.#sink.write({
      topic: "joints",
      timeNs: nowNs,
      q: write(q),
      qd: write(qd),
      commandedQ: write(this.#q),
      commandedQd: write(this.#qd),
    });
  }

  /** What the tracker tells, for `SceneOptions.onEvent`. */
  readonly tracked = ({ severity, code, track, text }: TrackerEvent): void => {
    const name = (Object.keys(Severity) as (keyof typeof Severity)[]).find((key) => Severity[key] === severity);
    const timeNs = this.#lastNs;
    this.#sink.write({ topic: "events", timeNs, severity: name ?? "info", source: "tracker", code, track, text });
  };

  released(ball: FlyingBall, { state, aim, flightTime }: Throw, nowNs: number): void {
    const states = [state, ...(ball.bounces ?? [])];
    const pieces = states.map((piece, k) => ({
      time: piece.time,
      until: states[k + 1]?.time ?? ball.lands,
      position: plain(piece.position),
      velocity: plain(piece.velocity),
      drag: piece.drag,
    }));
    this.#sink.write({ topic: "truth/flights", timeNs: nowNs, ball: ball.id, aim: plain(aim), flightTime, pieces });
  }

  judged(result: ThrowResult, nowNs: number): void {
    this.#sink.write({ topic: "results", timeNs: nowNs, result });
  }

  #flush(): void {
    const readings = this.#readings?.take(this.#lastNs) ?? null;
    if (readings !== null) this.#sink.write(readings);
  }

  /** Writes what has been gathered; the sink is the caller's to close. */
  close(): void {
    this.#flush();
  }
}

function monitorItem(monitor: ControlCycle["monitor"], robot: Robot, timeNs: number): MonitorItem {
  const { phase, distance, nearestPair, pairs, reason } = monitor;
  const phaseName = (Object.keys(MonitorPhase) as MonitorItem["phase"][]).find((name) => MonitorPhase[name] === phase);
  const name = (body: number): string => robot.hulls[body]?.name ?? String(body);
  return {
    topic: "monitor",
    timeNs,
    phase: phaseName ?? "safe",
    distance: Number.isFinite(distance) ? distance : null,
    bodies: nearestPair < 0 ? null : [name(pairs.bodyA[nearestPair]!), name(pairs.bodyB[nearestPair]!)],
    reason: phase === MonitorPhase.safe ? null : brakeWords(reason),
  };
}
