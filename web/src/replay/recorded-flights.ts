import { FlightStatus, gravity } from "../../../src/flight/ball.js";
import { Flight } from "../../../src/flight/flight.js";
import * as vec3 from "../../../src/math/vec3.js";
import type { ShownItem } from "./recording-file.js";

type TruthItem = Extract<ShownItem, { readonly topic: "truth/flights" }>;

interface Piece {
  readonly from: number;
  readonly until: number;
  readonly flight: Flight;
}

/** Where the balls of a recording truly were. */
export class RecordedFlights {
  readonly #balls: readonly { readonly id: number; readonly pieces: readonly Piece[] }[];
  readonly #point = vec3.create();

  constructor(items: readonly TruthItem[]) {
    this.#balls = items.map(({ ball, pieces }) => ({ id: ball, pieces: pieces.flatMap(pieceOf) }));
  }

  /** Ball by ball, when each was released [s]. */
  get releases(): { readonly ball: number; readonly time: number }[] {
    return this.#balls.flatMap(({ id, pieces }) =>
      pieces[0] === undefined ? [] : [{ ball: id, time: pieces[0].from }],
    );
  }

  /** The balls in the air at `time`. */
  at(time: number): { id: number; position: [number, number, number] }[] {
    return this.#balls.flatMap(({ id, pieces }) => {
      const piece = pieces.find(({ from, until }) => from <= time && time <= until);
      if (piece === undefined) return [];
      const [x, y, z] = piece.flight.position(time, this.#point);
      return z < 0 ? [] : [{ id, position: [x, y, z] }];
    });
  }
}

/** The longest flight anybody draws [s]. */
const LONGEST = 3;

function pieceOf({ time, until, position, velocity, drag }: TruthItem["pieces"][number]): Piece[] {
  const flight = new Flight();
  const end = Math.min(until, time + LONGEST);
  const state = { time, position, velocity, drag };
  return flight.reset(state, gravity(), time, end) === FlightStatus.ok ? [{ from: time, until: end, flight }] : [];
}
