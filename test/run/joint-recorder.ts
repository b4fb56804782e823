import { HullBodies } from "../../src/collision/hull-bodies.js";
import { HullDistance, MEMORY_SIZE } from "../../src/collision/hull-distance.js";
import type { JointState } from "../../src/messages/sensing.js";
import { forwardKinematics } from "../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../src/robot/robot.js";
import { RobotState } from "../../src/robot/state.js";
import type { RingInPort } from "../../src/transport/ring-ports.js";

const POLL_MS = 5;

/**
 * Watches what a robot without noise says of its joints, and finds out by itself how near two of its bodies ever came and
 * how far a joint was ever beyond its limits: exact distances of the hulls where they are, nothing of what the safety
 * monitor reckons with.
 */
export class JointRecorder {
  /** States looked at. */
  states = 0;
  /** Least distance of two checked bodies [m]. */
  nearest = Number.POSITIVE_INFINITY;
  /** Farthest a joint was beyond its range [rad or m], and fastest as a share of its greatest speed. */
  excess = Number.NEGATIVE_INFINITY;
  speedShare = 0;
  readonly #robot: Robot;
  readonly #port: RingInPort<JointState>;
  readonly #timer: NodeJS.Timeout;
  readonly #state: RobotState;
  readonly #bodies: HullBodies;
  readonly #hulls = new HullDistance();
  readonly #memory = new Int32Array(MEMORY_SIZE);

  constructor(robot: Robot, states: RingInPort<JointState>) {
    this.#robot = robot;
    this.#state = new RobotState(robot.model);
    this.#bodies = new HullBodies(robot.hulls);
    this.#port = states;
    this.#timer = setInterval(() => this.#read(), POLL_MS);
  }

  #read(): void {
    for (let state = this.#port.take(0); state !== null; state = this.#port.take(0)) {
      this.#lookAtLimits(state.q, state.qd);
      if (this.states++ % 5 === 0) this.#lookAtBodies(state.q);
    }
  }

  /** Fingers are left out: about a ball they are where it lets them be. */
  #lookAtLimits(q: Float64Array, qd: Float64Array): void {
    const { model, hands } = this.#robot;
    const fingers = new Set(hands.flatMap(({ dofs }) => dofs));
    for (let i = 0; i < q.length; i++) {
      if (fingers.has(i)) continue;
      this.excess = Math.max(this.excess, model.lower[i]! - q[i]!, q[i]! - model.upper[i]!);
      this.speedShare = Math.max(this.speedShare, Math.abs(qd[i]!) / model.maxVelocity[i]!);
    }
  }

  #lookAtBodies(q: Float64Array): void {
    this.nearest = Math.min(this.nearest, this.distanceAt(q));
  }

  /** Least distance of two checked bodies at `q` [m]; negative where they overlap by more than their radii. */
  distanceAt(q: Float64Array): number {
    const { pairs, hulls } = this.#robot;
    this.#state.q.set(q);
    forwardKinematics(this.#state);
    this.#bodies.placeAll(this.#state.linkPoses);
    const { points, pointCount } = this.#bodies;
    let nearest = Number.POSITIVE_INFINITY;
    for (const [a, b] of pairs) {
      this.#memory.fill(0);
      this.#hulls.measure(points[a]!, pointCount[a]!, points[b]!, pointCount[b]!, this.#memory, 0);
      nearest = Math.min(nearest, this.#hulls.distance - hulls[a]!.radius - hulls[b]!.radius);
    }
    return nearest;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#port.close();
  }
}
