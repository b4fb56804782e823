import Type, { type Static, type TProperties } from "typebox";
import { NameLookup } from "../../robot/loading/name-lookup.js";
import { resolveKeepOut } from "../../robot/loading/resolve-collision.js";
import type { KeepOutShape, Robot } from "../../robot/robot.js";
import type { SidecarKeepOut } from "../../robot/sidecar/sidecar-schema.js";
import { FlycatcherError } from "../../runtime/errors.js";
import { positive, strict, vector } from "./request-parts.js";

/** Keep-out shapes of a request: those of the sidecar, with lists for vectors and the world as the default frame. */

const common = {
  name: Type.String({ minLength: 1, maxLength: 200, description: "Name of the shape, unique in the request." }),
  link: Type.Optional(
    Type.String({ maxLength: 200, description: "Link in whose frame the shape stands; default: the world." }),
  ),
};
const shape = <Name extends string, Own extends TProperties>(type: Name, description: string, own: Own) =>
  Type.Object({ ...common, type: Type.Literal(type, { description }), ...own }, strict);

const radius = positive("Radius [m].");

const SphereSchema = shape("sphere", "A ball.", { center: vector("Centre [m]."), radius });

const CapsuleSchema = shape("capsule", "All points nearer than the radius to a segment.", {
  from: vector("One end of the segment [m]."),
  to: vector("Other end of the segment [m]."),
  radius,
});

const CylinderSchema = shape("cylinder", "A right circular cylinder with flat ends.", {
  from: vector("Centre of one end [m]."),
  to: vector("Centre of the other end [m]."),
  radius,
});

const BoxSchema = shape("box", "A box, by its centre's pose and its size.", {
  origin: Type.Object(
    {
      xyz: vector("Translation [m]."),
      rpy: Type.Optional(vector("Roll, pitch, yaw about fixed x, y, z axes, as in URDF [rad]; default zero.")),
    },
    strict,
  ),
  size: vector("Edge lengths in x, y, z [m]; all positive."),
});

const HalfSpaceSchema = shape("half-space", "All points x with normal·x < offset.", {
  normal: vector("Normal, pointing to the free side; need not be of length 1, must not be zero."),
  offset: Type.Number({
    minimum: -1000,
    maximum: 1000,
    description: "Distance of the plane from the frame's origin along the unit normal [m].",
  }),
});

export const KeepOutRequestSchema = Type.Union(
  [SphereSchema, CapsuleSchema, CylinderSchema, BoxSchema, HalfSpaceSchema],
  { description: "A region where the hand must not catch." },
);

type KeepOutRequest = Static<typeof KeepOutRequestSchema>;

/** The request's shapes as the robot's own are kept; JSON pointers in errors lead into the request. */
export function resolveKeepOutRequests(robot: Robot, shapes: readonly KeepOutRequest[]): KeepOutShape[] {
  const world = robot.model.linkNames[robot.frames.world]!;
  try {
    return resolveKeepOut(
      shapes.map((shape) => ({ ...shape, link: shape.link ?? world }) as SidecarKeepOut),
      new NameLookup("link", robot.model.linkNames),
    );
  } catch (error) {
    if (!(error instanceof FlycatcherError)) throw error;
    throw new FlycatcherError("FLY_PLAN_KEEP_OUT", "A keep-out shape cannot be used", error.details, { cause: error });
  }
}
