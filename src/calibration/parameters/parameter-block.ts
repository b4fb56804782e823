import * as lie from "../../math/lie.js";
import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import * as vec3 from "../../math/vec3.js";

/** What the numbers of a block are: plain numbers, a rigid transform (12 numbers) or a unit vector (3 numbers). */
export type BlockKind = "vector" | "pose" | "direction";

/** One degree of freedom of a block, as seen by the solver. */
export interface ParameterComponent {
  /** Unique: `left.fx`, `leftArm4.offset`. Settings, sigmas and correlations go by it. */
  readonly name: string;
  /** In words, for people: "left elbow offset". */
  readonly words: string;
  readonly unit: string;
  /** Settings may name a whole family: `intrinsics`, `offsets`. */
  readonly family: string;
  /** How far off a robot fresh from maintenance may be, one standard deviation: scales what "weakly seen" means. */
  readonly spread: number;
  /** Whether the solver may change it. */
  readonly free: boolean;
  /** Standard deviation about the initial value; Infinity for no prior. */
  readonly priorSigma: number;
}

/**
 * Some parameters that belong together, with the chart in which the solver steps:
 *
 *   vector     x ← x + δ
 *   pose       T ← T·exp(δ), δ = (ρ, φ) in the source frame: that of the thing mounted
 *   direction  d ← exp([δ₁·e₁ + δ₂·e₂]×)·d, with e₁, e₂ fixed axes orthogonal to the initial d
 */
export class ParameterBlock {
  readonly name: string;
  readonly kind: BlockKind;
  readonly value: Float64Array;
  readonly initial: Float64Array;
  /** One for each number of δ. */
  readonly components: readonly ParameterComponent[];
  /** The two axes about which a direction is turned, 6 numbers; empty for other kinds. */
  readonly turnAxes: Float64Array;
  /** Column of each component in the solver's matrices; −1 where it is fixed. Set by `ParameterSet`. */
  readonly columns: Int32Array;

  constructor(name: string, kind: BlockKind, initial: Float64Array, components: readonly ParameterComponent[]) {
    this.name = name;
    this.kind = kind;
    this.initial = initial.slice();
    this.value = initial.slice();
    this.components = components;
    this.turnAxes = kind === "direction" ? axesAcross(initial as vec3.Vec3) : new Float64Array(0);
    this.columns = new Int32Array(components.length).fill(-1);
  }

  /** Moves `value` by `delta`, which has a number for every component. */
  retract(delta: Float64Array): void {
    if (this.kind === "pose")
      pose.compose(this.value as pose.Pose, lie.se3Exp(delta, scratchPose), this.value as pose.Pose);
    else if (this.kind === "direction") retractDirection(this.value as vec3.Vec3, this.turnAxes, delta);
    else for (let i = 0; i < this.value.length; i++) this.value[i] = this.value[i]! + delta[i]!;
  }

  /** The δ that leads from `reference` to `value`, to `out`. */
  differenceFrom(reference: Float64Array, out: Float64Array): Float64Array {
    if (this.kind === "pose") {
      return lie.se3Log(pose.composeInverse(reference as pose.Pose, this.value as pose.Pose, scratchPose), out);
    }
    if (this.kind === "direction") return turnBetween(reference as vec3.Vec3, this.value, this.turnAxes, out);
    for (let i = 0; i < this.value.length; i++) out[i] = this.value[i]! - reference[i]!;
    return out;
  }
}

const scratchPose = pose.create();
const scratchTurn = vec3.create();
const scratchRotation = mat3.create();

function retractDirection(value: vec3.Vec3, axes: Float64Array, delta: Float64Array): void {
  for (let i = 0; i < 3; i++) scratchTurn[i] = axes[i]! * delta[0]! + axes[i + 3]! * delta[1]!;
  mat3.transform(lie.so3Exp(scratchTurn, scratchRotation), value, value);
  vec3.normalize(value, value);
}

/** Rotation vector reference → value, in components along the two axes; exact for small turns, as between fits. */
function turnBetween(reference: vec3.Vec3, value: Float64Array, axes: Float64Array, out: Float64Array): Float64Array {
  const turn = vec3.cross(reference, value as vec3.Vec3, scratchTurn);
  out[0] = axes[0]! * turn[0] + axes[1]! * turn[1] + axes[2]! * turn[2];
  out[1] = axes[3]! * turn[0] + axes[4]! * turn[1] + axes[5]! * turn[2];
  return out;
}

/** Two unit vectors orthogonal to `direction` and to one another. */
function axesAcross(direction: vec3.Vec3): Float64Array {
  const least = [0, 1, 2].reduce((a, b) => (Math.abs(direction[b]!) < Math.abs(direction[a]!) ? b : a));
  const helper = vec3.create();
  helper[least] = 1;
  const first = vec3.normalize(vec3.cross(direction, helper, vec3.create()), vec3.create());
  const second = vec3.cross(direction, first, vec3.create());
  return Float64Array.of(...first, ...second);
}
