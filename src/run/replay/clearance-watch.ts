import { StandingDistances } from "../../collision/pairs/standing-distances.js";
import { dofsBetween } from "../../robot/kinematics/kinematics.js";
import type { Robot } from "../../robot/robot.js";
import type { CatchWorld } from "../../simulation/world/catch-world.js";

/** Least distance between two bodies of the robot at one time. */
export interface Clearance {
  /** [s] */
  readonly time: number;
  /** [m] */
  readonly distance: number;
  /** Their names. */
  readonly bodies: readonly [string, string];
}

/** Distances are measured this often while something moves [ns]. */
const PERIOD_NS = 20_000_000;

/** Bodies with fewer joints between them are neighbours, always as near as they are. */
const LEAST_JOINTS = 4;

/** Measures how near the robot comes to itself as it moves. */
export class ClearanceWatch {
  readonly clearances: Clearance[] = [];
  readonly #robot: Robot;
  readonly #distances: StandingDistances;
  /** The pairs that joints can bring together. */
  readonly #pairs: readonly number[];

  constructor(robot: Robot) {
    const { model, hulls, pairs } = robot;
    this.#robot = robot;
    this.#distances = new StandingDistances(robot);
    // A dof below both counts for neither, even if it moves one against the other through a coupling.
    const jointsBetween = ([a, b]: (typeof pairs)[number]): number => {
      const [ofA, ofB] = [dofsBetween(model, 0, hulls[a]!.link), dofsBetween(model, 0, hulls[b]!.link)];
      return ofA.filter((dof) => !ofB.includes(dof)).length + ofB.filter((dof) => !ofA.includes(dof)).length;
    };
    this.#pairs = Array.from(pairs.keys()).filter((pair) => jointsBetween(pairs[pair]!) >= LEAST_JOINTS);
  }

  /** To be called after each tick. */
  watch(nowNs: number, { q, qd }: CatchWorld): void {
    if (nowNs % PERIOD_NS !== 0 || qd.every((speed) => speed === 0)) return;
    this.#distances.place(q);
    let nearest = -1;
    let distance = Number.POSITIVE_INFINITY;
    for (const pair of this.#pairs) {
      const apart = this.#distances.measure(pair);
      if (!(apart < distance)) continue;
      distance = apart;
      nearest = pair;
    }
    if (nearest < 0) return;
    const [a, b] = this.#robot.pairs[nearest]!;
    const bodies = [this.#robot.hulls[a]!.name, this.#robot.hulls[b]!.name] as const;
    this.clearances.push({ time: nowNs / 1e9, distance, bodies });
  }
}
