import { defaultBall, FlightStatus, gravity } from "../../src/flight/ball.js";
import { Flight } from "../../src/flight/flight.js";
import * as vec3 from "../../src/math/vec3.js";
import { LATEST_CATCH, type Throw } from "../../src/simulation/world/throws.js";

/** The flights are compared so often [s]: balls that meet head-on come a centimetre nearer in that time. */
const STEP = 0.001;
/** Balls that pass each other by less have met [m]. */
const CLEARANCE = 0.005;

/** Whether two balls, released in the same camera frame of `framePeriod` [s], hit each other on their way. */
export function doBallsMeet(one: Throw, other: Throw, framePeriod: number): boolean {
  const [a, b] = [one, other].map((ball) => flightOf(ball, framePeriod)) as [Flight, Flight];
  const least = defaultBall.diameter + CLEARANCE;
  const [p, q] = [vec3.create(), vec3.create()];
  const end = Math.min(a.end, b.end);
  for (let t = Math.max(a.begin, b.begin); t <= end; t += STEP) {
    if (vec3.distance(a.position(t, p), b.position(t, q)) < least) return true;
  }
  return false;
}

/** Balls do not wait for cameras: each leaves the hand at its own time within the frame. */
function flightOf({ state, framePhase }: Throw, framePeriod: number): Flight {
  const time = state.time + framePhase * framePeriod;
  const flight = new Flight({ duration: LATEST_CATCH });
  const status = flight.reset({ ...state, time }, gravity(), time, time + LATEST_CATCH);
  if (status !== FlightStatus.ok) throw new Error("a throw is a flight");
  return flight;
}
