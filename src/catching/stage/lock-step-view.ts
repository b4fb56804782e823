import type { ControlCycle } from "../../control/control-cycle.js";
import type { Handover, MotionPlan } from "../../control/motion-execution.js";
import type { MotionPart } from "../../control/robot-motion.js";
import type { Vec3 } from "../../math/vec3.js";
import type { Robot } from "../../robot/robot.js";
import { MonitorPhase } from "../../safety/monitor/monitor-words.js";
import type { CatchWorld } from "../../simulation/catch-world.js";
import type { BallPrediction } from "../arm-planner.js";
import type { CatchRun } from "../catch-run.js";
import { seconds } from "../catch-times.js";
import type { AnsweredQuestion, RunObserver, SensingObserver } from "../run-observer.js";
import type { ThrowResult } from "../run-summary.js";
import type { Frame } from "../seeing/frame.js";
import { ballPlaces } from "./ball-places.js";
import { closingOf } from "./hand-closing-share.js";
import type { LockStepWord } from "./lock-step-messages.js";
import { NearestPairs } from "./nearest-pairs.js";
import { pickRamps } from "./plan-words.js";
import { createPosePacket, encodePosePacket } from "./pose-packet.js";
import { PredictionPath } from "./prediction-path.js";
import { previewOf } from "./preview.js";
import type { StageMessage } from "./stage-messages.js";
import { armStates, monitorState } from "./state-words.js";
import { SweptVolumes } from "./swept-volumes.js";

/** What is told of again and again, so often at most [ms of the wall clock]. */
const POSE_MS = 15;
const STATE_MS = 100;
const SAFETY_MS = 150;
const SWEPT_MS = 100;
/** Pairs that are told of. */
const PAIRS_TOLD = 8;

/** Looks on at a lock-step run and puts what happens into words for spectators. */
export class LockStepView implements RunObserver, SensingObserver {
  wantsImages = false;
  wantsSwept = false;
  readonly #robot: Robot;
  readonly #tell: (word: LockStepWord) => void;
  readonly #wallMs: () => number;
  readonly #paths = new PredictionPath();
  readonly #pairs: NearestPairs;
  readonly #pose: ReturnType<typeof createPosePacket>;
  /** Where the questions for each arm's plans are remembered: ball, and when it is caught. */
  readonly #catches = new Map<
    string,
    { readonly id: number; readonly track: number; readonly tCatch: number; readonly objective: number | null }
  >();
  #run: CatchRun | null = null;
  #parts: readonly MotionPart[] = [];
  #nextPose = 0;
  #nextState = 0;
  #nextSafety = 0;
  #nextSwept = 0;
  #swept: SweptVolumes | null = null;

  constructor(robot: Robot, wallMs: () => number, tell: (word: LockStepWord) => void) {
    this.#robot = robot;
    this.#wallMs = wallMs;
    this.#tell = tell;
    this.#pairs = new NearestPairs(robot);
    this.#pose = createPosePacket(robot.model.dofCount, robot.hands.length);
  }

  /** The run to look at; the observer is made before it. */
  set run(run: CatchRun) {
    this.#run = run;
    this.#parts = run.motion.parts;
  }

  #say(message: StageMessage): void {
    this.#tell({ type: "message", message });
  }

  predicted(predictions: readonly BallPrediction[], nowNs: number): void {
    for (const prediction of predictions) {
      const { track, confirmed, lastSeen: tExposure } = prediction;
      const path = this.#paths.points(prediction);
      this.#say({ type: "prediction", time: seconds(nowNs), track, confirmed, tExposure, path });
    }
  }

  answered({ arm, track, answer }: AnsweredQuestion): void {
    const found = answer.plan ?? answer.approach;
    if (found === null) return;
    const { id, tCatch, objective } = found;
    this.#catches.set(arm, { id, track, tCatch, objective: Number.isNaN(objective) ? null : objective });
  }

  sent(part: string, { id, tStart, ramps, closeHandAt }: MotionPlan, nowNs: number): void {
    const joints = this.#parts.find(({ name }) => name === part)?.dofs ?? [];
    const planned = this.#catches.get(part);
    const isCatch = closeHandAt !== Number.POSITIVE_INFINITY && planned?.id === id;
    this.#say({
      type: "plan",
      time: seconds(nowNs),
      id,
      part,
      track: isCatch ? planned.track : -1,
      tStart,
      tCatch: isCatch ? planned.tCatch : null,
      joints: [...joints],
      ramps: pickRamps(
        ramps,
        joints.map((_, k) => k),
      ),
      objective: isCatch ? planned.objective : null,
    });
  }

  handedOver(part: string, plan: number, outcome: Handover, nowNs: number): void {
    this.#say({ type: "handover", time: seconds(nowNs), plan, part, outcome });
  }

  passed(): void {
    this.#nextState = 0;
  }

  ticked(control: ControlCycle, nowNs: number): void {
    const wall = this.#wallMs();
    if (this.wantsSwept && wall >= this.#nextSwept) this.#showSwept(control, wall);
    if (wall < this.#nextState || this.#run === null) return;
    this.#nextState = wall + STATE_MS;
    const { phase, reason } = control.monitor;
    const { director } = this.#run;
    const isStopped = phase !== MonitorPhase.safe;
    this.#say({
      type: "state",
      time: seconds(nowNs),
      activity: isStopped ? "stopped" : director.isWaiting ? "waiting" : "busy",
      monitor: monitorState(phase, reason),
      arms: armStates(director.disclose(nowNs)),
    });
  }

  #showSwept({ command }: ControlCycle, wall: number): void {
    this.#nextSwept = wall + SWEPT_MS;
    this.#swept ??= new SweptVolumes(this.#robot);
    this.#tell({ type: "swept", volumes: this.#swept.compute(command.time, command.q, command.qd, command.qdd) });
  }

  released({ id }: { readonly id: number }, _: unknown, nowNs: number): void {
    this.#say({ type: "ball", time: seconds(nowNs), ball: id });
  }

  moved(world: CatchWorld, nowNs: number): void {
    const wall = this.#wallMs();
    if (wall >= this.#nextPose) this.#showPose(world, seconds(nowNs), wall);
    if (wall < this.#nextSafety) return;
    this.#nextSafety = wall + SAFETY_MS;
    const braking = this.#run?.control.monitor.distance ?? null;
    const pairs = this.#pairs.at(world.q, PAIRS_TOLD);
    this.#say({ type: "safety", time: seconds(nowNs), braking, pairs });
  }

  #showPose(world: CatchWorld, time: number, wall: number): void {
    const { frames } = this.#robot;
    this.#nextPose = wall + POSE_MS;
    this.#pose.time = time;
    this.#pose.joints.set(world.q);
    closingOf(this.#robot, world.q, this.#pose.hands);
    if (frames.head !== undefined) this.#pose.head.set(world.worldFromLink(frames.head));
    this.#pose.balls = ballPlaces(world, time);
    this.#tell({ type: "pose", bytes: encodePosePacket(this.#pose) });
  }

  judged(result: ThrowResult, nowNs: number): void {
    this.#tell({ type: "result", time: seconds(nowNs), result });
  }

  joints(): void {}

  imu(_time: number, _angularVelocity: Vec3, _specificForce: Vec3): void {}

  lost(): void {}

  frame({ exposureNs, left, right, images }: Frame, arrivalNs: number): void {
    for (const [camera, found] of [
      ["left", left],
      ["right", right],
    ] as const) {
      const { stereo, cameras } = this.#robot;
      const model = stereo === undefined ? undefined : cameras[stereo[camera]];
      if (found === null || model === undefined) continue;
      const { width, height } = model;
      const circles = Array.from({ length: found.count }, (_, k) => circleOf(found, k));
      const times = { time: seconds(arrivalNs), tExposure: seconds(exposureNs) };
      if (circles.length > 0) this.#say({ type: "circles", ...times, camera, width, height, circles });
      const image = images?.[camera];
      if (this.wantsImages && image !== undefined) {
        this.#tell({ type: "image", image: previewOf(image, camera, times.tExposure) });
      }
    }
  }
}

function circleOf(set: NonNullable<Frame["left"]>, k: number): readonly [number, number, number, number] {
  return [set.u[k]!, set.v[k]!, set.r[k]!, set.score[k]!];
}
