import type { Ball } from "../flight/ball.js";
import * as vec3 from "../math/vec3.js";
import type { SessionFacts } from "../messages/session.js";
import type { Robot } from "../robot/robot.js";
import { FlycatcherError } from "../runtime/errors.js";
import { freeFlight } from "../simulation/world/ball-world.js";
import type { FlyingBall } from "../simulation/world/catch-world.js";
import { type Throw, ThrowGenerator, throwSpaceOf } from "../simulation/world/throws.js";
import type { ThrowRequest } from "./session.js";

/** Balls that are launched by hand have numbers from here on, so that they are none of the seed's series. */
const FIRST_OWN = 1_000_000;
/** Fastest and farthest launch: beyond what a person throws, and beyond the room [m/s, m]. */
const GREATEST_SPEED = 20;
const FARTHEST = 10;
/** A launched ball passes the robot's axis within this distance: an arm's length, and room for one that is not caught [m]. */
const NEAR = 3;

/** Launches by name: heights and times of flight of their own, drawn from the seed's series otherwise. */
const presets: readonly { name: string; text: string; fits: (ball: Throw) => boolean }[] = [
  { name: "high", text: "a high, slow lob", fits: ({ aim, flightTime }) => aim[2] > 1.5 && flightTime > 0.95 },
  { name: "low", text: "low and fast", fits: ({ aim, flightTime }) => aim[2] < 1.1 && flightTime < 0.9 },
  { name: "left", text: "to the robot's left", fits: ({ aim }) => aim[1] > 0.5 },
  { name: "right", text: "to the robot's right", fits: ({ aim }) => aim[1] < -0.5 },
  { name: "centre", text: "at the chest", fits: ({ aim }) => Math.abs(aim[1]) < 0.15 },
];

/** Balls drawn until one fits a preset. */
const MOST_DRAWN = 1000;

/** Makes throws of what is asked for: the next of the seed's series, one that fits a preset, or launches of one's own. */
export class Launches {
  readonly presets: SessionFacts["presets"] = presets.map(({ name, text }) => ({ name, text }));
  readonly #series: ThrowGenerator;
  readonly #ball: Ball;
  readonly #maxBalls: number;
  readonly #robotAxis: { readonly x: number; readonly y: number };
  #next = 0;
  #own = FIRST_OWN;

  constructor(robot: Robot, seed: number | string, ball: Ball, maxBalls: number) {
    const space = throwSpaceOf(robot);
    this.#series = new ThrowGenerator(space, seed, ball);
    this.#robotAxis = space.axis;
    this.#ball = ball;
    this.#maxBalls = maxBalls;
  }

  /** The throws asked for; their times count from zero. */
  make({ balls = 1, preset, launches }: ThrowRequest): Throw[] {
    const count = launches?.length ?? balls;
    if (count < 1 || count > this.#maxBalls) throw unfit("balls", `1 to ${this.#maxBalls} balls`, String(count));
    if (launches !== undefined) return launches.map((launch, k) => this.#launch(launch, k));
    if (preset !== undefined) return Array.from({ length: count }, () => this.#draw(preset));
    return Array.from({ length: count }, () => this.#series.make(this.#next++, 0));
  }

  #draw(name: string): Throw {
    const preset = presets.find((candidate) => candidate.name === name);
    if (preset === undefined) throw unfit("preset", presets.map((known) => known.name).join(", "), name);
    for (let k = 0; k < MOST_DRAWN; k++) {
      const ball = this.#series.make(this.#own++, 0);
      if (preset.fits(ball)) return ball;
    }
    throw unfit("preset", "a launch within the range of this robot's throws", name);
  }

  #launch(launch: NonNullable<ThrowRequest["launches"]>[number], k: number): Throw {
    const position = vectorOf(launch.position, FARTHEST, `launches/${k}/position`);
    const velocity = vectorOf(launch.velocity, GREATEST_SPEED, `launches/${k}/velocity`);
    const state = { time: 0, position, velocity, drag: this.#ball.drag };
    const launched = { id: this.#own, state, aim: position, flightTime: 0, framePhase: 0 };
    const path = `launches/${k}`;
    const { time, place, distance } = this.#passing(this.#flightOf(launched, path));
    const found = `${distance.toFixed(1)} m`;
    if (!(distance <= NEAR)) throw unfit(path, `a flight that passes the robot within ${NEAR} m`, found);
    this.#own++;
    return { ...launched, aim: place, flightTime: time };
  }

  /** How the ball flies: as the simulation will have it. */
  #flightOf(launched: Throw, path: string): FlyingBall {
    try {
      return freeFlight(launched, this.#ball);
    } catch (error) {
      if (!(error instanceof FlycatcherError)) throw error;
      const { expected = "a flight to the floor", found = "a longer flight" } = error.details;
      throw unfit(path, expected, found);
    }
  }

  /** When and where the ball is nearest to the robot's axis: what counts as its aim. */
  #passing({ path, lands }: FlyingBall): { time: number; place: vec3.Vec3; distance: number } {
    const place = vec3.create();
    let nearest = { time: 0, distance: Number.POSITIVE_INFINITY };
    for (let time = 0; time <= lands; time += 0.01) {
      const [x, y] = path.position(time, place);
      const distance = Math.hypot(x - this.#robotAxis.x, y - this.#robotAxis.y);
      if (distance < nearest.distance) nearest = { time, distance };
    }
    path.position(nearest.time, place);
    return { ...nearest, place };
  }
}

function vectorOf(numbers: readonly number[], greatest: number, path: string): vec3.Vec3 {
  const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = numbers;
  const vector = vec3.create(x, y, z);
  if (numbers.length === 3 && vec3.norm(vector) <= greatest) return vector;
  throw unfit(path, `three numbers, no longer than ${greatest}`, JSON.stringify(numbers));
}

function unfit(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_LIVE_THROW", "this ball cannot be thrown", { path: `/${path}`, expected, found });
}
