import type { RobotModel } from "../model.js";
import type { RobotHand } from "../robot.js";
import type { Sidecar, SidecarHand } from "../sidecar/sidecar-schema.js";
import { inconsistent, lookupParts, NameLookup, pointer } from "./name-lookup.js";

/** Postures and hand shapes may pass a limit by this much [rad or m]: the rounding of a printed limit. */
const limitRoundOff = 1e-6;

export function resolveHands(sidecar: Sidecar, model: RobotModel, links: NameLookup): RobotHand[] {
  const hands = sidecar.hands ?? [];
  const names = lookupParts("hand", hands, "/hands");
  const dofs = new NameLookup("independent joint", model.dofNames);
  const resolved = hands.map((hand, i) => resolveHand(hand, model, links, dofs, `/hands/${i}`));
  for (const [i, group] of model.groups.entries()) {
    if (group.hand === undefined) continue;
    const hand = resolved[names.require(group.hand, `/groups/${i}/hand`)]!;
    if (hand.catchLink !== group.tipLink) {
      const [wanted, found] = [model.linkNames[hand.catchLink]!, model.linkNames[group.tipLink]!];
      throw inconsistent(`/groups/${i}/tipLink`, `${wanted}, the catch link of hand ${group.hand}`, found);
    }
  }
  return resolved;
}

function resolveHand(
  hand: SidecarHand,
  model: RobotModel,
  links: NameLookup,
  dofs: NameLookup,
  path: string,
): RobotHand {
  const { name, closingTime, positionTolerance, timeTolerance } = hand;
  const fingers = hand.joints.map((joint, k) => dofs.require(joint, `${path}/joints/${k}`));
  return {
    name,
    catchLink: links.require(hand.catchLink, `${path}/catchLink`),
    dofs: fingers,
    open: resolveShape(hand.open, hand.joints, model, dofs, `${path}/open`),
    closed: resolveShape(hand.closed, hand.joints, model, dofs, `${path}/closed`),
    closingTime,
    positionTolerance,
    timeTolerance,
  };
}

function resolveShape(
  shape: Readonly<Record<string, number>>,
  joints: readonly string[],
  model: RobotModel,
  dofs: NameLookup,
  path: string,
): Float64Array {
  const values = positionsByDof(shape, model, dofs, path);
  const wanted = joints.map((joint) => dofs.require(joint, path));
  if (values.size !== wanted.length || !wanted.every((dof) => values.has(dof))) {
    throw inconsistent(path, `the finger joints ${joints.join(", ")}`, Object.keys(shape).join(", ") || "none");
  }
  return Float64Array.from(wanted, (dof) => values.get(dof)!);
}

/** Every dof in each posture: as given, or 0, or the limit nearest to 0. */
export function resolvePostures(sidecar: Sidecar, model: RobotModel): Map<string, Float64Array> {
  const dofs = new NameLookup("independent joint", model.dofNames);
  const postures = new Map<string, Float64Array>();
  for (const [name, positions] of Object.entries(sidecar.postures ?? {})) {
    const values = positionsByDof(positions, model, dofs, pointer("/postures", name));
    const rest = (dof: number) => Math.min(Math.max(0, model.lower[dof]!), model.upper[dof]!);
    postures.set(
      name,
      Float64Array.from(model.dofNames, (_, dof) => values.get(dof) ?? rest(dof)),
    );
  }
  return postures;
}

function positionsByDof(
  positions: Readonly<Record<string, number>>,
  model: RobotModel,
  dofs: NameLookup,
  path: string,
): Map<number, number> {
  const values = new Map<number, number>();
  for (const [name, value] of Object.entries(positions)) {
    const dof = dofs.require(name, pointer(path, name));
    const [lower, upper] = [model.lower[dof]!, model.upper[dof]!];
    if (!(value >= lower - limitRoundOff && value <= upper + limitRoundOff)) {
      throw inconsistent(pointer(path, name), `a position from ${lower} to ${upper}`, String(value));
    }
    values.set(dof, value);
  }
  return values;
}
