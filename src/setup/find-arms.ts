import { JointKind, type RobotModel } from "../robot/robot.js";
import type { UrdfRobot } from "../robot/urdf/urdf-document.js";

/** A chain of joints that can carry a catcher, as it was found in the tree. */
export interface FoundArm {
  /** Independent joints, from base to tip. */
  readonly dofs: readonly number[];
  /** Link the chain is mounted on. */
  readonly baseLink: number;
  /** The moving link at its end, behind the last joint. */
  readonly lastLink: number;
  /** Independent joints of fingers beyond it. */
  readonly fingers: readonly number[];
}

/** Joints of a finger at most, from its root to its tip. */
const LONGEST_FINGER = 4;
/** A last joint that slides by less than this is that of a jaw [m]. */
const JAW_RANGE = 0.15;
const fingerName = /finger|grip|jaw|thumb|knuckle/i;
/** Parts that carry no catcher, by name. */
const otherPart = /wheel|caster|leg|hip|knee|ankle|foot|toe|head|neck|pan\b|tilt|camera|antenna/i;
/** Joints that something has to have to be an arm. */
const LEAST_JOINTS = 2;

/** The tree of independent joints, fingers apart. */
class DofTree {
  readonly model: RobotModel;
  /** The next independent joint towards the root; −1: none. */
  readonly parent: readonly number[];
  readonly children: readonly (readonly number[])[];
  readonly isFinger: readonly boolean[];

  constructor(model: RobotModel, urdf: UrdfRobot) {
    this.model = model;
    const dofOfLink = new Map(Array.from(model.dofJoint, (link, dof) => [link, dof]));
    this.parent = Array.from(model.dofJoint, (link) => {
      let above = model.parentLink[link]!;
      while (above >= 0 && !dofOfLink.has(above)) above = model.parentLink[above]!;
      return dofOfLink.get(above) ?? -1;
    });
    this.children = this.parent.map((_, dof) => this.parent.flatMap((above, child) => (above === dof ? [child] : [])));
    this.isFinger = this.#fingers(new Set(urdf.joints.flatMap(({ mimic }) => mimic?.joint ?? [])));
  }

  height(dof: number): number {
    return 1 + Math.max(0, ...this.children[dof]!.map((child) => this.height(child)));
  }

  /** From the root down to `dof`. */
  pathTo(dof: number): number[] {
    return dof < 0 ? [] : [...this.pathTo(this.parent[dof]!), dof];
  }

  name(dof: number): string {
    return `${this.model.dofNames[dof]} ${this.model.linkNames[this.model.dofJoint[dof]!]}`;
  }

  #fingers(followed: ReadonlySet<string>): boolean[] {
    const found = this.parent.map(() => false);
    for (let dof = 0; dof < found.length; dof++) {
      const above = this.parent[dof]!;
      found[dof] = above >= 0 && (found[above]! || this.#isFinger(dof, above, followed));
    }
    return found;
  }

  #isFinger(dof: number, above: number, followed: ReadonlySet<string>): boolean {
    const siblings = this.children[above]!;
    // Beside a thumb there are fingers; a joint that carries several, such as the turn of a gripper, is the last of the arm.
    if (siblings.some((other) => fingerName.test(this.name(other)))) {
      return siblings.length > 1 || this.children[dof]!.length < 2;
    }
    const areShort = siblings.every((other) => this.height(other) <= LONGEST_FINGER);
    if (siblings.length > 1) return areShort && !siblings.some((other) => otherPart.test(this.name(other)));
    if (this.children[dof]!.length > 0) return false;
    const { model } = this;
    const range = model.upper[dof]! - model.lower[dof]!;
    const slides = model.jointKind[model.dofJoint[dof]!] === JointKind.prismatic;
    return (slides && range < JAW_RANGE && this.pathTo(dof).length > 3) || followed.has(model.dofNames[dof]!);
  }
}

/**
 * The arms of a robot: its longest chains of moving joints that end in no leg, wheel or head, fingers apart. Of two that
 * share joints (a torso) both begin behind them. The longest only, and two at most.
 */
export function findArms(model: RobotModel, urdf: UrdfRobot): FoundArm[] {
  const tree = new DofTree(model, urdf);
  const ends = tree.parent.flatMap((_, dof) => {
    const isEnd = !tree.isFinger[dof] && tree.children[dof]!.every((child) => tree.isFinger[child]);
    return isEnd ? [dof] : [];
  });
  const chains = ends.map((end) => ({ end, dofs: ownPart(tree, ends, end, urdf) }));
  const candidates = chains.filter(({ dofs }) => dofs.length >= LEAST_JOINTS);
  const arms = candidates.filter(({ end }) => !otherPart.test(tree.name(end)));
  const usable = arms.length > 0 ? arms : candidates;
  const longest = Math.max(...usable.map(({ dofs }) => dofs.length));
  return usable
    .filter(({ dofs }) => dofs.length === longest)
    .slice(0, 2)
    .map(({ end, dofs }) => armOf(tree, end, dofs));
}

/** The arm that ends at `tipLink`, from `baseLink` where that is given; null if no joint lies between. */
export function armBetween(
  model: RobotModel,
  urdf: UrdfRobot,
  tipLink: number,
  baseLink: number | null,
): FoundArm | null {
  const tree = new DofTree(model, urdf);
  const ancestors = new Set<number>();
  for (let link = tipLink; link >= 0 && link !== baseLink; link = model.parentLink[link]!) ancestors.add(link);
  const above = Array.from(model.dofJoint).flatMap((link, dof) => (ancestors.has(link) ? [dof] : []));
  const end = above.at(-1);
  if (end === undefined) return null;
  const ends = tree.parent.flatMap((_, dof) => (tree.children[dof]!.length === 0 && !tree.isFinger[dof] ? [dof] : []));
  const dofs = baseLink === null ? ownPart(tree, [...ends, end], end, urdf) : above;
  return { ...armOf(tree, end, dofs), ...(baseLink !== null && { baseLink }) };
}

/** The joints behind the last one from which another chain branches off, or all where that leaves too few. */
function ownPart(tree: DofTree, ends: readonly number[], end: number, urdf: UrdfRobot): number[] {
  const isWritten = new Set(urdf.joints.map(({ name }) => name));
  const path = tree.pathTo(end);
  // Planar and floating joints are those of a platform.
  const written = path.slice(path.findLastIndex((dof) => !isWritten.has(tree.model.dofNames[dof]!)) + 1);
  const others = new Set(ends.filter((other) => other !== end).flatMap((other) => tree.pathTo(other)));
  const own = written.filter((dof) => !others.has(dof));
  return own.length >= LEAST_JOINTS + 1 ? own : written;
}

function armOf({ model, isFinger, parent }: DofTree, end: number, dofs: readonly number[]): FoundArm {
  const first = model.dofJoint[dofs[0]!]!;
  const below = (dof: number): boolean => dof === end || (dof >= 0 && below(parent[dof]!));
  const fingers = parent.flatMap((_, dof) => (isFinger[dof] && below(dof) ? [dof] : []));
  return { dofs, baseLink: model.parentLink[first]!, lastLink: model.dofJoint[end]!, fingers };
}
