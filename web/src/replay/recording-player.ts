import { Listeners } from "../dom/listeners.js";
import type { LiveStore } from "../live/live-store.js";
import type { RecordedStage } from "./recorded-stage.js";

/** Poses older than this say nothing any more: trails are no longer [s]. */
const TRAIL = 1.5;
/** A trail has a point so often [s]. */
const POSE_PERIOD = 1 / 60;

/** Plays a recording into a store: any time, forwards or backwards, at any pace. */
export class RecordingPlayer {
  readonly times = new Listeners<number>();
  readonly stage: RecordedStage;
  speed = 1;
  readonly #store: LiveStore;
  #time: number;
  #next = 0;
  #isPlaying = false;
  #request = 0;
  #last = 0;

  constructor(stage: RecordedStage, store: LiveStore) {
    this.stage = stage;
    this.#store = store;
    this.#time = stage.begin;
    this.seek(stage.begin);
  }

  get time(): number {
    return this.#time;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  play(): void {
    if (this.#isPlaying) return;
    if (this.#time >= this.stage.end) this.seek(this.stage.begin);
    this.#isPlaying = true;
    this.#last = performance.now();
    this.#request = requestAnimationFrame((now) => this.#frame(now));
    this.times.emit(this.#time);
  }

  pause(): void {
    this.#isPlaying = false;
    cancelAnimationFrame(this.#request);
    this.times.emit(this.#time);
  }

  /** Shows the recording as it was at `time`; going back, all is told anew. */
  seek(time: number): void {
    const target = Math.max(this.stage.begin, Math.min(this.stage.end, time));
    if (target < this.#time || this.#next === 0) this.#tellAnew(target);
    else this.#tellOn(target);
    this.#time = target;
    this.times.emit(target);
  }

  dispose(): void {
    this.pause();
  }

  #frame(now: number): void {
    if (!this.#isPlaying) return;
    this.seek(this.#time + 1e-3 * (now - this.#last) * this.speed);
    this.#last = now;
    if (this.#time >= this.stage.end) this.pause();
    else this.#request = requestAnimationFrame((next) => this.#frame(next));
  }

  #tellAnew(until: number): void {
    this.#next = 0;
    this.#store.startOver(() => {
      this.#store.heed(this.stage.hello);
      this.#tellMessages(until);
      this.#tellPoses(until - TRAIL, until);
    });
  }

  #tellOn(until: number): void {
    this.#tellMessages(until);
    this.#tellPoses(Math.max(this.#time, until - TRAIL), until);
  }

  #tellMessages(until: number): void {
    const { tellings } = this.stage;
    for (; this.#next < tellings.length && tellings[this.#next]!.time <= until; this.#next++) {
      this.#store.heed(tellings[this.#next]!.message());
    }
  }

  #tellPoses(from: number, until: number): void {
    const count = Math.max(1, Math.ceil((until - from) / POSE_PERIOD));
    for (let k = 1; k <= count; k++) {
      this.#store.heedPose(this.stage.poseAt(Math.max(this.stage.begin, from + ((until - from) * k) / count)));
    }
  }
}
