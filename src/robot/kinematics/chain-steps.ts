import * as mat3 from "../../math/mat3.js";
import * as pose from "../../math/pose.js";
import type { Vec3 } from "../../math/vec3.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { JointKind, type RobotModel } from "../robot.js";

/** One moving joint of a chain, seen from the base: after the constant `placement`, it moves along or about its z. */
export interface ChainStep {
  /** The link whose joint this is. */
  readonly link: number;
  readonly kind: typeof JointKind.revolute | typeof JointKind.prismatic;
  /** From the previous step's moved frame (the base for the first) to this one's, z along the joint's axis. */
  readonly placement: pose.Pose;
  /** The step's position is Σ factor·q[dof] + offset, dof counting within the chain. */
  readonly terms: readonly { readonly dof: number; readonly factor: number }[];
  readonly offset: number;
}

interface ChainSteps {
  readonly steps: readonly ChainStep[];
  /** From the last step's moved frame to the tip. */
  readonly tail: pose.Pose;
}

/**
 * The way from `base` to `tip` as moving steps with constants between: fixed joints and joints whose dofs are all held
 * are merged into the constants. Joints between the base and the common ancestor are passed from child to parent, with
 * their motion inverted. `held` gives a position for each dof of the model; without it every dof on the way must be
 * one of the chain's.
 */
export function chainSteps(
  model: RobotModel,
  base: number,
  tip: number,
  dofs: readonly number[],
  held: Float64Array | undefined,
): ChainSteps {
  const steps: ChainStep[] = [];
  const constant = pose.create();
  const { up, down } = pathBetween(model, base, tip);
  const pass = (link: number, sign: number): void => {
    if (sign > 0) pose.compose(constant, model.parentFromJoint[link]!, constant);
    const { terms, offset } = stepTerms(model, link, sign, dofs, held);
    const axis = model.jointAxis.slice(3 * link, 3 * link + 3) as Vec3;
    if (model.jointKind[link] !== JointKind.fixed && terms.length > 0) {
      const turned = rotationToZ(axis);
      const placement = pose.compose(constant, turned, pose.create());
      steps.push({ link, kind: model.jointKind[link] as ChainStep["kind"], placement, terms, offset });
      pose.invert(turned, constant);
    } else {
      pose.compose(constant, jointMotion(model, link, axis, offset), constant);
    }
    if (sign < 0) pose.compose(constant, pose.invert(model.parentFromJoint[link]!, pose.create()), constant);
  };
  for (const link of up) pass(link, -1);
  for (const link of down) pass(link, 1);
  return { steps, tail: constant };
}

/** Joints from base up to the common ancestor, and from there down to tip. */
function pathBetween(model: RobotModel, base: number, tip: number): { up: number[]; down: number[] } {
  const up: number[] = [];
  const down: number[] = [];
  let a = base;
  let b = tip;
  while (a !== b) {
    // Parents come before children, so the larger index is never the common ancestor.
    if (a > b) {
      up.push(a);
      a = model.parentLink[a]!;
    } else {
      down.push(b);
      b = model.parentLink[b]!;
    }
  }
  return { up, down: down.reverse() };
}

function stepTerms(
  model: RobotModel,
  link: number,
  sign: number,
  dofs: readonly number[],
  held: Float64Array | undefined,
): Pick<ChainStep, "terms" | "offset"> {
  const terms: { dof: number; factor: number }[] = [];
  let offset = sign * model.jointOffset[link]!;
  for (let k = model.termStart[link]!; k < model.termStart[link + 1]!; k++) {
    const dof = model.termDof[k]!;
    const factor = sign * model.termFactor[k]!;
    const own = dofs.indexOf(dof);
    if (own >= 0) terms.push({ dof: own, factor });
    else if (held !== undefined) offset += factor * held[dof]!;
    else throw looseDof(model, link, dof);
  }
  return { terms, offset };
}

function looseDof(model: RobotModel, link: number, dof: number): FlycatcherError {
  return new FlycatcherError("FLY_CHAIN_LOOSE_DOF", "A chain passes a joint without a position", {
    path: model.jointNames[link] ?? "",
    expected: `${model.dofNames[dof]} among the chain's dofs, or a held position for it`,
    found: "neither",
  });
}

/** What a joint that stands at `position` does. */
function jointMotion(model: RobotModel, link: number, axis: Vec3, position: number): pose.Pose {
  const out = pose.create();
  if (model.jointKind[link] === JointKind.revolute) {
    mat3.fromAxisAngle(axis, position, out.subarray(0, 9) as mat3.Mat3);
  } else if (model.jointKind[link] === JointKind.prismatic) {
    for (let i = 0; i < 3; i++) out[9 + i] = position * axis[i]!;
  }
  return out;
}

/** A rotation whose z column is `axis`; the identity if it already is z. */
function rotationToZ(axis: Vec3): pose.Pose {
  const [x, y, z] = axis as unknown as [number, number, number];
  const out = pose.create();
  const across = Math.hypot(x, y);
  if (across === 0 && z > 0) return out;
  // Columns: any unit vector across the axis, axis × that, axis.
  const ux = across === 0 ? 1 : -y / across;
  const uy = across === 0 ? 0 : x / across;
  out.set([ux, -z * uy, x, uy, z * ux, y, 0, x * uy - y * ux, z]);
  return out;
}
