import type { Pose } from "../../math/pose.js";
import * as pose from "../../math/pose.js";
import type { CarriedDofs } from "../../planning/body/carried-dofs.js";
import type { HeadMeasurement } from "../../planning/body/moving-base-path.js";

/** Readings kept: those of the last tenth of a second. */
const KEPT = 128;

/** Some joints over the last moments. */
class JointMemory {
  readonly #dofs: readonly number[];
  readonly #times = new Float64Array(KEPT).fill(Number.NEGATIVE_INFINITY);
  readonly #values: Float64Array;
  #count = 0;

  constructor(dofs: readonly number[]) {
    this.#dofs = dofs;
    this.#values = new Float64Array(KEPT * dofs.length);
  }

  add(time: number, values: Float64Array): void {
    const at = this.#count++ % KEPT;
    this.#times[at] = time;
    for (let i = 0; i < this.#dofs.length; i++) this.#values[at * this.#dofs.length + i] = values[this.#dofs[i]!]!;
  }

  /** The reading nearest to `time`; null if there is none at all. */
  at(time: number): Float64Array | null {
    let nearest = -1;
    for (let k = 0; k < Math.min(this.#count, KEPT); k++) {
      if (nearest < 0 || Math.abs(this.#times[k]! - time) < Math.abs(this.#times[nearest]! - time)) nearest = k;
    }
    const size = this.#dofs.length;
    return nearest < 0 ? null : this.#values.slice(nearest * size, (nearest + 1) * size);
  }
}

/** The newest measured head, with neck and body of the same moment: from which planning reckons where the chest is. */
export class HeadMemory {
  readonly #neck: JointMemory;
  readonly #body: JointMemory;
  readonly #worldFromHead: Pose = pose.create();
  #time = Number.NaN;

  constructor({ neck, body }: CarriedDofs) {
    this.#neck = new JointMemory(neck);
    this.#body = new JointMemory(body);
  }

  addMeasured(time: number, q: Float64Array): void {
    this.#neck.add(time, q);
  }

  addCommanded(time: number, q: Float64Array): void {
    this.#body.add(time, q);
  }

  addHead(time: number, worldFromHead: Readonly<Pose>): void {
    this.#time = time;
    pose.copy(worldFromHead, this.#worldFromHead);
  }

  measurement(): HeadMeasurement | null {
    const neck = this.#neck.at(this.#time);
    const body = this.#body.at(this.#time);
    if (Number.isNaN(this.#time) || neck === null || body === null) return null;
    return { worldFromHead: pose.copy(this.#worldFromHead, pose.create()), neck, body };
  }
}
