import type { Vec3 } from "../../math/vec3.js";
import { InertialState } from "./inertial-state.js";
import { SampleStatus, TimeRing } from "./time-ring.js";

/** How the state at a sample came about. */
export const StepKind = {
  /** By the IMU from the sample before. */
  carried: 0,
  /** Anew from the kinematics: the first, or after a gap. */
  started: 1,
} as const;

/** Whether a state has been held to the kinematics. */
export const Correction = {
  /** It was not this one's turn. */
  none: 0,
  /** It is to be, and the joints have not told yet where they were. */
  due: 1,
  done: 2,
} as const;
export type Correction = (typeof Correction)[keyof typeof Correction];

/** The last IMU samples, sorted, each with the filter's state at its time. */
export class InertialHistory {
  readonly ring: TimeRing;
  /** Three numbers a slot, scale and calibrated bias taken out. [rad/s], [m/s²] */
  readonly angular: Float64Array;
  readonly force: Float64Array;
  readonly states: readonly InertialState[];
  /** `StepKind` of each slot. */
  readonly kind: Uint8Array;
  /** `Correction` of each slot, and how many wait for theirs: with every reading of the joints somebody asks for the first. */
  readonly #correction: Uint8Array;
  #dueCount = 0;

  constructor(capacity: number) {
    this.ring = new TimeRing(capacity);
    this.angular = new Float64Array(3 * capacity);
    this.force = new Float64Array(3 * capacity);
    this.states = Array.from({ length: capacity }, () => new InertialState());
    this.kind = new Uint8Array(capacity);
    this.#correction = new Uint8Array(capacity);
  }

  add(time: number, angular: Vec3, force: Vec3): SampleStatus {
    const status = this.ring.insert(time);
    if (status !== SampleStatus.accepted && status !== SampleStatus.late) return status;
    const slot = this.ring.slot(this.ring.position);
    // What it says is of the sample that left.
    this.setCorrection(slot, Correction.none);
    for (let i = 0; i < 3; i++) {
      this.angular[3 * slot + i] = angular[i]!;
      this.force[3 * slot + i] = force[i]!;
    }
    return status;
  }

  setCorrection(slot: number, correction: Correction): void {
    if (this.#correction[slot] === Correction.due) this.#dueCount--;
    if (correction === Correction.due) this.#dueCount++;
    this.#correction[slot] = correction;
  }

  /** Place of the first state that waits for the kinematics; −1 if none does. */
  firstDue(): number {
    const { ring } = this;
    if (this.#dueCount === 0) return -1;
    for (let i = 0; i < ring.count; i++) if (this.#correction[ring.slot(i)] === Correction.due) return i;
    return -1;
  }

  /** The newest state; only with samples. */
  get newest(): InertialState {
    return this.states[this.ring.slot(this.ring.count - 1)]!;
  }
}
