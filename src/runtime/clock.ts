import { ClockPace, type PaceChange } from "./clock-pace.js";
import { FlycatcherError } from "./errors.js";

const nanosecondsPerMillisecond = 1e6;
const nanosecondsPerSecond = 1e9;

/** The machine's monotonic clock, which all threads of a process share [ms]. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / nanosecondsPerMillisecond;
}

/**
 * The one clock of a run. Zero is the run's start; every time stamp of packets and recordings counts from it. Passed to
 * whoever needs the time; algorithms take times as arguments and never see it.
 */
export interface RunClock {
  /** Time since the run's start [ns], an integer; exact as a number for the first 104 days of a process. */
  nowNs(): number;
  /** Time since the run's start [s]. */
  nowSeconds(): number;
  /** Seconds of the run in a second of the wall clock, from now on; 1 in lock-step, where it says nothing. */
  readonly speed: number;
  /** What the run's zero is in UTC [ns since 1970], stored once. */
  readonly utcOfZeroNs: bigint;
  /** What a worker needs to have the same clock: `clockFrom(origin)`. Survives `postMessage` and `workerData`. */
  readonly origin: ClockOrigin;
}

export type ClockOrigin = RealTimeOrigin | LockStepOrigin;

interface RealTimeOrigin {
  readonly kind: "real-time";
  /** The run's zero on the machine's monotonic clock, which all threads of a process share [ns]. */
  readonly monotonicZeroNs: bigint;
  readonly utcOfZeroNs: bigint;
  /** Shared memory of how fast it goes; see `ClockPace`. None: at speed 1 for good. */
  readonly pace?: SharedArrayBuffer;
}

interface LockStepOrigin {
  readonly kind: "lock-step";
  /** Shared memory holding the current time; see `LockStepClock`. */
  readonly state: SharedArrayBuffer;
  readonly utcOfZeroNs: bigint;
}

/** The clock that belongs to an origin: in a worker the same clock as in the thread that made it. */
export function clockFrom(origin: ClockOrigin): RunClock {
  return origin.kind === "real-time" ? new RealTimeClock(origin) : new LockStepReader(origin);
}

/**
 * The machine's monotonic clock. Reads `performance.now()`, which allocates nothing (a bigint would), after finding
 * once where its zero lies on `process.hrtime`, the clock that all threads share: the documentation promises nothing
 * of `performance.timeOrigin` in a worker.
 */
export class RealTimeClock implements RunClock {
  readonly origin: RealTimeOrigin;
  /** How far this thread's readings may lie from the clock that all threads share [ns], at most; typically 200. */
  readonly uncertaintyNs: number;
  readonly #zeroNs: number;
  readonly #pace: ClockPace | null;

  constructor(origin: RealTimeOrigin = newRealTimeOrigin()) {
    this.origin = origin;
    this.#pace = origin.pace === undefined ? null : new ClockPace(origin.pace);
    const { lowNs, highNs } = bracketPerformanceZero(origin.monotonicZeroNs);
    this.#zeroNs = Math.round((lowNs + highNs) / 2);
    this.uncertaintyNs = Math.ceil((highNs - lowNs) / 2) + 1;
  }

  get utcOfZeroNs(): bigint {
    return this.origin.utcOfZeroNs;
  }

  get speed(): number {
    return this.#pace?.speedAt(this.#elapsedNs()) ?? 1;
  }

  nowNs(): number {
    const elapsedNs = this.#elapsedNs();
    return this.#pace === null ? elapsedNs : Math.round(this.#pace.timeAt(elapsedNs));
  }

  /** Since the zero, by the machine's clock [ns]. */
  #elapsedNs(): number {
    return Math.round(performance.now() * nanosecondsPerMillisecond) - this.#zeroNs;
  }

  /** Changes the speed `delayNs` from now, by the machine's clock; gives the change, for clocks of other processes. */
  setSpeed(speed: number, delayNs: number): PaceChange {
    if (this.#pace === null) throw new FlycatcherError("FLY_INTERNAL", "this clock has no pace");
    return this.#pace.change(speed, this.#elapsedNs() + delayNs);
  }

  /** A change that was made to the clock of another process, which has the same zero. */
  followPace(change: PaceChange): void {
    this.#pace?.follow(change);
  }

  nowSeconds(): number {
    return this.nowNs() / nanosecondsPerSecond;
  }
}

/** A new clock's zero is now; one with a pace can be slowed down. */
export function newRealTimeOrigin(pace?: SharedArrayBuffer): RealTimeOrigin {
  return {
    ...(pace !== undefined && { pace }),
    kind: "real-time",
    monotonicZeroNs: process.hrtime.bigint(),
    utcOfZeroNs: BigInt(Date.now()) * BigInt(nanosecondsPerMillisecond),
  };
}

/** Enough readings that one is free of interruption even on a busy machine. */
const bracketReadings = 64;

/**
 * Bounds of what `performance.now()` [ns] was when the monotonic clock stood at `monotonicZeroNs`. Each reading lies
 * between two of the other clock, so every bracket holds the true value and so does their intersection.
 */
function bracketPerformanceZero(monotonicZeroNs: bigint): { lowNs: number; highNs: number } {
  let lowNs = Number.NEGATIVE_INFINITY;
  let highNs = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < bracketReadings; reading++) {
    const before = Number(process.hrtime.bigint() - monotonicZeroNs);
    const now = performance.now() * nanosecondsPerMillisecond;
    const after = Number(process.hrtime.bigint() - monotonicZeroNs);
    lowNs = Math.max(lowNs, now - after);
    highNs = Math.min(highNs, now - before);
  }
  return { lowNs, highNs };
}

/** The shared state: a counter that is odd while the time is written, and the time's two halves. */
const Slot = { sequence: 0, high: 1, low: 2, count: 3 } as const;
const halfRange = 2 ** 32;

/** A clock that is somebody else's to advance. */
class LockStepReader implements RunClock {
  readonly origin: LockStepOrigin;
  protected readonly state: Int32Array;

  constructor(origin: LockStepOrigin) {
    this.origin = origin;
    this.state = new Int32Array(origin.state);
  }

  get utcOfZeroNs(): bigint {
    return this.origin.utcOfZeroNs;
  }

  nowNs(): number {
    for (;;) {
      const before = Atomics.load(this.state, Slot.sequence);
      const high = Atomics.load(this.state, Slot.high);
      const low = Atomics.load(this.state, Slot.low);
      if ((before & 1) === 0 && Atomics.load(this.state, Slot.sequence) === before) {
        return high * halfRange + (low >>> 0);
      }
    }
  }

  nowSeconds(): number {
    return this.nowNs() / nanosecondsPerSecond;
  }

  get speed(): number {
    return 1;
  }
}

/**
 * The simulation's clock: stands still until it is advanced, by the one thread that made it. Its UTC of zero is 1970
 * unless given, so that nothing in a lock-step run depends on the day it is run.
 */
export class LockStepClock extends LockStepReader {
  constructor(utcOfZeroNs = 0n) {
    const state = new SharedArrayBuffer(Slot.count * Int32Array.BYTES_PER_ELEMENT);
    super({ kind: "lock-step", state, utcOfZeroNs });
  }

  /** Sets the time [ns since the run's start]; the same time again is allowed, an earlier one is refused. */
  advanceTo(timeNs: number): void {
    const now = this.nowNs();
    if (!(Number.isSafeInteger(timeNs) && timeNs >= now)) {
      throw new FlycatcherError("FLY_CLOCK_BACKWARDS", "The lock-step clock cannot be set", {
        expected: `an integer ≥ ${now} [ns]`,
        found: String(timeNs),
      });
    }
    Atomics.add(this.state, Slot.sequence, 1);
    Atomics.store(this.state, Slot.high, Math.floor(timeNs / halfRange));
    Atomics.store(this.state, Slot.low, timeNs | 0);
    Atomics.add(this.state, Slot.sequence, 1);
  }

  /** Moves the time on [ns]. */
  advanceBy(stepNs: number): void {
    this.advanceTo(this.nowNs() + stepNs);
  }
}
