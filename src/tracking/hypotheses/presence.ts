import { CAMERAS, type TrackNode, VEIL_STATES } from "./track-node.js";
import type { TrackerSettings } from "./tracker-options.js";

/** What may hide a ball: something before the left camera, before the right one, or before both, as a person. */
const VEILS = CAMERAS + 1;

/** The veil before both cameras, as a bit of a state. */
const BOTH = 1 << CAMERAS;

/**
 * Lets `duration` [s] pass for what tells whether a ball that gives no circle is hidden for a moment or gone for good. Each
 * track carries the probabilities of a Markov chain: gone; or there, with any of three veils before it. A miss makes veils
 * and loss more probable, and the next miss is then cheap: that is what an occlusion looks like. (Mušicki & Evans, "Joint
 * integrated probabilistic data association", 2004, has such a chain; here it weighs the misses of hypotheses.)
 */
export function advancePresence(node: TrackNode, duration: number, settings: TrackerSettings): void {
  const { occlusionRate, occlusionTime, deathRate } = settings;
  const comes = 1 - Math.exp(-occlusionRate * duration);
  const goes = 1 - Math.exp(-duration / occlusionTime);
  node.gone += (1 - node.gone) * (1 - Math.exp(-deathRate * duration));
  const { veils } = node;
  for (let veil = 0; veil < VEILS; veil++) {
    const bit = 1 << veil;
    for (let state = 0; state < VEIL_STATES; state++) {
      if ((state & bit) !== 0) continue;
      const bare = veils[state]!;
      const veiled = veils[state | bit]!;
      veils[state] = bare * (1 - comes) + veiled * goes;
      veils[state | bit] = bare * comes + veiled * (1 - goes);
    }
  }
}

/** Before anything hides it. */
export function notePresent(node: TrackNode): void {
  node.gone = 0;
  node.veils.fill(0);
  node.veils[0] = 1;
}

/** That the ball gives a circle in a camera which finds one in view with probability `found`. */
export function seenProbability(node: TrackNode, camera: number, found: number): number {
  return (1 - node.gone) * bareProbability(node, camera) * found;
}

/** A circle was taken: the ball is there, and neither this camera's veil nor that of both is before it. */
export function noteSeen(node: TrackNode, camera: number): void {
  const hiding = BOTH | (1 << camera);
  const bare = bareProbability(node, camera);
  node.gone = 0;
  for (let state = 0; state < VEIL_STATES; state++) {
    node.veils[state] = (state & hiding) === 0 ? node.veils[state]! / bare : 0;
  }
}

/** No circle was taken, though one in view would have been found with probability `found`. */
export function noteMissed(node: TrackNode, camera: number, found: number): void {
  const hiding = BOTH | (1 << camera);
  const missedIfThere = 1 - bareProbability(node, camera) * found;
  for (let state = 0; state < VEIL_STATES; state++) {
    const missed = (state & hiding) === 0 ? 1 - found : 1;
    node.veils[state] = (node.veils[state]! * missed) / missedIfThere;
  }
  node.gone /= node.gone + (1 - node.gone) * missedIfThere;
}

/** That a ball which is there is not hidden from a camera. */
function bareProbability({ veils }: TrackNode, camera: number): number {
  const hiding = BOTH | (1 << camera);
  let sum = 0;
  for (let state = 0; state < VEIL_STATES; state++) if ((state & hiding) === 0) sum += veils[state]!;
  return sum;
}
