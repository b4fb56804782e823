import { JointKind } from "../model.js";
import type { SidecarJointLimit } from "../sidecar/sidecar-schema.js";
import type { TreeNode } from "../urdf/urdf-tree.js";
import type { JointTerms } from "./joint-terms.js";
import { inconsistent, type NameLookup, pointer } from "./name-lookup.js";

/** The arrays of the same names in `RobotModel`. */
export interface JointLimits {
  readonly jointLower: Float64Array;
  readonly jointUpper: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly maxVelocity: Float64Array;
  readonly maxAcceleration: Float64Array;
  readonly maxEffort: Float64Array;
}

export interface JointLimitsInput {
  readonly nodes: readonly TreeNode[];
  readonly kinds: Uint8Array;
  readonly joints: NameLookup;
  readonly terms: JointTerms;
  /** The sidecar's limits by joint name. */
  readonly overrides: Readonly<Record<string, SidecarJointLimit>>;
}

/** What the URDF says, replaced by what the sidecar says; ±Infinity where neither says anything. */
export function collectLimits(input: JointLimitsInput): JointLimits {
  const overrides = overridesByJoint(input);
  const limits = input.nodes.map((node, i) => limitsOfJoint(node, overrides.get(i)));
  const { dofJoint, jointOffset } = input.terms;
  const isIndependent = new Set(dofJoint);
  // An independent joint's limits are on its coordinate, as encoders measure it: an offset moves the joint's range.
  const shift = (i: number) => (isIndependent.has(i) ? jointOffset[i]! : 0);
  const perDof = (pick: (limit: JointRange) => number) => Float64Array.from(dofJoint, (joint) => pick(limits[joint]!));
  return {
    jointLower: Float64Array.from(limits, (limit, i) => limit.lower + shift(i)),
    jointUpper: Float64Array.from(limits, (limit, i) => limit.upper + shift(i)),
    lower: perDof((limit) => limit.lower),
    upper: perDof((limit) => limit.upper),
    maxVelocity: perDof((limit) => limit.velocity),
    maxAcceleration: perDof((limit) => limit.acceleration),
    maxEffort: perDof((limit) => limit.effort),
  };
}

interface JointRange {
  readonly lower: number;
  readonly upper: number;
  readonly velocity: number;
  readonly effort: number;
  readonly acceleration: number;
}

function limitsOfJoint({ joint }: TreeNode, override: SidecarJointLimit | undefined): JointRange {
  return {
    lower: override?.lower ?? joint?.limit?.lower ?? Number.NEGATIVE_INFINITY,
    upper: override?.upper ?? joint?.limit?.upper ?? Number.POSITIVE_INFINITY,
    velocity: override?.velocity ?? joint?.limit?.velocity ?? Number.POSITIVE_INFINITY,
    effort: override?.effort ?? joint?.limit?.effort ?? Number.POSITIVE_INFINITY,
    acceleration: override?.acceleration ?? Number.POSITIVE_INFINITY,
  };
}

function overridesByJoint({ nodes, kinds, joints, overrides }: JointLimitsInput): Map<number, SidecarJointLimit> {
  const byJoint = new Map<number, SidecarJointLimit>();
  for (const [name, override] of Object.entries(overrides)) {
    const path = pointer("/limits", name);
    const joint = joints.require(name, path);
    if (kinds[joint] === JointKind.fixed) throw inconsistent(path, "a joint that moves", `${name}, which is fixed`);
    const { lower, upper } = limitsOfJoint(nodes[joint]!, override);
    if (lower > upper) throw inconsistent(path, "lower at most upper", `lower ${lower}, upper ${upper}`);
    byJoint.set(joint, override);
  }
  return byJoint;
}
