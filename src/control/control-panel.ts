import type { BrakeReason, MonitorPhase } from "../safety/monitor/monitor-words.js";

const Slot = {
  phase: 0,
  reason: 1,
  brakes: 2,
  resume: 3,
  halts: 4,
  releases: 5,
  share: 6,
  isReady: 7,
  isRobotAtFault: 8,
  held: 9,
  holds: 10,
  heldBrakes: 11,
  count: 12,
} as const;

const SHARE_UNIT = 1e6;

/** What control does, and what may be asked of it, in shared memory: for the coordinator, the wiring and the page. */
export class ControlPanel {
  readonly #slots: Int32Array;
  /** When the command of the last hold's first braking tick left; behind the slots. */
  readonly #brakeTime: Float64Array;

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Slot.count * Int32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#slots = new Int32Array(memory, 0, Slot.count);
    this.#brakeTime = new Float64Array(memory, this.#slots.byteLength, 1);
  }

  /** Of the safety monitor at the last tick. */
  get phase(): MonitorPhase {
    return Atomics.load(this.#slots, Slot.phase) as MonitorPhase;
  }
  get reason(): BrakeReason {
    return Atomics.load(this.#slots, Slot.reason) as BrakeReason;
  }
  /** Brakes so far. */
  get brakes(): number {
    return Atomics.load(this.#slots, Slot.brakes);
  }
  /** How often all catches were called off since the robot was being stopped, and how often it was let go again after. */
  get halts(): number {
    return Atomics.load(this.#slots, Slot.halts);
  }
  get releases(): number {
    return Atomics.load(this.#slots, Slot.releases);
  }
  /** Share of its speed at which the robot may move after its last release. */
  get share(): number {
    return Atomics.load(this.#slots, Slot.share) / SHARE_UNIT;
  }
  /** Whether the robot has told its state and follows commands. */
  get isReady(): boolean {
    return Atomics.load(this.#slots, Slot.isReady) === 1;
  }
  /** Whether the robot has stopped by itself and waits for a reset. */
  get isRobotAtFault(): boolean {
    return Atomics.load(this.#slots, Slot.isRobotAtFault) === 1;
  }

  show(phase: MonitorPhase, reason: BrakeReason, brakes: number): void {
    Atomics.store(this.#slots, Slot.phase, phase);
    Atomics.store(this.#slots, Slot.reason, reason);
    Atomics.store(this.#slots, Slot.brakes, brakes);
  }

  showRobot(isReady: boolean, isAtFault: boolean): void {
    Atomics.store(this.#slots, Slot.isReady, isReady ? 1 : 0);
    Atomics.store(this.#slots, Slot.isRobotAtFault, isAtFault ? 1 : 0);
  }

  countHalt(): void {
    Atomics.add(this.#slots, Slot.halts, 1);
  }

  countRelease(share: number): void {
    Atomics.store(this.#slots, Slot.share, Math.round(SHARE_UNIT * share));
    Atomics.add(this.#slots, Slot.releases, 1);
  }

  /** Whether a person has stopped the robot: it brakes, and stays, until it is let go. */
  get isHeld(): boolean {
    return Atomics.load(this.#slots, Slot.held) === 1;
  }

  /** Stops the robot; returns the number of this hold, which `heldBrakes` reaches when control brakes for it. */
  hold(): number {
    Atomics.store(this.#slots, Slot.held, 1);
    return Atomics.add(this.#slots, Slot.holds, 1) + 1;
  }

  /** How often the robot was held so far. */
  get holds(): number {
    return Atomics.load(this.#slots, Slot.holds);
  }

  /** The newest hold for which a braking command has left, and when that was [s of the run's clock]. */
  get heldBrakes(): number {
    return Atomics.load(this.#slots, Slot.heldBrakes);
  }
  get heldBrakeTime(): number {
    return this.#brakeTime[0]!;
  }

  /** The first command that brakes for hold number `hold` has left at `time` [s]. */
  noteHeldBrake(hold: number, time: number): void {
    this.#brakeTime[0] = time;
    Atomics.store(this.#slots, Slot.heldBrakes, hold);
  }

  letGo(): void {
    Atomics.store(this.#slots, Slot.held, 0);
  }

  /** Asks for leave to move again after a stop from which control does not recover by itself. */
  requestResume(): void {
    Atomics.store(this.#slots, Slot.resume, 1);
  }

  /** Whether that was asked; once. */
  takeResume(): boolean {
    return Atomics.exchange(this.#slots, Slot.resume, 0) === 1;
  }
}
