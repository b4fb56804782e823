import * as pose from "../math/pose.js";
import { type CarriedDofs, carriedDofs } from "../planning/body/carried-dofs.js";
import type { HeadMeasurement } from "../planning/body/moving-base-path.js";
import type { CatchWorld } from "../simulation/catch-world.js";
import type { CommandedJoints } from "./perception.js";

/**
 * A perfect sense of where the head is: its true pose, with the neck as it is and the body as it was commanded at the same
 * moment, as a planner wants them. So a chest that bends and wheels that slip are known without error.
 */
export class PerfectHeadSense {
  readonly #world: CatchWorld;
  readonly #link: number;
  readonly #dofs: CarriedDofs;
  readonly #worldFromHead = pose.create();
  readonly #neck: Float64Array;
  readonly #body: Float64Array;
  #isAwake = false;

  private constructor(world: CatchWorld, link: number) {
    this.#world = world;
    this.#link = link;
    this.#dofs = carriedDofs(world.robot);
    this.#neck = new Float64Array(this.#dofs.neck.length);
    this.#body = new Float64Array(this.#dofs.body.length);
  }

  /** None for a robot that has no head on a chest. */
  static of(world: CatchWorld): PerfectHeadSense | null {
    const { head, chest } = world.robot.frames;
    return head === undefined || chest === undefined ? null : new PerfectHeadSense(world, head);
  }

  /** The world has moved on, the robot being commanded so. */
  observe({ q: commanded }: CommandedJoints): void {
    const { neck, body } = this.#dofs;
    pose.copy(this.#world.worldFromLink(this.#link), this.#worldFromHead);
    for (let i = 0; i < neck.length; i++) this.#neck[i] = this.#world.q[neck[i]!]!;
    for (let i = 0; i < body.length; i++) this.#body[i] = commanded[body[i]!]!;
    this.#isAwake = true;
  }

  /** The head as it was observed last, to keep; null before. */
  measurement(): HeadMeasurement | null {
    if (!this.#isAwake) return null;
    const worldFromHead = pose.copy(this.#worldFromHead, pose.create());
    return { worldFromHead, neck: this.#neck.slice(), body: this.#body.slice() };
  }
}
