import type { LoadFigures } from "./run-load.js";

/** Speeds that a run may have, in seconds of the run in a second of the wall clock. */
export const speeds: readonly number[] = [1, 0.75, 0.5, 0.25];

/**
 * From image to plan a machine may take so long [s, of the run]: two thirds of the time to the next image but one. Beyond, plans
 * begin late and fewer balls are caught.
 */
const LATENCY = 0.05;
/** Share of plans that may come too late, and of control's ticks that may be missed. */
const LATE = 0.25;
const MISSED = 0.01;
/** Load of a throw in which the robot was stopped for what came late: a little more than the machine holds, at least. */
const STOPPED = 1.01;
/** Fewer plans than this say nothing. */
const FEW = 4;
/** A load so far beyond what the machine holds counts at once; a smaller one when it comes twice in a row. */
const FAR = 1.6;
/** Load of the first throw of all, in which the engine still optimises, that is normal: later ones have a third of it. */
const COLD = 2.5;
/** A higher speed is taken after so many throws that would have left so much of it free. */
const CALM = 6;
const EASY = 0.7;
/** Each time that proves too early it takes twice as many, up to so many. */
const MOST_CALM = 48;

/** Load against what the machine holds: 1 is just enough. Doubles, roughly, with the speed. */
export function strainOf({ latency, late, plans, missed, stops }: LoadFigures): number {
  const strains = [missed / MISSED, stops > 0 ? STOPPED : 0];
  if (latency > 0) strains.push(latency / LATENCY);
  if (plans >= FEW) strains.push(late / plans / LATE);
  return Math.max(...strains);
}

/** Whether the load of the first throw of all says nothing against the speed. */
export function isColdLoadNormal(load: LoadFigures): boolean {
  return load.stops === 0 && strainOf(load) <= COLD;
}

/**
 * Chooses how fast the run's time goes: as fast as the machine holds, decided between throws. What takes the machine so many
 * milliseconds takes half as many of the run at half the speed; so a load tells which speeds are possible.
 */
export class SpeedGovernor {
  speed: number;
  #strained = 0;
  #calm = 0;
  #wanted = CALM;
  /** Whether the speed of now was taken because others had been calm. */
  #isRaised = false;

  constructor(speed = speeds[0]!) {
    this.speed = speed;
  }

  /** After a trial throw: the highest speed whose load the machine holds. */
  choose(load: LoadFigures): number {
    this.speed = this.#below(this.speed / strainOf(load));
    return this.speed;
  }

  /** After a throw of the run: the speed of the next. */
  next(load: LoadFigures): number {
    const strain = strainOf(load);
    this.#strained = strain > 1 ? this.#strained + 1 : 0;
    const faster = speeds[speeds.indexOf(this.speed) - 1];
    const wouldHold = faster !== undefined && (strain * faster) / this.speed < EASY;
    this.#calm = wouldHold ? this.#calm + 1 : 0;
    if (load.stops > 0 || strain > FAR || this.#strained > 1) {
      if (this.#isRaised) this.#wanted = Math.min(2 * this.#wanted, MOST_CALM);
      this.#change(this.#below(this.speed / strain));
    } else if (faster !== undefined && this.#calm >= this.#wanted) this.#change(faster);
    return this.speed;
  }

  #change(speed: number): void {
    this.#isRaised = speed > this.speed;
    this.speed = speed;
    this.#strained = 0;
    this.#calm = 0;
  }

  /** The highest speed up to `bound` that is no higher than that of now; the slowest if none is low enough. */
  #below(bound: number): number {
    return speeds.find((speed) => speed <= bound && speed <= this.speed) ?? speeds.at(-1)!;
  }
}
