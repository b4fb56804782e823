import type { ErrorCode } from "../../runtime/error-catalogue.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { getOrCreate } from "../../runtime/get-or-create.js";
import { JointKind, type RobotModel } from "../robot.js";
import type { Overlay } from "../sidecar/overlay-schema.js";
import type { SidecarCoupling } from "../sidecar/sidecar-schema.js";
import type { TreeNode } from "../urdf/urdf-tree.js";
import { type NameLookup, pointer } from "./name-lookup.js";

/** How the joints follow from the degrees of freedom; the arrays of the same names in `RobotModel`. */
export type JointTerms = Pick<RobotModel, "termStart" | "termDof" | "termFactor" | "jointOffset" | "dofJoint">;

/** What one joint follows directly, as written: position = Σ factor·joint + offset. */
interface Dependence {
  readonly terms: readonly { readonly joint: number; readonly factor: number }[];
  readonly offset: number;
  /** Where it is written, and the code of what is wrong there. */
  readonly path: string;
  readonly code: ErrorCode;
}

/** A joint's position in independent coordinates. */
interface Expression {
  readonly factors: Map<number, number>;
  offset: number;
}

export interface JointTermsInput {
  readonly nodes: readonly TreeNode[];
  readonly kinds: Uint8Array;
  /** Joint (= link) index by joint name. */
  readonly joints: NameLookup;
  readonly couplings: readonly SidecarCoupling[];
  readonly overlay: Overlay | undefined;
}

/**
 * Resolves `mimic` and `couplings`, chains of them included, to the independent joints. A joint offset of the overlay
 * shifts the joint itself, and with it every joint that follows it: couplings are of the mechanism, not of encoders.
 */
export function resolveJointTerms(input: JointTermsInput): JointTerms {
  const dependences = collectDependences(input);
  const dofJoint = input.nodes.flatMap((_, i) =>
    input.kinds[i] !== JointKind.fixed && !dependences.has(i) ? [i] : [],
  );
  const offsets = jointOffsets(input);
  const expressions: Expression[] = input.nodes.map((_, i) => ({ factors: new Map(), offset: offsets[i]! }));
  for (const [dof, joint] of dofJoint.entries()) expressions[joint]!.factors.set(dof, 1);
  for (const joint of dependencyOrder(dependences)) expand(expressions, joint, dependences.get(joint)!);
  return flatten(expressions, dofJoint);
}

function collectDependences({ nodes, kinds, joints, couplings }: JointTermsInput): Map<number, Dependence> {
  const dependences = new Map<number, Dependence>();
  for (const [i, { joint }] of nodes.entries()) {
    if (joint?.mimic === undefined) continue;
    const path = `robot/joint[${joint.name}]/mimic`;
    const master = joints.require(joint.mimic.joint, path, "FLY_URDF_MIMIC");
    const terms = [{ joint: master, factor: joint.mimic.multiplier }];
    dependences.set(i, { terms, offset: joint.mimic.offset, path, code: "FLY_URDF_MIMIC" });
  }
  for (const [index, coupling] of couplings.entries()) {
    const path = `/couplings/${index}`;
    const joint = requireMovable(joints, kinds, coupling.joint, `${path}/joint`);
    if (dependences.has(joint))
      throw couplingError(`${path}/joint`, "a joint that follows no other yet", coupling.joint);
    const terms = coupling.terms.map((term, k) => ({
      joint: requireMovable(joints, kinds, term.joint, `${path}/terms/${k}/joint`),
      factor: term.factor,
    }));
    dependences.set(joint, { terms, offset: coupling.offset ?? 0, path, code: "FLY_SIDECAR_COUPLING" });
  }
  return dependences;
}

function requireMovable(joints: NameLookup, kinds: Uint8Array, name: string, path: string): number {
  const joint = joints.require(name, path);
  if (kinds[joint] === JointKind.fixed) throw couplingError(path, "a joint that moves", `${name}, which is fixed`);
  return joint;
}

function couplingError(path: string, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_SIDECAR_COUPLING", "impossible coupling", { path, expected, found });
}

/** Dependent joints, each after those it follows (Kahn's algorithm). */
function dependencyOrder(dependences: ReadonlyMap<number, Dependence>): number[] {
  const followers = new Map<number, number[]>();
  const waitingFor = new Map<number, number>();
  for (const [joint, { terms }] of dependences) {
    const masters = terms.filter((term) => dependences.has(term.joint));
    waitingFor.set(joint, masters.length);
    for (const master of masters) getOrCreate(followers, master.joint, () => []).push(joint);
  }
  const order = [...waitingFor].filter(([, count]) => count === 0).map(([joint]) => joint);
  for (const joint of order) {
    for (const follower of followers.get(joint) ?? []) {
      const left = waitingFor.get(follower)! - 1;
      waitingFor.set(follower, left);
      if (left === 0) order.push(follower);
    }
  }
  if (order.length < dependences.size) throw circleError(dependences, new Set(order));
  return order;
}

function circleError(dependences: ReadonlyMap<number, Dependence>, resolved: ReadonlySet<number>): FlycatcherError {
  const stuck = [...dependences].filter(([joint]) => !resolved.has(joint)).map(([, dependence]) => dependence);
  // A circle of `mimic` alone was refused with the URDF: a coupling has a part in this one.
  const coupling = stuck.find(({ code }) => code === "FLY_SIDECAR_COUPLING");
  return couplingError(coupling?.path ?? "/couplings", "joints that do not depend on it", "a circle");
}

function expand(expressions: readonly Expression[], joint: number, { terms, offset, path, code }: Dependence): void {
  const expression = expressions[joint]!;
  expression.offset += offset;
  for (const term of terms) {
    const master = expressions[term.joint]!;
    expression.offset += term.factor * master.offset;
    for (const [dof, factor] of master.factors) {
      expression.factors.set(dof, (expression.factors.get(dof) ?? 0) + term.factor * factor);
    }
  }
  const numbers = [expression.offset, ...expression.factors.values()];
  if (!numbers.every(Number.isFinite)) {
    throw new FlycatcherError(code, "the product of the factors is not finite", { path });
  }
}

function jointOffsets({ nodes, kinds, joints, overlay }: JointTermsInput): Float64Array {
  const offsets = new Float64Array(nodes.length);
  for (const [name, offset] of Object.entries(overlay?.jointOffsets ?? {})) {
    const path = pointer("/jointOffsets", name);
    const joint = joints.require(name, path, "FLY_OVERLAY_REFERENCE");
    if (kinds[joint] === JointKind.fixed) {
      throw new FlycatcherError("FLY_OVERLAY_REFERENCE", "a fixed joint has no offset", { path });
    }
    offsets[joint] = offset;
  }
  return offsets;
}

function flatten(expressions: readonly Expression[], dofJoint: readonly number[]): JointTerms {
  const termStart = new Int32Array(expressions.length + 1);
  const dofs: number[] = [];
  const factors: number[] = [];
  for (const [i, expression] of expressions.entries()) {
    termStart[i] = dofs.length;
    for (const [dof, factor] of [...expression.factors].sort(([a], [b]) => a - b)) {
      if (factor === 0) continue;
      dofs.push(dof);
      factors.push(factor);
    }
  }
  termStart[expressions.length] = dofs.length;
  return {
    termStart,
    termDof: Int32Array.from(dofs),
    termFactor: Float64Array.from(factors),
    jointOffset: Float64Array.from(expressions, (expression) => expression.offset),
    dofJoint: Int32Array.from(dofJoint),
  };
}
