import { monotonicMs } from "../runtime/clock.js";

/** Words of the memory; the times lie behind them. */
const Word = { asked: 0, released: 1, braked: 2, sent: 3, confirmed: 4, hasDriver: 5, count: 6 } as const;
const Time = { braked: 0, sent: 1, confirmed: 2, count: 3 } as const;

/** How far a stop has come, and who says so. */
export type StopStage = "asked" | "braked" | "sent" | "confirmed";

/**
 * The line of the emergency stop, in shared memory: any thread stops the robot by counting up a number, which control reads at its
 * next tick; no event loop lies between. Control, the robot's driver and the robot's own answer are noted in it, each with its time.
 * A stop holds until all stops so far are released.
 *
 * @example
 * const number = line.ask();
 * // control, at its next tick: line.isHeld
 * line.reached(number); // "sent" once a braking command has left for the robot
 */
export class StopLine {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  /** On the clock that all threads share [ms]. */
  readonly #times: Float64Array;
  readonly #nowMs: () => number;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(
      Word.count * Int32Array.BYTES_PER_ELEMENT + Time.count * Float64Array.BYTES_PER_ELEMENT,
    );
  }

  constructor(memory: SharedArrayBuffer = StopLine.memory(), nowMs: () => number = monotonicMs) {
    this.memory = memory;
    this.#words = new Int32Array(memory, 0, Word.count);
    this.#times = new Float64Array(memory, Word.count * Int32Array.BYTES_PER_ELEMENT, Time.count);
    this.#nowMs = nowMs;
  }

  /** Stops the robot at control's next tick; the number of this stop. */
  ask(): number {
    return Atomics.add(this.#words, Word.asked, 1) + 1;
  }

  /** Number of the newest stop; 0 before the first. */
  get asked(): number {
    return Atomics.load(this.#words, Word.asked);
  }

  get isHeld(): boolean {
    return this.asked > Atomics.load(this.#words, Word.released);
  }

  /** Lets the robot move again. */
  release(): void {
    Atomics.store(this.#words, Word.released, this.asked);
  }

  /** A driver that notes what it sends runs from now on: a command of control alone is no braking command yet. */
  attachDriver(): void {
    Atomics.store(this.#words, Word.hasDriver, 1);
  }

  get hasDriver(): boolean {
    return Atomics.load(this.#words, Word.hasDriver) === 1;
  }

  /** Number of the newest stop for which control has made a braking command. */
  get braked(): number {
    return Atomics.load(this.#words, Word.braked);
  }

  get sent(): number {
    return Atomics.load(this.#words, Word.sent);
  }

  get confirmed(): number {
    return Atomics.load(this.#words, Word.confirmed);
  }

  /** Control has made a braking command for all stops up to this one. */
  noteBraked(number: number): void {
    this.#note(Word.braked, Time.braked, number);
  }

  /** The driver has sent one to the robot. */
  noteSent(number: number): void {
    this.#note(Word.sent, Time.sent, number);
  }

  /** The robot has said that it has got one. */
  noteConfirmed(number: number): void {
    this.#note(Word.confirmed, Time.confirmed, number);
  }

  /** The time first: who sees the number finds the time there. */
  #note(word: number, time: number, number: number): void {
    if (number <= Atomics.load(this.#words, word)) return;
    this.#times[time] = this.#nowMs();
    Atomics.store(this.#words, word, number);
  }

  /** How far a stop has come. */
  reached(number: number): StopStage {
    if (this.confirmed >= number) return "confirmed";
    if (this.sent >= number) return "sent";
    return this.braked >= number ? "braked" : "asked";
  }

  /** When the newest stop came that far, on the clock that all threads share [ms]. */
  timeOf(stage: Exclude<StopStage, "asked">): number {
    return this.#times[Time[stage]]!;
  }
}
