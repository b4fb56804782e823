import type { LinkHulls } from "../collision/making/make-hulls.js";
import * as vec3 from "../math/vec3.js";
import type { RobotFiles } from "../robot/files/robot-files.js";
import { stateAt } from "../robot/kinematics/kinematics.js";
import { assembleRobot } from "../robot/loading/assemble-robot.js";
import type { Robot } from "../robot/robot.js";
import type { AddedLink } from "../robot/sidecar/added-links.js";
import type { Sidecar, SidecarGroup, SidecarHand } from "../robot/sidecar/sidecar-schema.js";
import type { UrdfRobot } from "../robot/urdf/urdf-document.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import { catcherParts } from "./catcher-parts.js";
import { type CatcherName, catcherKinds } from "./catchers.js";
import { type ChosenPairs, collisionBodies, collisionPairs, linkBodies, withFinerBodies } from "./collision-bodies.js";
import type { Decision } from "./decision.js";
import { armBetween, type FoundArm, findArms } from "./find-arms.js";
import { accelerations, missingLimits } from "./joint-limits.js";
import { endExtent, ownHand } from "./own-hand.js";
import { findDrop, findReady } from "./postures.js";
import { withMasses } from "./repair-masses.js";
import { completeSize, refuseTooSmall, type SetupChoices } from "./setup-choices.js";
import { keepOutFor, standFor } from "./stand.js";
import { type TipFrame, tipFrameOf } from "./tip-frame.js";
import { tripods } from "./tripods.js";

/** A URDF as it was read. */
export interface SetupSource {
  readonly name: string;
  readonly urdf: UrdfRobot;
  readonly files?: RobotFiles;
  /** File name of the URDF beside the sidecar. */
  readonly urdfFile: string;
}

export interface SetupResult {
  /** With masses where it had none. */
  readonly urdf: UrdfRobot;
  readonly sidecar: Sidecar;
  readonly robot: Robot;
  readonly decisions: readonly Decision[];
}

/** Told what is being done, and the share of it that is done. */
export type SetupProgress = (work: string, share: number) => void;

/** Random configurations in which pairs are looked at. */
const PAIR_SAMPLES = 2000;

/**
 * A sidecar for a URDF, with which the robot catches: arms and their tips from the tree, catchers, accelerations, collision
 * bodies and pairs, and postures found by inverse kinematics. The same choices give the same sidecar.
 */
export function setupRobot(source: SetupSource, choices: SetupChoices, progress: SetupProgress): SetupResult {
  const bare = robotOf(source, source.urdf, emptyPart(source));
  const { urdf, links: weighed } = withMasses(bare);
  const massDecisions = weighed.map((link): Decision => {
    return {
      subject: "mass",
      decision: `of ${link} from its shape`,
      reason: "the URDF gives none to a part that moves",
    };
  });
  const arms = chooseArms(bare, choices);
  const setup = new Setup({ ...source, urdf }, choices, arms, progress);
  const { sidecar, robot } = setup.run();
  return { urdf, sidecar, robot, decisions: [...massDecisions, ...setup.decisions] };
}

function emptyPart({ urdfFile, name }: SetupSource): Sidecar {
  return { schemaVersion: 1, urdf: urdfFile, description: `${name}: written by \`flycatcher robot init\`.` };
}

function robotOf({ name, files }: SetupSource, urdf: UrdfRobot, sidecar: Sidecar): Robot {
  return assembleRobot({ name, urdf, sidecar, ...(files !== undefined && { files }) });
}

function chooseArms(robot: Robot, { tips, base }: SetupChoices): FoundArm[] {
  const { model, urdf } = robot;
  if (tips.length === 0) {
    const found = findArms(model, urdf);
    if (found.length > 0) return found;
    throw noArm(robot, "a chain of at least two moving joints", "none");
  }
  const baseLink = base === null ? null : requireLink(robot, base);
  return tips.map((tip) => {
    const arm = armBetween(model, urdf, requireLink(robot, tip), baseLink);
    if (arm !== null) return arm;
    throw noArm(robot, `a moving joint above ${tip}`, "none");
  });
}

function requireLink({ name, model }: Robot, link: string): number {
  const index = model.linkNames.indexOf(link);
  if (index >= 0) return index;
  throw new FlycatcherError("FLY_LINK_UNKNOWN", `${name} has no such link`, {
    ...{ expected: "the name of a link", found: JSON.stringify(link) },
    suggestion: didYouMean(link, model.linkNames),
  });
}

function noArm({ name }: Robot, expected: string, found: string): FlycatcherError {
  return new FlycatcherError("FLY_SETUP_NO_ARM", `${name} has nothing to carry a catcher`, { expected, found });
}

/** The sidecar in the making. */
class Setup {
  readonly decisions: Decision[] = [];
  readonly #source: SetupSource;
  readonly #choices: SetupChoices;
  readonly #arms: readonly FoundArm[];
  readonly #names: readonly string[];
  readonly #progress: SetupProgress;
  #sidecar: Sidecar;
  #robot: Robot;

  constructor(source: SetupSource, choices: SetupChoices, arms: readonly FoundArm[], progress: SetupProgress) {
    this.#source = source;
    this.#choices = choices;
    this.#arms = arms;
    this.#progress = progress;
    this.#sidecar = emptyPart(source);
    this.#robot = robotOf(source, source.urdf, this.#sidecar);
    this.#names = armNames(this.#robot, arms);
  }

  run(): { sidecar: Sidecar; robot: Robot } {
    const names = this.#names;
    const jointDecisions = missingLimits(this.#robot);
    this.#change({ limits: jointDecisions.limits });
    const arms = this.#arms;
    const stand = standFor(this.#robot, arms, this.#choices.height, this.#choices.yaw);
    const catchers = arms.map((arm, i) => this.#catcherOf(arm, names[i]!));
    const links = [...stand.links, ...catchers.flatMap((catcher) => catcher.links)];
    this.#decide(...jointDecisions.decisions, stand.decision);
    this.#change({
      ...(links.length > 0 && { links }),
      ...(stand.mount !== undefined && { mount: stand.mount }),
      groups: arms.map((arm, i) => this.#groupOf(arm, names[i]!, catchers[i]!.hand)),
      hands: catchers.map(({ hand }) => hand),
      simulation: { contact: softContact },
    });
    this.#change({
      frames: this.#framesOf(
        catchers.map(({ hand }) => hand.catchLink),
        stand.mount?.parent,
      ),
    });
    if (this.#choices.cameras === "tripods") this.#addTripods();
    this.#accelerate(Object.assign({}, ...catchers.map(({ accelerations }) => accelerations)));
    this.#addBodies();
    this.#change({ handKeepOut: keepOutFor(this.#robot, this.#placedArms()) });
    this.#addPostures();
    return { sidecar: this.#sidecar, robot: this.#robot };
  }

  #change(part: Partial<Sidecar>): void {
    this.#sidecar = { ...this.#sidecar, ...part };
    this.#robot = robotOf(this.#source, this.#source.urdf, this.#sidecar);
  }

  #decide(...decisions: readonly Decision[]): void {
    this.decisions.push(...decisions);
  }

  #catcherOf(arm: FoundArm, name: string) {
    const { out, catcher, tips, ballRadius } = this.#choices;
    const robot = this.#robot;
    const given = tips.length === 0 ? null : requireLink(robot, tips[this.#arms.indexOf(arm)]!);
    const found = tipFrameOf(robot, arm, given);
    const tip = out === null ? found : { ...found, out: axisOf(out), isCatchFrame: false };
    const own = catcher === "hand" || catcher === "auto" ? ownHand(robot, arm, tip, ballRadius) : null;
    if (own === null && catcher === "hand") throw this.#noHand(tip);
    const { linkNames, dofNames } = robot.model;
    const prefix = this.#arms.length > 1 ? name.replace("Arm", "") : "";
    const joints = `${arm.dofs.map((dof) => dofNames[dof]).join(", ")} from ${linkNames[arm.baseLink]}`;
    this.#decide({
      subject: name,
      decision: joints,
      reason: tips.length === 0 ? "the longest chain of moving joints" : "as asked",
    });
    if (own !== null) return this.#ownCatcher(own, tip, prefix);
    const kind = catcher === "auto" || catcher === "hand" ? "net" : catcher;
    return this.#addedCatcher(kind, arm, tip, prefix);
  }

  #ownCatcher({ hand, catchFrame, room }: NonNullable<ReturnType<typeof ownHand>>, tip: TipFrame, prefix: string) {
    const { linkNames } = this.#robot.model;
    const catchLink = catchFrame === null ? linkNames[tip.link]! : prefix === "" ? "catch" : `${prefix}Catch`;
    const links: AddedLink[] =
      catchFrame === null ? [] : [{ name: catchLink, parent: linkNames[tip.link]!, origin: catchFrame }];
    const decision = `the one that the URDF has at ${linkNames[tip.link]}, with ${hand.joints.length} moving joints`;
    const reason = `a ball goes into it with ${(1000 * room).toFixed(0)} mm of room on each side`;
    this.#decide({ subject: "catcher", decision, reason });
    const named: SidecarHand = { name: prefix === "" ? "hand" : `${prefix}Hand`, catchLink, ...hand };
    return { links, hand: named, accelerations: {} };
  }

  #addedCatcher(kind: CatcherName, arm: FoundArm, tip: TipFrame, prefix: string) {
    const { catcher, ballRadius } = this.#choices;
    const { linkNames } = this.#robot.model;
    const size = completeSize(kind, this.#choices.size);
    refuseTooSmall(size.mouth, ballRadius);
    const from = endExtent(this.#robot, arm, tip);
    const parent = linkNames[tip.link]!;
    const axis = Array.from(tip.out, (value) => value.toFixed(2)).join(" ");
    const reason =
      catcher !== "auto"
        ? "as asked"
        : arm.fingers.length === 0
          ? "the URDF has no hand"
          : "no ball of this size goes into the URDF's gripper";
    const decision = `${catcherKinds[kind].description}, on ${parent}, ${(1000 * from).toFixed(0)} mm out along ${axis}`;
    this.#decide({ subject: "catcher", decision, reason });
    return catcherParts(kind, size, { parent, out: tip.out, from, prefix }, ballRadius);
  }

  #noHand(tip: TipFrame): FlycatcherError {
    return new FlycatcherError("FLY_SETUP_CATCHER", "no ball goes into the hand of this URDF", {
      path: this.#robot.model.linkNames[tip.link]!,
      expected: `a hand that opens wider than ${(2000 * this.#choices.ballRadius).toFixed(0)} mm`,
      found: "none",
    });
  }

  #groupOf({ dofs, baseLink }: FoundArm, name: string, { name: hand, catchLink }: SidecarHand): SidecarGroup {
    const { dofNames, linkNames } = this.#robot.model;
    const joints = dofs.map((dof) => dofNames[dof]!);
    return { name, kind: "arm", joints, baseLink: linkNames[baseLink]!, tipLink: catchLink, hand };
  }

  #addTripods(): void {
    const { model, frames } = this.#robot;
    const chest = stateAt(model).worldFromLink[frames.chest ?? 0]!;
    const { links, head, part, decision } = tripods(this.#robot, [chest[9], chest[10]]);
    this.#decide(decision);
    this.#change({
      ...part,
      links: [...(this.#sidecar.links ?? []), ...links],
      frames: { ...this.#sidecar.frames, head },
    });
  }

  #framesOf(catchLinks: readonly string[], mounted: string | undefined): NonNullable<Sidecar["frames"]> {
    const { model } = this.#robot;
    const root = model.linkNames[0]!;
    const chest = mounted ?? this.#upright() ?? root;
    const [first, second] = catchLinks as [string, string?];
    if (second === undefined) return { world: root, base: chest, chest, catch: first };
    const isLeftFirst = this.#names[0] === "leftArm";
    const [left, right] = isLeftFirst ? [first, second] : [second, first];
    return { world: root, base: chest, chest, catchLeft: left, catchRight: right };
  }

  /** The link that all arms are mounted on, if it stands upright and does not move. */
  #upright(): string | null {
    const { model, rigidBody } = this.#robot;
    const state = stateAt(model);
    const pathOf = (link: number): number[] => (link < 0 ? [] : [...pathOf(model.parentLink[link]!), link]);
    const [first, second] = this.#placedArms().map(({ baseLink }) => pathOf(baseLink));
    const shared = first!.filter((link) => second?.includes(link) ?? true);
    const found = shared.findLast((link) => rigidBody[link] === 0 && state.worldFromLink[link]![8] > 0.99);
    return found === undefined ? null : model.linkNames[found]!;
  }

  /** The arms in the robot as it is now: links that were added changed the numbers of others. */
  #placedArms(): FoundArm[] {
    const { groups, dofJoint } = this.#robot.model;
    return groups.map(({ dofs, baseLink }) => ({ dofs, baseLink, lastLink: dofJoint[dofs.at(-1)!]!, fingers: [] }));
  }

  #accelerate(given: Readonly<Record<string, number>>): void {
    const limits = { ...this.#sidecar.limits };
    for (const [joint, acceleration] of Object.entries(given)) limits[joint] = { ...limits[joint], acceleration };
    this.#change({ limits });
    const fingers = new Set(
      this.#robot.hands.flatMap(({ dofs }) => dofs.map((dof) => this.#robot.model.dofNames[dof]!)),
    );
    const found = accelerations(this.#robot, fingers, this.#choices.seed);
    for (const [joint, acceleration] of Object.entries(found.values))
      limits[joint] = { ...limits[joint], acceleration };
    this.#decide(...found.decisions);
    this.#change({ limits: { ...limits } });
  }

  #addBodies(): void {
    const { linkCount } = this.#robot.model;
    let done = 0;
    let made = linkBodies(this.#robot, (link) => this.#progress(`collision body of ${link}`, done++ / linkCount));
    let found = this.#pairsOf(made);
    if (found.crowded.size > 0) {
      made = withFinerBodies(this.#robot, made, found.crowded);
      found = this.#pairsOf(made);
    }
    const { hulls } = this.#sidecar.collision!;
    this.#change({ collision: { hulls, pairs: found.pairs } });
    const reason = whyOthersAreLeftOut(found);
    this.#decide({
      subject: "bodies",
      decision: `${hulls.length}, each containing its shapes; ${found.pairs.length} pairs to check`,
      reason,
    });
  }

  #pairsOf(made: readonly LinkHulls[]): ChosenPairs {
    this.#change({ collision: { hulls: collisionBodies(this.#robot, made) } });
    const progress = (share: number) => this.#progress("pairs of bodies", share);
    return collisionPairs(this.#robot, PAIR_SAMPLES, this.#choices.seed, progress);
  }

  #addPostures(): void {
    const { seed } = this.#choices;
    const withPostures = (postures: NonNullable<Sidecar["postures"]>) =>
      robotOf(this.#source, this.#source.urdf, { ...this.#sidecar, postures });
    const { groups } = this.#robot.model;
    const progress = (share: number) => this.#progress("posture ready", share);
    const ready = findReady(this.#robot, groups, withPostures, { seed, progress });
    const drop = findDrop(this.#robot, groups, ready.joints, seed);
    this.#change({ postures: { ready: ready.joints, drop } });
    const where = this.#robot.hands.map(({ catchLink }) => {
      const at = stateAt(this.#robot.model, this.#robot.postures.get("ready")).worldFromLink[catchLink]!;
      return `hand at ${[at[9], at[10], at[11]].map((value) => value!.toFixed(2)).join(", ")} m`;
    });
    const reason = `faces the thrower, clear of itself; ${ready.caught} of ${ready.throws} throws can be caught from it`;
    this.#decide({ subject: "ready", decision: where.join("; "), reason });
  }
}

function whyOthersAreLeftOut({ all, pairs, touching, proven, inseparable, unmoved }: ChosenPairs): string {
  const left = all - pairs.length;
  return [
    `${left} are rigid, neighbours or never near in ${PAIR_SAMPLES} random postures`,
    ...(unmoved > 0 ? [`${unmoved} of them have only joints between them that no arm moves`] : []),
    ...(touching.length > 0 ? [`${touching.join(", ")} always touch`] : []),
    ...(proven.length > 0 ? [`${proven.join(", ")} never touch, as finer bodies prove`] : []),
    ...(inseparable.length > 0 ? [`${inseparable.join(", ")} are nowhere 1 cm apart: left to the joints' limits`] : []),
  ].join("; ");
}

/** `arm`, or `leftArm` and `rightArm` by where they are mounted. */
function armNames({ model }: Robot, arms: readonly FoundArm[]): string[] {
  if (arms.length === 1) return ["arm"];
  const state = stateAt(model);
  const y = arms.map(({ dofs }) => state.worldFromLink[model.dofJoint[dofs[1] ?? dofs[0]!]!]![10]);
  return y[0]! >= y[1]! ? ["leftArm", "rightArm"] : ["rightArm", "leftArm"];
}

/** A net or foam: it gives way and does not throw a ball back. */
const softContact = {
  restitution: 0.05,
  friction: [0.8, 0.02, 0.002] as [number, number, number],
  solref: [-40_000, -735] as [number, number],
  solimp: [0.95, 0.95, 0.001, 0.5, 2] as [number, number, number, number, number],
};

function axisOf(axis: string): vec3.Vec3 {
  const sign = axis.startsWith("-") ? -1 : 1;
  const k = "xyz".indexOf(axis.at(-1)!);
  const out = vec3.create();
  out[k] = sign;
  return out;
}
