import { FlightStatus } from "../../src/flight/ball.js";
import { FlightSensitivity, STATE_SIZE } from "../../src/flight/sensitivity.js";
import * as cholesky from "../../src/math/cholesky.js";
import * as lie from "../../src/math/lie.js";
import * as mat3 from "../../src/math/mat3.js";
import * as matrix from "../../src/math/matrix.js";
import * as pose from "../../src/math/pose.js";
import * as vec3 from "../../src/math/vec3.js";
import { BallOutlines } from "../../src/tracking/filter/circle-prediction.js";
import type { CameraView } from "../../src/tracking/filter/scan.js";
import { multiplyTransposeLeft } from "../../test/support/matrices.js";
import type { SeenThrow, Sighting, SightingGenerator } from "./sightings.js";

/** What is known beforehand, as standard deviations: of the velocity at the first sighting [m/s], of the drag [1/m]. */
export interface PriorKnowledge {
  readonly velocitySigma: number;
  readonly dragSigma: number;
}

/**
 * The posterior Cramér–Rao bound of the state of a thrown ball: the inverse of Σ JᵀR⁻¹J + prior, J the derivative of both
 * circles of a pair by the state along the true flight, R the noise of the circles and of the pose they share. No
 * estimator that is unbiased can do better. It shares nothing with the filter but the equations of flight and of the
 * outline.
 */
export class CramerRaoBound {
  readonly #generator: SightingGenerator;
  readonly #flight = new FlightSensitivity();
  readonly #outlines: BallOutlines;

  constructor(generator: SightingGenerator) {
    this.#generator = generator;
    this.#outlines = new BallOutlines(generator.throws.ball.diameter / 2);
  }

  /** Covariance of the state at `time` from all that is seen until then, 7 × 7; zero in row and column of a known drag. */
  at(time: number, seen: SeenThrow, prior: PriorKnowledge): Float64Array {
    const position = seen.truth.position(time, vec3.create());
    const velocity = seen.truth.velocity(time, vec3.create());
    const state = { time, position, velocity, drag: seen.state.drag };
    if (this.#flight.reset(state, this.#generator.gravity, 0, time) !== FlightStatus.ok) throw new Error("no flight");
    const information = new Float64Array(STATE_SIZE * STATE_SIZE);
    const used = seen.sightings.filter((sighting) => sighting.time <= time && isSeen(sighting));
    for (const sighting of used) this.#add(sighting, seen, information);
    addPrior(this.#flight, used[0]!.time, prior, information);
    return invertInformation(information, prior.dragSigma > 0 ? 7 : 6);
  }

  #add(sighting: Sighting, seen: SeenThrow, information: Float64Array): void {
    const ball = seen.truth.position(sighting.time, vec3.create());
    const byState = this.#flight.positionJacobian(sighting.time, new Float64Array(3 * STATE_SIZE));
    const { left, right, leftCircles, rightCircles } = sighting;
    const views = [...(leftCircles.count > 0 ? [left] : []), ...(rightCircles.count > 0 ? [right] : [])];
    const rows = 3 * views.length;
    const byPosition = new Float64Array(rows * 3);
    const byPose = new Float64Array(rows * 6);
    for (const [n, view] of views.entries()) this.#differentiate(left, view, ball, byPosition, byPose, n);
    const jacobian = matrix.multiply(byPosition, byState, rows, 3, STATE_SIZE, new Float64Array(rows * STATE_SIZE));
    const noise = circleAndPoseNoise(this.#generator, sighting, byPose, rows);
    cholesky.factor(noise, rows, noise);
    cholesky.invertLower(noise, rows, noise);
    const weighted = matrix.multiply(noise, jacobian, rows, rows, STATE_SIZE, new Float64Array(rows * STATE_SIZE));
    const squares = multiplyTransposeLeft(weighted, weighted, rows, 7, 7);
    for (let k = 0; k < 49; k++) information[k]! += squares[k]!;
  }

  /** Derivatives of the n-th circle by the ball's position in the world and by the pose error of the left camera. */
  #differentiate(
    left: CameraView,
    view: CameraView,
    ball: vec3.Vec3,
    byPosition: Float64Array,
    byPose: Float64Array,
    n: number,
  ): void {
    const inCamera = pose.transformPointInverse(view.worldFromCamera, ball, vec3.create());
    const byPoint = mat3.create();
    const outline = this.#outlines.of(view.camera);
    if (!outline.measureWithJacobian(inCamera, new Float64Array(3), byPoint)) throw new Error("not in view");
    const rotation = mat3.copy(view.worldFromCamera, mat3.create());
    byPosition.set(mat3.multiply(byPoint, mat3.transpose(rotation, rotation), rotation), 9 * n);
    // In the camera's frame the point moves by −δt − δθ × p.
    const byTurn = mat3.multiply(byPoint, mat3.skew(inCamera, mat3.create()), mat3.create());
    const own = new Float64Array(18);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        own[6 * r + c] = -byPoint[3 * r + c]!;
        own[6 * r + 3 + c] = byTurn[3 * r + c]!;
      }
    }
    const cameraFromLeft = pose.composeInverse(view.worldFromCamera, left.worldFromCamera, pose.create());
    const adjoint = lie.adjoint(cameraFromLeft, new Float64Array(36));
    byPose.set(matrix.multiply(own, adjoint, 3, 6, 6, new Float64Array(18)), 18 * n);
  }
}

function isSeen({ leftCircles, rightCircles }: Sighting): boolean {
  return leftCircles.count + rightCircles.count > 0;
}

function circleAndPoseNoise(
  { noise }: SightingGenerator,
  { left }: Sighting,
  byPose: Float64Array,
  rows: number,
): Float64Array {
  const product = matrix.multiply(byPose, left.covariance, rows, 6, 6, new Float64Array(rows * 6));
  const out = matrix.multiplyTransposeRight(product, byPose, rows, 6, rows, new Float64Array(rows * rows));
  for (let r = 0; r < rows; r++) out[r * rows + r]! += (r % 3 === 2 ? noise.radius : noise.centre) ** 2;
  return out;
}

function addPrior(flight: FlightSensitivity, time: number, prior: PriorKnowledge, information: Float64Array): void {
  const transition = flight.transition(time, new Float64Array(49));
  const byVelocity = transition.subarray(21, 42);
  const squares = multiplyTransposeLeft(byVelocity, byVelocity, 3, 7, 7);
  for (let k = 0; k < 49; k++) information[k]! += squares[k]! / prior.velocitySigma ** 2;
  if (prior.dragSigma > 0) information[48]! += 1 / prior.dragSigma ** 2;
}

function invertInformation(information: Float64Array, size: 6 | 7): Float64Array {
  const part = new Float64Array(size * size);
  for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) part[r * size + c] = information[r * STATE_SIZE + c]!;
  if (cholesky.factor(part, size, part) !== cholesky.MatrixStatus.ok) throw new Error("not observable");
  cholesky.invert(part, size, part);
  const out = new Float64Array(STATE_SIZE * STATE_SIZE);
  for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) out[r * STATE_SIZE + c] = part[r * size + c]!;
  return out;
}
