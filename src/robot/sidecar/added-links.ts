import Type, { type Static } from "typebox";
import { described, name, nonNegative, origin, positive, strict, strictObject, vector } from "./sidecar-parts.js";

/** Links that the sidecar adds to those of the URDF: a catcher, a catch frame, a pedestal, a camera on a tripod. */

const common = {
  origin: Type.Optional(origin("Pose of the shape's centre in the link; default: that of the link.")),
  colour: Type.Optional(
    Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "Colour in pictures, as `#rrggbb`; default: gray." }),
  ),
};
const radius = positive("Radius [m].");
const length = (what: string) => positive(`Length along z${what} [m].`);

const AddedShapeSchema = Type.Union(
  [
    Type.Object(
      { type: Type.Literal("box"), ...common, size: vector("Edge lengths in x, y, z [m]; all positive.") },
      strict,
    ),
    Type.Object({ type: Type.Literal("cylinder"), ...common, radius, length: length("") }, strict),
    Type.Object({ type: Type.Literal("capsule"), ...common, radius, length: length(", without the caps") }, strict),
    Type.Object({ type: Type.Literal("sphere"), ...common, radius }, strict),
  ],
  described("A shape: drawn, touched by balls in physics, and covered by collision bodies, as a URDF's."),
);

const AddedInertialSchema = strictObject("Mass of the link; without it the link has none.", {
  mass: positive("Mass [kg]."),
  centre: Type.Optional(vector("Centre of mass in the link [m]; default: its origin.")),
  moments: vector("Moments of inertia about axes through the centre of mass along x, y, z of the link [kg·m²]."),
});

const AddedJointSchema = strictObject("How the link moves; without it the link is fixed to its parent.", {
  type: Type.Union([Type.Literal("revolute"), Type.Literal("prismatic")], described("Turning or sliding.")),
  axis: vector("Axis in the link's frame; need not be of length 1, must not be zero."),
  lower: Type.Number(described("Lowest position [rad or m].")),
  upper: Type.Number(described("Highest position [rad or m].")),
  velocity: positive("Greatest speed [rad/s or m/s]."),
  effort: nonNegative("Greatest torque or force [N·m or N]."),
});

export const AddedLinkSchema = strictObject(
  "A link that the URDF does not have: a catcher, a catch frame, a pedestal, a tripod.",
  {
    name: name("Name of the link, unique. Its joint has the same name, or `<name>Mount` if it is fixed."),
    parent: Type.Optional(
      name("Link it is mounted on. One link may have none: it carries all others, the URDF's by `mount`."),
    ),
    origin: Type.Optional(origin("Pose in its parent; of a moving link at position 0. Default: that of the parent.")),
    joint: Type.Optional(AddedJointSchema),
    inertial: Type.Optional(AddedInertialSchema),
    shapes: Type.Optional(Type.Array(AddedShapeSchema, { maxItems: 200, description: "Shapes of the link." })),
  },
);

export const MountSchema = strictObject("Where the URDF's root link stands, if a link of `links` carries it.", {
  parent: name("Link of `links` that carries the URDF's root link."),
  origin: Type.Optional(origin("Pose of the URDF's root link in it; default: the same.")),
});

export type AddedLink = Static<typeof AddedLinkSchema>;
export type AddedShape = Static<typeof AddedShapeSchema>;
export type Mount = Static<typeof MountSchema>;
