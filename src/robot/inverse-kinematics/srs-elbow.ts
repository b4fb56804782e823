import { wrapAngle } from "../../math/angle.js";
import * as mat3 from "../../math/mat3.js";
import * as vec3 from "../../math/vec3.js";
import type { SrsGeometry } from "./srs-geometry.js";

/** How far, as a cosine, the wrist may be out of reach and still be taken for stretched: rounding of the target. */
const REACH_TOLERANCE = 1e-11;
/** Shortest distance from shoulder to wrist that has a direction [m]. */
const SHORTEST_LINE = 1e-9;
/** Below this sine between reference and shoulder–wrist line the elbow angle counts from another reference. */
const REFERENCE_TOLERANCE = 1e-6;

/**
 * The elbow of an SRS arm: what q4 does to the distance between shoulder and wrist, and where the elbow points for a
 * given elbow angle ψ. Both are expressed as frames (direction n from shoulder to wrist, direction e of the elbow
 * across it, n × e); the shoulder then has to turn the frame at q1–q3 = 0 into the wanted one.
 *
 * The elbow's direction is taken from the elbow's axis, e = ±axis × n, which stays defined where the elbow itself lies
 * on the line. The sign is that of the elbow's real side, and so differs between the two solutions for q4.
 */
export class SrsElbow {
  /** The two q4 of the last `aim`, on either side of stretched [rad]. */
  readonly angles = new Float64Array(2);
  /** Columns n, e, n × e as wanted; `aim`. */
  readonly wanted = mat3.create();
  /** Rows n, e, n × e at q1–q3 = 0; `turn`. */
  readonly atZero = mat3.create();
  /** Rotation of joint 4; `turn`. */
  readonly rotation = mat3.create();

  /** Shoulder to wrist at q1–q3 = 0 is centre + cos(q4)·cosine + sin(q4)·sine … */
  readonly #centre: vec3.Vec3;
  readonly #cosine: vec3.Vec3;
  readonly #sine: vec3.Vec3;
  /** … so that its squared length is constant + 2·gain·cos(q4 − stretched). */
  readonly #constant: number;
  readonly #gain: number;
  readonly #stretched: number;
  /** Sign of e for q4 beyond stretched. */
  readonly #side: number;
  readonly #axis: vec3.Vec3;
  readonly #reference: vec3.Vec3;
  readonly #otherReference: vec3.Vec3;
  readonly #rows: readonly [vec3.Vec3, vec3.Vec3, vec3.Vec3];
  /** Numbers passed in an array are not boxed where a call is not inlined. */
  readonly #cosSin = new Float64Array(2);
  readonly #n = vec3.create();
  readonly #u = vec3.create();
  readonly #v = vec3.create();

  constructor({ axes, shoulder, elbow, wrist }: SrsGeometry, reference: vec3.Vec3) {
    this.#axis = axes[3]!;
    const toElbow = vec3.subtract(elbow, shoulder, vec3.create());
    const toWrist = vec3.subtract(wrist, elbow, vec3.create());
    const along = vec3.dot(toWrist, this.#axis);
    this.#cosine = vec3.addScaled(toWrist, this.#axis, -along, vec3.create());
    this.#sine = vec3.cross(this.#axis, this.#cosine, vec3.create());
    this.#centre = vec3.addScaled(toElbow, this.#axis, along, vec3.create());
    const c = vec3.dot(this.#centre, this.#cosine);
    const s = vec3.dot(this.#centre, this.#sine);
    this.#constant = vec3.squaredNorm(this.#centre) + vec3.squaredNorm(this.#cosine);
    this.#gain = Math.hypot(c, s);
    this.#stretched = Math.atan2(s, c);
    this.#reference = vec3.normalize(reference, vec3.create());
    this.#otherReference = anyAcross(this.#reference);
    this.#rows = [vec3.view(this.atZero, 0), vec3.view(this.atZero, 3), vec3.view(this.atZero, 6)];
    // A quarter turn beyond stretched the elbow is clearly to one side.
    this.#side = 1;
    this.angles[0] = this.#stretched + Math.PI / 2;
    this.turn(0);
    this.#side = vec3.dot(toElbow, this.#rows[1]) > 0 ? 1 : -1;
  }

  /**
   * Fills `angles` and `wanted` for the vector `line` from shoulder to wrist [m] and the elbow angle [rad]. False if
   * no q4 gives that distance, or if a number is not finite.
   */
  aim(line: vec3.Vec3, elbowAngle: number): boolean {
    const cosine = (vec3.squaredNorm(line) - this.#constant) / (2 * this.#gain);
    if (!(Math.abs(cosine) <= 1 + REACH_TOLERANCE && Math.abs(elbowAngle) < Number.POSITIVE_INFINITY)) return false;
    if (!this.#frameAlong(line)) return false;
    const opening = Math.acos(Math.max(-1, Math.min(1, cosine)));
    this.angles[0] = this.#stretched + opening;
    this.angles[1] = this.#stretched - opening;
    const c = Math.cos(elbowAngle);
    const s = Math.sin(elbowAngle);
    for (let i = 0; i < 3; i++) {
      this.wanted[3 * i] = this.#n[i]!;
      this.wanted[3 * i + 1] = c * this.#u[i]! + s * this.#v[i]!;
      this.wanted[3 * i + 2] = c * this.#v[i]! - s * this.#u[i]!;
    }
    return true;
  }

  /** Fills `rotation` and `atZero` for joint 4 at `angles[branch]`; branch 0 is the one beyond stretched. */
  turn(branch: number): void {
    const axis = this.#axis;
    const n = this.#rows[0];
    const e = this.#rows[1];
    const c = Math.cos(this.angles[branch]!);
    const s = Math.sin(this.angles[branch]!);
    this.#cosSin[0] = c;
    this.#cosSin[1] = s;
    fillRotation(axis, this.#cosSin, this.rotation);
    for (let i = 0; i < 3; i++) n[i] = this.#centre[i]! + c * this.#cosine[i]! + s * this.#sine[i]!;
    vec3.normalize(n, n);
    vec3.normalize(vec3.cross(axis, n, e), e);
    if (branch === 0 ? this.#side < 0 : this.#side > 0) vec3.negate(e, e);
    vec3.cross(n, e, this.#rows[2]);
  }

  /** The elbow angle for joint 4 at `q[at]` and a shoulder that turns by `shoulderRotation`, in (−π, π] [rad]. */
  elbowAngle(q: Float64Array, at: number, shoulderRotation: mat3.Mat3): number {
    const branch = wrapAngle(q[at]! - this.#stretched) >= 0 ? 0 : 1;
    this.angles[branch] = q[at]!;
    this.turn(branch);
    const [n, e, m] = this.#rows;
    mat3.transform(shoulderRotation, n, n);
    mat3.transform(shoulderRotation, e, m);
    this.#frameAlong(n);
    return Math.atan2(vec3.dot(this.#v, m), vec3.dot(this.#u, m));
  }

  /** n along `line`, u the elbow's direction at ψ = 0, v = n × u. False if the line has no direction. */
  #frameAlong(line: vec3.Vec3): boolean {
    const n = this.#n;
    const u = this.#u;
    const length = vec3.norm(line);
    if (!(length > SHORTEST_LINE)) return false;
    vec3.normalize(line, n);
    removeAlong(this.#reference, n, u);
    if (vec3.squaredNorm(u) < REFERENCE_TOLERANCE * REFERENCE_TOLERANCE) removeAlong(this.#otherReference, n, u);
    vec3.normalize(u, u);
    vec3.cross(n, u, this.#v);
    return true;
  }
}

/** out = v without its part along the unit vector n. */
function removeAlong(v: vec3.Vec3, n: vec3.Vec3, out: vec3.Vec3): void {
  const along = vec3.dot(v, n);
  for (let i = 0; i < 3; i++) out[i] = v[i]! - along * n[i]!;
}

/** Rodrigues' formula from cosine and sine. */
function fillRotation(axis: vec3.Vec3, cosSin: Float64Array, out: mat3.Mat3): void {
  const c = cosSin[0]!;
  const s = cosSin[1]!;
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  const rest = 1 - c;
  out[0] = c + rest * x * x;
  out[1] = rest * x * y - s * z;
  out[2] = rest * x * z + s * y;
  out[3] = rest * x * y + s * z;
  out[4] = c + rest * y * y;
  out[5] = rest * y * z - s * x;
  out[6] = rest * x * z - s * y;
  out[7] = rest * y * z + s * x;
  out[8] = c + rest * z * z;
}

/** A unit vector across v. */
function anyAcross(v: vec3.Vec3): vec3.Vec3 {
  const other = Math.abs(v[0]) < 0.6 ? vec3.create(1, 0, 0) : vec3.create(0, 1, 0);
  return vec3.normalize(vec3.addScaled(other, v, -vec3.dot(other, v), other), other);
}
