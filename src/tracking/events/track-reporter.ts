import { Severity } from "../../messages/severity.js";
import { BallTrack } from "./ball-track.js";
import type { TrackerEventCode, TrackerEventSink } from "./tracker-event.js";

/** Whether a ball is in any hypothesis still. */
type IsAlive = (id: number) => boolean;

/** After a pause of the cameras this long a ball that is gone was lost, not rejected [s]. */
const SILENCE = 0.2;

/**
 * Tells what became of the tracks from one scan to the next. It compares what was handed out, not what the tracker did
 * inside: going through a scan again tells nothing twice.
 */
export class TrackReporter {
  readonly #sink: TrackerEventSink;
  readonly #known: BallTrack[];
  #count = 0;

  /** `capacity` is at least twice the number of tracks handed out, for those in doubt. */
  constructor(capacity: number, sink: TrackerEventSink) {
    this.#sink = sink;
    this.#known = Array.from({ length: capacity }, () => new BallTrack());
  }

  /** Compares the first `count` of `tracks`, at `time` [s], with those before. */
  update(time: number, tracks: readonly BallTrack[], count: number, isAlive: IsAlive): void {
    this.#dropLost(time, tracks, count, isAlive);
    for (let n = 0; n < count; n++) {
      const track = tracks[n]!;
      const known = findTrack(this.#known, this.#count, track.id) ?? this.#add(time, track);
      if (known === null) continue;
      if (track.confirmed && !known.confirmed) this.#tell(time, "track-confirmed", track, confirmedText(track));
      if (!track.confirmed && known.confirmed) this.#tell(time, "track-landed", track, landedText(track));
      known.copy(track);
    }
  }

  #dropLost(time: number, tracks: readonly BallTrack[], count: number, isAlive: IsAlive): void {
    for (let k = this.#count - 1; k >= 0; k--) {
      const known = this.#known[k]!;
      if (findTrack(tracks, count, known.id) !== null || isAlive(known.id)) continue;
      const isMissed = known.belief.time > known.lastMeasurement || time - known.lastMeasurement > SILENCE;
      if (isMissed) {
        this.#tell(time, "track-lost", known, lostText(known, time));
      } else {
        this.#tell(time, "track-rejected", known, rejectedText(known));
      }
      this.#known[k] = this.#known[--this.#count]!;
      this.#known[this.#count] = known;
    }
  }

  #add(time: number, track: BallTrack): BallTrack | null {
    if (this.#count === this.#known.length) return null;
    const known = this.#known[this.#count++]!;
    known.copy(track);
    known.confirmed = false;
    this.#tell(time, "track-born", track, bornText(track));
    return known;
  }

  #tell(time: number, code: TrackerEventCode, { id }: BallTrack, text: string): void {
    this.#sink({ time, severity: Severity.info, code, track: id, text });
  }
}

/** The track of this identity among the first `count`. */
function findTrack(tracks: readonly BallTrack[], count: number, id: number): BallTrack | null {
  for (let n = 0; n < count; n++) if (tracks[n]!.id === id) return tracks[n]!;
  return null;
}

function bornText(track: BallTrack): string {
  return `ball ${track.id} seen at ${placeOf(track)}, ${odds(track.score)} against false circles`;
}

function confirmedText(track: BallTrack): string {
  const [vx, vy, vz] = [track.belief.mean[3]!, track.belief.mean[4]!, track.belief.mean[5]!];
  const speed = Math.hypot(vx, vy, vz).toFixed(1);
  const seen = (1000 * (track.belief.time - track.bornAt)).toFixed(0);
  const probability = percent(track.flyingProbability);
  return `ball ${track.id} was thrown: ${speed} m/s at ${placeOf(track)}, flying with ${probability} after ${track.scans} sightings in ${seen} ms`;
}

function landedText(track: BallTrack): string {
  return `ball ${track.id} no longer flies: ${percent(track.flyingProbability)} at ${placeOf(track)}`;
}

function lostText(track: BallTrack, time: number): string {
  const blind = (1000 * (time - track.lastMeasurement)).toFixed(0);
  return `ball ${track.id} lost: not seen for ${blind} ms after ${track.scans} sightings; would be at ${placeOf(track)}`;
}

function rejectedText(track: BallTrack): string {
  return `ball ${track.id} rejected: its ${track.scans} sightings are better explained otherwise`;
}

function placeOf({ belief }: BallTrack): string {
  const [x, y, z] = [belief.mean[0]!, belief.mean[1]!, belief.mean[2]!];
  return `(${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}) m`;
}

function percent(probability: number): string {
  return `${(100 * probability).toFixed(probability > 0.99 ? 2 : 0)} %`;
}

function odds(logRatio: number): string {
  return `${Math.exp(Math.min(logRatio, 100)).toExponential(0)} to 1`;
}
