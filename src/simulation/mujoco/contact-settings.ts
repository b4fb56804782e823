import type { Robot } from "../../robot/robot.js";

/** How a ball touches things, in MuJoCo's terms. */
export interface ContactSettings {
  /** Sliding, torsional and rolling friction. */
  readonly friction: readonly number[];
  /** −stiffness and −damping of a contact, both per mass [1/s², 1/s]. */
  readonly solref: readonly number[];
  readonly solimp: readonly number[];
}

/**
 * A soft ball in a hand: restitution 0.44. The contact is a spring of (400 rad/s)² with a damping of 30 % of the
 * critical, so that a ball stays in touch for some 8 ms. 1 ms steps resolve that, though not finely: by where in a step
 * the touch begins, single bounces have 0.38 to 0.50.
 */
export const defaultContact: ContactSettings = {
  friction: [0.8, 0.02, 0.002],
  solref: [-160_000, -240],
  solimp: [0.95, 0.95, 0.001, 0.5, 2],
};

/** What the robot's sidecar says of contacts, or the default. */
export function contactOf({ sidecar }: Robot): ContactSettings {
  const contact = sidecar.simulation?.contact;
  return {
    friction: contact?.friction ?? defaultContact.friction,
    solref: contact?.solref ?? defaultContact.solref,
    solimp: contact?.solimp ?? defaultContact.solimp,
  };
}

/**
 * Who touches whom: two shapes do if a bit of one's `contype` is in the other's `conaffinity`. Balls touch everything;
 * robot and floor do not touch themselves or each other, which would cost much and is watched over by `src/safety`.
 */
export const contactBits = {
  robot: { contype: 1, conaffinity: 0 },
  floor: { contype: 2, conaffinity: 0 },
  ball: { contype: 4, conaffinity: 7 },
} as const;
