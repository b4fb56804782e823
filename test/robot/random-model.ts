import type { Mat3 } from "../../src/math/mat3.js";
import * as mat3 from "../../src/math/mat3.js";
import type { Pose } from "../../src/math/pose.js";
import * as pose from "../../src/math/pose.js";
import * as quat from "../../src/math/quat.js";
import type { Random } from "../../src/math/random.js";
import * as vec3 from "../../src/math/vec3.js";
import { JointKind, type RobotModel } from "../../src/robot/robot.js";
import { randomQuaternion, unitVector } from "../support/random-draws.js";
import { fromQuatTranslation } from "../support/rotations.js";

/** One link and the joint above it, for models made by hand. Link 0 is the root; its joint is ignored. */
export interface LinkSpec {
  readonly parent: number;
  readonly kind: JointKind;
  readonly axis?: readonly [number, number, number];
  readonly placement?: Pose;
  readonly mass?: number;
  readonly centreOfMass?: readonly [number, number, number];
  readonly inertia?: Mat3;
  readonly lower?: number;
  readonly upper?: number;
  readonly offset?: number;
  /** Makes the joint dependent on the joints of these links. */
  readonly coupling?: readonly { readonly link: number; readonly factor: number }[];
}

export function modelFrom(specs: readonly LinkSpec[]): RobotModel {
  const independent = specs.flatMap((spec, i) =>
    i > 0 && spec.kind !== JointKind.fixed && spec.coupling === undefined ? [i] : [],
  );
  const terms = specs.map((spec, i) => {
    if (i === 0 || spec.kind === JointKind.fixed) return [];
    return (spec.coupling ?? [{ link: i, factor: 1 }]).map(({ link, factor }) => ({
      dof: independent.indexOf(link),
      factor,
    }));
  });
  const termStart = new Int32Array(specs.length + 1);
  terms.forEach((list, i) => {
    termStart[i + 1] = termStart[i]! + list.length;
  });
  const jointLower = Float64Array.from(specs, (spec) => spec.lower ?? Number.NEGATIVE_INFINITY);
  const jointUpper = Float64Array.from(specs, (spec) => spec.upper ?? Number.POSITIVE_INFINITY);
  const unlimited = (): Float64Array => new Float64Array(independent.length).fill(Number.POSITIVE_INFINITY);
  return {
    name: "test",
    linkCount: specs.length,
    dofCount: independent.length,
    linkNames: specs.map((_, i) => `link${i}`),
    jointNames: specs.map((_, i) => (i === 0 ? "" : `joint${i}`)),
    dofNames: independent.map((i) => `joint${i}`),
    parentLink: Int32Array.from(specs, (spec, i) => (i === 0 ? -1 : spec.parent)),
    jointKind: Uint8Array.from(specs, (spec, i) => (i === 0 ? JointKind.fixed : spec.kind)),
    jointAxis: Float64Array.from(specs.flatMap((spec) => [...(spec.axis ?? [0, 0, 1])])),
    parentFromJoint: specs.map((spec) => spec.placement ?? pose.create()),
    termStart,
    termDof: Int32Array.from(terms.flat(), (term) => term.dof),
    termFactor: Float64Array.from(terms.flat(), (term) => term.factor),
    jointOffset: Float64Array.from(specs, (spec) => spec.offset ?? 0),
    dofJoint: Int32Array.from(independent),
    mass: Float64Array.from(specs, (spec) => spec.mass ?? 0),
    centreOfMass: Float64Array.from(specs.flatMap((spec) => [...(spec.centreOfMass ?? [0, 0, 0])])),
    inertia: Float64Array.from(specs.flatMap((spec) => [...(spec.inertia ?? new Float64Array(9))])),
    jointLower,
    jointUpper,
    lower: Float64Array.from(independent, (i) => jointLower[i]!),
    upper: Float64Array.from(independent, (i) => jointUpper[i]!),
    maxVelocity: unlimited(),
    ratedVelocity: unlimited(),
    maxAcceleration: unlimited(),
    maxEffort: unlimited(),
    groups: [],
  };
}

export interface RandomModelOptions {
  readonly links: number;
  /** Share of moving joints that depend on others. */
  readonly coupled: number;
}

/** A tree with every kind of joint: about a fifth fixed, a fifth sliding, axes along ±x, ±y, ±z and any direction. */
export function randomModel(random: Random, { links, coupled }: RandomModelOptions): RobotModel {
  const specs: LinkSpec[] = [{ parent: -1, kind: JointKind.fixed, ...randomInertial(random) }];
  const independent: number[] = [];
  for (let i = 1; i < links; i++) {
    const kind =
      random.uniform() < 0.2 ? JointKind.fixed : random.uniform() < 0.25 ? JointKind.prismatic : JointKind.revolute;
    const dependent = kind !== JointKind.fixed && independent.length > 0 && random.uniform() < coupled;
    const inertial = kind === JointKind.fixed && random.uniform() < 0.5 ? {} : randomInertial(random);
    const joint = {
      parent: Math.max(0, i - 1 - random.integer(Math.min(i, 3))),
      kind,
      axis: randomAxis(random),
      placement: randomPose(random, 0.5),
      offset: dependent ? random.uniformIn(-1, 1) : 0,
    };
    if (dependent) {
      const coupling = Array.from({ length: 1 + random.integer(3) }, () => ({
        link: independent[random.integer(independent.length)]!,
        factor: random.uniformIn(-2, 2),
      }));
      specs.push({ ...joint, ...inertial, coupling });
    } else {
      if (kind !== JointKind.fixed) independent.push(i);
      specs.push({ ...joint, ...inertial });
    }
  }
  return modelFrom(specs);
}

export function randomPose(random: Random, reach: number): Pose {
  const t = vec3.create(
    random.uniformIn(-reach, reach),
    random.uniformIn(-reach, reach),
    random.uniformIn(-reach, reach),
  );
  return fromQuatTranslation(randomQuaternion(random, quat.create()), t, pose.create());
}

/** Fills `out` with numbers uniform in ±range. */
export function randomVector(random: Random, range: number, out: Float64Array): Float64Array {
  for (let i = 0; i < out.length; i++) out[i] = random.uniformIn(-range, range);
  return out;
}

function randomAxis(random: Random): [number, number, number] {
  const axis: [number, number, number] = [0, 0, 0];
  if (random.uniform() < 0.6) {
    axis[random.integer(3)] = random.uniform() < 0.5 ? 1 : -1;
    return axis;
  }
  const unit = unitVector(random, vec3.create());
  return [unit[0], unit[1], unit[2]];
}

/** The inertia of a random box, turned at random: always one a real body can have. */
function randomInertial(random: Random): Required<Pick<LinkSpec, "mass" | "centreOfMass" | "inertia">> {
  const mass = random.uniformIn(0.2, 3);
  const [a, b, c] = [0, 1, 2].map(() => random.uniformIn(0.05, 0.4) ** 2) as [number, number, number];
  const diagonal = mat3.create();
  diagonal[0] = (mass / 12) * (b + c);
  diagonal[4] = (mass / 12) * (a + c);
  diagonal[8] = (mass / 12) * (a + b);
  const R = quat.toMat3(randomQuaternion(random, quat.create()), mat3.create());
  const inertia = mat3.multiply(
    mat3.multiply(R, diagonal, mat3.create()),
    mat3.transpose(R, mat3.create()),
    mat3.create(),
  );
  return {
    mass,
    centreOfMass: [random.uniformIn(-0.2, 0.2), random.uniformIn(-0.2, 0.2), random.uniformIn(-0.2, 0.2)],
    inertia,
  };
}
