import { BallBelief, copyBelief } from "../filter/ball-belief.js";
import type { TrackNode } from "../hypotheses/track-node.js";

/** A ball as the tracker hands it out: its newest state in the most probable hypothesis. */
export class BallTrack {
  /** Identity, the same from birth to loss; never used again. */
  id = 0;
  /** State at the newest scan's time, under the more probable motion; flying for a confirmed track. */
  readonly belief = new BallBelief();
  /** Whether it flies as only a thrown ball does. */
  confirmed = false;
  /** Probability that it flies rather than is carried, rolls or rests. */
  flyingProbability = 0;
  /** Probability that there is this ball at all: of all hypotheses that have it. */
  probability = 0;
  /** Exposure of the newest image that went into it, and of the first [s]. */
  lastMeasurement = 0;
  bornAt = 0;
  /** When its flight began, as a mean over the moments that are possible [s]; only of one that flies. */
  release = 0;
  /** Scans with a measurement. */
  scans = 0;
  /** Log-likelihood ratio against false circles. */
  score = 0;

  fill(node: TrackNode, probability: number, confirmed: boolean): void {
    this.#copyFacts(node);
    this.confirmed = confirmed;
    this.probability = probability;
  }

  copy(other: BallTrack): void {
    this.#copyFacts(other);
    this.confirmed = other.confirmed;
    this.probability = other.probability;
  }

  /** What a node of the track knows, too. */
  #copyFacts(other: BallTrack | TrackNode): void {
    this.id = other.id;
    copyBelief(other.belief, this.belief);
    this.flyingProbability = other.flyingProbability;
    this.lastMeasurement = other.lastMeasurement;
    this.bornAt = other.bornAt;
    this.release = other.release;
    this.scans = other.scans;
    this.score = other.score;
  }
}
