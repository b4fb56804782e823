import type { JointGroup } from "../model.js";
import type { SidecarGroup } from "../sidecar/sidecar-schema.js";
import { inconsistent, lookupParts, type NameLookup } from "./name-lookup.js";

export interface JointGroupsInput {
  readonly links: NameLookup;
  readonly joints: NameLookup;
  readonly parentLink: Int32Array;
  readonly dofJoint: Int32Array;
  readonly groups: readonly SidecarGroup[];
}

/** The sidecar's groups, each checked to be a chain: its joints lie between base and tip, in this order. */
export function resolveGroups(input: JointGroupsInput): JointGroup[] {
  lookupParts("group", input.groups, "/groups");
  return input.groups.map((group, index) => resolveGroup(input, group, `/groups/${index}`));
}

function resolveGroup(input: JointGroupsInput, group: SidecarGroup, path: string): JointGroup {
  const baseLink = input.links.require(group.baseLink, `${path}/baseLink`);
  const tipLink = input.links.require(group.tipLink, `${path}/tipLink`);
  const chain = linksBetween(baseLink, tipLink, input.parentLink);
  if (chain === undefined) {
    throw inconsistent(`${path}/tipLink`, `a link that hangs on ${group.baseLink}`, group.tipLink);
  }
  let last = -1;
  const dofs = group.joints.map((name, k) => {
    const at = `${path}/joints/${k}`;
    const joint = input.joints.require(name, at);
    const dof = input.dofJoint.indexOf(joint);
    if (dof < 0) throw inconsistent(at, "an independent joint", `${name}, which is fixed or follows another`);
    const place = chain.indexOf(joint);
    if (place <= last) throw inconsistent(at, chainRule(group), name);
    last = place;
    return dof;
  });
  return {
    name: group.name,
    dofs,
    baseLink,
    tipLink,
    ...(group.kind === undefined ? {} : { kind: group.kind }),
    ...(group.hand === undefined ? {} : { hand: group.hand }),
  };
}

function chainRule(group: SidecarGroup): string {
  return `a joint between ${group.baseLink} and ${group.tipLink}, after the one before it`;
}

/** Links from below `base` down to `tip`, or undefined if `tip` does not hang on `base`. */
function linksBetween(base: number, tip: number, parentLink: Int32Array): number[] | undefined {
  const chain: number[] = [];
  let link = tip;
  for (; link > base; link = parentLink[link]!) chain.push(link);
  return link === base ? chain.reverse() : undefined;
}
