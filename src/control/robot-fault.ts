/** The link to the robot, as far as control must know of it. */
interface RobotLink {
  /** Whether the robot has stopped by itself and waits for a reset. */
  readonly isAtFault: boolean;
}

/** What is to be done about the robot in a tick. */
export const RobotCare = {
  /** It is led as usual. */
  lead: 0,
  /** It has just stopped by itself. */
  lost: 1,
  /** It is left alone. */
  wait: 2,
  /** It is to be asked for a reset, and held where it stands. */
  reset: 3,
  /** It is held where it stands, until it follows again. */
  hold: 4,
  /** It follows again: it is to be led from where it stands. */
  resumed: 5,
} as const;
export type RobotCare = (typeof RobotCare)[keyof typeof RobotCare];

/** Ticks a robot that stopped by itself is left alone, and ticks it must then answer without fault before it is led again. */
const STANDING_TICKS = 300;
const SETTLING_TICKS = 20;

/** Sees a robot that stopped by itself through until it can be led again. */
export class RobotFaultWatch {
  /** Whether it has stopped by itself, or was not yet taken back. */
  isAtFault = false;
  readonly #link: RobotLink;
  #ticks = 0;
  #settling = 0;

  constructor(link: RobotLink) {
    this.#link = link;
  }

  /** To be called once a tick. */
  tick(): RobotCare {
    if (this.#link.isAtFault) return this.#atFault();
    if (!this.isAtFault) return RobotCare.lead;
    if (++this.#settling > SETTLING_TICKS) {
      this.isAtFault = false;
      return RobotCare.resumed;
    }
    return this.#ticks >= STANDING_TICKS ? RobotCare.hold : RobotCare.wait;
  }

  #atFault(): RobotCare {
    const isNew = !this.isAtFault;
    if (isNew) this.#ticks = 0;
    this.isAtFault = true;
    this.#settling = 0;
    this.#ticks++;
    if (isNew) return RobotCare.lost;
    if (this.#ticks % STANDING_TICKS === 0) return RobotCare.reset;
    return this.#ticks > STANDING_TICKS ? RobotCare.hold : RobotCare.wait;
  }
}
