import * as pose from "../math/pose.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { CatchWorld } from "../simulation/catch-world.js";
import type { CommandedJoints } from "./perception.js";
import { type CarriedDofs, carriedDofs } from "./seeing/carried-dofs.js";

/**
 * A perfect sense of where the head is: its true pose, with the neck as it is and the body as it was commanded at the same
 * moment, as a planner wants them. So a chest that bends and wheels that slip are known without error.
 */
export class TrueHead {
  readonly #world: CatchWorld;
  readonly #link: number;
  readonly #dofs: CarriedDofs;
  readonly #measurement: HeadMeasurement;

  private constructor(world: CatchWorld, link: number) {
    this.#world = world;
    this.#link = link;
    this.#dofs = carriedDofs(world.robot);
    const { neck, body } = this.#dofs;
    this.#measurement = {
      worldFromHead: pose.create(),
      neck: new Float64Array(neck.length),
      body: new Float64Array(body.length),
    };
  }

  /** None for a robot that has no head on a chest. */
  static of(world: CatchWorld): TrueHead | null {
    const { head, chest } = world.robot.frames;
    return head === undefined || chest === undefined ? null : new TrueHead(world, head);
  }

  /** The world has moved on, the robot being commanded so. */
  observe({ q: commanded }: CommandedJoints): void {
    const { worldFromHead, neck, body } = this.#measurement;
    pose.copy(this.#world.worldFromLink(this.#link), worldFromHead);
    for (let i = 0; i < neck.length; i++) neck[i] = this.#world.q[this.#dofs.neck[i]!]!;
    for (let i = 0; i < body.length; i++) body[i] = commanded[this.#dofs.body[i]!]!;
  }

  /** The same object every time; see `observe`. */
  measurement(): HeadMeasurement {
    return this.#measurement;
  }
}
