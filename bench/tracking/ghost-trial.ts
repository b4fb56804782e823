import { Random } from "../../src/math/random.js";
import { BallTracker } from "../../src/tracking/ball-tracker.js";
import type { TrackerOptions } from "../../src/tracking/hypotheses/tracker-options.js";
import { WalkingPerson } from "./round-objects.js";
import { FRAME_PERIOD, type RoundObject, ScanSimulator } from "./scan-simulator.js";

/** Throws that were told of though nobody threw, over `duration` [s] of false circles and a person with a ball. */
export function countGhosts(seed: number, duration: number, options: TrackerOptions = {}): number {
  const person = new WalkingPerson(new Random(seed).fork("person"));
  return countConfirmed(seed, duration, [person], options);
}

/** Tracks confirmed as thrown among `objects` and ten false circles an image. */
export function countConfirmed(
  seed: number,
  duration: number,
  objects: readonly RoundObject[],
  options: TrackerOptions = {},
): number {
  const simulator = new ScanSimulator({ seed, clutter: 10 });
  let ghosts = 0;
  const tracker = new BallTracker({ clutterPerImage: 10, ...options }, ({ code }) => {
    if (code === "track-confirmed") ghosts++;
  });
  const frames = Math.round(duration / FRAME_PERIOD);
  for (let k = 0; k < frames; k++) tracker.process(simulator.expose(k * FRAME_PERIOD, objects));
  return ghosts;
}
