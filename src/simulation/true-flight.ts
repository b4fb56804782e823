import { copyBallState, FlightStatus, gravity, PiecewiseFlight } from "../flight/ball.js";
import { Flight } from "../flight/flight.js";
import type { Event } from "../messages/report.js";
import type { ThrowBall, TrueFlight } from "../messages/world.js";
import { FlycatcherError } from "../runtime/errors.js";
import { LONGEST_FLIGHT } from "./world/ball-world.js";
import type { FlyingBall } from "./world/catch-world.js";
import type { Throw } from "./world/throws.js";

/** The throw of a message. */
export function throwOf({ bounce, hand, ...ball }: ThrowBall): Throw {
  return { ...ball, ...(bounce !== null && { bounce }), ...(hand !== null && { hand }) };
}

/** Reports a ball that the world could not throw. */
export function droppedEvent(ball: number, reason: string): Event {
  return { severity: "warning", source: "world", code: "ball-dropped", track: -1, text: `ball ${ball}: ${reason}` };
}

/** The message of a throw. */
export function throwMessage({ bounce, hand, ...ball }: Throw): ThrowBall {
  return { ...ball, bounce: bounce ?? null, hand: hand ?? null };
}

/** How a ball flies if nothing stops it. */
export function trueFlightOf(
  ball: FlyingBall,
  { state, aim, flightTime }: Pick<ThrowBall, "state" | "aim" | "flightTime">,
): TrueFlight {
  const states = [state, ...(ball.bounces ?? [])];
  const pieces = states.map(({ time, position, velocity, drag, lift }, k) => {
    const piece = { time, until: states[k + 1]?.time ?? ball.lands, position, velocity, drag };
    return lift === undefined ? piece : { ...piece, lift };
  });
  return { ball: ball.id, aim, flightTime, pieces };
}

/** The ball of a true flight. */
export function flyingBallOf({ ball, pieces }: Pick<TrueFlight, "ball" | "pieces">): FlyingBall {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) {
    throw new FlycatcherError("FLY_REPLAY_TRUTH", "a true flight has no piece", { path: `ball ${ball}` });
  }
  const paths = pieces.map(pathOf);
  const ends = pieces.slice(0, -1).map(({ until }) => until);
  const path = paths.length === 1 ? paths[0]! : new PiecewiseFlight(paths, ends);
  return { id: ball, path, released: first.time, lands: last.until };
}

function pathOf({ until, ...start }: TrueFlight["pieces"][number]): Flight {
  const path = new Flight({ duration: LONGEST_FLIGHT });
  const state = copyBallState(start);
  const { time } = state;
  if (path.reset(state, gravity(), time, time + LONGEST_FLIGHT) === FlightStatus.ok) return path;
  throw new FlycatcherError("FLY_REPLAY_TRUTH", "a true flight is not that of a ball", {
    expected: `finite numbers, and at most ${LONGEST_FLIGHT} s`,
    found: `from ${time} s to ${until} s`,
  });
}
