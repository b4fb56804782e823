import { FlightStatus } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import { Random } from "../../../src/math/random.js";
import * as vec3 from "../../../src/math/vec3.js";

/** How balls fly and are measured in a made-up room. */
export interface Room {
  readonly gravity: readonly [number, number, number];
  readonly drag: number;
  /** Of each coordinate [m]. */
  readonly sigma: number;
  /** [Hz] */
  readonly rate: number;
}

/** One throw of a marker. */
export interface MadeThrow {
  readonly marker: string;
  /** Release [s], duration [s], position [m] and velocity [m/s]. */
  readonly time: number;
  readonly duration: number;
  readonly position: readonly [number, number, number];
  readonly velocity: readonly [number, number, number];
}

/** Throws as rows of a CSV file: time, marker, x, y, z. */
export function thrownCsv(throws: readonly MadeThrow[], room: Room, seed: string): string {
  const random = new Random(seed);
  const rows = throws.flatMap((thrown) => rowsOf(thrown, room, random));
  rows.sort((a, b) => a.time - b.time);
  return ["time,marker,x,y,z", ...rows.map(({ text }) => text)].join("\n");
}

function rowsOf(thrown: MadeThrow, room: Room, random: Random): { readonly time: number; readonly text: string }[] {
  const { marker, time: begin, duration, position, velocity } = thrown;
  const flight = new Flight({ duration: 3 });
  const state = { time: 0, position: vec3.create(...position), velocity: vec3.create(...velocity), drag: room.drag };
  if (flight.reset(state, vec3.create(...room.gravity), 0, duration) !== FlightStatus.ok) throw new Error("no flight");
  const at = vec3.create();
  return Array.from({ length: Math.floor(duration * room.rate) + 1 }, (_, k) => {
    flight.position(k / room.rate, at);
    const noisy = Array.from(at, (value) => (value + room.sigma * random.normal()).toFixed(6));
    const time = begin + k / room.rate;
    return { time, text: [time.toFixed(6), marker, ...noisy].join(",") };
  });
}

/** Seeded throws one after the other, each of its own marker, to all sides. */
export function madeThrows(count: number, seed: string): MadeThrow[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, k) => ({
    marker: `b${k}`,
    time: 2 * k,
    duration: 0.9,
    position: [random.uniformIn(-1, 1), random.uniformIn(-1, 1), random.uniformIn(1, 1.6)],
    velocity: [random.uniformIn(-5, 5), random.uniformIn(-5, 5), random.uniformIn(2, 4)],
  }));
}
