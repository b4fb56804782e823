import { Listeners } from "../dom/listeners.js";
import type { LiveStore } from "../live/live-store.js";
import type { RecordedSession } from "./recorded-session.js";

/** Poses older than this say nothing any more: trails are no longer [s]. */
const TRAIL = 1.5;
/** A trail has a point so often [s]. */
const POSE_PERIOD = 1 / 60;

/** Plays a recording into a store: any time, forwards or backwards, at any pace. */
export class RecordingPlayer {
  readonly times = new Listeners<number>();
  readonly session: RecordedSession;
  speed = 1;
  readonly #store: LiveStore;
  #time: number;
  #next = 0;
  #isPlaying = false;
  #request = 0;
  #last = 0;

  constructor(session: RecordedSession, store: LiveStore) {
    this.session = session;
    this.#store = store;
    this.#time = session.begin;
    this.seek(session.begin);
  }

  get time(): number {
    return this.#time;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  play(): void {
    if (this.#isPlaying) return;
    if (this.#time >= this.session.end) this.seek(this.session.begin);
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

  /** Shows the recording as it was at `time`; going back, everything is published again. */
  seek(time: number): void {
    const target = Math.max(this.session.begin, Math.min(this.session.end, time));
    if (target < this.#time || this.#next === 0) this.#publishAgain(target);
    else this.#publishOn(target);
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
    if (this.#time >= this.session.end) this.pause();
    else this.#request = requestAnimationFrame((next) => this.#frame(next));
  }

  #publishAgain(until: number): void {
    this.#next = 0;
    this.#store.startOver(() => {
      this.#store.handle(this.session.hello);
      this.#publishMessages(until);
      this.#publishPoses(until - TRAIL, until);
    });
  }

  #publishOn(until: number): void {
    this.#publishMessages(until);
    this.#publishPoses(Math.max(this.#time, until - TRAIL), until);
  }

  #publishMessages(until: number): void {
    const { messages } = this.session;
    for (; this.#next < messages.length && messages[this.#next]!.time <= until; this.#next++) {
      this.#store.handle(messages[this.#next]!.message());
    }
  }

  #publishPoses(from: number, until: number): void {
    const count = Math.max(1, Math.ceil((until - from) / POSE_PERIOD));
    for (let k = 1; k <= count; k++) {
      this.#store.handlePose(this.session.poseAt(Math.max(this.session.begin, from + ((until - from) * k) / count)));
    }
  }
}
