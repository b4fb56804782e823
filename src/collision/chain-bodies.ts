import * as pose from "../math/pose.js";
import { Random } from "../math/random.js";
import type { KinematicChain } from "../robot/kinematics/chain.js";
import { forwardKinematics, relativePose } from "../robot/kinematics/kinematics.js";
import type { Robot, RobotModel } from "../robot/robot.js";
import { RobotState } from "../robot/state.js";
import { FlycatcherError } from "../runtime/errors.js";
import { HullBodies } from "./hull-bodies.js";
import { Across, combineInFrame, readJointFrame, resolveInFrame } from "./joint-frame.js";

/** `carrier` of a body that the chain does not move. */
export const STANDING = -1;

/**
 * A robot's collision bodies in the frame of a chain's base: those the chain moves are placed from the origins and axes
 * that `chain.update` leaves, the others stand at a posture.
 *
 * A point fixed to the link behind joint s is o + α·z + β·u + γ·(z × u), where o and z are the joint's origin and axis
 * and u is the part across z of another vector of that link (the next joint's axis, say): α, β, γ never change, so
 * placing a point takes nine multiplications and no rotation matrix.
 *
 * A body that no dof of the chain moves, such as a capsule on the axis of the first joint, counts as standing.
 */
export class ChainBodies {
  readonly bodies: HullBodies;
  /** Joint of the chain (an index of `chain.joints`) behind which each body sits, or STANDING. [bodies.count] */
  readonly carrier: Int32Array;

  readonly #state: RobotState;
  /** Bodies with a carrier, in its order. */
  readonly #carried: Int32Array;
  /** `Across` of each joint of the chain. [jointCount] */
  readonly #across: Uint8Array;
  /** α, β, γ of each point of a body, and last of its ball's centre. [bodies.count] */
  readonly #coefficients: readonly Float64Array[];
  readonly #frame = new Float64Array(12);
  readonly #baseFromLink = pose.create();
  /** A configuration of the chain like any other, to fit coefficients at. */
  readonly #reference: Float64Array;

  /**
   * `posture` has a position for every dof of the robot; for dofs the chain holds it must be the one the chain was built
   * with. Leaves the chain at another configuration.
   */
  constructor(robot: Robot, chain: KinematicChain, posture: Float64Array) {
    this.#state = new RobotState(robot.model);
    this.bodies = new HullBodies(robot.hulls);
    this.#coefficients = robot.hulls.map((hull) => new Float64Array(hull.points.length + 3));
    const samples = sampleConfigurations(chain);
    this.#reference = samples[0]!;
    this.carrier = this.#findCarriers(chain, posture, samples);
    this.#carried = Int32Array.from(this.carrier.keys())
      .filter((body) => this.carrier[body] !== STANDING)
      .sort((a, b) => this.carrier[a]! - this.carrier[b]!);
    this.#across = new Uint8Array(chain.jointCount);
    for (const joint of new Set(this.#carried.map((body) => this.carrier[body]!))) {
      this.#across[joint] = this.#chooseAcross(chain, posture, samples, joint);
    }
    this.setPosture(chain, posture);
  }

  /** Places the standing bodies for another posture; the chain's own dofs in it do not matter. Moves the chain. */
  setPosture(chain: KinematicChain, posture: Float64Array): void {
    this.#placeAll(chain, posture, this.#reference);
    for (const body of this.#carried) this.#fit(chain, body, this.#across[this.carrier[body]!]! as Across);
  }

  /** Places the moving bodies as of the last `chain.update`. */
  place(chain: KinematicChain): void {
    const { bodies, carrier } = this;
    const carried = this.#carried;
    let joint = STANDING;
    for (let k = 0; k < carried.length; k++) {
      const body = carried[k]!;
      if (carrier[body] !== joint) {
        joint = carrier[body]!;
        readJointFrame(chain, joint, this.#across[joint]! as Across, this.#frame);
      }
      const count = bodies.pointCount[body]!;
      const coefficients = this.#coefficients[body]!;
      combineInFrame(this.#frame, coefficients, 0, count, bodies.points[body]!, 0);
      combineInFrame(this.#frame, coefficients, 3 * count, 1, bodies.center, 3 * body);
    }
  }

  /** All bodies by the whole robot's kinematics, the chain at `q`. */
  #placeAll(chain: KinematicChain, posture: Float64Array, q: Float64Array): void {
    const state = this.#state;
    state.q.set(posture);
    for (let i = 0; i < chain.dofCount; i++) state.q[chain.dofs[i]!] = q[i]!;
    forwardKinematics(state);
    chain.update(q);
    for (let body = 0; body < this.bodies.count; body++) {
      relativePose(state, chain.baseLink, this.bodies.link[body]!, this.#baseFromLink);
      this.bodies.place(body, this.#baseFromLink, 0);
    }
  }

  /** Works out a body's coefficients from where it is. */
  #fit(chain: KinematicChain, body: number, across: Across): void {
    const { points, center, pointCount } = this.bodies;
    const count = pointCount[body]!;
    const out = this.#coefficients[body]!;
    readJointFrame(chain, this.carrier[body]!, across, this.#frame);
    resolveInFrame(this.#frame, points[body]!, 0, count, out, 0);
    resolveInFrame(this.#frame, center, 3 * body, 1, out, 3 * count);
  }

  /** The joint behind which each body sits, after watching whether it moves at all. */
  #findCarriers(chain: KinematicChain, posture: Float64Array, samples: readonly Float64Array[]): Int32Array {
    const { bodies } = this;
    this.#placeAll(chain, posture, samples[0]!);
    const before = bodies.points.map((points) => points.slice());
    const moves = new Uint8Array(bodies.count);
    for (const q of samples) {
      this.#placeAll(chain, posture, q);
      for (let body = 0; body < bodies.count; body++) {
        if (!areAlike(bodies.points[body]!, before[body]!)) moves[body] = 1;
      }
    }
    return Int32Array.from(moves, (isMoving, body) => {
      if (isMoving === 0) return STANDING;
      const carrier = carrierOf(chain.model, chain, bodies.link[body]!);
      if (carrier === STANDING) throw unsupported(bodies, body);
      return carrier;
    });
  }

  /** The first vector of the link behind `joint` by which its bodies' coefficients are the same at all samples. */
  #chooseAcross(chain: KinematicChain, posture: Float64Array, samples: readonly Float64Array[], joint: number): Across {
    const own = this.#carried.filter((body) => this.carrier[body] === joint);
    const fitAt = (q: Float64Array, across: Across): number[] => {
      this.#placeAll(chain, posture, q);
      for (const body of own) this.#fit(chain, body, across);
      return Array.from(own).flatMap((body) => [...this.#coefficients[body]!]);
    };
    for (const across of Object.values(Across)) {
      const first = fitAt(samples[0]!, across);
      if (samples.every((q) => areAlike(fitAt(q, across), first))) return across;
    }
    throw unsupported(this.bodies, own[0]!);
  }
}

/** Positions that agree to this are equal [m]; far above rounding, far below any motion. */
const ALIKE = 1e-9;

function areAlike(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return Array.from(a).every((value, i) => Math.abs(value - b[i]!) <= ALIKE);
}

const SAMPLES = 4;

/** Configurations in general position: no axes parallel or intersecting by chance. */
function sampleConfigurations(chain: KinematicChain): Float64Array[] {
  const random = new Random("chain bodies");
  return Array.from({ length: SAMPLES }, () =>
    Float64Array.from(chain.dofs, (_, i) =>
      random.uniformIn(Math.max(chain.lower[i]!, -Math.PI), Math.min(chain.upper[i]!, Math.PI)),
    ),
  );
}

/** The last joint of the chain between a link and the root. */
function carrierOf(model: RobotModel, chain: KinematicChain, link: number): number {
  for (let i = link; i > 0; i = model.parentLink[i]!) {
    const joint = chain.joints.indexOf(i);
    if (joint >= 0) return joint;
  }
  return STANDING;
}

function unsupported(bodies: HullBodies, body: number): FlycatcherError {
  return new FlycatcherError("FLY_CLEARANCE_UNSUPPORTED", "A collision body moves in a way its arm does not show", {
    path: bodies.hulls[body]!.name,
    expected: "a body fixed to a link between the arm's base and tip",
    found: "a coupled joint off the arm, or two joints of the arm on one line",
  });
}
