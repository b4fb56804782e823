import type { CatchEvent, CatchState } from "../catching/catch-states.js";
import type { ThrowResult } from "../catching/run-summary.js";
import { gravity } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import * as vec3 from "../math/vec3.js";
import { JointCommand, MonitorState } from "../messages/control.js";
import { Handover, Motion, PlanAnswer, PlanQuestion } from "../messages/planning.js";
import { Predictions } from "../messages/prediction.js";
import { Event, Transition } from "../messages/report.js";
import { Circles, Image, Imu, JointState, LostFrame, Points } from "../messages/sensing.js";
import { TrueFlight } from "../messages/world.js";
import { asRamps } from "../motion/joint-ramps.js";
import { ReadingsBatch } from "../recording/readings-batch.js";
import type { RecordedCatch, RecordingHeader, RecordingSink } from "../recording/recorded-messages.js";
import { plain, recordedPrediction, recordedRamps, rounded } from "../recording/recorded-values.js";
import type { Node } from "../transport/node.js";
import { WHEN_CALLED } from "../transport/node.js";
import { anyWaits, type InPort, type PortsOf, takeEach, takeNewest } from "../transport/port.js";

export const recorderPorts = {
  in: {
    joints: JointState,
    imu: Imu,
    imagesLeft: Image,
    imagesRight: Image,
    circlesLeft: Circles,
    circlesRight: Circles,
    points: Points,
    lost: LostFrame,
    predictions: Predictions,
    questions: PlanQuestion,
    answers: PlanAnswer,
    motions: Motion,
    handovers: Handover,
    transitions: Transition,
    monitor: MonitorState,
    commands: JointCommand,
    state: JointState,
    flights: TrueFlight,
    events: Event,
  },
  out: {},
} as const;

export interface RecorderOptions {
  readonly sink: RecordingSink;
  readonly header: Pick<RecordingHeader, "readings" | "jointPeriodNs">;
  /** Whether images are written; and of how many frames at most. */
  readonly images?: "kept" | "dropped";
  readonly imageFrames?: number;
}

/** Time between two items of readings [ns]. */
const BATCH_NS = 40_000_000;
/** Joints that are recorded for pictures alone are rounded to 1e-5 rad. */
const PICTURE_STEPS = 1e5;

/**
 * Writes down a run: all that a replay needs, and all that it may be compared with. It only takes: the run is the same with and
 * without it.
 */
export class RecorderNode implements Node {
  readonly #ports: PortsOf<typeof recorderPorts>;
  readonly #inPorts: readonly InPort<object>[];
  readonly #options: RecorderOptions;
  readonly #readings: ReadingsBatch | null;
  readonly #flight = new Flight();
  /** The newest question to each arm: its answer says where the ball is at the catch. */
  readonly #questions = new Map<string, PlanQuestion>();
  #command: JointCommand | null = null;
  #nowNs = 0;
  #batch = 0;
  /** Periods of joints so far. */
  #jointPeriods = -1;
  /** Frames so far that had images. */
  #imageFrames = 0;

  constructor(ports: PortsOf<typeof recorderPorts>, options: RecorderOptions) {
    const { readings } = options.header;
    this.#ports = ports;
    this.#inPorts = Object.values(ports.in);
    this.#options = options;
    this.#readings = readings === null ? null : new ReadingsBatch(readings);
  }

  step(nowNs: number): number {
    if (!anyWaits(this.#inPorts)) return WHEN_CALLED;
    const { in: from } = this.#ports;
    const { sink } = this.#options;
    this.#nowNs = nowNs;
    takeEach(from.flights, nowNs, (flight) => this.#writeFlight(flight, nowNs));
    this.#writeFrames(nowNs);
    takeEach(from.predictions, nowNs, ({ balls }) =>
      sink.write({ topic: "predictions", timeNs: nowNs, predictions: balls.map(recordedPrediction) }),
    );
    takeEach(from.answers, nowNs, (answer) => this.#writeAnswer(answer, nowNs));
    takeEach(from.questions, nowNs, (question) => void this.#questions.set(question.arm, question));
    takeEach(from.motions, nowNs, (motion) => this.#writeMotion(motion, nowNs));
    takeEach(from.handovers, nowNs, ({ part, id, outcome }) =>
      sink.write({ topic: "handovers", timeNs: nowNs, part, id, outcome }),
    );
    takeEach(from.monitor, nowNs, ({ phase, distance, bodies, reason }) => {
      const pair = bodies === null ? null : ([bodies.a, bodies.b] as const);
      sink.write({ topic: "monitor", timeNs: nowNs, phase, distance, bodies: pair, reason });
    });
    takeEach(from.transitions, nowNs, ({ arm, from: before, event, to, timeNs }) => {
      const states = { from: before as CatchState, event: event as CatchEvent, to: to as CatchState };
      sink.write({ topic: "states", timeNs, arm, ...states });
    });
    this.#writeReadings(nowNs);
    this.#writeJoints(nowNs);
    takeEach(from.lost, nowNs, ({ frame, exposureNs }) =>
      sink.write({ topic: "cameras/lost", timeNs: nowNs, frame, exposureNs }),
    );
    takeEach(from.events, nowNs, ({ severity, source, code, track, text }) =>
      sink.write({ topic: "events", timeNs: nowNs, severity, source, code, track, text }),
    );
    return WHEN_CALLED;
  }

  #writeFlight({ ball, aim, flightTime, pieces }: TrueFlight, timeNs: number): void {
    this.#options.sink.write({
      topic: "truth/flights",
      timeNs,
      ball,
      aim: aim === null ? null : plain(aim),
      flightTime,
      pieces: pieces.map(({ time, until, position, velocity, drag }) => {
        return { time, until, position: plain(position), velocity: plain(velocity), drag };
      }),
    });
  }

  #writeFrames(nowNs: number): void {
    const { imagesLeft, imagesRight, circlesLeft, circlesRight, points } = this.#ports.in;
    const { sink, images = "dropped", imageFrames = Number.POSITIVE_INFINITY } = this.#options;
    const writeImages = (port: InPort<Image>) =>
      takeEach(port, nowNs, ({ camera, frame, exposureNs, arrivalNs, width, height, pixels }) => {
        if (pixels.length === 0) return;
        if (camera === "left") this.#imageFrames++;
        if (images === "dropped" || this.#imageFrames > imageFrames) return;
        const exposure = { camera, frame, exposureNs, arrivalNs };
        sink.write({ topic: "cameras/images", timeNs: nowNs, ...exposure, width, height, pixels });
      });
    writeImages(imagesLeft);
    writeImages(imagesRight);
    for (const port of [circlesLeft, circlesRight])
      takeEach(port, nowNs, (circles) => this.#writeCircles(circles, nowNs));
    takeEach(points, nowNs, ({ frame, exposureNs, arrivalNs, position, covariance }) => {
      const measured = { positions: plain(position), covariance: plain(covariance) };
      sink.write({ topic: "points", timeNs: nowNs, frame, exposureNs, arrivalNs, ...measured });
    });
  }

  #writeCircles({ camera, frame, exposureNs, arrivalNs, u, v, r, covariance, score }: Circles, timeNs: number): void {
    this.#options.sink.write({
      topic: "cameras/circles",
      timeNs,
      camera,
      frame,
      exposureNs,
      arrivalNs,
      circles: plain(Array.from(u, (_, i) => [u[i]!, v[i]!, r[i]!]).flat()),
      covariance: plain(covariance),
      score: plain(score),
    });
  }

  #writeAnswer(answer: PlanAnswer, timeNs: number): void {
    const { arm, id, track, search, askedNs, tStart, reason } = answer;
    this.#options.sink.write({
      topic: "plans",
      timeNs,
      arm,
      id,
      track,
      search,
      askedNs,
      tStart,
      catch: this.#catchOf(answer),
      reason,
    });
  }

  #catchOf({ arm, plan }: PlanAnswer): RecordedCatch | null {
    const ball = this.#questions.get(arm)?.ball;
    if (plan === null || ball === undefined) return null;
    const { ramps, tCatch, arrival, objective, successProbability } = plan;
    this.#flight.reset(ball, gravity(), Math.min(ball.time, tCatch), Math.max(ball.time, tCatch));
    const position = plain(this.#flight.position(tCatch, vec3.create()));
    return { ramps: recordedRamps(asRamps(ramps)), tCatch, arrival, objective, successProbability, position };
  }

  #writeMotion({ part, id, tStart, ramps, closeHandAt }: Motion, timeNs: number): void {
    const recorded = recordedRamps(asRamps(ramps));
    this.#options.sink.write({ topic: "motions", timeNs, part, id, tStart, ramps: recorded, closeHandAt });
  }

  /** Readings of a batch are those before its time. */
  #writeReadings(nowNs: number): void {
    const { joints, imu } = this.#ports.in;
    const batch = Math.floor(nowNs / BATCH_NS);
    if (batch !== this.#batch) this.#flush(nowNs);
    this.#batch = batch;
    takeEach(joints, nowNs, (reading) => this.#readings?.addJoints(reading, nowNs));
    takeEach(imu, nowNs, ({ time, angularVelocity, specificForce }) =>
      this.#readings?.addImu(time, angularVelocity, specificForce, nowNs),
    );
  }

  #writeJoints(nowNs: number): void {
    const { jointPeriodNs } = this.#options.header;
    this.#command = takeNewest(this.#ports.in.commands, nowNs) ?? this.#command;
    const state = takeNewest(this.#ports.in.state, nowNs);
    if (state === null || this.#command === null || jointPeriodNs === null) return;
    const period = Math.floor(nowNs / jointPeriodNs);
    if (period === this.#jointPeriods) return;
    this.#jointPeriods = period;
    const write = jointPeriodNs < BATCH_NS ? plain : (values: Float64Array) => rounded(values, PICTURE_STEPS);
    this.#options.sink.write({
      topic: "joints",
      timeNs: nowNs,
      q: write(state.q),
      qd: write(state.qd),
      commandedQ: write(this.#command.q),
      commandedQd: write(this.#command.qd),
    });
  }

  /** What became of a throw. */
  judged(result: ThrowResult, timeNs: number): void {
    this.#options.sink.write({ topic: "results", timeNs, result });
  }

  #flush(nowNs: number): void {
    const readings = this.#readings?.take(nowNs) ?? null;
    if (readings !== null) this.#options.sink.write(readings);
  }

  /** Writes what has been gathered; the sink is the caller's to close. */
  close(): void {
    this.#flush(this.#nowNs);
  }
}
