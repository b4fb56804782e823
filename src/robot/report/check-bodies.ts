import type { Robot } from "../robot.js";
import type { UrdfInertia } from "../urdf/urdf-document.js";
import { type Finding, finding, findingAbout } from "./finding.js";

/** Printed inertias may miss the triangle inequality by this share of their size. */
const inertiaRoundOff = 1e-3;

/** Collision bodies: are there any, and does every part that moves by itself have one? */
export function checkBodies({ name, model, hulls, hands, shapes, rigidBody }: Robot): Finding[] {
  if (hulls.length === 0) {
    const said =
      "None (`collision.hulls`): the self-collision monitor needs them. `flycatcher robot hulls <robot> --write` makes them.";
    return [finding("error", "collision bodies", said, `flycatcher robot hulls ${name} --write`)];
  }
  const covered = new Set(hulls.map(({ link }) => rigidBody[link]!));
  const fingers = fingerLinks(
    model.parentLink,
    new Set(hands.flatMap(({ dofs }) => dofs.map((d) => model.dofJoint[d]!))),
  );
  // A hand's hull stands for its fingers in all their positions.
  const bare = model.linkNames.filter((_, link) => {
    const hasShape = shapes[link]!.collisions.length > 0 || shapes[link]!.visuals.length > 0;
    return hasShape && !covered.has(rigidBody[link]!) && !fingers.has(link);
  });
  const said =
    "It has a shape but no collision body: the monitor does not see it. `flycatcher robot hulls <robot> --write` makes it.";
  return findingAbout("warning", "link", bare, said);
}

/** Links that hang on a finger joint. */
function fingerLinks(parentLink: Int32Array, fingerJoints: ReadonlySet<number>): Set<number> {
  const fingers = new Set<number>();
  for (const [link, parent] of parentLink.entries()) {
    if (fingerJoints.has(link) || fingers.has(parent)) fingers.add(link);
  }
  return fingers;
}

/** Mass and inertia of what moves: dynamics divide by them. */
export function checkInertia({ model, urdf, rigidBody }: Robot): Finding[] {
  const named = new Set(urdf.links.map(({ name }) => name));
  const bodyMass = new Float64Array(model.linkCount);
  for (let link = 0; link < model.linkCount; link++) bodyMass[rigidBody[link]!]! += model.mass[link]!;
  const massless = model.linkNames.filter(
    (name, link) => link > 0 && rigidBody[link] === link && bodyMass[link] === 0 && named.has(name),
  );
  const heavy = urdf.links.flatMap(({ name, inertial }) => (inertial && inertial.mass > 0 ? [{ name, inertial }] : []));
  const pointLike = heavy.filter(({ inertial }) => trace(inertial.inertia) === 0).map(({ name }) => name);
  const impossible = heavy.filter(({ inertial }) => !isOfABody(inertial.inertia)).map(({ name }) => name);
  return [
    ...findingAbout(
      "warning",
      "link",
      massless,
      "It moves but has no mass: torques and simulation will be wrong. Give it an <inertial>.",
    ),
    ...findingAbout("warning", "link", pointLike, "It has mass but no rotational inertia."),
    ...findingAbout(
      "warning",
      "link",
      impossible,
      "No body can have this inertia: each moment must be at most the sum of the other two.",
    ),
  ];
}

function trace({ ixx, iyy, izz }: UrdfInertia): number {
  return ixx + iyy + izz;
}

/** The triangle inequality on the diagonal, which holds in every frame if it holds for the principal moments. */
function isOfABody(inertia: UrdfInertia): boolean {
  const half = (trace(inertia) / 2) * (1 + inertiaRoundOff);
  return inertia.ixx <= half && inertia.iyy <= half && inertia.izz <= half;
}
