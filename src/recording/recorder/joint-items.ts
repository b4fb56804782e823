import type { Vec3 } from "../../math/vec3.js";
import type { Imu } from "../../messages/imu.js";
import type { JointCommand } from "../../messages/joint-command.js";
import type { JointState } from "../../messages/joint-state.js";
import { ReadingsBatch } from "../readings-batch.js";
import type { ItemOf, RecordingHeader } from "../recording.js";

/** Time between two items of readings [ns]. */
const BATCH_NS = 40_000_000;

/** Makes items of what encoders, IMU and control say a thousand times a second. */
export class JointItems {
  readonly #readings: ReadingsBatch | null;
  readonly #periodNs: number;
  readonly #commandedQ: Float64Array;
  readonly #commandedQd: Float64Array;
  #isCommanded = false;
  #jointsNs = Number.NEGATIVE_INFINITY;
  #batchNs = Number.NEGATIVE_INFINITY;

  constructor({ readings, jointPeriodNs }: Pick<RecordingHeader, "readings" | "jointPeriodNs">, dofCount: number) {
    this.#readings = readings === null ? null : new ReadingsBatch(readings);
    this.#periodNs = jointPeriodNs ?? Number.POSITIVE_INFINITY;
    this.#commandedQ = new Float64Array(dofCount);
    this.#commandedQd = new Float64Array(dofCount);
  }

  command({ position, velocity }: Readonly<JointCommand>): void {
    const { length } = this.#commandedQ;
    this.#commandedQ.set(position.subarray(0, length));
    this.#commandedQd.set(velocity.subarray(0, length));
    this.#isCommanded = true;
  }

  imu({ t, tArrival, angularVelocity, specificForce }: Readonly<Imu>): void {
    this.#readings?.addImu(t.seconds, angularVelocity as Vec3, specificForce as Vec3, tArrival.nanoseconds);
  }

  /** The item of a state, if one is due; the reading is kept for the next batch in any case. */
  state({ t, tArrival, position, velocity }: Readonly<JointState>): ItemOf<"joints"> | null {
    const { length } = this.#commandedQ;
    const q = position.subarray(0, length);
    const qd = velocity.subarray(0, length);
    // Until control has spoken the joints are told to be where they are.
    if (!this.#isCommanded) this.#commandedQ.set(q);
    this.#readings?.addJoints({ time: t.seconds, q, qd, commanded: this.#commandedQ }, tArrival.nanoseconds);
    const timeNs = Math.max(0, tArrival.nanoseconds);
    if (!(timeNs - this.#jointsNs >= this.#periodNs)) return null;
    this.#jointsNs = timeNs;
    const commanded = { commandedQ: this.#commandedQ.slice(), commandedQd: this.#commandedQd.slice() };
    return { topic: "joints", timeNs, q: q.slice(), qd: qd.slice(), ...commanded };
  }

  /** The readings since the last batch, if it is time for another. */
  batch(nowNs: number): ItemOf<"sensors/readings"> | null {
    if (nowNs - this.#batchNs < BATCH_NS) return null;
    this.#batchNs = nowNs;
    return this.rest(nowNs);
  }

  /** What is left at the end. */
  rest(nowNs: number): ItemOf<"sensors/readings"> | null {
    const readings = this.#readings?.take() ?? null;
    return readings === null ? null : { topic: "sensors/readings", timeNs: nowNs, ...readings };
  }
}
