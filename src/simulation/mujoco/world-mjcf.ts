import { type Ball, STANDARD_GRAVITY } from "../../flight/ball.js";
import type { Robot } from "../../robot/robot.js";
import { type ContactSettings, contactBits, couplings, element, motors, robotBody } from "./robot-mjcf.js";
import type { ServoGains } from "./servo-gains.js";

/** All that a world is made of. */
interface WorldContents {
  readonly robot: Robot;
  readonly gains: ServoGains;
  readonly ball: Ball;
  /** How many balls there can be at a time. */
  readonly ballCount: number;
  readonly contact: ContactSettings;
  /** Links that can be displaced. */
  readonly displaced: readonly number[];
  /** [s] */
  readonly timestep: number;
}

/** Where balls wait that are not in play: out of everybody's reach, side by side [m]. */
export const PARKING = { x: 0, y: 0, z: 60, spacing: 1 } as const;

/** Name of ball `index` in MuJoCo. */
export function ballName(index: number): string {
  return `ball/${index}`;
}

/** Memory for contacts and scratch; MuJoCo's own choice is 15 MB a world. */
const ARENA = "4M";

/** The whole world as a MuJoCo file: robot, floor and balls. */
export function worldMjcf(parts: WorldContents): string {
  const { robot, gains, ball, ballCount, contact, displaced, timestep } = parts;
  return element("mujoco", { model: robot.name }, [
    element("compiler", { angle: "radian", autolimits: true, fusestatic: false, discardvisual: false }),
    element("size", { memory: ARENA }),
    // The solver's tolerance is relative to the mean inertia, which the displaced links would spoil.
    element("statistic", { meaninertia: 1 }),
    element(
      "option",
      {
        timestep,
        gravity: [0, 0, -STANDARD_GRAVITY],
        integrator: "implicitfast",
        cone: "elliptic",
        solver: "Newton",
        // The same to the last digits, and a ball among the fingers (eight contacts) costs half of what it does densely.
        jacobian: "sparse",
        tolerance: 1e-10,
      },
      [element("flag", { autoreset: "disable" })],
    ),
    element("worldbody", {}, [
      element("geom", { name: "floor", type: "plane", size: [0, 0, 1], ...contactBits.floor }),
      robotBody(robot, gains, displaced),
      ...Array.from({ length: ballCount }, (_, i) => ballBody(i, ball, contact)),
    ]),
    couplings(robot.model, gains),
    motors(robot.model, gains),
  ]);
}

/** A solid sphere; its contact settings hold with whatever it touches. */
function ballBody(index: number, { diameter, mass }: Ball, { friction, solref, solimp }: ContactSettings): string {
  const radius = diameter / 2;
  const inertia = 0.4 * mass * radius * radius;
  return element("body", { name: ballName(index), pos: [PARKING.x + index * PARKING.spacing, PARKING.y, PARKING.z] }, [
    element("freejoint", { name: ballName(index) }),
    element("inertial", { pos: [0, 0, 0], mass, diaginertia: [inertia, inertia, inertia] }),
    element("geom", {
      name: ballName(index),
      type: "sphere",
      size: [radius],
      mass: 0,
      priority: 1,
      condim: 6,
      friction,
      solref,
      solimp,
      ...contactBits.ball,
    }),
  ]);
}
