import type { Ball } from "../../flight/ball.js";
import { gravity } from "../../flight/ball.js";
import { Flight } from "../../flight/flight.js";
import { FlightStatus } from "../../flight/flight-path.js";
import { PiecewiseFlight } from "../../flight/piecewise-flight.js";
import type { Robot } from "../../robot/robot.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { BallWorld, LONGEST_FLIGHT } from "../../simulation/ball-world.js";
import type { FlyingBall, RobotCommand } from "../../simulation/catch-world.js";
import type { JointsItem, RecordedFlight, TruthItem } from "../../recording/recorded-messages.js";
import { vector } from "../../recording/recorded-values.js";

/**
 * The world of a replay: the robot is where it is told to be, or where it was found to be then. Balls fly as they truly
 * did, where that is known.
 */
export class ReplayWorld extends BallWorld {
  readonly #joints = new Map<number, JointsItem>();
  readonly #tickNs: number;
  #nowNs: number;

  constructor(robot: Robot, posture: Float64Array, ball: Ball, tickNs: number, startNs: number) {
    super(robot, posture, ball);
    this.#tickNs = tickNs;
    this.#nowNs = startNs;
  }

  /** Where the joints were found to be, for a replay that repeats the run as it was. */
  addJoints(item: JointsItem): void {
    this.#joints.set(item.timeNs, item);
  }

  override step(command: RobotCommand): void {
    this.#nowNs += this.#tickNs;
    const found = this.#joints.get(this.#nowNs);
    this.#joints.delete(this.#nowNs);
    if (found === undefined) super.step(command);
    else super.step({ ...command, q: Float64Array.from(found.q), qd: Float64Array.from(found.qd) });
  }
}

/** A ball's true flight, from its recording. */
export function flyingBall({ ball, pieces }: TruthItem): FlyingBall {
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) {
    throw new FlycatcherError("FLY_REPLAY_TRUTH", "a true flight has no piece", { path: `ball ${ball}` });
  }
  const paths = pieces.map(pathOf);
  const path =
    paths.length === 1
      ? paths[0]!
      : new PiecewiseFlight(
          paths,
          pieces.slice(0, -1).map(({ until }) => until),
        );
  return { id: ball, path, released: first.time, lands: last.until };
}

function pathOf({ time, until, position, velocity, drag }: RecordedFlight): Flight {
  const path = new Flight({ duration: LONGEST_FLIGHT });
  const state = { time, position: vector(position), velocity: vector(velocity), drag };
  if (path.reset(state, gravity(), time, time + LONGEST_FLIGHT) === FlightStatus.ok) return path;
  throw new FlycatcherError("FLY_REPLAY_TRUTH", "a true flight is not that of a ball", {
    expected: `finite numbers, and at most ${LONGEST_FLIGHT} s`,
    found: `from ${time} s to ${until} s`,
  });
}
