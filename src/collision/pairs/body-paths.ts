import type { RobotModel } from "../../robot/robot.js";

/**
 * Which joints carry each body: those on its way to the root that some dof moves, the outermost first. A body's *stage* k
 * is the body as swept by the first k of them; it moves against every body that sits behind the same remaining joints.
 */
export class BodyPaths {
  /** Joints of a body: joint[start[body]] … joint[start[body + 1] − 1], links of the model. */
  readonly start: Int32Array;
  readonly joint: Int32Array;
  /** Spans that the stages up to and with the entry have. [joint.length] */
  readonly spanCount: Int32Array;
  /** Slots of an entry's terms: slot[slotStart[entry]] …, in the order of the model's terms. */
  readonly slotStart: Int32Array;
  readonly slot: Int32Array;
  /** 1 where the entry's dof moves no other joint of the path, so that its turn may be cut into pieces. [joint.length] */
  readonly isAlone: Uint8Array;
  /** Most terms of a joint. */
  readonly maxTerms: number;

  constructor(model: RobotModel, links: ArrayLike<number>) {
    const paths = Array.from(links, (link) => movingJoints(model, link));
    this.start = new Int32Array(paths.length + 1);
    for (const [body, path] of paths.entries()) this.start[body + 1] = this.start[body]! + path.length;
    this.joint = Int32Array.from(paths.flat());
    const plans = paths.map((path) => assignSlots(model, path));
    this.spanCount = Int32Array.from(plans.flatMap((plan) => plan.map((entry) => entry.spanCount)));
    this.isAlone = Uint8Array.from(plans.flatMap((plan) => plan.map((entry) => Number(entry.isAlone))));
    const slots = plans.flatMap((plan) => plan.map((entry) => entry.slots));
    this.slotStart = new Int32Array(this.joint.length + 1);
    for (const [entry, own] of slots.entries()) this.slotStart[entry + 1] = this.slotStart[entry]! + own.length;
    this.slot = Int32Array.from(slots.flat());
    this.maxTerms = Math.max(1, ...slots.map((own) => own.length));
  }

  /** How many joints carry a body. */
  length(body: number): number {
    return this.start[body + 1]! - this.start[body]!;
  }

  /** Stages of two bodies at which they meet in the frame of their lowest common ancestor. */
  partingStages(a: number, b: number): readonly [number, number] {
    let stageA = this.length(a);
    let stageB = this.length(b);
    while (stageA > 0 && stageB > 0 && this.#entry(a, stageA) === this.#entry(b, stageB)) {
      stageA--;
      stageB--;
    }
    return [stageA, stageB];
  }

  /** The joint that makes a stage out of the one before. */
  #entry(body: number, stage: number): number {
    return this.joint[this.start[body]! + stage - 1]!;
  }
}

function movingJoints(model: RobotModel, link: number): number[] {
  const path: number[] = [];
  for (let i = link; i > 0; i = model.parentLink[i]!) if (model.termStart[i + 1]! > model.termStart[i]!) path.push(i);
  return path;
}

interface EntrySlots {
  readonly slots: readonly number[];
  readonly spanCount: number;
  readonly isAlone: boolean;
}

/** One slot a dof, in the order in which a path meets them. */
function assignSlots(model: RobotModel, path: readonly number[]): EntrySlots[] {
  const dofsOf = (joint: number): number[] => [
    ...model.termDof.subarray(model.termStart[joint]!, model.termStart[joint + 1]!),
  ];
  const uses = path.flatMap(dofsOf);
  const slotOf = new Map<number, number>();
  return path.map((joint) => {
    const dofs = dofsOf(joint);
    for (const dof of dofs) if (!slotOf.has(dof)) slotOf.set(dof, slotOf.size);
    return {
      slots: dofs.map((dof) => slotOf.get(dof)!),
      spanCount: slotOf.size,
      isAlone: dofs.length === 1 && uses.filter((dof) => dof === dofs[0]).length === 1,
    };
  });
}
