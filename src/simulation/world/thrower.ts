import type { BallState } from "../../flight/ball.js";
import { Random } from "../../math/random.js";
import * as vec3 from "../../math/vec3.js";
import { defaultThrows } from "../../runtime/config-schema.js";
import { type HandStop, leadOf, swingStart, type ThrowMotion } from "./hand-motion.js";
import type { Range, Throw } from "./throws.js";

/** `standard`: a throw begins in a hand; `clean`: the ball appears at its release. */
export type ThrowKind = "standard" | "clean";

/** How a simulated person throws. */
export interface ThrowerSettings {
  readonly kind: ThrowKind;
  /** Shares of throws with a fake, a swing without release, before; and of those with the ball handed over before. */
  readonly fakes: number;
  readonly handOvers: number;
  /** Shortest and longest swing [s]; default: 0.05 to 0.5. */
  readonly swing?: Range;
}

export const throwerDefaults: ThrowerSettings = { kind: defaultThrows, fakes: 0.1, handOvers: 0.1 };

/** Shortest and longest swing to a release [s]. */
const SWING = [0.05, 0.5] as const;
/** Length of the arm about which it swings [m], and how far the arc is tilted out of the upright plane [rad]. */
const ARM = [0.55, 0.8] as const;
const TILT = 0.4;
/** From this height on most throws are overarm [m]. */
const SHOULDER = 1.45;
/** The ball is held so high before a throw [m], so far back and aside of the release [m], for so long [s]. */
const HELD = { height: [0.95, 1.25], back: [0, 0.3], aside: [-0.25, 0.25], time: [0.4, 1.2] } as const;
/** Fastest hand that carries a ball from place to place [m/s], and the shortest time it takes [s]. */
const CARRYING_SPEED = 2.2;
const SHORTEST_CARRY = 0.25;
/** Greatest speed of a motion of least jerk against its mean. */
const PEAK = 1.875;
/** A fake: from so far behind to so far ahead [m], in this time [s], and how long the hand rests after it [s]. */
const FAKE = { back: [0.15, 0.3], ahead: [0.35, 0.5], time: [0.22, 0.35], rest: [0.25, 0.6] } as const;
/** A hand-over: from so far aside [m], after being held there for so long [s]. */
const HAND_OVER = { aside: [0.35, 0.8], time: [0.3, 0.8] } as const;
/** Share of persons who walk, and how fast [m/s]; they are seen for so long before they stand [s]. */
const WALKING = 0.5;
const WALKING_SPEED = [0.3, 0.9] as const;
const WALKED = [0.5, 1.2] as const;
/** Amplitudes of sway and tremor [m]. */
const SWAY = [0.005, 0.02] as const;
const TREMOR = [0.0005, 0.002] as const;
/** Where fingertips end on the ball, from its centre, as a share of its radius: they hide up to a quarter of it. */
const GRIP = [0.4, 0.9] as const;

/** Share of a velocity that is vertical from which on a throw goes straight up or down. */
const UPRIGHT = 0.999;

/**
 * Gives throws a person who makes them. The motion of throw `id` of a seed is always the same, and the release is as it was:
 * position, velocity and frame phase are not changed.
 *
 * @example
 * const thrower = new Thrower({ ...throwerDefaults, kind: "standard" }, 1);
 * const ball = thrower.prepare(throws.make(0, 2.5)); // ball.hand is how hands move it before 2.5 s
 */
export class Thrower {
  readonly settings: ThrowerSettings;
  readonly #random: Random;

  constructor(settings: ThrowerSettings, seed: number | string) {
    this.settings = settings;
    this.#random = new Random(seed).fork("thrower");
  }

  /** The throw with a hand, unless throws are clean or it has one. */
  prepare(ball: Throw): Throw {
    if (this.settings.kind === "clean" || ball.hand !== undefined) return ball;
    return { ...ball, hand: this.#draw(ball.state, this.#random.fork(String(ball.id))) };
  }

  #draw(release: BallState, random: Random): ThrowMotion {
    const isFaked = random.uniform() < this.settings.fakes;
    const isHandedOver = random.uniform() < this.settings.handOvers;
    const swing = random.uniformIn(...(this.settings.swing ?? SWING));
    const arc = { swing, radius: random.uniformIn(...ARM), towardsCentre: drawCentre(release, random) };
    const stops = new StopList(swingStart(release, arc, vec3.create()), -swing);
    const draw = (range: Range): number => random.uniformIn(...range);
    const held = placeBy(release, -draw(HELD.back), draw(HELD.aside), draw(HELD.height));
    stops.before(held, draw(HELD.time));
    if (isFaked) this.#addFake(release, stops, held, draw);
    if (isHandedOver) {
      const side = random.uniform() < 0.5 ? -1 : 1;
      stops.before(shifted(held, release, 0, side * draw(HAND_OVER.aside), 0), draw(HAND_OVER.time));
    }
    const isWalking = random.uniform() < WALKING;
    const heading = random.uniformIn(0, 2 * Math.PI);
    const speed = draw(WALKING_SPEED);
    if (isWalking) stops.prolongFirst(draw(WALKED));
    return {
      ...arc,
      stops: stops.list,
      walk: isWalking ? vec3.create(speed * Math.cos(heading), speed * Math.sin(heading), 0) : vec3.create(),
      sway: draw(SWAY),
      tremor: draw(TREMOR),
      phase: random.uniformIn(0, 2 * Math.PI),
      grip: draw(GRIP),
    };
  }

  /** Before the ball is held for the throw: back, fast ahead, and to where it is held. */
  #addFake(release: BallState, stops: StopList, held: vec3.Vec3, draw: (range: Range) => number): void {
    const ahead = shifted(held, release, draw(FAKE.ahead), 0, 0.25);
    const back = shifted(held, release, -draw(FAKE.back), 0, 0.1);
    stops.before(ahead, draw(FAKE.rest));
    stops.before(back, 0, draw(FAKE.time));
    stops.before(held, draw(HELD.time));
  }
}

/** How long before the release of these balls the first is to be seen [s]. */
export function longestLead(balls: readonly Throw[]): number {
  return Math.max(0, ...balls.map(({ hand }) => (hand === undefined ? 0 : leadOf(hand))));
}

/** Stops from the last one to the first: each knows when the hand must leave it to be at the next in time. */
class StopList {
  readonly list: HandStop[] = [];
  #next: vec3.Vec3;
  #arrival: number;

  constructor(next: vec3.Vec3, arrival: number) {
    this.#next = next;
    this.#arrival = arrival;
  }

  /** Adds a stop of `rest` [s] before all others, from which the way to the next takes `duration` [s]. */
  before(position: vec3.Vec3, rest: number, duration = carryTime(position, this.#next)): void {
    const leave = this.#arrival - duration;
    this.list.unshift({ position, arrive: leave - rest, leave });
    this.#next = position;
    this.#arrival = leave - rest;
  }

  /** The first stop begins earlier. */
  prolongFirst(by: number): void {
    const first = this.list[0]!;
    this.list[0] = { ...first, arrive: first.arrive - by };
  }
}

/** How long a hand takes from one place to another [s]. */
function carryTime(from: vec3.Vec3, to: vec3.Vec3): number {
  return Math.max(SHORTEST_CARRY, (PEAK * vec3.distance(from, to)) / CARRYING_SPEED);
}

/** Unit vector to the centre of a swing: below the hand if it is overarm, else above, across the velocity and a little tilted. */
function drawCentre({ position, velocity }: BallState, random: Random): vec3.Vec3 {
  const isOverarm = random.uniform() < (position[2] > SHOULDER ? 0.85 : 0.3);
  const tilt = random.uniformIn(-TILT, TILT);
  const speed = vec3.norm(velocity);
  const ahead = speed === 0 ? vec3.create(1, 0, 0) : vec3.scale(velocity, 1 / speed, vec3.create());
  const up = Math.abs(ahead[2]) > UPRIGHT ? vec3.create(1, 0, 0) : vec3.create(0, 0, 1);
  vec3.normalize(vec3.addScaled(up, ahead, -vec3.dot(ahead, up), up), up);
  const side = vec3.cross(ahead, up, vec3.create());
  const out = vec3.scale(up, isOverarm ? -Math.cos(tilt) : Math.cos(tilt), vec3.create());
  return vec3.addScaled(out, side, Math.sin(tilt), out);
}

/** A point seen from the release: so far along the throw's heading and to its left, at a height above the floor [m]. */
function placeBy(release: BallState, ahead: number, aside: number, height: number): vec3.Vec3 {
  const [x, y] = release.position;
  return shifted(vec3.create(x, y, height), release, ahead, aside, 0);
}

function shifted(from: vec3.Vec3, { velocity }: BallState, ahead: number, aside: number, up: number): vec3.Vec3 {
  const level = Math.hypot(velocity[0], velocity[1]) || 1;
  const [x, y] = [velocity[0] / level, velocity[1] / level];
  return vec3.create(from[0] + ahead * x - aside * y, from[1] + ahead * y + aside * x, from[2] + up);
}
