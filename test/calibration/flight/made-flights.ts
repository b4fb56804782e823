import type { MeasuredFlight } from "../../../src/calibration/flight/joint-flights.js";
import { Random } from "../../../src/math/random.js";

/** How balls truly fly and are measured. */
export interface TrueRoom {
  readonly gravity: readonly [number, number, number];
  readonly drag: number;
  /** Spread of each component of the lift [1/s]. */
  readonly lift: number;
  /** [m/s²/√Hz] */
  readonly acceleration: number;
  /** True and stated standard deviation of a coordinate [m]. */
  readonly sigma: number;
  readonly stated: number;
}

/** Steps of the integration in a period of 25 Hz: enough for micrometres by the plain midpoint rule. */
const STEPS = 80;
const PERIOD = 1 / 25;

/** Flights of 0.8 s by an integrator of its own, with pushes of white acceleration. */
export function madeFlights(count: number, room: TrueRoom, seed: string): MeasuredFlight[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => madeFlight(room, random));
}

function madeFlight(room: TrueRoom, random: Random): MeasuredFlight {
  const position = [random.uniformIn(-1, 1), random.uniformIn(-1, 1), random.uniformIn(1, 2)];
  const velocity = [random.uniformIn(-5, 5), random.uniformIn(-5, 5), random.uniformIn(1, 5)];
  const lift = [0, 1, 2].map(() => room.lift * random.normal());
  const [time, places]: [number[], number[]] = [[], []];
  for (let k = 0; k <= 20; k++) {
    time.push(3 + k * PERIOD);
    places.push(...position.map((value) => value + room.sigma * random.normal()));
    for (let step = 0; step < STEPS; step++) move(position, velocity, lift, room, random);
  }
  const variance = new Float64Array(places.length).fill(room.stated ** 2);
  return { time: Float64Array.from(time), position: Float64Array.from(places), variance };
}

function move(position: number[], velocity: number[], lift: readonly number[], room: TrueRoom, random: Random): void {
  const dt = PERIOD / STEPS;
  const half = velocity.map((value, n) => value + 0.5 * dt * accelerationOf(velocity, lift, room)[n]!);
  const acceleration = accelerationOf(half, lift, room);
  for (let n = 0; n < 3; n++) {
    position[n] = position[n]! + dt * half[n]!;
    velocity[n] = velocity[n]! + dt * acceleration[n]! + room.acceleration * Math.sqrt(dt) * random.normal();
  }
}

function accelerationOf(velocity: readonly number[], lift: readonly number[], room: TrueRoom): number[] {
  const [vx, vy, vz] = velocity as [number, number, number];
  const [wx, wy, wz] = lift as [number, number, number];
  const brake = room.drag * Math.hypot(vx, vy, vz);
  const [gx, gy, gz] = room.gravity;
  return [
    gx - brake * vx + wy * vz - wz * vy,
    gy - brake * vy + wz * vx - wx * vz,
    gz - brake * vz + wx * vy - wy * vx,
  ];
}
