import { Flight } from "../../flight/flight.js";
import type { FlightStatus } from "../../flight/flight-path.js";
import * as vec3 from "../../math/vec3.js";
import type { CatchTask } from "../problem/catch-problem.js";
import { ALL_CHECKS, type VerifyChecks } from "../problem/checks.js";
import { KeepOutSet } from "../problem/keep-out.js";
import { SuccessCurve } from "../problem/success-curve.js";
import type { CatchMode } from "../request/request.js";
import { compileKeepOut, KEEP_OUT_NUMBERS } from "./keep-out-numbers.js";
import { modeNames, type PlannerJob } from "./planner-packets.module.js";

/** Flights up to this long are laid out without new memory [s]. */
const USUAL_FLIGHT = 5;
/** Longest flight there is [s]: beyond it a question is a mistake. */
const LONGEST_FLIGHT = 600;

/** The task of a job, made once for an arm and filled for each of its jobs. */
export class JobTask implements CatchTask {
  mode: CatchMode = "soft";
  readonly q0: Float64Array;
  readonly w0: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  path = new Flight({ duration: USUAL_FLIGHT });
  keepOut: KeepOutSet;
  earliest = 0;
  latest = 0;
  success: SuccessCurve | null = null;
  checks: VerifyChecks = ALL_CHECKS;
  readonly #ball = { time: 0, position: vec3.create(), velocity: vec3.create(), drag: 0 };
  /** The shapes that `keepOut` was compiled from. */
  readonly #keepOutNumbers: Float64Array;
  #longest = USUAL_FLIGHT;

  constructor(dofs: number, keepOutCount: number) {
    this.q0 = new Float64Array(dofs);
    this.w0 = new Float64Array(dofs);
    this.maxVelocity = new Float64Array(dofs);
    this.maxAcceleration = new Float64Array(dofs);
    this.#keepOutNumbers = new Float64Array(keepOutCount * KEEP_OUT_NUMBERS);
    this.keepOut = KeepOutSet.compile([], () => {
      throw new Error("there are no shapes");
    });
  }

  /** Takes over a job for this arm with as many keep-out shapes as it was made for. */
  read(job: Readonly<PlannerJob>): FlightStatus {
    this.mode = modeNames[job.mode]!;
    this.earliest = job.earliest;
    this.latest = job.latest;
    this.checks = job.checks;
    for (let i = 0; i < this.q0.length; i++) {
      this.q0[i] = job.q0[i]!;
      this.w0[i] = job.w0[i]!;
      this.maxVelocity[i] = job.maxVelocity[i]!;
      this.maxAcceleration[i] = job.maxAcceleration[i]!;
    }
    this.#readKeepOut(job);
    this.success = job.successCount === 0 ? null : readSuccess(job);
    return this.#layOutFlight(job);
  }

  #readKeepOut({ keepOut, keepOutCount }: Readonly<PlannerJob>): void {
    const numbers = this.#keepOutNumbers;
    let isSame = this.keepOut.count === keepOutCount;
    for (let k = 0; k < numbers.length; k++) {
      if (numbers[k] === keepOut[k]) continue;
      numbers[k] = keepOut[k]!;
      isSame = false;
    }
    if (!isSame) this.keepOut = compileKeepOut(numbers, keepOutCount);
  }

  #layOutFlight(job: Readonly<PlannerJob>): FlightStatus {
    const ball = this.#ball;
    ball.time = job.ballTime;
    ball.drag = job.drag;
    vec3.copy(job.position, ball.position);
    vec3.copy(job.velocity, ball.velocity);
    const { gravity, flightBegin, flightEnd } = job;
    const needed = Math.max(flightEnd, ball.time) - Math.min(flightBegin, ball.time);
    if (needed > this.#longest && needed <= LONGEST_FLIGHT) {
      this.#longest = needed;
      this.path = new Flight({ duration: needed });
    }
    return this.path.reset(ball, gravity, flightBegin, flightEnd);
  }
}

function readSuccess({ success, successCount, successFrom, successStep }: Readonly<PlannerJob>): SuccessCurve {
  return new SuccessCurve(successFrom, successStep, success.slice(0, successCount));
}
