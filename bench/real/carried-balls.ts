import { gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import type * as vec3 from "../../src/math/vec3.js";
import { HandPath, leadOf } from "../../src/simulation/world/hand-motion.js";
import type { Throw } from "../../src/simulation/world/throws.js";
import type { RoundObject } from "../tracking/scan-simulator.js";

/** A ball in a hand, from when it appears, through its release, until it is where it was aimed. */
export class SwungBall implements RoundObject {
  readonly begin: number;
  readonly release: number;
  readonly end: number;
  readonly #hand: HandPath;
  readonly #flight = new Flight();

  /** The throw must have a hand. */
  constructor({ state, hand, flightTime }: Throw) {
    this.#hand = new HandPath(state, hand!);
    this.begin = this.#hand.begin;
    this.release = state.time;
    this.end = state.time + flightTime;
    this.#flight.reset(state, gravity(), this.release, this.end + 0.1);
  }

  position(time: number, out: vec3.Vec3): boolean {
    if (!(time >= this.begin && time <= this.end)) return false;
    if (time < this.release) this.#hand.position(time, out);
    else this.#flight.position(time, out);
    return true;
  }
}

/** A ball that hands carry, hand over or swing without releasing it, again and again; hidden between two such motions. */
export class CarriedBall implements RoundObject {
  /** When each of the motions begins [s]. */
  readonly begins: readonly number[];
  readonly duration: number;
  readonly #paths: readonly HandPath[];
  readonly #ends: readonly number[];

  /** What comes before the swing of each throw, one after the other, `pause` [s] between them. */
  constructor(throws: readonly Throw[], pause = 0.8) {
    const [paths, begins, ends]: [HandPath[], number[], number[]] = [[], [], []];
    let time = 0;
    for (const { state, hand } of throws) {
      const lead = leadOf(hand!);
      paths.push(new HandPath({ ...state, time: time + lead }, hand!));
      begins.push(time);
      // The hand leaves its last place to draw back: from there on it would be a throw.
      time += lead + hand!.stops.at(-1)!.leave;
      ends.push(time);
      time += pause;
    }
    this.#paths = paths;
    this.#ends = ends;
    this.begins = begins;
    this.duration = time;
  }

  position(time: number, out: vec3.Vec3): boolean {
    const k = this.begins.findLastIndex((begin) => begin <= time);
    if (k < 0 || time > this.#ends[k]!) return false;
    this.#paths[k]!.position(time, out);
    return true;
  }
}
