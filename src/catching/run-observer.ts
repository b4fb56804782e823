import type { ControlCycle } from "../control/control-cycle.js";
import type { Handover, MotionPlan } from "../control/motion-execution.js";
import type { Vec3 } from "../math/vec3.js";
import type { CatchWorld, FlyingBall } from "../simulation/catch-world.js";
import type { Throw } from "../simulation/throws.js";
import type { JointReading } from "../tracking/pose/head-pose-estimator.js";
import type { ArmPlanAnswer, ArmPlanRequest, BallPrediction } from "./arm-planner.js";
import type { CatchEvent, CatchState } from "./catch-states.js";
import type { ThrowResult } from "./run-summary.js";
import type { Frame } from "./seeing/frame.js";
import type { Passage } from "./state-machine.js";

/** Who is told what a run senses, as its pipeline gets it. What is handed over may be kept, but for vectors. */
export interface SensingObserver {
  joints(reading: JointReading, nowNs: number): void;
  imu(time: number, angularVelocity: Vec3, specificForce: Vec3, nowNs: number): void;
  /** A frame was there at `arrivalNs`, and is taken up now. */
  frame(frame: Frame, arrivalNs: number, nowNs: number): void;
  /** A frame was exposed and will never come. */
  lost(frame: Frame, nowNs: number): void;
}

/** A question to a planner, and its answer. */
export interface AnsweredQuestion {
  readonly arm: string;
  /** Ball it is about. */
  readonly track: number;
  readonly askedNs: number;
  readonly request: ArmPlanRequest;
  readonly answer: ArmPlanAnswer;
}

/** Who is told what the pipeline makes of it. */
export interface PipelineObserver {
  predicted(predictions: readonly BallPrediction[], nowNs: number): void;
  answered(question: AnsweredQuestion, nowNs: number): void;
  sent(part: string, motion: MotionPlan, nowNs: number): void;
  handedOver(part: string, id: number, outcome: Handover, nowNs: number): void;
  passed(arm: string, passage: Passage<CatchState, CatchEvent>): void;
  /** A tick of control is over. */
  ticked(control: ControlCycle, nowNs: number): void;
}

/** Who is told all there is to a simulated run. */
export interface RunObserver extends PipelineObserver {
  /** A ball is let go, now or soon. */
  released(ball: FlyingBall, thrown: Throw, nowNs: number): void;
  /** The world has moved on by a tick. */
  moved(world: CatchWorld, nowNs: number): void;
  judged(result: ThrowResult, nowNs: number): void;
}
