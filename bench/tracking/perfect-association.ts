import { BallBelief, copyBelief, FilterStatus } from "../../src/tracking/filter/ball-belief.js";
import { BallBirth } from "../../src/tracking/filter/ball-birth.js";
import { BallFilter, type BallFilterOptions } from "../../src/tracking/filter/ball-filter.js";
import { CirclePrediction, StereoPrediction } from "../../src/tracking/filter/circle-prediction.js";
import type { Sighting } from "./sightings.js";

/** Process noise where balls follow the equation of flight exactly [m/s²/√Hz]. */
export const SIMULATED_NOISE = 0.0005;

/** Follows one ball whose circles are known to be its own. */
export class PerfectAssociation {
  readonly filter: BallFilter;
  readonly belief = new BallBelief();
  isBorn = false;
  readonly #birth: BallBirth;
  readonly #stereo = new StereoPrediction();
  readonly #circle = new CirclePrediction();

  constructor(options: BallFilterOptions = {}) {
    this.filter = new BallFilter({ accelerationNoise: SIMULATED_NOISE, ...options });
    this.#birth = new BallBirth(this.filter);
  }

  clear(): void {
    this.isBorn = false;
  }

  /** Uses what both images show: born from the first, improved by the others. */
  see(sighting: Sighting): void {
    const { leftCircles, rightCircles } = sighting;
    const count = leftCircles.count + rightCircles.count;
    if (count === 0) return;
    const status = this.isBorn ? this.#improve(sighting) : this.#bear(sighting);
    if (status !== FilterStatus.ok) throw new Error(`the filter refuses a sighting: status ${status}`);
    this.isBorn = true;
  }

  /** The belief at a later time. */
  at(time: number, out: BallBelief): BallBelief {
    copyBelief(this.belief, out);
    if (this.filter.predict(out, time, out) !== FilterStatus.ok) throw new Error("not a later time");
    return out;
  }

  #bear({ left, right, leftCircles, rightCircles }: Sighting): FilterStatus {
    if (leftCircles.count === 0) return this.#birth.fromCircle(right, rightCircles, 0, this.belief);
    if (rightCircles.count === 0) return this.#birth.fromCircle(left, leftCircles, 0, this.belief);
    return this.#birth.fromStereo(left, leftCircles, 0, right, rightCircles, 0, this.belief);
  }

  #improve({ time, left, right, leftCircles, rightCircles }: Sighting): FilterStatus {
    const { filter, belief } = this;
    filter.predict(belief, time, belief);
    if (leftCircles.count > 0 && rightCircles.count > 0) {
      filter.predictStereo(belief, left, right, this.#stereo);
      return filter.updateStereo(belief, this.#stereo, leftCircles, 0, rightCircles, 0, belief);
    }
    const isLeft = leftCircles.count > 0;
    filter.predictCircle(belief, isLeft ? left : right, this.#circle);
    return filter.updateCircle(belief, this.#circle, isLeft ? leftCircles : rightCircles, 0, belief);
  }
}
