import { defaultBall, FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { Launch } from "../scene/launch-arrow.js";

const STEP = 0.01;
const LONGEST = 2.4;

/** Where a launched ball is, from its release on; times count from the start of the arm's motion. */
export class BallPath {
  /** When it is released, and when it meets the floor [s]. */
  readonly released: number;
  readonly lands: number;
  readonly #flight = new Flight();
  readonly #point = vec3.create();
  readonly #isSound: boolean;

  constructor({ position, velocity }: Launch, seenFor: number) {
    this.released = -seenFor;
    const state = {
      time: -seenFor,
      position: vec3.create(...position),
      velocity: vec3.create(...velocity),
      drag: defaultBall.drag,
    };
    this.#isSound = this.#flight.reset(state, gravity(), -seenFor, -seenFor + LONGEST) === FlightStatus.ok;
    this.lands = this.#landing();
  }

  at(time: number): [number, number, number] {
    if (!this.#isSound) return [0, 0, -1];
    const [x, y, z] = this.#flight.position(time, this.#point);
    return [x, y, z];
  }

  /** x, y, z of points from one time to another. */
  points(from: number, to: number): number[] {
    const count = Math.max(1, Math.round((to - from) / STEP));
    return Array.from({ length: count + 1 }, (_, k) => this.at(from + ((to - from) * k) / count)).flat();
  }

  #landing(): number {
    for (let time = this.released; time < this.released + LONGEST; time += STEP) if (this.at(time)[2] < 0) return time;
    return this.released + LONGEST;
  }
}
