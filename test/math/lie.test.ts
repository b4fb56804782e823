import { Matrix } from "ml-matrix";
import { describe, expect, it } from "vitest";
import * as lie from "../../src/math/lie.js";
import * as mat3 from "../../src/math/mat3.js";
import * as pose from "../../src/math/pose.js";
import { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { unitVector } from "../support/random-draws.js";
import { fromMl, maxDifference, normalVector, randomPose, randomRotation, toMl } from "./reference.js";

const random = new Random("lie");

/** Both sides of every switch in the implementation, and where the logarithm is delicate. */
const ANGLES = [
  0,
  1e-300,
  1e-160,
  1e-12,
  1e-8,
  1e-5,
  1e-3,
  0.1,
  0.5,
  1 - 1e-9,
  1 + 1e-9,
  2,
  3,
  Math.PI - 1e-5,
  Math.PI - 1e-9,
];
/** Beyond half a turn exp and the Jacobians go on; the logarithm returns the shorter way. */
const LARGE_ANGLES = [Math.PI, 4, 5, 6];
const EVERY_ANGLE = [...ANGLES, ...LARGE_ANGLES];
const REPEATS = 10;

function rotationVector(angle: number): vec3.Vec3 {
  const axis = unitVector(random, vec3.create());
  return vec3.scale(axis, angle, axis);
}

function twist(angle: number): Float64Array {
  return Float64Array.of(...normalVector(random), ...rotationVector(angle));
}

function skew(w: ArrayLike<number>): Matrix {
  const [x, y, z] = [w[0]!, w[1]!, w[2]!];
  return new Matrix([
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ]);
}

/** Σ aᵏ/(k + shift)!, the definitions: of the exponential for shift 0, of the left Jacobian (from ad) for shift 1. */
function powerSeries(a: Matrix, shift: 0 | 1): Matrix {
  let term = Matrix.eye(a.rows);
  const sum = term.clone();
  for (let k = 1; k < 60; k++) {
    term = term.mmul(a).div(k + shift);
    sum.add(term);
  }
  return sum;
}

function twistMatrix(xi: Float64Array): Matrix {
  const m = Matrix.zeros(4, 4);
  m.setSubMatrix(skew(xi.subarray(3)), 0, 0);
  m.setSubMatrix(Matrix.columnVector(Array.from(xi.subarray(0, 3))), 0, 3);
  return m;
}

/** The series' own rounding: its terms reach e^θ. */
function seriesTolerance(angle: number): number {
  return 1e-15 * (10 + Math.exp(angle));
}

/** d/dδ log(exp(ξ + δ)·exp(ξ)⁻¹) by central differences. */
function differentiate(xi: Float64Array): Float64Array {
  const STEP = 1e-5;
  const base = lie.se3Exp(xi, pose.create());
  const jacobian = new Float64Array(36);
  for (let j = 0; j < 6; j++) {
    const ends = [STEP, -STEP].map((step) => {
      const moved = lie.se3Exp(
        xi.map((x, i) => (i === j ? x + step : x)),
        pose.create(),
      );
      const change = pose.create();
      pose.compose(moved, pose.invert(base, change), change);
      return lie.se3Log(change, new Float64Array(6));
    });
    for (let i = 0; i < 6; i++) jacobian[6 * i + j] = (ends[0]![i]! - ends[1]![i]!) / (2 * STEP);
  }
  return jacobian;
}

function rotationBlock(jacobian: Float64Array): Float64Array {
  return fromMl(toMl(jacobian, 6, 6).subMatrix(3, 5, 3, 5));
}

function identityMatrix(n: number): Float64Array {
  return fromMl(Matrix.eye(n));
}

function forTwists(angles: readonly number[], check: (xi: Float64Array, angle: number) => void): void {
  for (const angle of angles) for (let i = 0; i < REPEATS; i++) check(twist(angle), angle);
}

describe("so3", () => {
  it("has the exponential of the power series, at any angle", () => {
    forTwists(EVERY_ANGLE, (xi, angle) => {
      const w = vec3.view(xi, 3);
      const expected = fromMl(powerSeries(skew(w), 0));
      expect(maxDifference(lie.so3Exp(w, mat3.create()), expected)).toBeLessThan(seriesTolerance(angle));
    });
  });

  it("undoes the exponential, to the last digits from zero to nearly half a turn", () => {
    forTwists(ANGLES, (xi, angle) => {
      const w = vec3.view(xi, 3);
      const back = lie.so3Log(lie.so3Exp(w, mat3.create()), vec3.create());
      expect(maxDifference(back, w)).toBeLessThanOrEqual(3e-15 * angle);
    });
  });

  it("has a logarithm of every rotation, half turns too, of at most π", () => {
    const rotations = Array.from({ length: 300 }, () => randomRotation(random));
    const axes = [vec3.create(1, 0, 0), vec3.create(0, 1, 0), vec3.create(0, 0, 1), vec3.create(0.6, 0, -0.8)];
    for (let i = 0; i < 100; i++) axes.push(unitVector(random, vec3.create()));
    for (const axis of axes) rotations.push(mat3.fromAxisAngle(axis, Math.PI, mat3.create()));
    for (const m of rotations) {
      const w = lie.so3Log(m, vec3.create());
      expect(vec3.norm(w)).toBeLessThanOrEqual(Math.PI * (1 + Number.EPSILON));
      expect(maxDifference(lie.so3Exp(w, mat3.create()), m)).toBeLessThan(3e-15);
    }
  });

  it("has the Jacobian of the power series", () => {
    forTwists(EVERY_ANGLE, (xi, angle) => {
      const w = vec3.view(xi, 3);
      const left = fromMl(powerSeries(skew(w), 1));
      expect(maxDifference(lie.so3LeftJacobian(w, mat3.create()), left)).toBeLessThan(seriesTolerance(angle));
    });
  });

  it("has an inverse Jacobian that is inverse", () => {
    forTwists(EVERY_ANGLE, (xi) => {
      const w = vec3.view(xi, 3);
      const left = mat3.multiply(
        lie.so3LeftJacobian(w, mat3.create()),
        lie.so3LeftJacobianInverse(w, mat3.create()),
        mat3.create(),
      );
      expect(maxDifference(left, identityMatrix(3))).toBeLessThan(2e-14);
    });
  });
});

describe("se3", () => {
  it("has the exponential of the power series", () => {
    forTwists(EVERY_ANGLE, (xi, angle) => {
      const p = lie.se3Exp(xi, pose.create());
      const expected = powerSeries(twistMatrix(xi), 0);
      expect(maxDifference(p.subarray(0, 9), fromMl(expected.subMatrix(0, 2, 0, 2)))).toBeLessThan(
        seriesTolerance(angle),
      );
      expect(maxDifference(p.subarray(9), fromMl(expected.subMatrix(0, 2, 3, 3)))).toBeLessThan(
        5 * seriesTolerance(angle),
      );
    });
  });

  it("has a logarithm that undoes it, and is undone by it", () => {
    forTwists(ANGLES, (xi) => {
      const back = lie.se3Log(lie.se3Exp(xi, pose.create()), new Float64Array(6));
      expect(maxDifference(back, xi)).toBeLessThan(3e-14);
    });
    for (let i = 0; i < 300; i++) {
      const p = randomPose(random);
      const back = lie.se3Exp(lie.se3Log(p, new Float64Array(6)), pose.create());
      expect(maxDifference(back, p)).toBeLessThan(3e-14);
    }
  });

  it("has the Jacobian of SO(3) that finite differences show", () => {
    forTwists(EVERY_ANGLE, (xi) => {
      const w = vec3.view(xi, 3);
      const left = differentiate(xi);
      expect(maxDifference(lie.so3LeftJacobian(w, mat3.create()), rotationBlock(left))).toBeLessThan(2e-9);
    });
  });

  it("moves twists through a pose by the adjoint", () => {
    for (let i = 0; i < 100; i++) {
      const p = randomPose(random);
      const xi = twist(random.uniformIn(0, 3));
      const moved = fromMl(toMl(lie.adjoint(p, new Float64Array(36)), 6, 6).mmul(toMl(xi, 6, 1)));
      const before = pose.compose(p, lie.se3Exp(xi, pose.create()), pose.create());
      const after = pose.compose(lie.se3Exp(moved, pose.create()), p, pose.create());
      expect(maxDifference(before, after)).toBeLessThan(2e-14);
    }
  });
});
